"""Databases that other programs write."""

import pathlib
import sqlite3

from place import HarnessError
from scene import Again, scene
from scenes_attach import CUT_OFF, UNUSED

APP = """CREATE TABLE artist(id TEXT PRIMARY KEY, name TEXT NOT NULL, seen INTEGER DEFAULT 0);
CREATE TABLE album(artist TEXT REFERENCES artist(id) ON DELETE CASCADE, no INTEGER, title TEXT UNIQUE,
  PRIMARY KEY(artist, no)) WITHOUT ROWID;
CREATE INDEX album_title ON album(title);
CREATE VIEW albums AS SELECT name, title FROM artist JOIN album ON artist.id=album.artist;
CREATE TRIGGER seen AFTER INSERT ON album BEGIN UPDATE artist SET seen=seen+1 WHERE id=new.artist; END;"""


def app(place, device):
    """A database in production, in the journal mode that SQLite starts with."""
    rows = [f"INSERT INTO artist(id,name) VALUES('a{n}','artist {n}');" for n in range(8)]
    rows += [f"INSERT INTO album VALUES('a{n % 8}',{n},'album {n}');" for n in range(24)]
    place.write(device, APP + "\n".join(rows))


def adopt(place, device):
    place.must(device, "adopt", "--name", "org.example.music")


def adopted(place, *devices):
    """Devices of one set, on the database of an app."""
    place.begin("adopted-" + "-".join(devices), lambda: make_adopted(place, *devices))


def make_adopted(place, *devices):
    place.make()
    app(place, devices[0])
    adopt(place, devices[0])
    place.must(devices[0], "attach", place.remote, "--device", devices[0], "--new")
    place.sync(devices[0])
    for device in devices[1:]:
        place.must(device, "join", place.remote, "--device", device)
    place.sync(*devices)


OTHER = """INSERT INTO artist(id,name) VALUES('new','new one');
REPLACE INTO album VALUES('a1',99,'album 2');
UPDATE album SET no=77 WHERE title='album 5';
UPDATE artist SET name='other' WHERE id='a2';
DELETE FROM artist WHERE id='a3';"""


@scene("push-adopted", "a", "sync", is_adopted=True)
def push_adopted(place):
    adopted(place, "a", "b")
    place.write("a", "PRAGMA foreign_keys=ON;" + OTHER)


@scene("pull-adopted", "a", "sync", is_adopted=True)
def pull_adopted(place):
    adopted(place, "a", "b")
    place.write("b", "PRAGMA foreign_keys=ON;" + OTHER)
    place.sync("b")
    place.write("a", "PRAGMA foreign_keys=ON; UPDATE artist SET name='of a' WHERE id='a2';"
                "DELETE FROM artist WHERE id='a4'")


def attach_a_new(place):
    place.must("a", "attach", place.remote, "--device", "a", "--new")


@scene("adopt", "a", "adopt", "--name", "org.example.music", syncs=("a",), is_adopted=True,
       again=(Again(1, "is adopted already"),), settle=attach_a_new)
def adopt_first(place):
    place.make()
    app(place, "a")


def attach_a_to_own(place):
    """What the refusal says: the set was begun by the run that was cut off."""
    place.must("a", "attach", place.remote, "--device", "a")


@scene("attach-adopted", "a", "attach", "{remote}", "--device", "a", "--new", syncs=("a",), is_adopted=True,
       again=(Again(1, "already holds 1 device. Attach this one to them"),), leaves=CUT_OFF,
       recover=attach_a_to_own)
def attach_adopted(place):
    """A database that was there before, and stays where attaching fails."""
    place.make()
    app(place, "a")
    adopt(place, "a")


def schema_of_app(place):
    """The app's own schema, to the letter."""
    connection = sqlite3.connect(place.database("a"))
    made = sqlite3.connect(":memory:")
    made.executescript(APP)
    question = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
    found, wanted = connection.execute(question).fetchall(), made.execute(question).fetchall()
    connection.close()
    if found != wanted:
        raise HarnessError(f"the schema is not as the app made it: {set(found) ^ set(wanted)}")


@scene("undo", "a", "adopt", "--undo", syncs=("b",), again=(Again(1, "is not adopted"),), is_adopted=True,
       settle=schema_of_app)
def undo(place):
    adopted(place, "a", "b")
    place.write("a", "PRAGMA foreign_keys=ON;" + OTHER)


def drop_and_resume(place):
    place.write("a", "ALTER TABLE artist DROP COLUMN seen")
    place.must("a", "adopt", "--resume")


@scene("pause", "a", "adopt", "--pause", is_adopted=True, settle=drop_and_resume)
def pause(place):
    place.make()
    # Without the trigger that names the column which goes later.
    place.write("a", APP.split("CREATE TRIGGER")[0] + "INSERT INTO artist VALUES('x','y',1),('z','w',2)")
    adopt(place, "a")
    attach_a_new(place)
    place.sync("a")
    place.must("b", "join", place.remote, "--device", "b")
    place.write("a", "UPDATE artist SET name='before the pause' WHERE id='x'")


@scene("resume", "a", "adopt", "--resume", is_adopted=True)
def resume(place):
    pause(place)
    place.must("a", "adopt", "--pause")
    place.write("a", "ALTER TABLE artist DROP COLUMN seen; UPDATE artist SET name='while paused' WHERE id='z';"
                "INSERT INTO artist VALUES('p','added while paused'); ALTER TABLE album ADD COLUMN year INTEGER")


def join_anew(place):
    """A database that was cut off before it was attached is removed by hand; one that is attached goes on."""
    if place.run("b", "sync").code != 3:
        return None
    for suffix in ("", "-wal", "-shm", "-journal"):
        pathlib.Path(f"{place.database('b')}{suffix}").unlink(missing_ok=True)
    place.must("b", "join", place.remote, "--device", "b")
    return "the database that it left had to be removed by hand"


@scene("join", "b", "join", "{remote}", "--device", "b", is_adopted=True, leaves=CUT_OFF,
       again=(Again(1, "there is a file at"),), recover=join_anew)
def join(place):
    adopted(place, "a")


@scene("detach-adopted", "b", "detach", again=(Again(3, "is not attached"),), is_adopted=True,
       settle=lambda place: place.must("b", "attach", place.remote, "--device", "b"))
def detach_adopted(place):
    adopted(place, "a", "b")
    place.write("b", "UPDATE artist SET name='unsent' WHERE id='a5'")


@scene("repair-adopted", "a", "check", "--repair", is_adopted=True)
def repair_adopted(place):
    """A row that no trigger noted."""
    adopted(place, "a", "b")
    trigger = ("SELECT sql FROM sqlite_master WHERE type='trigger' AND name LIKE 'tributary%' AND tbl_name='artist'")
    connection = sqlite3.connect(place.database("a"))
    made = [row[0] for row in connection.execute(trigger)]
    names = [row[0] for row in connection.execute(trigger.replace("SELECT sql", "SELECT name"))]
    for name in names:
        connection.execute(f'DROP TRIGGER "{name}"')
    connection.execute("UPDATE artist SET name='unseen' WHERE id='a6'")
    for sql in made:
        connection.execute(sql)
    connection.commit()
    connection.close()


@scene("made-anew", "a", "sync", is_adopted=True, leaves=UNUSED)
def made_anew(place):
    """The app made a table anew without some of its rows: the device reads all again, under a new id."""
    adopted(place, "a", "b")
    place.write("a", "DROP TRIGGER seen; DROP VIEW albums;"
                "CREATE TABLE more(artist TEXT REFERENCES artist(id) ON DELETE CASCADE,"
                "no INTEGER, title TEXT UNIQUE, year INTEGER, PRIMARY KEY(artist, no)) WITHOUT ROWID;"
                "INSERT INTO more(artist,no,title) SELECT * FROM album WHERE no<20; DROP TABLE album;"
                "ALTER TABLE more RENAME TO album; UPDATE artist SET name='unsent' WHERE id='a1'")
