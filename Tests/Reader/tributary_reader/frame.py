"""The zstd frame (FORMAT.md, section 3; RFC 8878, section 3.1.1)."""

from . import native
from .errors import refuse_unless

MAGIC = b"\x28\xb5\x2f\xfd"
WIDEST = 8 << 20
SINGLE_SEGMENT = 0x20
RESERVED, DICTIONARY = 0x08, 0x03


def read(data, most):
    """What the frame holds: at most `most` bytes, as many as it states."""
    size = _stated_size(data, most)
    refuse_unless(native.frame_length(data) == len(data), "frame", "The frame is damaged, or bytes follow it.")
    plain = native.decompress(data, size)
    refuse_unless(plain is not None, "frame", "The frame does not hold what it states.")
    return plain


def _stated_size(data, most):
    refuse_unless(data[:4] == MAGIC, "frame", "There is no zstd frame.")
    refuse_unless(len(data) > 5, "frame", "The frame's header is cut.")
    descriptor = data[4]
    refuse_unless(not descriptor & RESERVED, "frame", "The frame sets a bit that is reserved.")
    # Any field for the id of a dictionary, though the id be 0.
    refuse_unless(not descriptor & DICTIONARY, "frame-dictionary", "The frame has a dictionary.")
    single = bool(descriptor & SINGLE_SEGMENT)
    size_flag = descriptor >> 6
    refuse_unless(single or size_flag, "frame-size", "The frame does not state its size.")
    at = 5 if single else 6
    length = 1 << size_flag
    refuse_unless(len(data) >= at + length, "frame", "The frame's header is cut.")
    size = int.from_bytes(data[at:at + length], "little") + (256 if size_flag == 1 else 0)
    refuse_unless(size <= most, "frame-size", "The frame's content is larger than its kind may be.")
    refuse_unless((size if single else _window(data[5])) <= WIDEST, "frame-window", "The window is above 8 MiB.")
    return size


def _window(byte):
    base = 1 << 10 + (byte >> 3)
    return base + base // 8 * (byte & 7)
