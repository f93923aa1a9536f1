"""What every Python echo server here shares: its options, its first line, and its end with the harness."""

import argparse
import ipaddress
import os
import platform
import socket
import ssl
import sys
import threading

BACKLOG = 1024
UNIX = "unix:"

# Python makes a bytes object of this size for each receive and shrinks it. Above glibc's threshold for mmap that costs
# page faults, and uvloop's sockets three times the CPU; the published comparisons read 1,000,000 bytes all the same.
READ_SIZE = 64 * 1024


def options(modes, versions, uvloop=False):
    """Parses --addr, --mode, --read-size, --cert and --key, and answers --version."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--addr", default="127.0.0.1:25000", metavar="HOST:PORT|unix:PATH")
    parser.add_argument("--mode", choices=modes, default=modes[0])
    parser.add_argument("--read-size", type=int, default=READ_SIZE, metavar="BYTES")
    parser.add_argument("--cert", metavar="FILE")
    parser.add_argument("--key", metavar="FILE")
    parser.add_argument("--version", action="store_true")
    if uvloop:
        parser.add_argument("--uvloop", action="store_true")
    args = parser.parse_args()
    if args.version:
        found = [f"{platform.python_implementation()} {platform.python_version()}", *versions(args)]
        if args.cert:
            found.append(ssl.OPENSSL_VERSION)
        print(", ".join(found))
        sys.exit(0)
    return args


def listening_socket(addr):
    """A bound, listening, non-blocking socket."""
    listener = bound_socket(addr, socket.SOCK_STREAM)
    listener.listen(BACKLOG)
    return listener


def bound_socket(addr, kind):
    """A bound, non-blocking socket. Only loopback: a benchmark opens no port to other machines."""
    if addr.startswith(UNIX):
        local = socket.socket(socket.AF_UNIX, kind)
        local.bind(addr.removeprefix(UNIX))
        local.setblocking(False)
        return local
    host, _, port = addr.rpartition(":")
    host = host.strip("[]")
    address = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    if not address.is_loopback:
        sys.exit(f"{addr}: only loopback addresses are served")
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    internet = socket.socket(family, kind)
    if kind == socket.SOCK_STREAM:
        internet.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    internet.bind((str(address), int(port)))
    internet.setblocking(False)
    return internet


def tls_context(args):
    """The server's side of TLS, or None without --cert."""
    if not args.cert:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(args.cert, args.key)
    return context


def announce(listener):
    """Prints the first line, and from here on ends the process with its standard input."""
    print(f"listening on {_text(listener)}", flush=True)
    threading.Thread(target=_end_with_stdin, daemon=True).start()


def _text(bound):
    if bound.family == socket.AF_UNIX:
        return UNIX + bound.getsockname()
    host, port = bound.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def no_delay(connection):
    if connection.family == socket.AF_UNIX:
        return
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _end_with_stdin():
    while os.read(0, 256):
        pass
    os._exit(0)
