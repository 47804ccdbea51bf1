"""Key files (FORMAT.md, section 5)."""

import hmac
from typing import List, NamedTuple, Optional, Tuple

from . import native
from .errors import refuse_unless
from .hashing import keyed

MAGIC = b"TRBK"
VERSION = 1
HAS_RECOVERY = 1
PLAIN_LENGTH, RECOVERY_LENGTH = 658, 1_258
PASSES = range(2, 10 + 1)
KIBIBYTES = range(65_536, 262_144 + 1)
PAYLOAD_LENGTH = 512
MOST_EARLIER = 8
PASSWORD_SLOT, RECOVERY_SALT, RECOVERY_SLOT = 74, 658, 674


class KeyHeader(NamedTuple):
    device: bytes
    install_nonce: bytes
    epoch: int
    epoch_id: bytes
    passes: int
    kibibytes: int
    salt: bytes
    recovery_salt: Optional[bytes]


class Payload(NamedTuple):
    data_key: bytes
    earlier: List[Tuple[int, bytes]]
    recovery_salt: Optional[bytes]
    recovery_kek: Optional[bytes]


class KeyFile(NamedTuple):
    header: KeyHeader
    kek: bytes
    payload: Payload


class Password:
    """A normalized password and the keys that were derived from it: Argon2id is slow on purpose."""

    def __init__(self, normalized):
        self._password = normalized
        self._keks = {}

    def kek(self, header):
        form = (header.salt, header.passes, header.kibibytes)
        if form not in self._keks:
            self._keks[form] = native.argon2id(self._password, *form)
        return self._keks[form]


def read_header(data, device, epoch):
    """Form and bounds, before anything is derived: a file must not make a reader work for hours."""
    refuse_unless(len(data) in (PLAIN_LENGTH, RECOVERY_LENGTH), "length", "A key file has another length.")
    refuse_unless(data[:4] == MAGIC, "magic", "A key file does not begin with its mark.")
    refuse_unless(data[4] == VERSION, "key-version", "A key file is of another version.")
    refuse_unless(data[5] in (0, HAS_RECOVERY), "flags", "A key file has unknown flags.")
    has_recovery = len(data) == RECOVERY_LENGTH
    refuse_unless(has_recovery == bool(data[5]), "length", "A key file's flags and length do not agree.")
    header = KeyHeader(
        data[6:22], data[22:30], _number(data, 30), data[34:50], _number(data, 50), _number(data, 54), data[58:74],
        data[RECOVERY_SALT:RECOVERY_SLOT] if has_recovery else None)
    refuse_unless(header.passes in PASSES, "bounds", "The number of passes is out of bounds.")
    refuse_unless(header.kibibytes in KIBIBYTES, "bounds", "The memory is out of bounds.")
    refuse_unless(header.device == device, "name", "A key file is of another device than its directory.")
    refuse_unless(header.epoch == epoch, "name", "A key file is of another epoch than its name.")
    return header


def _number(data, at):
    return int.from_bytes(data[at:at + 4], "big")


def read(data, device, epoch, password):
    """A key file opened by a Password."""
    header = read_header(data, device, epoch)
    kek = password.kek(header)
    return KeyFile(header, kek, _open_slot(data, PASSWORD_SLOT, kek, header))


def read_by_recovery_key(data, device, epoch, recovery_key):
    """A key file opened by the 16 bytes of a recovery key. There is no KEK then."""
    header = read_header(data, device, epoch)
    refuse_unless(header.recovery_salt is not None, "recovery", "A key file has no slot for a recovery key.")
    rkek = keyed(recovery_key, "recovery", header.recovery_salt)
    return KeyFile(header, None, _open_slot(data, RECOVERY_SLOT, rkek, header))


def _open_slot(data, at, kek, header):
    commitment, nonce, sealed = data[at:at + 32], data[at + 32:at + 56], data[at + 56:at + 584]
    # The commitment tells a wrong password from a damaged file, and binds the file to one key.
    right = hmac.compare_digest(commitment, keyed(kek, "commit", b""))
    refuse_unless(right, "password", "The password or recovery key is another, or the file is damaged.")
    plain = native.open_aead(sealed, data[:at + 56], nonce, keyed(kek, "seal", b""))
    refuse_unless(plain is not None, "seal", "A key file's seal does not hold.")
    return _payload(plain, header)


def _payload(plain, header):
    count = plain[32]
    refuse_unless(count <= MOST_EARLIER, "payload", "A key file has more than 8 earlier keys.")
    earlier = []
    at = 33
    for _ in range(count):
        earlier.append((_number(plain, at), plain[at + 4:at + 36]))
        at += 36
    epochs = [epoch for epoch, _ in earlier] + [header.epoch]
    refuse_unless(epochs == sorted(epochs), "payload", "The epochs of earlier keys do not ascend up to the file's own.")
    payload = _recovery(plain, at, earlier)
    same = payload.recovery_salt == header.recovery_salt
    refuse_unless(same, "recovery", "The recovery slot of a key file is not the one that its payload has.")
    return payload


def _recovery(plain, at, earlier):
    flag = plain[at]
    refuse_unless(flag in (0, 1), "payload", "A payload's recovery flag is neither 0 nor 1.")
    end = at + 1 + 48 * flag
    refuse_unless(not any(plain[end:]), "payload", "A payload does not end in zeros.")
    salt, kek = (plain[at + 1:at + 17], plain[at + 17:end]) if flag else (None, None)
    return Payload(plain[:32], earlier, salt, kek)
