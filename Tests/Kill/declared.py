"""Databases whose tables a schema file declares."""

import random

SCHEMA = """{"name": "org.example.notes", "tables": [
  {"name": "list", "key": ["id"], "columns": [{"name": "id", "type": "text"}, {"name": "name", "type": "text"}]},
  {"name": "note", "key": ["id"], "columns": [
    {"name": "id", "type": "text"}, {"name": "text", "type": "text"},
    {"name": "code", "type": "text", "null": true, "unique": true},
    {"name": "list_id", "type": "text", "null": true}, {"name": "body", "type": "blob", "null": true}],
   "references": [{"columns": ["list_id"], "table": "list", "onDelete": "cascade"}]}]}"""


def bulk(count, size, seed):
    """Statements that insert rows whose bodies cannot be compressed, the same in every run."""
    chance = random.Random(seed)
    rows = (f"INSERT INTO note(id,text,body) VALUES('{seed}-{n}','row {n}',x'{chance.randbytes(size).hex()}');"
            for n in range(count))
    return "\n".join(rows)


def load(place, device, sql):
    file = place.root / "load.sql"
    file.write_text(sql)
    place.must(device, "sql", "--file", file)
    file.unlink()


def attach(place, device, *words):
    place.must(device, "attach", place.remote, "--schema", place.schema, "--device", device, *words)


def attached(place, *devices):
    """Devices of one set, the first of which holds a few dozen rows that all have read."""
    place.begin("-".join(devices), lambda: make_attached(place, *devices))


def make_attached(place, *devices):
    place.make()
    place.schema.write_text(SCHEMA)
    for device in devices:
        attach(place, device, *(["--new"] if device == devices[0] else []))
    rows = [f"INSERT INTO list VALUES('l{n}','list {n}');" for n in range(3)]
    rows += [f"INSERT INTO note(id,text,code,list_id) VALUES('n{n}','note {n}','c{n}','l{n % 3}');" for n in range(30)]
    load(place, devices[0], "\n".join(rows))
    place.sync(*devices, *devices)


WRITE = """INSERT INTO note(id,text,code) VALUES('n1','written','w1')
  ON CONFLICT(id) DO UPDATE SET text=excluded.text, code=excluded.code;
INSERT INTO note(id,text) VALUES('new','new') ON CONFLICT(id) DO UPDATE SET text=excluded.text;
UPDATE note SET text='changed' WHERE id IN ('n2','n3');
DELETE FROM list WHERE id='l2';"""
