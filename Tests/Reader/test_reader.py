"""The golden files, and the examples of docs/FORMAT.md, read by a reader that was written from that page alone."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import unittest

import fixtures
import plain_stream
from fixtures import ANN, BOB, GOLDEN, REMOTE, WIRE
from tributary_reader import blocks, cbor, container, digest, expected, fences, heads, keys, logs, names
from tributary_reader import password, pieces, schema
from tributary_reader.hashing import blake2b, keyed
from tributary_reader.state import State
import read


class Golden(unittest.TestCase):
    """Every file of v1/wire/sync against v1/wire/expected."""

    @classmethod
    def setUpClass(cls):
        cls.folder = fixtures.folder(WIRE)
        cls.objects = {}
        for item in read.objects(cls.folder):
            directory, file = item.pop("path").split("/")[1:]
            kind = next((kind for kind in ("run", "whole") if kind in item), None)
            content = item[kind] if kind else item.get("key", item)
            cls.objects[f"{directory}/{kind + '-' if kind else ''}{file}.json"] = content

    def test_nothing_is_refused_or_dropped(self):
        self.assertEqual(self.folder.problems, [])
        self.assertEqual(self.folder.dropped, 0)

    def test_every_file_is_what_is_expected(self):
        for directory in (ANN, BOB):
            for file in sorted(os.listdir(os.path.join(WIRE, "expected", directory))):
                path = f"{directory}/{file}"
                with self.subTest(path):
                    self.assertEqual(self.objects[path], fixtures.load("wire", "expected", path))

    def test_every_file_has_something_expected(self):
        without = [path for path in self.objects if not os.path.exists(os.path.join(WIRE, "expected", path))]
        # The log that stands for the snapshot has no entries, so that nothing is expected of them.
        self.assertEqual(without, [f"{ANN}/run-0000000000000013.log.json"])
        files = [file for directory in (ANN, BOB) for file in os.listdir(os.path.join(WIRE, "sync", directory))]
        self.assertEqual(len(self.folder.files), len(files))

    def test_the_sums(self):
        for part in ("wire", "local", "fleet"):
            for line in fixtures.raw(part, "SUMS").decode().splitlines():
                digits, path = line.split("  ", 1)
                self.assertEqual(hashlib.blake2b(fixtures.raw(part, path), digest_size=32).hexdigest(), digits, path)

    def test_padding_is_as_the_page_says(self):
        """No reader needs it; but the page tells how long files are."""
        sealed = [file for file in self.folder.files if file.header]
        self.assertEqual(len(sealed), 23)
        for file in sealed:
            length = len(fixtures.raw("wire", file.path))
            self.assertEqual(length, _padded(self._shortest(file), file.name.kind), file.path)

    def _shortest(self, file):
        data = fixtures.raw("wire", file.path)
        data_key, = self.folder.devices[file.name.device].keys_of(file.header.epoch)
        key = keyed(data_key, "file", data[:80])
        stream = container.PullStream(data[112:136], key)
        plain = b"".join(stream.pull(chunk, associated)[0] for chunk, associated, _ in container.sealed_chunks(data))
        used = 4 + int.from_bytes(plain[:4], "big")
        return 136 + used + 17 * -(-used // 65_536)

    def test_the_stream_without_libsodium(self):
        """Both chunks of a log, opened by what the page says about readers without libsodium."""
        path = f"sync/{BOB}/0000000000000001.log"
        data = fixtures.raw("wire", path)
        file = next(file for file in self.folder.files if file.path == path)
        data_key, = self.folder.devices[file.name.device].keys_of(2)
        key = keyed(data_key, "file", data[:80])
        one, other = plain_stream.PlainStream(data[112:136], key), container.PullStream(data[112:136], key)
        chunks = list(container.sealed_chunks(data))
        self.assertEqual(len(chunks), 2)
        for chunk, associated, _ in chunks:
            self.assertEqual(one.pull(chunk, associated), other.pull(chunk, associated))
        again = plain_stream.PlainStream(data[112:136], key)
        self.assertIsNone(again.pull(chunks[1][0], chunks[1][1]))

    def test_the_state_stops_at_the_barrier(self):
        state = State(self.folder).merge()
        device = names.device_bytes(ANN)
        self.assertEqual(state.cursors[device].seq, 11)
        self.assertEqual({refusal.code for _, refusal in state.notes}, {"barrier"})


def _padded(length, kind):
    if kind == names.HEAD:
        return -(-length // 1_024) * 1_024
    if length <= 400:
        return 400
    exponent = length.bit_length() - 1
    step = 1 << exponent - exponent.bit_length()
    return -(-length // step) * step


class Keys(unittest.TestCase):
    def setUp(self):
        self.data = fixtures.raw("wire", "sync", ANN, "key-0000000002.bin")
        self.device = names.device_bytes(ANN)

    def test_the_recovery_key(self):
        typed = fixtures.SECRETS["recoveryKey"]
        opened = keys.read_by_recovery_key(self.data, self.device, 2, password.recovery_key(typed))
        by_password = fixtures.open_key(self.data, self.device, 2)
        self.assertEqual(opened.payload, by_password.payload)
        rkek = keyed(password.recovery_key(typed), "recovery", opened.header.recovery_salt)
        self.assertEqual(rkek, opened.payload.recovery_kek)
        self.assertEqual(opened.header.recovery_salt, opened.payload.recovery_salt)

    def test_other_passwords(self):
        for item in fixtures.load("wire", "passwords.json"):
            self.assertEqual(password.normalized(item["typed"]).hex(), item["hashed"])

    def test_a_fence_has_the_hash_of_the_key_file(self):
        fence = fixtures.load("wire", "expected", ANN, "fence-0000000002.bin.json")
        self.assertEqual(blake2b(self.data).hex(), fence["fence"]["keyFileHash"])


class Fleet(unittest.TestCase):
    """The folder of three devices against the merged state of all of them."""

    @classmethod
    def setUpClass(cls):
        cls.folder = fixtures.folder(REMOTE)
        cls.clock = int(fixtures.load("fleet", "fleet.json")["time"])
        cls.export = [json.loads(line) for line in fixtures.raw("fleet", "export.jsonl").decode().splitlines()]

    def test_nothing_is_refused_or_dropped(self):
        self.assertEqual(self.folder.problems, [])
        self.assertEqual(self.folder.dropped, 0)
        self.assertEqual(len(self.folder.files), 18)

    def test_the_merged_state(self):
        state = State(self.folder, self.clock).merge()
        self.assertEqual([expected.entry(item) for item in state.states()], self.export)

    def test_an_entry_ahead_of_the_clock_is_held_until_then(self):
        early, late = State(self.folder, self.clock).merge(), State(self.folder, self.clock + 3_600_000).merge()
        self.assertEqual([refusal.code for _, refusal in early.notes], ["ahead"])
        self.assertEqual(late.notes, [])
        self.assertEqual({key for key in late.records if key not in early.records}, {(b"list", b"0ahead")})
        ahead = 1_700_003_600_160 - 5 * 60_000
        self.assertNotIn((b"list", b"0ahead"), State(self.folder, ahead - 1).merge().records)
        self.assertIn((b"list", b"0ahead"), State(self.folder, ahead).merge().records)
        self.assertEqual(early.cursors[names.device_bytes("75y4q43deslviqipjhgbfvmixi")].seq, 3)

    def test_cursors_are_those_of_the_device_that_had_read_all(self):
        state = State(self.folder, self.clock).merge()
        head = self.folder.devices[names.device_bytes("anl65slotqyz6ericrgfx4ywxm")].head.content
        self.assertEqual(len(head.cursors), 2)
        for cursor in head.cursors:
            self.assertEqual(state.cursors[cursor.device], cursor)

    def test_the_schema_is_that_of_the_manifest(self):
        device = self.folder.devices[names.device_bytes("t4afv55pxkjuip3nw6mjqqlbiq")]
        raw = device.snapshots[1].manifest.schema
        self.assertEqual(expected.schema(schema.parse(raw)), fixtures.load("fleet", "schema.json"))


class Page(unittest.TestCase):
    """The examples of docs/FORMAT.md."""

    @classmethod
    def setUpClass(cls):
        cls.examples = fixtures.examples()

    def entries(self, name):
        return pieces.assemble([blocks.parse(cbor.decode(self.examples[name]))])

    def test_all_examples_are_read_here(self):
        self.assertEqual(set(self.examples), {"insert", "rich", "numbers", "log", "sealed", "digest", "head", "fence",
                                              "schema", "schema-adopted"})

    def test_insert(self):
        ann = "1700000000000+2 aebagbafaydqqcikbmga2dqpca"
        entry, = self.entries("insert")
        self.assertEqual(expected.entry(entry), {
            "record": {"type": "item", "key": ["k"], "identity": "306b"}, "born": ann, "visible": True,
            "fields": [{"name": "n", "kind": "last", "value": -1, "stamp": ann, "version": 1},
                       {"name": "title", "kind": "last", "value": "Hi", "stamp": ann, "version": 1}]})

    def test_rich(self):
        ann, bob = f"+0 {ANN}", f"+0 {BOB}"
        entry, = self.entries("rich")
        self.assertEqual(expected.entry(entry), {
            "record": {"type": "item", "key": ["k"], "identity": "306b"}, "visible": False,
            "deletes": [{"stamp": "1699999999992" + bob, "erases": False,
                         "cause": {"type": "list", "key": [7], "identity": "108000000000000007"}}],
            "fields": [
                {"name": "count", "kind": "counter", "shown": 7,
                 "base": {"value": 10, "stamp": "1699999999995" + ann, "version": 1},
                 "totals": [{"device": BOB, "stamp": "1699999999998" + bob, "base": "1699999999995" + ann, "sum": -3}]},
                {"name": "tags", "kind": "set", "stamp": "1700000000000" + ann, "version": 1, "shown": ["red"],
                 "marks": [{"value": "red", "device": BOB, "removed": "1699999999991+1"},
                           {"value": "red", "device": ANN, "added": "1700000000000+0"}]},
                {"name": "title", "kind": "last", "value": {"text": "ff"}, "stamp": "1700000000000" + ann,
                 "root": "1699999999995" + ann, "version": 2}]})

    def test_numbers(self):
        entries = self.entries("numbers")
        rows = [[entry.fields[name, 0].value.content for name in (b"n", b"r")] for entry in entries]
        self.assertEqual(rows, [[1_000 + 300 * row, 0.25 * row] for row in range(8)])

    def test_insert_and_rich_are_what_is_written(self):
        """The bytes of a state are part of the format, as a digest is over them."""
        for name in ("insert", "rich"):
            entry, = self.entries(name)
            self.assertEqual(digest.block(entry).hex(), self.examples[name].hex())

    def test_digest(self):
        states = self.entries("insert") + self.entries("rich")
        self.assertEqual(digest.of(states), self.examples["digest"])
        self.assertNotEqual(digest.of(states[:1]), self.examples["digest"])

    def test_log(self):
        log = logs.parse(self.examples["log"], bytes(range(1, 17)))
        self.assertEqual([expected.cursor(cursor) for cursor in log.cursors], [
            {"device": BOB, "seq": 3, "moment": "1699999999999+0", "hash": "00" * 32}])
        self.assertEqual(log.blocks[0], blocks.parse(cbor.decode(self.examples["insert"])))

    def test_sealed(self):
        name = names.Name(names.LOG, bytes(range(1, 17)), 5, 0)
        header, body = container.open_sealed(self.examples["sealed"], name, lambda epoch: [bytes([9]) * 32])
        self.assertEqual(body, self.examples["log"])
        self.assertEqual(int.from_bytes(header.install_nonce, "big"), 77)
        self.assertEqual(header.epoch, 2)
        self.assertEqual(header.previous, blake2b(b"\x01"))

    def test_head(self):
        head = heads.parse(self.examples["head"])
        self.assertEqual((head.schema_name, head.device_name, head.build), ("com.example.tasks", "Laptop", 41))
        self.assertEqual((head.last_log, head.wall), ((5, bytes(32)), 1_700_000_000_009))
        self.assertEqual([cursor.seq for cursor in head.cursors], [3])
        self.assertEqual(head.acknowledged, head.cursors)

    def test_fence(self):
        fence = fences.parse(self.examples["fence"])
        self.assertEqual((fence.epoch, len(fence.peers)), (3, 2))
        self.assertEqual(fence.revoked, bytes([255] * 8 + [0] * 7 + [1]))

    def test_schema(self):
        golden = fixtures.load("wire", "expected", ANN, "0000000000000005.log.json")["log"]["schema"]
        self.assertEqual(expected.schema(schema.parse(self.examples["schema"])), golden)

    def test_schema_of_an_adopted_database(self):
        self.assertEqual(schema.parse(self.examples["schema-adopted"]), {
            "name": "com.example.shop", "version": 1, "notes": ["the view “cheap”"],
            "tables": [{
                "name": "shop", "key": ["id"], "sharedIntegerKey": True, "table": 4,
                "otherUnique": [{"columns": ["added", "name"], "collations": ["RTRIM", "BINARY"]}],
                "columns": [
                    {"name": "id", "type": "integer", "declared": "INTEGER"},
                    {"name": "name", "type": "any", "null": True, "declared": "VARCHAR(40)", "collation": "NOCASE",
                     "unique": True},
                    {"name": "added", "type": "any", "declared": "", "now": "CURRENT_TIMESTAMP"}]}]})


class Command(unittest.TestCase):
    """`read.py` as it is called."""

    def call(self, *arguments, password=fixtures.SECRETS["password"]):
        environment = {**os.environ, "TRIBUTARY_PASSWORD": password} if password else {
            name: value for name, value in os.environ.items() if name != "TRIBUTARY_PASSWORD"}
        command = [sys.executable, os.path.join(fixtures.HERE, "read.py"), *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    def test_a_sound_folder(self):
        done = self.call(REMOTE, "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        paths = [json.loads(line)["path"] for line in done.stdout.splitlines()]
        self.assertIn("sync/anl65slotqyz6ericrgfx4ywxm/head.bin", paths)

    def test_the_state(self):
        done = self.call(REMOTE, "--state", "--clock", fixtures.load("fleet", "fleet.json")["time"])
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout.splitlines(), fixtures.raw("fleet", "export.jsonl").decode().splitlines())

    def test_a_password_file(self):
        with tempfile.NamedTemporaryFile() as file:
            for content, code in ((b"correct horse battery\n", 0), (b"correct horse battery ", 1)):
                file.seek(0)
                file.truncate()
                file.write(content)
                file.flush()
                self.assertEqual(self.call(REMOTE, "--password-file", file.name, password=None).returncode, code)
        self.assertEqual(self.call(REMOTE, "--password-file", file.name + ".gone", password=None).returncode, 2)

    def test_another_password(self):
        done = self.call(REMOTE, password="correct horse batterz")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("key-0000000001.bin: password:", done.stderr)

    def test_a_password_that_is_refused(self):
        self.assertEqual(self.call(REMOTE, password="short").returncode, 1)

    def test_wrong_calls(self):
        for arguments, password in (((), "x"), ((GOLDEN,), "x"), ((REMOTE,), None), ((REMOTE, "--what"), "x")):
            self.assertEqual(self.call(*arguments, password=password).returncode, 2)
