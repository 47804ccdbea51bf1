"""Heads (FORMAT.md, section 11)."""

from typing import NamedTuple, Optional, Tuple

from . import cbor, cursors, shape
from .errors import refuse_unless
from .stamps import Stamp

LONGEST_PLACE = 1_024
MOST_PARTS = 65_536


class Floor(NamedTuple):
    """The lowest build that may take part."""

    version: int
    stamp: Stamp
    setter: bytes


class Head(NamedTuple):
    schema_name: str
    last_log: Optional[Tuple[int, bytes]]
    snapshot: Optional[Tuple[int, int, bytes]]
    cursors: list
    acknowledged: list
    retired: list
    pruned: list
    build: int
    format: int
    schema_version: int
    device_name: str
    epoch: int
    digest: bytes
    floor: Optional[Floor]
    moved_to: Optional[str]
    wall: int


def parse(body):
    item = shape.mapping(cbor.decode(body), "A head")
    refuse_unless(1 in item, "form", "A head has no schema's name.")
    read = cursors.parse(item.get(4, []))
    return Head(
        schema_name=shape.text(item[1], "A schema's name"),
        last_log=_last_log(item[2]) if 2 in item else None,
        snapshot=_snapshot(item[3]) if 3 in item else None,
        cursors=read,
        acknowledged=cursors.parse_acknowledged(item.get(5, []), read),
        retired=cursors.parse_pairs(item.get(6, []), "Who is taken for gone", shape.integer),
        pruned=cursors.parse_pruned(item.get(7, [])),
        build=shape.small(item.get(8, 0), "A build"),
        format=shape.small(item.get(9, 1), "A format"),
        schema_version=shape.small(item.get(10, 1), "A schema version"),
        device_name=shape.text(item.get(11, ""), "A device's name"),
        epoch=shape.small(item.get(12, 0), "An epoch"),
        digest=shape.octets(item[13], "A digest", exactly=16) if 13 in item else b"",
        floor=_floor(item[14]) if 14 in item else None,
        moved_to=shape.text(item[15], "A place", LONGEST_PLACE) if 15 in item else None,
        wall=shape.integer(item.get(16, 0), "A wall clock"))


def _last_log(item):
    item = shape.array(item, "The last log", least=2)
    return shape.seq(item[0], "A seq"), shape.digest(item[1], "A hash")


def _snapshot(item):
    item = shape.array(item, "The newest snapshot", least=3)
    parts = shape.unsigned(item[1], "The number of parts", MOST_PARTS + 1)
    return shape.seq(item[0], "A seq"), parts, shape.digest(item[2], "A hash")


def _floor(item):
    item = shape.array(item, "The lowest build", least=3)
    stamp = shape.array(item[1], "A stamp", least=2)
    return Floor(
        shape.small(item[0], "A build"),
        Stamp(shape.unsigned(stamp[0], "A moment"), shape.device(stamp[1], "A stamp's device")),
        shape.device(item[2], "Who set the lowest build"))
