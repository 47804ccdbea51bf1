"""libsodium and libzstd through ctypes: the only code here that is not the standard library."""

import ctypes
import ctypes.util
import os

from .errors import refuse_unless

PLACES = ("/opt/homebrew/lib", "/usr/local/lib", "/usr/lib")


def _load(name):
    found = ctypes.util.find_library(name)
    candidates = [found] if found else []
    candidates += [f"{place}/lib{name}.{ending}" for place in PLACES for ending in ("dylib", "so")]
    for candidate in candidates:
        if os.path.sep not in candidate or os.path.exists(candidate):
            return ctypes.CDLL(candidate)
    raise SystemExit(f"lib{name} is not installed.")


sodium = _load("sodium")
zstd = _load("zstd")
if sodium.sodium_init() < 0:
    raise SystemExit("libsodium does not start.")
sodium.crypto_secretstream_xchacha20poly1305_statebytes.restype = ctypes.c_size_t

_FRAME = (ctypes.c_char_p, ctypes.c_size_t)
zstd.ZSTD_decompress.argtypes = (ctypes.c_void_p, ctypes.c_size_t) + _FRAME
zstd.ZSTD_decompress.restype = ctypes.c_size_t
zstd.ZSTD_findFrameCompressedSize.argtypes = _FRAME
zstd.ZSTD_findFrameCompressedSize.restype = ctypes.c_size_t
zstd.ZSTD_isError.argtypes = (ctypes.c_size_t,)

ARGON2ID_13 = 2


def argon2id(password, salt, passes, kibibytes):
    """Argon2id, version 0x13, one lane, 32 bytes (section 5). The caller has checked the bounds."""
    out = ctypes.create_string_buffer(32)
    failed = sodium.crypto_pwhash(
        out, ctypes.c_ulonglong(32), password, ctypes.c_ulonglong(len(password)), salt,
        ctypes.c_ulonglong(passes), ctypes.c_size_t(kibibytes * 1024), ARGON2ID_13)
    refuse_unless(not failed, "memory", "There is not enough memory for Argon2id.")
    return out.raw


def open_aead(sealed, associated, nonce, key):
    """XChaCha20-Poly1305-IETF; None where the seal does not hold."""
    out = ctypes.create_string_buffer(max(1, len(sealed) - 16))
    failed = sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(
        out, None, None, sealed, ctypes.c_ulonglong(len(sealed)),
        associated, ctypes.c_ulonglong(len(associated)), nonce, key)
    return None if failed else out.raw[:len(sealed) - 16]


class PullStream:
    """libsodium's secretstream, the reading side (section 3)."""

    def __init__(self, header, key):
        self._state = ctypes.create_string_buffer(sodium.crypto_secretstream_xchacha20poly1305_statebytes())
        sodium.crypto_secretstream_xchacha20poly1305_init_pull(self._state, header, key)

    def pull(self, chunk, associated):
        """Content and tag, or None where the seal does not hold."""
        out = ctypes.create_string_buffer(max(1, len(chunk) - 17))
        tag = ctypes.c_ubyte()
        failed = sodium.crypto_secretstream_xchacha20poly1305_pull(
            self._state, out, None, ctypes.byref(tag), chunk, ctypes.c_ulonglong(len(chunk)),
            associated, ctypes.c_ulonglong(len(associated)))
        return None if failed else (out.raw[:len(chunk) - 17], tag.value)


def frame_length(data):
    """The length of the zstd frame at the start of the data, or None where it is damaged."""
    length = zstd.ZSTD_findFrameCompressedSize(data, len(data))
    return None if zstd.ZSTD_isError(length) else length


def decompress(frame, size):
    """Exactly `size` bytes, or None. The buffer has that size, so a frame that lies cannot write beyond it."""
    out = ctypes.create_string_buffer(max(1, size))
    length = zstd.ZSTD_decompress(out, size, frame, len(frame))
    if zstd.ZSTD_isError(length) or length != size:
        return None
    return out.raw[:size]
