"""Blocks: what is around a layout, and what is held (FORMAT.md, section 6)."""

from typing import List, NamedTuple, Optional

from . import cbor, layout1, shape
from .budget import Budget
from .entries import Entry
from .errors import Hold

FORMAT = 1


class Block(NamedTuple):
    """`entries` and `pieces` are None for a block that is held."""

    layout: int
    min_reader: int
    barrier: bool
    content: bytes
    entries: Optional[List[Entry]] = None
    pieces: Optional[list] = None

    @property
    def held(self):
        return self.entries is None


def parse_unread(item):
    item = shape.array(item, "A block", least=4)
    return Block(
        shape.small(item[0], "A layout"),
        shape.small(item[1], "A minReader"),
        shape.boolean(item[2], "A barrier flag"),
        shape.octets(item[3], "A block's content"))


def read(frame, budget=None):
    """The block with what is in it, or as it is where this reader has to hold it."""
    if frame.layout != layout1.LAYOUT or frame.min_reader > FORMAT:
        return frame
    try:
        entries, pieces = layout1.read(cbor.decode(frame.content), budget or Budget(), frame)
    except Hold:
        return frame
    return frame._replace(entries=entries, pieces=pieces)


def parse(item, budget=None):
    return read(parse_unread(item), budget)


def parse_all(item, budget, what="Blocks"):
    return [parse(block, budget) for block in shape.array(item, what, most=shape.MOST_BLOCKS)]
