"""Checks of an item's form: each gives the item back, or refuses it (FORMAT.md, sections 4 and 6 to 12)."""

from .cbor import OtherMap
from .errors import refuse_unless

SEQ_END = 2 ** 53
SMALL_END = 2 ** 32
WORD_END = 2 ** 64
MOST_DEVICES, MOST_BLOCKS = 4_096, 65_536


def _form(condition, what, wanted):
    refuse_unless(condition, "form", f"{what} is not {wanted}.")


def mapping(item, what):
    refuse_unless(not isinstance(item, OtherMap), "cbor-key", f"{what} has a key that is no unsigned integer.")
    _form(isinstance(item, dict), what, "a map")
    return item


def array(item, what, least=0, exactly=None, most=None):
    """An array. One that is open has a least length; what comes after is passed over."""
    _form(isinstance(item, list) and not isinstance(item, OtherMap), what, "an array")
    refuse_unless(most is None or len(item) <= most, "range", f"{what}: there are too many.")
    _form(len(item) >= least, what, f"an array of {least} items or more")
    _form(exactly is None or len(item) == exactly, what, f"an array of {exactly} items")
    return item


def integer(item, what):
    # In Python a boolean is an integer; in CBOR it is not.
    _form(isinstance(item, int) and not isinstance(item, bool), what, "an integer")
    _form(-(2 ** 63) <= item < 2 ** 63, what, "an integer of 64 bits")
    return item


def unsigned(item, what, end=WORD_END):
    _form(isinstance(item, int) and not isinstance(item, bool) and item >= 0, what, "unsigned")
    refuse_unless(item < end, "range", f"{what} is too large.")
    return item


def small(item, what):
    """Layouts, minReader, formats, versions, builds, epochs, parts: below 2^32."""
    return unsigned(item, what, SMALL_END)


def seq(item, what):
    return unsigned(item, what, SEQ_END)


def boolean(item, what):
    _form(isinstance(item, bool), what, "a boolean")
    return item


def octets(item, what, exactly=None, most=None):
    _form(isinstance(item, bytes), what, "a byte string")
    _form(exactly is None or len(item) == exactly, what, f"a byte string of {exactly} bytes")
    refuse_unless(most is None or len(item) <= most, "range", f"{what} is too long.")
    return item


def text(item, what, most=128):
    _form(isinstance(item, str), what, "a text")
    refuse_unless(len(item.encode("utf-8")) <= most, "range", f"{what} is too long.")
    return item


def device(item, what):
    return octets(item, what, exactly=16)


def digest(item, what):
    return octets(item, what, exactly=32)


def ascending(keys, what):
    for before, after in zip(keys, keys[1:]):
        refuse_unless(before < after, "order", f"{what} do not ascend, or one is there twice.")
