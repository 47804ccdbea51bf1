"""What was read, in the JSON of the golden files (Tests/Fixtures/v1/README.md)."""

import math

from . import identity as identities
from . import names, schema as schemas
from .entries import COUNTER, LAST, SET, sorted_marks
from .errors import Refused
from .hashing import blake2b
from .header import ZEROS
from .join import is_visible, shown_counter, shown_set
from .logs import parsed_schema
from .values import BLOB, REAL, TEXT

LONGEST_IN_FULL = 512
FIELD_KINDS = {LAST: "last", COUNTER: "counter", SET: "set"}
device = names.device_text


def moment(number):
    return f"{number >> 16}+{number & 0xFFFF}"


def stamp(item):
    return f"{moment(item.moment)} {device(item.device)}"


def real(number):
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    return repr(number)


def _long(raw):
    if len(raw) <= LONGEST_IN_FULL:
        return raw.hex()
    return {"length": len(raw), "blake2b": blake2b(raw).hex()}


def value(item):
    if item.kind == REAL:
        return {"real": real(item.content)}
    if item.kind == BLOB:
        return {"blob": _long(item.content)}
    if item.kind != TEXT:
        return item.content
    if len(item.content) > LONGEST_IN_FULL:
        return {"text": _long(item.content)}
    try:
        return item.content.decode("utf-8")
    except UnicodeDecodeError:
        return {"text": item.content.hex()}


def record(kind, identity):
    return {"type": kind, "key": [value(part) for part in identities.decode(identity) or []], "identity": identity.hex()}


def _rooted(out, root, default):
    """`root` is left out where it is the stamp that it would be anyway."""
    if root != default:
        out["root"] = stamp(root)
    return out


def _content(content):
    out = {"value": value(content.value), "stamp": stamp(content.stamp), "version": content.version}
    return _rooted(out, content.root, content.stamp)


def _total(total):
    out = {"device": device(total.device), "stamp": stamp(total.stamp), "base": stamp(total.base), "sum": total.sum}
    return _rooted(out, total.root, total.base)


def _counter(content):
    out = {"base": _content(content.base)} if content.base else {}
    out["totals"] = [_total(content.totals[each]) for each in sorted(content.totals)]
    out["shown"] = shown_counter(content)
    return out


def _mark(key, mark):
    out = {"value": value(key[0]), "device": device(key[1])}
    out.update({name: moment(half) for name, half in mark._asdict().items() if half is not None})
    return out


def _set(content):
    return {"stamp": stamp(content.stamp), "version": content.version,
            "marks": [_mark(*item) for item in sorted_marks(content.marks)],
            "shown": [value(element) for element in shown_set(content)]}


def _field(key, content):
    out = {"name": key[0].decode("utf-8"), "kind": FIELD_KINDS[key[1]]}
    out.update({LAST: _content, COUNTER: _counter, SET: _set}[key[1]](content))
    return out


def _delete(when, delete):
    out = {"stamp": stamp(when), "erases": delete.erases}
    if delete.cause:
        out["cause"] = record(delete.cause.type.decode("utf-8"), delete.cause.identity)
    return out


def entry(item):
    out = {"record": record(item.type, item.identity)}
    if item.min_reader != 1:
        out["minReader"] = item.min_reader
    if item.barrier:
        out["barrier"] = True
    if item.born:
        out["born"] = stamp(item.born)
    if item.deletes:
        out["deletes"] = [_delete(when, item.deletes[when]) for when in sorted(item.deletes)]
    if item.fields:
        out["fields"] = [_field(key, item.fields[key]) for key in sorted(item.fields)]
    out["visible"] = is_visible(item)
    return out


def entries(items):
    return [entry(item) for item in sorted(items, key=lambda each: each.record)]


def block(item):
    return {"layout": item.layout, "minReader": item.min_reader, "barrier": item.barrier, "content": item.content.hex()}


def header(item):
    return {"kind": item.kind, "part": item.part, "device": device(item.device),
            "installNonce": item.install_nonce.hex(), "seq": item.seq, "epoch": item.epoch,
            "previousHash": item.previous.hex()}


def cursor(item):
    """A hash that is not known is zeros."""
    return {"device": device(item.device), "seq": item.seq, "moment": moment(item.moment),
            "hash": (item.hash or ZEROS).hex()}


def _pruned(pairs):
    return [{"device": device(each), "seq": seq} for each, seq in pairs]


def schema(parsed):
    """A description, its default values as JSON: a real is a number there."""
    return {**parsed, "tables": [
        {**table, "columns": [_column(column) for column in table["columns"]]} for table in parsed["tables"]]}


def _column(column):
    # In the JSON, finite numbers go without saying, and so does NULL in a column of any kind.
    unsaid = ("finite", "null") if column["type"] == "any" else ("finite",)
    out = {name: choice for name, choice in column.items() if name not in unsaid}
    if "default" in out:
        default = out["default"]
        out["default"] = default.content if default.kind == REAL else value(default)
    return out


def _schema_of(raw):
    try:
        return {"schema": schema(schemas.parse(raw))} if raw is not None else {}
    except Refused:
        return {}


def key_file(item):
    head, payload = item.header, item.payload
    out = {"device": device(head.device), "installNonce": head.install_nonce.hex(), "epoch": head.epoch,
           "epochID": head.epoch_id.hex(), "passes": head.passes, "kibibytes": head.kibibytes,
           "salt": head.salt.hex(), "dataKey": payload.data_key.hex(),
           "earlierKeys": [{"epoch": epoch, "dataKey": key.hex()} for epoch, key in payload.earlier]}
    if item.kek:
        out["kek"] = item.kek.hex()
    if payload.recovery_kek:
        out.update(recoverySalt=payload.recovery_salt.hex(), recoveryKEK=payload.recovery_kek.hex())
    return out


def log(head, item):
    out = {"snapshot": item.snapshot, "cursors": [cursor(each) for each in item.cursors], "run": list(item.run),
           "republished": item.republished, "blocks": len(item.blocks)}
    parsed = parsed_schema(item)
    if parsed:
        out["schema"] = schema(parsed)
    return {"header": header(head), "log": out}


def run(items, blocks):
    return {"entries": entries(items), "held": [block(each) for each in blocks if each.held]}


def part(head, item):
    return {"header": header(head),
            "part": {"blocks": len(item.blocks), "held": len(item.held), "manifest": item.manifest is not None}}


def manifest(item):
    out = {"cursors": [cursor(each) for each in item.cursors],
           "acknowledged": [cursor(each) for each in item.acknowledged], "greatestBarrier": item.greatest_barrier,
           "counts": item.counts, "stateDigest": item.digest.hex(), "pruned": _pruned(item.pruned),
           "heldCount": item.held_count}
    return {**out, **_schema_of(item.schema)}


def snapshot(item):
    held = [{"device": device(each.device), "seq": each.seq, "block": block(each.block)}
            for each in item.held + item.unread]
    return {"manifest": manifest(item.manifest), "states": entries(item.states), "held": held}


def head(top, item):
    out = {"schemaName": item.schema_name, "cursors": [cursor(each) for each in item.cursors],
           "acknowledged": [cursor(each) for each in item.acknowledged],
           "retired": [{"device": device(each), "time": time} for each, time in item.retired],
           "pruned": _pruned(item.pruned), "appVersion": item.build, "format": item.format,
           "schemaVersion": item.schema_version, "deviceName": item.device_name, "epoch": item.epoch,
           "stateDigest": item.digest.hex(), "wall": item.wall}
    if item.last_log:
        out["lastLog"] = {"seq": item.last_log[0], "hash": item.last_log[1].hex()}
    if item.snapshot:
        seq, parts, digest = item.snapshot
        out["snapshot"] = {"seq": seq, "parts": parts, "hash": digest.hex()}
    if item.floor:
        out["floor"] = {"version": item.floor.version, "stamp": stamp(item.floor.stamp),
                        "setter": device(item.floor.setter)}
    if item.moved_to is not None:
        out["movedTo"] = item.moved_to
    return {"header": header(top), "head": out}


def fence(top, item):
    out = {"epoch": item.epoch, "epochID": item.epoch_id.hex(), "keyFileHash": item.key_file_hash.hex(),
           "peers": [{"device": device(each), "seq": seq, "hash": digest.hex()} for each, seq, digest in item.peers]}
    if item.revoked:
        out["revoked"] = device(item.revoked)
    return {"header": header(top), "fence": out}
