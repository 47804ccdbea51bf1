"""BLAKE2b, with and without a key (FORMAT.md, introduction)."""

import hashlib


def blake2b(data):
    return hashlib.blake2b(data, digest_size=32).digest()


def keyed(key, label, data):
    """H(k, label, data): the label's length comes first, so that no label and data read as two others."""
    label = label.encode("ascii")
    return hashlib.blake2b(bytes([len(label)]) + label + data, digest_size=32, key=key).digest()
