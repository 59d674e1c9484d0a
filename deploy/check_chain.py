#!/usr/bin/env python3
"""Checks the hash chain of entitled's log without any of entitled's code.

    psql "$DATABASE" -c "COPY (SELECT * FROM entitled.events ORDER BY position) TO STDOUT (FORMAT binary)" |
        deploy/check_chain.py

Reads a binary COPY of table entitled.events, in order of position, from standard input or from a file, and checks

  - that positions are consecutive, and begin with 1 (or with --first);
  - that every hash is SHA-256 over the hash before it and the bytes of the event's own columns.

With --evidence it reads a binary COPY of table entitled.evidence as well and checks that every signed text has the
digest it is stored under, and that none that an event names is missing:

    psql "$DATABASE" -c "COPY entitled.evidence TO STDOUT (FORMAT binary)" > evidence.bin

Names the first position that does not hold. Exit status: 0 the log holds, 1 it does not, 2 the input is no such COPY.

The format is described in Sources/EventStore/README.md and in PostgreSQL's manual, COPY, "Binary Format". Python 3.8 or
newer; nothing but its standard library.
"""

import argparse
import hashlib
import struct
import sys

SIGNATURE = b"PGCOPY\n\xff\r\n\0"
ZEROS = bytes(32)


class FormatError(Exception):
    """The input is no binary COPY, or one of another table."""


class Reader:
    """Reads exact numbers of bytes from a stream."""

    def __init__(self, stream):
        self.stream = stream

    def take(self, count):
        data = self.stream.read(count)
        if len(data) != count:
            raise FormatError("the input ends in the middle of a row; the dump is cut off")
        return data


def rows(stream):
    """The rows of a binary COPY: for each the fields, None for NULL, and their bytes as they came."""
    reader = Reader(stream)
    if reader.take(len(SIGNATURE)) != SIGNATURE:
        raise FormatError("the input is no binary COPY; say TO STDOUT (FORMAT binary)")
    flags, extension = struct.unpack(">Ii", reader.take(8))
    if flags >> 16:
        raise FormatError("the input has features this program does not know")
    reader.take(extension)
    while True:
        (count,) = struct.unpack(">h", reader.take(2))
        if count == -1:
            if stream.read(1):
                raise FormatError("there are bytes behind the end of the COPY")
            return
        fields, pieces = [], []
        for _ in range(count):
            head = reader.take(4)
            (length,) = struct.unpack(">i", head)
            value = None if length == -1 else reader.take(length)
            fields.append(value)
            pieces.append((head, value or b""))
        yield fields, pieces


def digests(array):
    """The elements of a bytea[] in PostgreSQL's binary form."""
    dimensions, _, _ = struct.unpack_from(">iiI", array)
    if dimensions == 0:
        return []
    (count,) = struct.unpack_from(">i", array, 12)
    found, offset = [], 20
    for _ in range(count):
        (length,) = struct.unpack_from(">i", array, offset)
        found.append(array[offset + 4 : offset + 4 + length])
        offset += 4 + length
    return found


def read_evidence(path):
    """Digest -> whether the text stored under it has that digest."""
    known = {}
    with open(path, "rb") as stream:
        for fields, _ in rows(stream):
            if len(fields) != 2:
                raise FormatError(f"{path} has {len(fields)} columns where table evidence has 2")
            digest, text = fields
            known[digest] = hashlib.sha256(text).digest() == digest
    return known


def check(stream, first, previous, evidence, expected):
    """Returns (number of events that hold, last hash, None) or (number, hash, (position, what is wrong))."""
    position = first
    for fields, pieces in rows(stream):
        if len(fields) < 4 or len(fields[0] or b"") != 8 or len(fields[-1] or b"") != 32:
            raise FormatError("the rows are not those of table entitled.events")
        (found,) = struct.unpack(">q", fields[0])
        if found != position:
            return position - first, previous, (position, f"the event is missing; the next one is {found}")
        running = hashlib.sha256(previous)
        for head, value in pieces[:-1]:
            running.update(head)
            running.update(value)
        if running.digest() != fields[-1]:
            return position - first, previous, (position, "the hash does not follow from the event before and the columns")
        if evidence is not None:
            # The three last columns are evidence_digests, payload and hash.
            for digest in digests(fields[-3]):
                if digest not in evidence:
                    return position - first, previous, (position, f"the signed text {digest.hex()} is missing")
                if not evidence[digest]:
                    return position - first, previous, (position, f"the signed text {digest.hex()} was changed")
        previous = fields[-1]
        if expected is not None and expected[0] == position and expected[1] != previous:
            return position - first, previous, (position, f"the hash is {previous.hex()}, not the expected one")
        position += 1
    if expected is not None and not first <= expected[0] < position:
        return position - first, previous, (expected[0], "the event is missing")
    return position - first, previous, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", default="-", help="a binary COPY of entitled.events; default: standard input")
    parser.add_argument("--evidence", metavar="FILE", help="a binary COPY of entitled.evidence")
    parser.add_argument("--first", type=int, default=1, metavar="P", help="the first position of the dump; default 1")
    parser.add_argument("--previous-hash", metavar="HEX", help="the hash before --first; default: zeros")
    parser.add_argument("--expect", metavar="P:HEX", help="the hash that position P must have, as a checkpoint says it")
    options = parser.parse_args()
    try:
        previous = bytes.fromhex(options.previous_hash) if options.previous_hash else ZEROS
        expected = None
        if options.expect:
            number, _, text = options.expect.rpartition(":")
            # A checkpoint's position may be written epoch:number.
            expected = (int(number.rpartition(":")[2]), bytes.fromhex(text))
    except ValueError:
        parser.error("hashes are hexadecimal, positions are numbers")
    if len(previous) != 32 or (options.first != 1 and not options.previous_hash):
        parser.error("--first P needs --previous-hash with 64 hexadecimal digits")
    try:
        evidence = read_evidence(options.evidence) if options.evidence else None
        if options.file == "-":
            result = check(sys.stdin.buffer, options.first, previous, evidence, expected)
        else:
            with open(options.file, "rb") as stream:
                result = check(stream, options.first, previous, evidence, expected)
    except (FormatError, OSError) as error:
        print(f"check_chain: {error}", file=sys.stderr)
        return 2
    count, last, problem = result
    if problem:
        print(f"position {problem[0]}: {problem[1]}")
        return 1
    print(f"{count} events hold; last hash {last.hex()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
