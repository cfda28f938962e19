"""A client that starts a server, greets it, notes its number in a file, and waits to be killed."""

import json
import subprocess
import sys
import time
from pathlib import Path

from tests.integrations.recall.running import HELLO

if __name__ == "__main__":
    server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin
    assert server.stdout
    hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO}
    server.stdin.write(json.dumps(hello).encode() + b"\n")
    server.stdin.flush()
    server.stdout.readline()
    Path(sys.argv[1]).write_text(str(server.pid))
    time.sleep(600)
