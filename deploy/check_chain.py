#!/usr/bin/env python3
"""Checks the hash chain of entitled's log without any of entitled's code.

    psql "$DATABASE" -c "COPY (SELECT * FROM entitled.events ORDER BY position) TO STDOUT (FORMAT binary)" |
        deploy/check_chain.py

Reads a binary COPY of table entitled.events, in order of position, from standard input or from a file, and checks

  - that positions are consecutive, and begin with 1 (or with --first);
  - that every hash is SHA-256 over the hash before it and the bytes of the event's own columns.

With --evidence and --chains it reads binary COPYs of tables entitled.evidence and entitled.certificate_chains as well,
brings every signed text back from the compact form it is stored in, and checks that it has the digest it is stored
under, and that none that an event names is missing:

    psql "$DATABASE" -c "COPY entitled.evidence TO STDOUT (FORMAT binary)" > evidence.bin
    psql "$DATABASE" -c "COPY entitled.certificate_chains TO STDOUT (FORMAT binary)" > chains.bin

Texts in a form that this program does not know are counted and reported, and not checked.

Names the first position that does not hold. Exit status: 0 the log holds, 1 it does not, 2 the input is no such COPY.

The formats are described in Sources/EventStore/README.md and in PostgreSQL's manual, COPY, "Binary Format". Python 3.8
or newer and its standard library; for --evidence also the distribution's libzstd.so.1 and the dictionary of the format,
Sources/EventStore/Evidence/dictionary-1.bin, which is looked for beside this program's directory.
"""

import argparse
import base64
import ctypes
import ctypes.util
import hashlib
import os
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


class Zstandard:
    """Decompresses frames with a raw-content dictionary, by the distribution's library."""

    LONGEST = 64 << 20

    def __init__(self, dictionary):
        name = ctypes.util.find_library("zstd") or "libzstd.so.1"
        try:
            library = ctypes.CDLL(name)
        except OSError as error:
            raise FormatError(f"--evidence needs libzstd ({error})") from error
        library.ZSTD_createDCtx.restype = ctypes.c_void_p
        library.ZSTD_createDDict.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
        library.ZSTD_createDDict.restype = ctypes.c_void_p
        library.ZSTD_getFrameContentSize.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
        library.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
        library.ZSTD_decompress_usingDDict.argtypes = [
            ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p,
        ]
        library.ZSTD_decompress_usingDDict.restype = ctypes.c_size_t
        self.library = library
        self.context = library.ZSTD_createDCtx()
        self.dictionary = library.ZSTD_createDDict(dictionary, len(dictionary))

    def decompress(self, frame):
        """The content of a frame; None when it is damaged."""
        size = self.library.ZSTD_getFrameContentSize(frame, len(frame))
        if size > self.LONGEST:
            return None
        output = ctypes.create_string_buffer(max(size, 1))
        found = self.library.ZSTD_decompress_usingDDict(
            self.context, output, size, frame, len(frame), self.dictionary
        )
        return output.raw[:size] if found == size else None


def url_text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def marked_text(marked, chains, signatures):
    """The text whose signed parts were laid open: see "Evidence" in Sources/EventStore/README.md."""
    parts, start, place, used = [b""], 0, 0, 0
    while place < len(marked):
        mark = marked[place]
        if mark > 4:
            place += 1
            continue
        parts[-1] += marked[start:place]
        place += 1
        if mark == 1:
            parts[-1] += chains[marked[place] - ord("0")]
            place += 1
        elif mark == 2:
            parts.append(b"")
        elif mark == 3:
            header = parts.pop()
            parts[-1] += url_text(header) + b"."
            parts.append(b"")
        elif mark == 4:
            payload = parts.pop()
            parts[-1] += url_text(payload) + b"." + url_text(signatures[used])
            used += 1
        else:
            raise ValueError("a mark that is none")
        start = place
    (text,) = parts
    if used != len(signatures):
        raise ValueError("signatures are left over")
    return text + marked[start:]


def stored_text(content, chains, zstandard):
    """The text of what is stored: None when it is damaged or names a chain that is not there."""
    form, rest = content[0], content[1:]
    if form == 0:
        return rest
    if form == 2:
        data = zstandard.decompress(rest)
        return None if data is None else base64.b64encode(data)
    count, rest = rest[0], rest[1:]
    named, rest = [rest[16 * index : 16 * index + 16] for index in range(count)], rest[16 * count :]
    count, rest = rest[0], rest[1:]
    signatures, rest = [rest[64 * index : 64 * index + 64] for index in range(count)], rest[64 * count :]
    marked = zstandard.decompress(rest)
    if marked is None:
        return None
    return marked_text(marked, [chains[name] for name in named], signatures)


def read_table(path, columns, name):
    with open(path, "rb") as stream:
        for fields, _ in rows(stream):
            if len(fields) != columns:
                raise FormatError(f"{path} has {len(fields)} columns where table {name} has {columns}")
            yield fields


def read_evidence(path, chains_path, dictionary):
    """Digest -> whether the text stored under it has that digest; None: it is in a form that is not known here."""
    chains = {name: text for name, text in read_table(chains_path, 2, "certificate_chains")}
    zstandard = Zstandard(dictionary)
    known = {}
    for digest, content in read_table(path, 2, "evidence"):
        if not content or content[0] > 2:
            known[digest] = None
            continue
        try:
            text = stored_text(content, chains, zstandard)
        except (IndexError, KeyError, ValueError):
            text = None
        known[digest] = text is not None and hashlib.sha256(text).digest() == digest
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
                if evidence[digest] is False:
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
    parser.add_argument("--evidence", metavar="FILE", help="a binary COPY of entitled.evidence; needs --chains")
    parser.add_argument("--chains", metavar="FILE", help="a binary COPY of entitled.certificate_chains")
    here = os.path.dirname(os.path.abspath(__file__))
    dictionary = os.path.join(here, "..", "Sources", "EventStore", "Evidence", "dictionary-1.bin")
    parser.add_argument("--dictionary", metavar="FILE", default=dictionary, help="the dictionary of stored texts")
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
    if bool(options.evidence) != bool(options.chains):
        parser.error("--evidence and --chains go together")
    try:
        evidence = None
        if options.evidence:
            with open(options.dictionary, "rb") as stream:
                evidence = read_evidence(options.evidence, options.chains, stream.read())
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
    unknown = sum(1 for holds in (evidence or {}).values() if holds is None)
    if unknown:
        print(f"{unknown} texts are in a form that this program does not know; they were not checked")
    return 0


if __name__ == "__main__":
    sys.exit(main())
