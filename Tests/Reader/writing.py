"""What tests write: sealed files, key files, frames and blocks, right ones and wrong ones (FORMAT.md, sections 3 to 8).

Nothing here is for more than tests. Every part of a file can be replaced, so that a file is wrong in one thing alone.
"""

import ctypes

from tributary_reader import cbor_write, names, varints
from tributary_reader.hashing import blake2b, keyed
from tributary_reader.native import sodium, zstd

DEVICE = bytes(range(1, 17))
OTHER = bytes(range(17, 33))
DATA_KEY = bytes([9]) * 32
EPOCH = 2
ZEROS = bytes(32)
KINDS = {names.HEAD: 1, names.LOG: 2, names.SNAPSHOT: 3, names.FENCE: 4}
MESSAGE, FINAL, CHUNK = 0, 3, 65_536
T0 = 1_700_000_000_000

zstd.ZSTD_compress.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int)
zstd.ZSTD_compress.restype = ctypes.c_size_t


def moment(milliseconds, counter=0):
    return milliseconds << 16 | counter


def compress(data):
    out = ctypes.create_string_buffer(len(data) + 1_024)
    length = zstd.ZSTD_compress(out, len(out), data, len(data), 3)
    return out.raw[:length]


def raw_frame(data, size=None, descriptor=0xA0, window=b"", extra=b"", repeat=None):
    """A frame of one block. `repeat` makes it one byte that the block says many times."""
    stated = (len(data) if size is None else size).to_bytes(4, "little") if descriptor >> 6 else b""
    if repeat:
        block = (1 | 1 << 1 | repeat << 3).to_bytes(3, "little") + data[:1]
    else:
        block = (1 | len(data) << 3).to_bytes(3, "little") + data
    return b"\x28\xb5\x2f\xfd" + bytes([descriptor]) + window + extra + stated + block


def plain(body, frame=None, padding=bytes(200), length=None):
    frame = compress(body) if frame is None else frame
    return (len(frame) if length is None else length).to_bytes(4, "big") + frame + padding


def header(kind=names.LOG, part=0, device=DEVICE, nonce=bytes(8), seq=5, epoch=EPOCH, previous=ZEROS, body=0,
           mark=b"TRB", version=1, flags=0, kind_byte=None):
    kind_byte = KINDS[kind] if kind_byte is None else kind_byte
    return (mark + bytes([version, kind_byte, flags]) + part.to_bytes(2, "big") + device + nonce + seq.to_bytes(8, "big")
            + epoch.to_bytes(4, "big") + body.to_bytes(4, "big") + previous)


def cut(content, size=CHUNK):
    return [content[at:at + size] for at in range(0, len(content), size)]


def push_all(key, chunks, tags, start):
    """Sealed chunks, and the stream header before them. `start` is made of that header."""
    state = ctypes.create_string_buffer(sodium.crypto_secretstream_xchacha20poly1305_statebytes())
    stream_header = ctypes.create_string_buffer(24)
    sodium.crypto_secretstream_xchacha20poly1305_init_push(state, stream_header, key)
    before = start(stream_header.raw)
    out = []
    for index, (chunk, tag) in enumerate(zip(chunks, tags)):
        sealed = ctypes.create_string_buffer(len(chunk) + 17)
        associated = before + index.to_bytes(4, "big")
        sodium.crypto_secretstream_xchacha20poly1305_push(
            state, sealed, None, chunk, ctypes.c_ulonglong(len(chunk)),
            associated, ctypes.c_ulonglong(len(associated)), ctypes.c_ubyte(tag))
        out.append(sealed.raw)
    return stream_header.raw, out


def seal(body=b"\xa0", content=None, chunks=None, tags=None, data_key=DATA_KEY, rearrange=None, **parts):
    """A sealed file. `parts` are those of the header; `rearrange` changes the list of sealed chunks."""
    chunks = chunks or cut(plain(body) if content is None else content)
    tags = tags or [MESSAGE] * (len(chunks) - 1) + [FINAL]
    rearrange = rearrange or (lambda sealed: sealed)
    length = 56 + sum(map(len, rearrange([bytes(len(chunk) + 17) for chunk in chunks])))
    top = header(body=length, **parts)
    key = keyed(data_key, "file", top)
    commitment = keyed(key, "commit", b"")
    stream, sealed = push_all(key, chunks, tags, lambda stream: blake2b(top + commitment + stream))
    return top + commitment + stream + b"".join(rearrange(sealed))


def seal_aead(plain_bytes, associated, nonce, key):
    out = ctypes.create_string_buffer(len(plain_bytes) + 16)
    sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(
        out, None, plain_bytes, ctypes.c_ulonglong(len(plain_bytes)),
        associated, ctypes.c_ulonglong(len(associated)), None, nonce, key)
    return out.raw


def payload(earlier=((1, bytes([1]) * 32),), recovery=b"\x00", data_key=DATA_KEY, count=None):
    count = len(earlier) if count is None else count
    keys = b"".join(epoch.to_bytes(4, "big") + key for epoch, key in earlier)
    return (data_key + bytes([count]) + keys + recovery).ljust(512, b"\x00")


def slot(before, kek, content):
    before += keyed(kek, "commit", b"") + bytes([7]) * 24
    return before + seal_aead(content, before, bytes([7]) * 24, keyed(kek, "seal", b""))


def key_file(kek, content=None, recovery=None, second=None, mark=b"TRBK", version=1, flags=None, device=DEVICE,
             epoch=EPOCH, passes=2, kibibytes=65_536, salt=bytes(16)):
    """`recovery` is a recovery salt and RKEK; `second` the payload of its slot, where it is another."""
    content = payload() if content is None else content
    flags = (1 if recovery else 0) if flags is None else flags
    out = (mark + bytes([version, flags]) + device + bytes(8) + epoch.to_bytes(4, "big") + bytes([3]) * 16
           + passes.to_bytes(4, "big") + kibibytes.to_bytes(4, "big") + salt)
    out = slot(out, kek, content)
    return slot(out + recovery[0], recovery[1], second or content) if recovery else out


def delta(milliseconds=0, counter=0, device=0):
    return varints.zigzag(milliseconds) + varints.zigzag(counter) + varints.encode(device)


def run(length=1, *difference):
    return varints.encode(length) + delta(*difference)


def field(name="n", kind=0, values=(1,), **keys):
    """A field; further keys as k2=..., None to leave one out."""
    out = {0: name, 1: kind, 6: list(values)}
    out.update({int(key[1:]): value for key, value in keys.items()})
    return {key: value for key, value in out.items() if value is not None}


def content(identities=(b"0k",), fields=None, **keys):
    """The map of a block of layout 1: an insert of `item` at T0 by DEVICE, its identities unshared."""
    rows = len(identities)
    lengths = [varints.encode(0)] * rows + [varints.encode(len(identity)) for identity in identities]
    out = {0: ["item"], 1: rows, 2: DEVICE, 3: b"".join(lengths), 4: b"".join(identities),
           5: run(1, T0, 0, 1) + (run(rows - 1) if rows > 1 else b""),
           6: [field(values=[1] * rows)] if fields is None else fields, 7: True}
    out.update({int(key[1:]): value for key, value in keys.items()})
    return {key: value for key, value in out.items() if value is not None}


def block(item=None, layout=1, min_reader=1, barrier=False, *more):
    item = content() if item is None else item
    return [layout, min_reader, barrier, item if isinstance(item, bytes) else cbor_write.encode(item), *more]


def log(blocks=None, **keys):
    out = {5: [block()] if blocks is None else blocks}
    out.update({int(key[1:]): value for key, value in keys.items()})
    return cbor_write.encode({key: value for key, value in out.items() if value is not None})


def manifest(**keys):
    out = {1: [[DEVICE, 5, moment(T0), ZEROS]], 4: [["item", 1]]}
    out.update({int(key[1:]): value for key, value in keys.items()})
    return cbor_write.encode({key: value for key, value in out.items() if value is not None})
