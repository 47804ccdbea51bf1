"""Descriptions of schemas (FORMAT.md, section 12)."""

from . import cbor, shape, values
from .errors import Hold, Refused, refuse_unless

KINDS = ("text", "integer", "real", "blob", "any")
ACTIONS = ("restrict", "cascade", "setNull", "setDefault")
COLLATIONS = ("BINARY", "NOCASE", "RTRIM")
NOWS = ("CURRENT_TIMESTAMP", "CURRENT_DATE", "CURRENT_TIME")
MOST_NOTES, LONGEST_NOTE = 200, 300
TABLE_BITS = 7


def parse(data):
    """The schema as a dict of what it says; nothing is there that it leaves out."""
    item = shape.mapping(cbor.decode(data), "A schema")
    _require(item, (0, 1, 2), "A schema")
    out = {"name": shape.text(item[0], "A name"), "version": shape.small(item[1], "A version"),
           "tables": [_table(table) for table in shape.array(item[2], "Tables")]}
    notes = shape.array(item.get(3, []), "Notes")
    refuse_unless(len(notes) <= MOST_NOTES, "range", "A schema has more than 200 notes.")
    _put(out, "notes", [shape.text(note, "A note", LONGEST_NOTE) for note in notes])
    return out


def _require(item, keys, what):
    refuse_unless(all(key in item for key in keys), "form", f"{what} is not complete.")


def _put(out, name, value):
    """Leaves out what is a default: absent, empty or false."""
    if value:
        out[name] = value


def _names(item, what, least=1):
    return [shape.text(name, "A name") for name in shape.array(item, what, least=least)]


def _word(item, words, what):
    refuse_unless(isinstance(item, str) and item in words, "word", f"{what} is none of the words.")
    return item


def _table(item):
    item = shape.mapping(item, "A table")
    _require(item, (0, 1, 2), "A table")
    out = {"name": shape.text(item[0], "A name"), "key": _names(item[1], "Key columns")}
    unique = [_names(group, "A unique group") for group in shape.array(item.get(4, []), "Unique groups")]
    references = [_reference(part) for part in shape.array(item.get(5, []), "References")]
    out["columns"] = [_column(column, unique, references) for column in shape.array(item[2], "Columns", least=1)]
    _put(out, "groups", [_names(group, "A group") for group in shape.array(item.get(3, []), "Groups")])
    _put(out, "references", references)
    _put(out, "unique", [group for group in unique if len(group) > 1])
    _put(out, "indexes", [_index(part) for part in shape.array(item.get(6, []), "Indexes")])
    _table_choices(item, out)
    return out


def _table_choices(item, out):
    if 7 in item:
        out["scope"] = _word(item[7], ("local", "synced"), "A scope")
    if 8 in item:
        out["onDelete"] = _word(item[8], ("erases", "editRevives"), "A policy of deletes")
    _put(out, "sharedIntegerKey", shape.boolean(item.get(9, False), "A shared key"))
    _put(out, "table", shape.unsigned(item.get(10, 0), "A table's form") & TABLE_BITS)
    _put(out, "otherUnique", [_other_unique(part) for part in shape.array(item.get(11, []), "Unique groups")])


def _other_unique(item):
    item = shape.mapping(item, "A unique group")
    _require(item, (0, 1), "A unique group")
    columns = _names(item[0], "Columns")
    words = shape.array(item[1], "Collations", exactly=len(columns))
    return {"columns": columns, "collations": [_word(word, COLLATIONS, "A collation") for word in words]}


def _column(item, unique, references):
    """A column's 8 and 9 say the same as the table's 4 and 5: they are brought together there, or here."""
    item = shape.mapping(item, "A column")
    _require(item, (0, 1), "A column")
    out = {"name": shape.text(item[0], "A name"), "type": _word(item[1], KINDS, "A kind")}
    for key, name in ((2, "null"), (3, "nonEmpty"), (4, "finite")):
        _put(out, name, shape.boolean(item.get(key, False), "A column's choice"))
    if 5 in item:
        out["maxLength"] = shape.unsigned(item[5], "A greatest length")
    if 6 in item:
        out["range"] = [_double(bound) for bound in shape.array(item[6], "A range", exactly=2)]
    if 7 in item:
        out["default"] = _default(item[7])
    _put(out, "unique", shape.boolean(item.get(8, False), "A column's choice") or [out["name"]] in unique)
    if 9 in item and _reference(item[9]) not in references:
        references.append(_reference(item[9]))
    _adopted(item, out)
    return out


def _adopted(item, out):
    if 10 in item:
        out["declared"] = shape.text(item[10], "A declared type")
    if 11 in item:
        out["collation"] = _word(item[11], COLLATIONS, "A collation")
    if 12 in item:
        out["now"] = _word(item[12], NOWS, "A default of the moment")


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
    _require(item, (0, 1), "A reference")
    out = {"columns": _names(item[0], "Columns"), "table": shape.text(item[1], "A table")}
    if 2 in item:
        out["parentColumns"] = _names(item[2], "The parent's columns")
    for key, name in ((3, "onDelete"), (4, "onUpdate")):
        if key in item and _word(item[key], ACTIONS + ("noAction",), "An action") != "noAction":
            out[name] = item[key]
    return out


def _index(item):
    item = shape.mapping(item, "An index")
    _require(item, (0, 1), "An index")
    return {"name": shape.text(item[0], "A name"), "columns": _names(item[1], "Columns")}
