"""Passwords and recovery keys as people type them (FORMAT.md, section 5)."""

import unicodedata

from .errors import refuse_unless
from .hashing import keyed

FEWEST_SCALARS = 8
MOST_BYTES = 1_024
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
KEY_BITS, CHECK_BITS = 128, 22
LETTERS = 30
SEPARATORS = "- \t\r\n"
ALIKE = str.maketrans("OIL", "011")


def normalized(password):
    """The bytes that are hashed. Nothing is trimmed.

    Which code points are assigned is told by Python's Unicode: an older one refuses passwords that a newer one takes.
    """
    if isinstance(password, bytes):
        password = _decoded(password)
    kinds = {unicodedata.category(scalar) for scalar in password}
    refuse_unless("Cs" not in kinds, "password", "The password is not UTF-8.")
    refuse_unless(len(password.encode("utf-8")) <= MOST_BYTES, "password", "The password has more than 1,024 bytes.")
    refuse_unless("Cn" not in kinds, "password", "The password has a code point that is not assigned.")
    refuse_unless("Cc" not in kinds, "password", "The password has a control character.")
    hashed = unicodedata.normalize("NFKC", password)
    refuse_unless(len(hashed) >= FEWEST_SCALARS, "password", "The password has fewer than 8 scalars.")
    return hashed.encode("utf-8")


def _decoded(raw):
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        refuse_unless(False, "password", "The password is not UTF-8.")


def recovery_key(typed):
    """The 16 bytes of a recovery key of 30 letters, its checksum checked."""
    letters = "".join(letter for letter in typed if letter not in SEPARATORS)
    refuse_unless(len(letters) == LETTERS, "recovery-key", "A recovery key has 30 letters.")
    bits = 0
    for letter in _upper(letters).translate(ALIKE):
        refuse_unless(letter in ALPHABET, "recovery-key", "A letter is not in Crockford's base32.")
        bits = bits << 5 | ALPHABET.index(letter)
    key = (bits >> CHECK_BITS).to_bytes(KEY_BITS // 8, "big")
    refuse_unless(bits & (1 << CHECK_BITS) - 1 == checksum(key), "recovery-key", "The recovery key has a typing error.")
    return key


def _upper(letters):
    """ASCII alone: other letters are none of a key's, whatever their capitals are."""
    return "".join(letter.upper() if letter.isascii() else letter for letter in letters)


def checksum(key):
    return int.from_bytes(keyed(key, "checksum", b""), "big") >> 256 - CHECK_BITS
