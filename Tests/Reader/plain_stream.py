"""libsodium's secretstream in plain Python, as FORMAT.md, section 3, tells it "for readers without libsodium"."""

import struct

CONSTANTS = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)
WORD = 0xFFFFFFFF
ROUNDS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
          (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))


def _quarter(state, a, b, c, d):
    for one, other, target, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[one] = state[one] + state[other] & WORD
        mixed = state[target] ^ state[one]
        state[target] = mixed << turn & WORD | mixed >> 32 - turn


def _rounds(state):
    state = list(state)
    for _ in range(10):
        for positions in ROUNDS:
            _quarter(state, *positions)
    return state


def hchacha20(key, nonce):
    state = _rounds(CONSTANTS + struct.unpack("<8I", key) + struct.unpack("<4I", nonce))
    return struct.pack("<8I", *state[:4], *state[12:])


def chacha20_block(key, nonce, counter):
    start = CONSTANTS + struct.unpack("<8I", key) + (counter,) + struct.unpack("<3I", nonce)
    return struct.pack("<16I", *(one + other & WORD for one, other in zip(start, _rounds(start))))


def poly1305(key, data):
    r = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    total = 0
    for at in range(0, len(data), 16):
        total = (total + int.from_bytes(data[at:at + 16] + b"\x01", "little")) * r % (2 ** 130 - 5)
    return (total + int.from_bytes(key[16:], "little") & 2 ** 128 - 1).to_bytes(16, "little")


def _xor(one, other):
    return bytes(a ^ b for a, b in zip(one, other))


class PlainStream:
    """As PullStream: `pull` gives content and tag, or None."""

    def __init__(self, header, key):
        self._key = hchacha20(key, header[:16])
        self._counter = 1
        self._rest = header[16:]

    def pull(self, chunk, associated):
        nonce = self._counter.to_bytes(4, "little") + self._rest
        cipher, seal = chunk[1:-16], chunk[-16:]
        first = chacha20_block(self._key, nonce, 1)
        tag = chunk[0] ^ first[0]
        tag_block = _xor(bytes([tag]) + bytes(63), first)
        length = len(cipher)
        data = (associated + bytes(-len(associated) % 16) + tag_block + cipher + bytes(length % 16)
                + struct.pack("<QQ", len(associated), 64 + length))
        if poly1305(chacha20_block(self._key, nonce, 0)[:32], data) != seal:
            return None
        blocks = (chacha20_block(self._key, nonce, 2 + index) for index in range((length + 63) // 64))
        content = _xor(cipher, b"".join(blocks))
        self._rest = _xor(self._rest, seal[:8])
        self._counter += 1
        return content, tag
