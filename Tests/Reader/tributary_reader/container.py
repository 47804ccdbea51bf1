"""Opening a sealed file (FORMAT.md, section 3)."""

import hmac

from . import frame, header as headers
from .errors import refuse_unless
from .hashing import blake2b, keyed
from .native import PullStream

COMMITMENT_END, STREAM_END = 112, 136
CHUNK, OVERHEAD = 65_536, 17
MESSAGE, FINAL = 0, 3
LENGTH_BYTES = 4


def open_sealed(data, name, data_keys_of):
    """Header and body of a file. `data_keys_of` gives the writer's data keys of an epoch, or refuses."""
    header = headers.read(data, name)
    refuse_unless(len(data) > STREAM_END + OVERHEAD, "truncated", "A file has no chunk.")
    keys = [keyed(data_key, "file", data[:headers.LENGTH]) for data_key in data_keys_of(header.epoch)]
    key = next((key for key in keys if _is_committed(data, key)), None)
    refuse_unless(key, "commitment", "A file is sealed under another key, or its header was changed.")
    plain = _chunks(data, PullStream(data[COMMITMENT_END:STREAM_END], key))
    return header, _body(plain, headers.LONGEST_PLAIN[name.kind])


def _is_committed(data, key):
    return hmac.compare_digest(data[headers.LENGTH:COMMITMENT_END], keyed(key, "commit", b""))


def sealed_chunks(data):
    """Each sealed chunk, its associated data, and whether it is the last."""
    start = blake2b(data[:STREAM_END])
    for index, at in enumerate(range(STREAM_END, len(data), CHUNK + OVERHEAD)):
        chunk = data[at:at + CHUNK + OVERHEAD]
        yield chunk, start + index.to_bytes(4, "big"), at + len(chunk) == len(data)


def _chunks(data, stream):
    out = []
    for chunk, associated, last in sealed_chunks(data):
        refuse_unless(len(chunk) > OVERHEAD, "truncated", "A chunk has no content.")
        opened = stream.pull(chunk, associated)
        refuse_unless(opened is not None, "chunk", "A chunk was changed, moved or cut.")
        content, tag = opened
        refuse_unless(tag == (FINAL if last else MESSAGE), "tag", "The stream ends too early or does not end.")
        out.append(content)
    return b"".join(out)


def _body(plain, most):
    refuse_unless(len(plain) >= LENGTH_BYTES, "frame-length", "There is no length of the frame.")
    end = LENGTH_BYTES + int.from_bytes(plain[:LENGTH_BYTES], "big")
    refuse_unless(end <= len(plain), "frame-length", "The frame is longer than the file.")
    refuse_unless(not any(plain[end:]), "padding", "The padding is not zeros.")
    return frame.read(plain[LENGTH_BYTES:end], most)
