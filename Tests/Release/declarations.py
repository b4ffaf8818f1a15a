"""The public declarations of the Swift libraries, by swift-symbolgraph-extract.

    python3 Tests/Release/declarations.py FOLDER >Tests/Contract/released/swift-VERSION.txt

prints those of a build of the release; FOLDER is that of its modules, such as `.build/release/Modules`.
"""

import json
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

MODULES = ("BarLayout", "Motion", "SpringbarClient")
C_MATHEMATICS = Path(__file__).resolve().parents[2] / "Sources/CMathematics"


def declarations(modules: Path) -> Iterator[str]:
    """Yields each declaration: its path, and its text without attributes of the compiler."""
    for name in MODULES:
        with tempfile.TemporaryDirectory() as folder:
            command = ["swift", "symbolgraph-extract", "-module-name", name, "-I", modules, "-I", C_MATHEMATICS,
                       "-output-dir", folder,
                       "-target", f"{platform.machine()}-unknown-linux-gnu", "-minimum-access-level", "public",
                       "-skip-synthesized-members"]  # fmt: skip
            subprocess.run(command, check=True, capture_output=True)
            symbols = json.loads((Path(folder) / f"{name}.symbols.json").read_text())["symbols"]
        for symbol in symbols:
            text = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
            yield f"{name}.{'.'.join(symbol['pathComponents'])}: {' '.join(text.split())}"


if __name__ == "__main__":
    print("\n".join(sorted(declarations(Path(sys.argv[1])))))
