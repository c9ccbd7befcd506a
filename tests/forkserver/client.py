"""
One call of a command that a fork server runs.

It runs for each call, so it imports as little as it can.
"""

import marshal
import os
import socket
import sys

STREAMS = 0, 1, 2

directory, name = os.path.split(__file__)
with socket.socket(socket.AF_UNIX) as server:
    server.connect(os.path.join(directory, "socket"))
    request = marshal.dumps((name, sys.argv[1:], os.getcwd(), dict(os.environ)))
    socket.send_fds(server, [len(request).to_bytes(8)], STREAMS)
    server.sendall(request)
    status = server.recv(1)
if not status:  # It did not get as far as its exit status: a signal ended it.
    os.abort()
sys.exit(status[0])
