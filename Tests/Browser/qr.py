"""Reads QR codes with a library that is independent of the page's encoder."""

from __future__ import annotations

import io

import zxingcpp
from PIL import Image


def read(image: Image.Image) -> zxingcpp.Barcode:
    """Returns the only QR code of an image."""
    found = zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormat.QRCode)
    assert len(found) == 1, f"{len(found)} codes"
    return found[0]


def read_picture(png: bytes) -> zxingcpp.Barcode:
    return read(Image.open(io.BytesIO(png)).convert("L"))


def read_rows(rows: list[str]) -> zxingcpp.Barcode:
    """Returns the code with these rows of modules, read with the margin that the standard requires."""
    size = len(rows)
    modules = bytes(0 if module == "1" else 255 for row in rows for module in row)
    image = Image.new("L", (size + 8, size + 8), 255)
    image.paste(Image.frombytes("L", (size, size), modules), (4, 4))
    return read(image.resize((image.width * 3, image.height * 3), Image.Resampling.NEAREST))
