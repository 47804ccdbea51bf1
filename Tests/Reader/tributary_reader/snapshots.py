"""Snapshots: parts, the manifest, and both together (FORMAT.md, section 10)."""

from typing import List, NamedTuple, Optional

from . import blocks, cbor, cursors, digest, pieces, schema, shape
from .budget import Budget
from .entries import Entry
from .errors import refuse_unless
from .header import ZEROS


class Held(NamedTuple):
    device: bytes
    seq: int
    block: blocks.Block


class Part(NamedTuple):
    held: List[Held]
    manifest: Optional[bytes]
    blocks: List[blocks.Block]


class Manifest(NamedTuple):
    cursors: list
    acknowledged: list
    greatest_barrier: int
    counts: dict
    schema: Optional[bytes]
    digest: bytes
    pruned: list
    held_count: int


class Snapshot(NamedTuple):
    """`unread` are states that this reader holds; `stops` is true where one of them is a barrier."""

    manifest: Manifest
    states: List[Entry]
    held: List[Held]
    unread: List[Held]
    stops: bool


def parse_part(body):
    body = shape.mapping(cbor.decode(body), "A part")
    held = [_held(item) for item in shape.array(body.get(1, []), "Held blocks", most=shape.MOST_BLOCKS)]
    manifest = shape.octets(body[2], "A manifest") if 2 in body else None
    return Part(held, manifest, blocks.parse_all(body.get(5, []), Budget()))


def _held(item):
    """Taken over unread; what is in it is looked at later."""
    item = shape.array(item, "A held block", least=3)
    return Held(shape.device(item[0], "A held block's device"), shape.seq(item[1], "A held block's seq"),
                blocks.parse_unread(item[2]))


def parse_manifest(data):
    item = shape.mapping(cbor.decode(data), "A manifest")
    read = cursors.parse(item.get(1, []))
    return Manifest(
        read, cursors.parse_acknowledged(item.get(2, []), read),
        shape.small(item.get(3, 0), "The greatest barrier"), _counts(item.get(4, [])),
        shape.octets(item[5], "A schema", most=schema.LONGEST) if 5 in item else None,
        shape.octets(item[6], "A digest", exactly=16) if 6 in item else b"",
        cursors.parse_pruned(item.get(7, [])), shape.unsigned(item.get(8, 0), "The number of held blocks"))


def _counts(item):
    counts = {}
    for pair in shape.array(item, "Counts", most=shape.MOST_DEVICES):
        pair = shape.array(pair, "A count", least=2)
        counts[shape.text(pair[0], "A type")] = shape.unsigned(pair[1], "A count")
    return counts


def whole(parts, device, seq, previous):
    """A snapshot out of all its parts. `previous` is the hash of the log that it reaches to, from part 0."""
    refuse_unless(all(part.manifest is None for part in parts[:-1]), "manifest", "A part before the last has a manifest.")
    refuse_unless(parts[-1].manifest is not None, "manifest", "The last part has no manifest.")
    manifest = parse_manifest(parts[-1].manifest)
    _own_cursor(manifest, device, seq, previous)
    every = [block for part in parts for block in part.blocks]
    held = [held for part in parts for held in part.held]
    refuse_unless(manifest.held_count == len(held), "counts", "The manifest has another number of held blocks.")
    # A state that this reader does not know is held like one of a log.
    unread = [Held(device, seq, block) for block in every if block.held]
    stops = any(one.block.barrier for one in unread)
    return Snapshot(manifest, [] if stops else pieces.assemble(every), held, unread, stops)


def _own_cursor(manifest, device, seq, previous):
    own = [cursor for cursor in manifest.cursors if cursor.device == device]
    sound = bool(own) and own[0].seq == seq and (own[0].hash or ZEROS) == previous
    refuse_unless(sound, "cursor", "The manifest does not have the writer's own cursor at the snapshot's log.")


def check(snapshot):
    """What a snapshot is taken without, but whoever looks for damage looks at: counts and digest.

    They are of all states, so that nothing can be said where some are unread.
    """
    manifest = snapshot.manifest
    if snapshot.unread:
        return
    counts = {}
    for state in snapshot.states:
        counts[state.type] = counts.get(state.type, 0) + 1
    refuse_unless(manifest.counts == counts, "counts", "The manifest has other numbers of records.")
    right = not manifest.digest or manifest.digest == digest.of(snapshot.states)
    refuse_unless(right, "digest", "The manifest has another digest than its states.")
