#!/usr/bin/env python3
"""An HTTP server for trying things out: prints what is posted to it.

    python3 doc/receiver.py NUMBER >posts 2>&1 &

It takes a free port of this machine and writes its address to the file "url". It ends, and takes
that away, after so many requests, or when none has come for half a minute. A path such as /503 is the
status that is answered with; others are answered with 200.
"""
import http.server
import os
import sys


class Receiver(http.server.BaseHTTPRequestHandler):
    """Prints the path and the body."""

    def do_POST(self):
        """Answers as the path says."""
        body = self.rfile.read(int(self.headers.get('Content-Length', 0)))
        print(self.path, body.decode(errors='replace').rstrip('\n'), flush=True)
        status = self.path.strip('/')
        self.send_response(int(status) if status.isdigit() else 200)
        self.send_header('Content-Length', '0')
        self.end_headers()

    def log_message(self, *_):
        """Nothing."""


def main():
    """Serves."""
    server = http.server.HTTPServer(('127.0.0.1', 0), Receiver)
    server.timeout = 30
    server.handle_timeout = sys.exit
    with open('url.new', 'w', encoding='utf-8') as file:
        file.write('http://127.0.0.1:%d' % server.server_port)
    os.rename('url.new', 'url')
    try:
        for _ in range(int(sys.argv[1])):
            server.handle_request()
    finally:
        os.unlink('url')


main()
