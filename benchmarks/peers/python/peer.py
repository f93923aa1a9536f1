"""What every Python echo server here shares: its options, its first line, and its end with the harness."""

import argparse
import ipaddress
import os
import platform
import socket
import sys
import threading

BACKLOG = 1024

# Python makes a bytes object of this size for each receive and shrinks it. Above glibc's threshold for mmap that costs
# page faults, and uvloop's sockets three times the CPU; the published comparisons read 1,000,000 bytes all the same.
READ_SIZE = 64 * 1024


def options(modes, versions, uvloop=False):
    """Parses --addr HOST:PORT, --mode and --read-size, and answers --version."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--addr", default="127.0.0.1:25000", metavar="HOST:PORT")
    parser.add_argument("--mode", choices=modes, default=modes[0])
    parser.add_argument("--read-size", type=int, default=READ_SIZE, metavar="BYTES")
    parser.add_argument("--version", action="store_true")
    if uvloop:
        parser.add_argument("--uvloop", action="store_true")
    args = parser.parse_args()
    if args.version:
        found = [f"{platform.python_implementation()} {platform.python_version()}", *versions(args)]
        print(", ".join(found))
        sys.exit(0)
    return args


def listening_socket(addr):
    """A bound, listening, non-blocking socket. Only loopback: a benchmark opens no port to other machines."""
    host, _, port = addr.rpartition(":")
    host = host.strip("[]")
    address = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    if not address.is_loopback:
        sys.exit(f"{addr}: only loopback addresses are served")
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((str(address), int(port)))
    listener.listen(BACKLOG)
    listener.setblocking(False)
    return listener


def announce(listener):
    """Prints the first line, and from here on ends the process with its standard input."""
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    print(f"listening on {shown}:{port}", flush=True)
    threading.Thread(target=_end_with_stdin, daemon=True).start()


def no_delay(connection):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _end_with_stdin():
    while os.read(0, 256):
        pass
    os._exit(0)
