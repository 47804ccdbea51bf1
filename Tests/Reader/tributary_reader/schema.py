"""Descriptions of schemas (FORMAT.md, section 12).

No key has to be there, and no more is checked than the form: who makes tables of a description looks at it closely.
"""

from . import cbor, shape, values
from .errors import Hold, Refused, refuse_unless

KINDS = ("text", "integer", "real", "blob", "any")
ACTIONS = ("restrict", "cascade", "setNull", "setDefault")
NOWS = ("CURRENT_TIMESTAMP", "CURRENT_DATE", "CURRENT_TIME")
LONGEST = 1 << 20
MOST_NOTES, LONGEST_NOTE = 200, 300
TABLE_BITS = 7
MOST_ITEMS, MOST_COLUMNS = 4_096, 2_000


def parse(data):
    """The schema as a dict of what it says; nothing is there that it leaves out."""
    item = shape.mapping(cbor.decode(data), "A schema")
    out = {"name": _name(item, 0), "version": shape.small(item.get(1, 1), "A version"),
           "tables": [_table(table) for table in _items(item, 2, "Tables")]}
    notes = shape.array(item.get(3, []), "Notes")
    refuse_unless(len(notes) <= MOST_NOTES, "range", "A schema has more than 200 notes.")
    _put(out, "notes", [shape.text(note, "A note", LONGEST_NOTE) for note in notes])
    return out


def _name(item, key):
    return shape.text(item.get(key, ""), "A name")


def _items(item, key, what, most=MOST_ITEMS):
    return shape.array(item.get(key, []), what, most=most)


def _put(out, name, value):
    """Leaves out what is a default: absent, empty or false."""
    if value:
        out[name] = value


def _names(item, what):
    return [shape.text(name, "A name") for name in shape.array(item, what, most=MOST_COLUMNS)]


def _word(item, words, what):
    refuse_unless(isinstance(item, str) and item in words, "word", f"{what} is none of the words.")
    return item


def _table(item):
    item = shape.mapping(item, "A table")
    out = {"name": _name(item, 0), "key": _names(item.get(1, []), "Key columns")}
    unique = [_names(group, "A unique group") for group in _items(item, 4, "Unique groups")]
    references = [_reference(part) for part in _items(item, 5, "References")]
    out["columns"] = [_column(column, unique, references) for column in _items(item, 2, "Columns", MOST_COLUMNS)]
    _put(out, "groups", [_names(group, "A group") for group in _items(item, 3, "Groups")])
    _put(out, "references", references)
    _put(out, "unique", [group for group in unique if len(group) > 1])
    _put(out, "indexes", [_index(part) for part in _items(item, 6, "Indexes")])
    _table_choices(item, out)
    return out


def _table_choices(item, out):
    if 7 in item:
        out["scope"] = _word(item[7], ("local", "synced"), "A scope")
    if 8 in item:
        out["onDelete"] = _word(item[8], ("erases", "editRevives"), "A policy of deletes")
    _put(out, "sharedIntegerKey", shape.boolean(item.get(9, False), "A shared key"))
    _put(out, "table", shape.small(item.get(10, 0), "A table's form") & TABLE_BITS)
    _put(out, "otherUnique", [_other_unique(part) for part in _items(item, 11, "Unique groups")])


def _other_unique(item):
    item = shape.mapping(item, "A unique group")
    return {"columns": _names(item.get(0, []), "Columns"), "collations": _names(item.get(1, []), "Collations")}


def _column(item, unique, references):
    """A column's 8 and 9 say the same as the table's 4 and 5: they are brought together there, or here."""
    item = shape.mapping(item, "A column")
    out = {"name": _name(item, 0), "type": _word(item.get(1, "any"), KINDS, "A kind")}
    for key, name in ((2, "null"), (3, "nonEmpty"), (4, "finite")):
        _put(out, name, shape.boolean(item.get(key, False), "A column's choice"))
    if 5 in item:
        out["maxLength"] = shape.unsigned(item[5], "A greatest length", 2 ** 63)
    if 6 in item:
        out["range"] = [_double(bound) for bound in shape.array(item[6], "A range", least=2)[:2]]
        refuse_unless(out["range"][0] <= out["range"][1], "form", "A range ends before it begins.")
    if 7 in item:
        out["default"] = _default(item[7])
    _put(out, "unique", shape.boolean(item.get(8, False), "A column's choice") or [out["name"]] in unique)
    if 9 in item and _reference(item[9]) not in references:
        references.append(_reference(item[9]))
    _adopted(item, out)
    return out


def _adopted(item, out):
    """Key 10 says that the database is an adopted one; without it the others say nothing."""
    declared, collation, now = (_name(item, key) for key in (10, 11, 12))
    if 10 in item:
        out["declared"] = declared
        _put(out, "collation", collation)
        # A default by a word of a later build is none that this reader can give.
        _put(out, "now", now if now in NOWS else None)


def _double(item):
    refuse_unless(isinstance(item, float), "form", "A bound is no double.")
    return item


def _default(item):
    try:
        value = values.from_cbor(item)
    except Hold:
        raise Refused("value", "A default is no value.") from None
    refuse_unless(isinstance(value, values.Value), "value", "A default is a piece.")
    return value


def _reference(item):
    item = shape.mapping(item, "A reference")
    out = {"columns": _names(item.get(0, []), "Columns"), "table": _name(item, 1)}
    _put(out, "parentColumns", _names(item.get(2, []), "The parent's columns"))
    for key, name in ((3, "onDelete"), (4, "onUpdate")):
        if key in item and _word(item[key], ACTIONS + ("noAction",), "An action") != "noAction":
            out[name] = item[key]
    return out


def _index(item):
    item = shape.mapping(item, "An index")
    return {"name": _name(item, 0), "columns": _names(item.get(1, []), "Columns")}
