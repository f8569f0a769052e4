"""Runs in the workbench: reads 10,000 issues through parallel tool calls, and draws how long they take to close."""

import collections
import statistics
import struct
import zlib

PAGES, PER_PAGE = 100, 100
pairs = run_tools([(TOOL, {"page": page, "per_page": PER_PAGE}) for page in range(1, PAGES + 1)])
failed = [error for _, error in pairs if error]
assert not failed, failed[0]
issues = [issue for result, _ in pairs for issue in result["data"]["issues"]]

hours = collections.defaultdict(list)
for issue in issues:
    if issue["state"] == "closed":
        hours[issue["label"]].append(issue["hours_to_close"])
medians = {label: statistics.median(values) for label, values in sorted(hours.items())}


def chart(values, width=640, height=360):
    """Draws horizontal bars as a PNG: the default driver has no matplotlib, and PNG is zlib and three chunks."""
    pixels = [bytearray(b"\xff\xff\xff" * width) for _ in range(height)]
    space = height // len(values)
    for row, value in enumerate(values):
        length = int(value / max(values) * (width - 20))
        for y in range(row * space + 10, (row + 1) * space - 10):
            pixels[y][30 : 30 + length * 3] = bytes((34, 102, 204)) * length

    def chunk(kind, content):
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    lines = b"".join(b"\0" + bytes(line) for line in pixels)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


with open("/mnt/files/hours_to_close.png", "wb") as file:
    file.write(chart(list(medians.values())))

print(f"{len(issues)} issues, {sum(issue['state'] == 'open' for issue in issues)} open")
medians
