"""
One call of a command that a fork server runs.

It runs for each call, so it imports as little as it can: `socket` would take as long as the
start of Python.
"""

import _socket
import marshal
import os
import sys

STREAMS = 0, 1, 2

directory, name = os.path.split(__file__)
server = _socket.socket(_socket.AF_UNIX)
server.connect(os.path.join(directory, "socket"))
request = marshal.dumps((name, sys.argv[1:], os.getcwd(), dict(os.environ)))
streams = b"".join(stream.to_bytes(4, sys.byteorder) for stream in STREAMS)
rights = _socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams
server.sendmsg([len(request).to_bytes(8)], [rights])
server.sendall(request)
status = server.recv(1)
if not status:  # It did not get as far as its exit status: a signal ended it.
    os.abort()
sys.exit(status[0])
