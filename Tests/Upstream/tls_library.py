"""A photo library with TLS, for tests of the upstream client: HTTP/2 (RFC 9113) and HTTP/1.1, selected by ALPN.

usage: tls_library.py [--extra] PROTOCOL...        the protocols that it offers, such as `h2 http/1.1`

With `--extra` it sends another response after each one of HTTP/1.1, which no request has asked for.

It creates a certificate authority and a certificate for 127.0.0.1 with openssl(1). Its first line of output is JSON with
its port and the path of the authority's certificate. Each connection and each request is another line:

    {"port": 40123, "authority": "/tmp/…/ca.pem"}
    connection h2
    request h2

The response to every request is an empty list of photos. HTTP/2 is implemented as far as this response needs it. The
library ends with the process that started it.
"""

import json
import os
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

CONTENT = b"[]"

# Frame types and flags of RFC 9113, section 6.
DATA, HEADERS, SETTINGS, PING = 0x0, 0x1, 0x4, 0x6
ACK = END_STREAM = 0x1
END_HEADERS = 0x4
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def openssl(*arguments: str) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


def make_certificates(folder: Path) -> None:
    """Creates an authority, and its certificate for the listening address without a name."""
    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-sha256", "-days", "2")
    openssl("req", "-x509", *key, "-subj", "/CN=Springbar test authority", "-addext", "keyUsage=critical,keyCertSign",
            "-keyout", f"{folder}/ca.key", "-out", f"{folder}/ca.pem")  # fmt: skip
    openssl("req", "-x509", *key, "-subj", "/CN=library", "-addext", "subjectAltName=IP:127.0.0.1",
            "-addext", "basicConstraints=critical,CA:FALSE", "-CA", f"{folder}/ca.pem", "-CAkey", f"{folder}/ca.key",
            "-keyout", f"{folder}/library.key", "-out", f"{folder}/library.pem")  # fmt: skip


def say(line: str) -> None:
    print(line, flush=True)


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def read_exactly(connection: ssl.SSLSocket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            raise EOFError
        data += part
    return data


def literal(name: bytes, value: bytes) -> bytes:
    """Returns a field that is not added to a table (RFC 7541, section 6.2.2), without Huffman codes."""
    return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value


def serve_http2(connection: ssl.SSLSocket) -> None:
    if read_exactly(connection, len(PREFACE)) != PREFACE:
        return
    connection.sendall(frame(SETTINGS, 0, 0))
    while True:
        head = read_exactly(connection, 9)
        length, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
        stream = int.from_bytes(head[5:], "big") & 0x7FFF_FFFF
        payload = read_exactly(connection, length)
        if kind == SETTINGS and not flags & ACK:
            connection.sendall(frame(SETTINGS, ACK, 0))
        elif kind == PING and not flags & ACK:
            connection.sendall(frame(PING, ACK, 0, payload))
        elif kind == HEADERS:
            # All requests get the same response, so the compressed fields are not decoded. 0x88 is `:status: 200`.
            fields = b"\x88" + literal(b"content-type", b"application/json")
            connection.sendall(
                frame(HEADERS, END_HEADERS, stream, fields) + frame(DATA, END_STREAM, stream, CONTENT)
            )
            say("request h2")


def serve_http1(connection: ssl.SSLSocket) -> None:
    waiting = b""
    while True:
        while b"\r\n\r\n" not in waiting:
            part = connection.recv(65536)
            if not part:
                return
            waiting += part
        _, _, waiting = waiting.partition(b"\r\n\r\n")
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(CONTENT), CONTENT))
        say("request http/1.1")
        if "--extra" in sys.argv:
            # The client has read the response by then, and waits for the line before its next request.
            time.sleep(0.1)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong")
            say("extra")


def serve(plain: socket.socket, context: ssl.SSLContext) -> None:
    try:
        with context.wrap_socket(plain, server_side=True) as connection:
            protocol = connection.selected_alpn_protocol() or "none"
            say(f"connection {protocol}")
            serve_http2(connection) if protocol == "h2" else serve_http1(connection)
    except (EOFError, OSError) as error:
        # A client that does not trust the certificate ends the handshake with an alert.
        if isinstance(error, ssl.SSLError):
            say(f"refused {error.reason}")


def end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.2)
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    # SIGTERM must exit normally, so that the folder is removed; the parent process may have blocked the signal.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    with tempfile.TemporaryDirectory() as name, socket.create_server(("127.0.0.1", 0)) as listener:
        make_certificates(Path(name))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{name}/library.pem", f"{name}/library.key")
        context.set_alpn_protocols([name for name in sys.argv[1:] if name != "--extra"])
        say(json.dumps({"port": listener.getsockname()[1], "authority": f"{name}/ca.pem"}))
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve, args=(connection, context), daemon=True).start()


if __name__ == "__main__":
    main()
