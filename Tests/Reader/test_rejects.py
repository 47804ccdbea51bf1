"""One test for each thing that docs/FORMAT.md says to refuse, to hold, to drop or to stop at.

Each test changes one thing of something that is read, and the same test reads the unchanged one: so that a test fails
where the reader refuses everything, too.
"""

import copy
import os
import random
import shutil
import tempfile
import unittest

import fixtures
import writing
from writing import DATA_KEY, DEVICE, OTHER, T0, block, content, delta, field, run
from tributary_reader import blocks, cbor, cbor_write, container, cursors, digest, fences, frame, heads, identity, keys
from tributary_reader import logs, names, password, pieces, schema, shape, snapshots, values
from tributary_reader.budget import Budget
from tributary_reader.entries import is_sound
from tributary_reader.errors import Refused
from tributary_reader.hashing import blake2b, keyed
from tributary_reader.header import Header
from tributary_reader.state import State
from tributary_reader.varints import Packed

LOG_NAME = names.Name(names.LOG, DEVICE, 5, 0)
HEAD_NAME = names.Name(names.HEAD, DEVICE, None, 0)


class Rejects(unittest.TestCase):
    def refused(self, code, work, *arguments, **named):
        with self.assertRaises(Refused) as caught:
            work(*arguments, **named)
        self.assertEqual(caught.exception.code, code)
        return caught.exception


class Names(unittest.TestCase):
    """Section 1. Other names are ignored."""

    def test_names(self):
        device = fixtures.ANN
        self.assertEqual(names.parse(device, "head.bin").kind, names.HEAD)
        self.assertEqual(names.parse(device, "0000000000000001.log").seq, 1)
        for other in ("head.bin.tmp", "1.log", "000000000000000１.log", "key-1.bin", "snapshot-0000000000000001.0.snap",
                      "head.bin\n", "Head.bin"):
            self.assertIsNone(names.parse(device, other), other)

    def test_numbers_that_are_out_of_bounds(self):
        for form, last in (("key-{:010}.bin", 2 ** 32 - 1), ("fence-{:010}.bin", 2 ** 32 - 1),
                           ("{:016}.log", 2 ** 53 - 1), ("snapshot-{:016}.00000.snap", 2 ** 53 - 1),
                           ("snapshot-0000000000000001.{:05}.snap", 65_535)):
            self.assertIsNotNone(names.parse(fixtures.ANN, form.format(last)), form)
            self.assertIsNone(names.parse(fixtures.ANN, form.format(last + 1)), form)

    def test_a_device_has_26_letters_and_ends_in_zeros(self):
        self.assertEqual(names.device_text(names.device_bytes(fixtures.ANN)), fixtures.ANN)
        for other in (fixtures.ANN[:-1] + "b", fixtures.ANN.upper(), fixtures.ANN + "a", fixtures.ANN[:-1] + "1"):
            self.assertIsNone(names.device_bytes(other), other)


class ContainerRejects(Rejects):
    """Section 3."""

    def open(self, data, name=LOG_NAME, key=DATA_KEY):
        return container.open_sealed(data, name, lambda epoch: [bytes(32), key])[1]

    def sealed_is_refused(self, code, **parts):
        self.assertEqual(self.open(writing.seal()), b"\xa0")
        return self.refused(code, self.open, writing.seal(**parts))

    def changed_is_refused(self, code, at, bits=1, data=None):
        data = bytearray(data or writing.seal())
        self.open(bytes(data))
        data[at] ^= bits
        return self.refused(code, self.open, bytes(data))

    def two_chunks(self):
        return writing.cut(writing.plain(b"\xa0", padding=bytes(70_000)))

    def test_longer_than_its_kind_may_be(self):
        for kind, limit, name in ((names.LOG, 512 << 10, LOG_NAME), (names.HEAD, 256 << 10, HEAD_NAME),
                                  (names.FENCE, 64 << 10, names.Name(names.FENCE, DEVICE, 5, 0)),
                                  (names.SNAPSHOT, 512 << 10, names.Name(names.SNAPSHOT, DEVICE, 5, 0))):
            fits = limit - 136 - 17 * -(-(limit - 136) // 65_553)
            for extra, code in ((0, None), (1, "length")):
                data = writing.seal(content=writing.plain(b"\xa0", padding=b"").ljust(fits + extra, b"\x00"), kind=kind)
                self.assertEqual(len(data), limit + extra)
                if code:
                    self.refused(code, self.open, data, name)
                else:
                    self.open(data, name)

    def test_larger_than_its_kind_may_be_before_compression(self):
        for kind, limit, name in ((names.LOG, 8 << 20, LOG_NAME), (names.HEAD, 256 << 10, HEAD_NAME),
                                  (names.FENCE, 64 << 10, names.Name(names.FENCE, DEVICE, 5, 0)),
                                  (names.SNAPSHOT, 8 << 20, names.Name(names.SNAPSHOT, DEVICE, 5, 0))):
            self.assertEqual(len(self.open(writing.seal(bytes(limit), kind=kind), name)), limit)
            self.refused("frame-size", self.open, writing.seal(bytes(limit + 1), kind=kind), name)

    def test_shorter_than_a_header(self):
        self.refused("length", self.open, writing.seal()[:79])
        self.refused("length", self.open, b"")

    def test_truncated(self):
        data = writing.seal()
        self.open(data)
        self.refused("body-length", self.open, data[:-1])
        self.refused("body-length", self.open, data + b"\x00")

    def test_truncated_with_a_body_length_that_agrees(self):
        header = writing.header(body=56)
        key = keyed(DATA_KEY, "file", header)
        self.refused("truncated", self.open, header + keyed(key, "commit", b"") + bytes(24))

    def test_body_length(self):
        self.changed_is_refused("body-length", 47)

    def test_mark(self):
        self.sealed_is_refused("magic", mark=b"TRX")

    def test_another_container_version_is_a_stop(self):
        self.assertTrue(self.sealed_is_refused("container-version", version=2).stops)
        self.assertFalse(self.sealed_is_refused("magic", mark=b"TRX").stops)

    def test_another_container_version_may_be_laid_out_otherwise(self):
        for length in (4, 79, 500):
            self.refused("container-version", self.open, b"TRB\x02".ljust(length, b"\x55"))
            self.assertFalse(self.refused("magic", self.open, b"TRX\x02".ljust(length, b"\x55")).stops)
        self.refused("length", self.open, b"TRB\x02".ljust((512 << 10) + 1, b"\x55"))

    def test_unknown_kind(self):
        self.sealed_is_refused("kind", kind_byte=5)
        self.sealed_is_refused("kind", kind_byte=0)

    def test_flags(self):
        self.sealed_is_refused("flags", flags=1)

    def test_kind_against_the_name(self):
        self.sealed_is_refused("name", kind=names.SNAPSHOT)

    def test_part_against_the_name(self):
        self.sealed_is_refused("name", part=1)
        self.sealed_is_refused("name", part=256)
        part = names.Name(names.SNAPSHOT, DEVICE, 5, 1)
        self.open(writing.seal(kind=names.SNAPSHOT, part=1), part)
        self.refused("name", self.open, writing.seal(kind=names.SNAPSHOT, part=2), part)

    def test_device_against_the_directory(self):
        self.sealed_is_refused("name", device=OTHER)

    def test_seq_against_the_name(self):
        self.sealed_is_refused("name", seq=6)

    def test_a_head_is_checked_against_its_device_alone(self):
        self.open(writing.seal(kind=names.HEAD, seq=77), HEAD_NAME)
        self.refused("name", self.open, writing.seal(kind=names.HEAD, device=OTHER), HEAD_NAME)

    def test_seq_of_2_to_the_53(self):
        last = 2 ** 53 - 1
        self.open(writing.seal(seq=last), LOG_NAME._replace(seq=last))
        self.refused("range", self.open, writing.seal(seq=last + 1), LOG_NAME._replace(seq=last + 1))

    def test_the_previous_hash_of_a_head_is_not_looked_at(self):
        self.assertEqual(self.open(writing.seal(kind=names.HEAD, previous=bytes([1]) * 32), HEAD_NAME), b"\xa0")

    def test_another_key(self):
        self.open(writing.seal())
        self.refused("commitment", self.open, writing.seal(), key=bytes(32))

    def test_changed_header(self):
        for at in (24, 31, 40, 48, 79):
            self.changed_is_refused("commitment", at)

    def test_changed_commitment(self):
        self.changed_is_refused("commitment", 80)
        self.changed_is_refused("commitment", 111)

    def test_changed_stream_header(self):
        self.changed_is_refused("chunk", 112)
        self.changed_is_refused("chunk", 135)

    def test_changed_chunk(self):
        for at in (136, 137, 200, -1):
            self.changed_is_refused("chunk", at)

    def test_swapped_chunks(self):
        chunks = [bytes(65_536)] * 3
        chunks[0] = writing.plain(b"\xa0").ljust(65_536, b"\x00")
        self.open(writing.seal(chunks=chunks))
        self.sealed_is_refused("chunk", chunks=chunks, rearrange=lambda sealed: [sealed[1], sealed[0], sealed[2]])

    def test_a_chunk_less(self):
        self.open(writing.seal(chunks=self.two_chunks()))
        self.sealed_is_refused("tag", chunks=self.two_chunks(), rearrange=lambda sealed: sealed[:1])
        self.sealed_is_refused("chunk", chunks=self.two_chunks(), rearrange=lambda sealed: sealed[1:])

    def test_a_chunk_twice(self):
        chunks = self.two_chunks()
        self.sealed_is_refused("chunk", chunks=chunks, rearrange=lambda sealed: [sealed[0], sealed[0], sealed[1]])

    def test_an_unfinished_stream(self):
        self.sealed_is_refused("tag", tags=[0])
        self.sealed_is_refused("tag", chunks=self.two_chunks(), tags=[0, 0])

    def test_a_stream_that_ends_before_the_last_chunk(self):
        self.sealed_is_refused("tag", chunks=self.two_chunks(), tags=[3, 3])

    def test_other_tags(self):
        for tag in (1, 2):
            self.sealed_is_refused("tag", chunks=self.two_chunks(), tags=[tag, 3])
            self.sealed_is_refused("tag", tags=[tag])

    def test_a_chunk_that_is_not_full(self):
        start, rest = self.two_chunks()
        self.sealed_is_refused("chunk", chunks=[start[:-1], start[-1:] + rest])

    def test_a_last_chunk_without_a_byte(self):
        start = writing.plain(b"\xa0").ljust(65_536, b"\x00")
        self.open(writing.seal(chunks=[start]))
        self.sealed_is_refused("truncated", chunks=[start, b""])

    def test_no_length_of_the_frame(self):
        self.sealed_is_refused("frame-length", content=bytes(3))

    def test_frame_longer_than_the_file(self):
        length = len(writing.compress(b"\xa0"))
        self.open(writing.seal(content=writing.plain(b"\xa0", padding=b"", length=length)))
        self.sealed_is_refused("frame-length", content=writing.plain(b"\xa0", padding=b"", length=length + 1))

    def test_padding_that_is_not_zeros(self):
        self.sealed_is_refused("padding", content=writing.plain(b"\xa0", padding=bytes(20) + b"\x01"))

    def test_no_key_of_the_epoch(self):
        device = fixtures.folder(fixtures.REMOTE).devices[names.device_bytes("anl65slotqyz6ericrgfx4ywxm")]
        self.assertEqual([len(key) for key in device.keys_of(1)], [32])
        self.refused("no-key", device.keys_of, 2)


class FrameRejects(Rejects):
    """Section 3, the zstd frame."""

    def refuse(self, code, data, most=1_000):
        self.assertEqual(frame.read(writing.raw_frame(b"abc"), 1_000), b"abc")
        self.refused(code, frame.read, data, most)

    def test_no_frame(self):
        self.refuse("frame", b"")
        self.refuse("frame", b"abcdefghij")

    def test_a_skippable_frame(self):
        self.refuse("frame", b"\x50\x2a\x4d\x18" + (3).to_bytes(4, "little") + b"abc")

    def test_no_stated_size(self):
        self.refuse("frame-size", writing.raw_frame(b"abc", descriptor=0x00, window=b"\x00"))

    def test_a_dictionary(self):
        for id_bytes in (b"\x07", b"\x00"):
            self.refuse("frame-dictionary", writing.raw_frame(b"abc", descriptor=0xA1, extra=id_bytes))

    def test_a_reserved_bit(self):
        self.refuse("frame", writing.raw_frame(b"abc", descriptor=0xA8))

    def test_a_window_above_8_mib(self):
        self.assertEqual(frame.read(writing.raw_frame(b"abc", descriptor=0x80, window=b"\x68"), 1_000), b"abc")
        self.refuse("frame-window", writing.raw_frame(b"abc", descriptor=0x80, window=b"\x69"))

    def test_larger_than_its_kind_may_be(self):
        data = writing.compress(bytes(1_001))
        self.assertEqual(len(frame.read(data, 1_001)), 1_001)
        self.refuse("frame-size", data)

    def test_a_size_that_is_a_lie(self):
        self.refuse("frame", writing.raw_frame(b"abc", size=2))
        self.refuse("frame", writing.raw_frame(b"abc", size=4))

    def test_more_than_is_declared_out_of_few_bytes(self):
        honest = writing.raw_frame(b"a", size=100_000, repeat=100_000)
        self.assertLess(len(honest), 20)
        self.assertEqual(frame.read(honest, 1 << 20), b"a" * 100_000)
        self.refuse("frame", writing.raw_frame(b"a", size=10, repeat=100_000))

    def test_bytes_after_the_frame(self):
        self.refuse("frame", writing.raw_frame(b"abc") + b"\x00")
        self.refuse("frame", writing.raw_frame(b"abc") * 2)

    def test_a_frame_that_is_cut(self):
        for data in (writing.compress(bytes(range(200))), writing.raw_frame(bytes(range(200)))):
            self.assertEqual(frame.read(data, 1_000), bytes(range(200)))
            for length in range(len(data)):
                self.refused("frame", frame.read, data[:length], 1_000)


class CborRejects(Rejects):
    """Section 4."""

    def refuse(self, code, right, *wrong):
        cbor.decode(bytes.fromhex(right))
        for digits in wrong:
            with self.subTest(digits):
                self.refused(code, cbor.decode, bytes.fromhex(digits))

    def test_longer_forms(self):
        self.refuse("cbor-long-form", "17", "1817", "190017", "1900ff", "1a0000ffff", "1b00000000ffffffff", "3817")
        self.refuse("cbor-long-form", "4161", "580161", "780161", "980100", "b8010000")

    def test_indefinite_lengths(self):
        self.refuse("cbor-indefinite", "80", "9fff", "bfff", "5fff", "7fff", "ff", "1c", "1d", "1e")

    def test_tags(self):
        self.refuse("cbor-tag", "00", "c000", "d81800")

    def test_short_doubles_and_simple_values(self):
        self.refuse("cbor-simple", "fb3ff8000000000000", "f93e00", "fa3fc00000")
        self.refuse("cbor-simple", "f5", "f7", "e0", "f820", "f814")

    def test_not_a_number(self):
        self.refuse("cbor-nan", "fb7ff0000000000000", "fb7ff8000000000000", "fbfff0000000000001")

    def test_order_and_doubles_of_keys(self):
        self.refuse("cbor-order", "a200000100", "a201000000", "a200000000")
        self.refuse("cbor-order", "a2616100616200", "a2616200616100", "a2616100616100", "a220000000", "a262616100616200")

    def test_keys_that_are_no_unsigned_integers(self):
        shape.mapping(cbor.decode(bytes.fromhex("a10000")), "A map")
        for digits in ("a12000", "a1616100", "a1f500", "a200002000"):
            other = cbor.decode(bytes.fromhex(digits))
            self.refused("cbor-key", shape.mapping, other, "A map")
            self.refused("form", shape.array, other, "An array")
            self.assertEqual(heads.parse(b"\xa2\x01\x61a\x18\x63" + bytes.fromhex(digits)).schema_name, "a")

    def test_text_that_is_not_utf8(self):
        self.refuse("cbor-text", "62c3a9", "61ff", "62c0af", "63eda080")

    def test_depth(self):
        self.refuse("cbor-deep", "81" * 8 + "00", "81" * 9 + "00", "81" * 8 + "a0")

    def test_counts_and_lengths_above_the_bytes_left(self):
        self.refuse("cbor-count", "8100", "8200", "9affffffff", "9bffffffffffffffff", "a2", "bb7fffffffffffffff00")
        self.refuse("cbor-short", "4100", "4200", "5bffffffffffffffff", "7a7fffffff61", "19", "", "fb00")

    def test_bytes_after_the_item(self):
        self.refuse("cbor-trailing", "00", "0000")

    def test_integers_beyond_64_bits(self):
        for last, digits in ((-(2 ** 63), "3b8000000000000000"), (2 ** 63 - 1, "1b8000000000000000")):
            self.assertEqual(values.from_cbor(last).content, last)
            self.assertEqual(shape.integer(last, "An integer"), last)
            beyond = cbor.decode(bytes.fromhex(digits))
            self.refused("value", values.from_cbor, beyond)
            self.refused("form", shape.integer, beyond, "An integer")
            self.assertEqual(heads.parse(b"\xa2\x01\x61a\x18\x63" + bytes.fromhex(digits)).schema_name, "a")
        self.assertEqual(shape.unsigned(2 ** 64 - 1, "A moment"), 2 ** 64 - 1)

    def test_what_is_no_value(self):
        for item in (True, False, {}):
            self.refused("value", values.from_cbor, item)

    def test_text_in_the_form_for_what_is_not_utf8(self):
        self.assertEqual(values.from_cbor([0, b"\xff"]).content, b"\xff")
        self.refused("value", values.from_cbor, [0, b"a"])


class KeyFileRejects(Rejects):
    """Section 5."""

    @classmethod
    def setUpClass(cls):
        cls.password = keys.Password(b"correct horse battery")
        cls.header = keys.read_header(writing.key_file(bytes(32)), DEVICE, 2)
        cls.kek = cls.password.kek(cls.header)
        cls.recovery_key = bytes(range(16))
        cls.recovery = (bytes([5]) * 16, keyed(cls.recovery_key, "recovery", bytes([5]) * 16))

    def read(self, data, device=DEVICE, epoch=2):
        return keys.read(data, device, epoch, self.password)

    def made_is_refused(self, code, **parts):
        self.read(writing.key_file(self.kek))
        return self.refused(code, self.read, writing.key_file(self.kek, **parts))

    def changed_is_refused(self, code, at, **parts):
        data = bytearray(writing.key_file(self.kek, **parts))
        self.read(bytes(data))
        data[at] ^= 1
        self.refused(code, self.read, bytes(data))

    def payload_is_refused(self, **parts):
        self.made_is_refused("payload", content=writing.payload(**parts))

    def with_recovery(self, **parts):
        flag = b"\x01" + self.recovery[0] + self.recovery[1]
        return writing.key_file(self.kek, content=writing.payload(recovery=flag), recovery=self.recovery, **parts)

    def test_length(self):
        data = writing.key_file(self.kek)
        self.assertEqual((len(data), len(self.with_recovery())), (658, 1_258))
        for wrong in (data[:-1], data + b"\x00", b"", self.with_recovery()[:-1]):
            self.refused("length", self.read, wrong)

    def test_mark_version_and_flags(self):
        self.made_is_refused("magic", mark=b"TRBX")
        self.assertTrue(self.made_is_refused("key-version", version=2).stops)
        self.made_is_refused("flags", flags=2)

    def test_flags_against_the_length(self):
        self.read(self.with_recovery())
        self.made_is_refused("length", flags=1)
        self.refused("length", self.read, self.with_recovery(flags=0))

    def test_bounds_of_argon2(self):
        for parts in ({"passes": 1}, {"passes": 11}, {"kibibytes": 65_535}, {"kibibytes": 262_145},
                      {"passes": 2 ** 32 - 1}, {"kibibytes": 2 ** 32 - 1}):
            self.made_is_refused("bounds", **parts)

    def test_device_and_epoch_against_the_name(self):
        self.made_is_refused("name", device=OTHER)
        self.made_is_refused("name", epoch=3)

    def test_another_password(self):
        data = writing.key_file(self.kek)
        self.read(data)
        self.refused("password", keys.read, data, DEVICE, 2, keys.Password(b"correct horse batterz"))

    def test_another_salt(self):
        self.changed_is_refused("password", 58)

    def test_changed_commitment(self):
        self.changed_is_refused("password", 74)

    def test_changed_bytes_before_the_seal(self):
        for at in (22, 34, 106):
            self.changed_is_refused("seal", at)

    def test_changed_payload(self):
        self.changed_is_refused("seal", 130)
        self.changed_is_refused("seal", 657)

    def test_earlier_keys(self):
        key = bytes(32)
        self.read(writing.key_file(self.kek, content=writing.payload(earlier=[])))
        nine = [(epoch, key) for epoch in range(1, 10)]
        self.payload_is_refused(earlier=nine)
        self.payload_is_refused(earlier=[(1, key), (0, key)])
        self.payload_is_refused(earlier=[(3, key)])
        # Two changes at once give one number twice.
        twice = [(1, key), (1, bytes([1]) * 32), (2, key)]
        opened = self.read(writing.key_file(self.kek, content=writing.payload(earlier=twice)))
        self.assertEqual(opened.payload.earlier, twice)

    def test_recovery_flag_and_zeros_of_a_payload(self):
        self.payload_is_refused(recovery=b"\x02")
        self.payload_is_refused(recovery=b"\x00\x01")
        self.payload_is_refused(recovery=b"\x01" + bytes(48) + b"\x01")

    def test_another_recovery_key(self):
        data = self.with_recovery()
        opened = keys.read_by_recovery_key(data, DEVICE, 2, self.recovery_key)
        self.assertEqual(opened.payload, self.read(data).payload)
        self.refused("password", keys.read_by_recovery_key, data, DEVICE, 2, bytes(16))

    def test_no_recovery_slot(self):
        self.refused("recovery", keys.read_by_recovery_key, writing.key_file(self.kek), DEVICE, 2, self.recovery_key)

    def test_changed_recovery_slot(self):
        for at in (200, 658, 674, 706, 730, 1_257):
            data = bytearray(self.with_recovery())
            data[at] ^= 1
            with self.assertRaises(Refused):
                keys.read_by_recovery_key(bytes(data), DEVICE, 2, self.recovery_key)

    def test_a_slot_and_a_payload_that_do_not_agree(self):
        other = b"\x01" + bytes(16) + self.recovery[1]
        for content, recovery in ((writing.payload(), self.recovery), (writing.payload(recovery=other), self.recovery),
                                  (writing.payload(recovery=other), None)):
            self.refused("recovery", self.read, writing.key_file(self.kek, content=content, recovery=recovery))

    def test_that_two_slots_hold_the_same_is_not_checked(self):
        flag = b"\x01" + self.recovery[0] + self.recovery[1]
        data = self.with_recovery(second=writing.payload(recovery=flag, data_key=bytes(32)))
        self.assertEqual(self.read(data).payload.data_key, DATA_KEY)
        by_recovery = keys.read_by_recovery_key(data, DEVICE, 2, self.recovery_key)
        self.assertEqual(by_recovery.payload.data_key, bytes(32))

    def test_passwords(self):
        self.assertEqual(password.normalized("12345678"), b"12345678")
        for typed in ("1234567", "1234567\n8", "1234567\u0378", "1234567\ud800", b"1234567\xff", "1234567\ufdd0"):
            self.refused("password", password.normalized, typed)

    def test_scalars_are_counted_after_normalization_and_bytes_before(self):
        self.assertEqual(len(password.normalized("\ufdfa").decode("utf-8")), 18)
        self.refused("password", password.normalized, "e\u0301" * 7)
        self.assertEqual(len(password.normalized("\u00e9" * 512)), 1_024)
        self.refused("password", password.normalized, "\u00e9" * 512 + "e")
        self.assertGreater(len(password.normalized("\ufdfa" * 341)), 1_024)

    def test_a_recovery_key_with_a_typing_error(self):
        typed = fixtures.SECRETS["recoveryKey"]
        self.assertEqual(len(password.recovery_key(typed)), 16)
        for wrong in ("S" + typed[1:], typed[:-1] + "B", typed[:-1], typed + "0", "U" + typed[1:], "\u0131" + typed[1:]):
            self.refused("recovery-key", password.recovery_key, wrong)

    def test_a_recovery_key_as_people_type_it(self):
        right = password.recovery_key(fixtures.SECRETS["recoveryKey"])
        for typed in (fixtures.SECRETS["recoveryKey"].lower(), " ".join(fixtures.SECRETS["recoveryKey"]) + "\r\n\t"):
            self.assertEqual(password.recovery_key(typed), right)
        bits = password.checksum(bytes(16))
        zeros = "0" * 25 + "".join(password.ALPHABET[bits >> shift & 31] for shift in (20, 15, 10, 5, 0))
        for letters in ("0", "O", "o"):
            self.assertEqual(password.recovery_key(zeros.replace("0", letters)), bytes(16))
        ones = int.from_bytes(bytes([0x08, 0x42, 0x10, 0x84, 0x21] * 3 + [0x08]), "big")
        bits = ones << 22 | password.checksum(ones.to_bytes(16, "big"))
        text = "".join(password.ALPHABET[bits >> shift & 31] for shift in range(145, -1, -5))
        for letter in "1ILil":
            self.assertEqual(password.recovery_key(text.replace("1", letter)), ones.to_bytes(16, "big"))


class BlockRejects(Rejects):
    """Section 6."""

    def parse(self, item):
        # Through the bytes, so that everything here is something that can stand in a file.
        return blocks.parse(cbor.decode(cbor_write.encode(item)))

    def refuse(self, code, item, right=None):
        self.assertFalse(self.parse(block(right)).held)
        self.refused(code, self.parse, block(item))

    def hold(self, item):
        self.assertFalse(self.parse(block()).held)
        self.assertTrue(self.parse(block(item)).held)

    def fields_are_refused(self, code, *fields, **keys):
        self.refuse(code, content(fields=list(fields), **keys))

    def test_the_array(self):
        self.assertEqual(len(self.parse(block(None, 1, 1, False, "later")).entries), 1)
        for item in ([], [1, 1, False], {}, [1, 1, 0, b""], [1, 1, False, ""], [-1, 1, False, b""],
                     [1, 1.0, False, b""]):
            self.refused("form", self.parse, item)

    def test_numbers_of_2_to_the_32(self):
        self.assertTrue(self.parse(block(layout=2 ** 32 - 1)).held)
        self.refused("range", self.parse, block(layout=2 ** 32))
        self.refused("range", self.parse, block(min_reader=2 ** 32))

    def test_what_is_held(self):
        self.assertTrue(self.parse(block(b"anything", layout=9)).held)
        self.assertTrue(self.parse(block(b"anything", min_reader=2)).held)
        self.hold(content(fields=[field(kind=9)]))
        for array in ([1, bytes(32), 5], [3, 1], [3]):
            self.hold(content(fields=[field(values=[array])]))
        for array in ([], [0, b"\xff", 1], [0], [0, 1], ["a"], [-1], [True], [[1]]):
            self.fields_are_refused("value", field(values=[array]))
        for data in (b"\x21\x02\x05", b"\x09\x02" + bytes(9)):
            self.hold(content(fields=[field(k6=None, k7=data)]))
        for power in (b"\x05", b"\xfe"):
            self.hold(content(fields=[field(k6=None, k8=power + b"\x00\x00")]))
        for piece in ([2, 0, 2, 3, b"a"], [2]):
            self.hold(content(fields=[field(kind=1, values=[piece], k5=b"\x01" + delta() + delta() + b"\x01\x00")]))
            self.hold(content(fields=[field(kind=2, values=[piece], k5=delta() + b"\x01\x01\x00\x01\x00\x00")]))
        self.hold(content(k8=b"\x00\x01" + delta(1) + b"\x04"))
        self.hold(content(fields=[field(kind=1, values=[], k5=b"\x02\x00")]))
        self.hold(content(fields=[field(kind=2, values=[1], k5=delta() + b"\x01\x01" + b"\x00\x04")]))

    def test_an_unknown_barrier_stops(self):
        known = logs.parse(writing.log([block(barrier=True)]), DEVICE)
        self.assertFalse(known.stops_here)
        for item in (block(layout=9, barrier=True), block(min_reader=2, barrier=True),
                     block(content(fields=[field(kind=9)]), barrier=True),
                     block(content(fields=[field(values=[[3]])]), barrier=True),
                     block(content(k8=b"\x00\x01" + delta(1) + b"\x04"), barrier=True)):
            self.assertTrue(logs.parse(writing.log([item]), DEVICE).stops_here)

    def test_content_that_is_no_cbor(self):
        self.refuse("cbor-short", b"")
        self.refuse("form", b"\x80")

    def test_keys_that_are_missing(self):
        for key in (0, 1, 3, 4, 5):
            self.refuse("form", content(**{f"k{key}": None}))
        # Devices are needed where something is of one.
        self.refuse("device", content(k2=None))
        entry, = self.parse(block(content(k2=None, k5=run(1, T0)))).entries
        self.assertEqual(entry.born.device, bytes(16))

    def test_types(self):
        self.refuse("form", content(k0=[]))
        self.refuse("range", content(k0=["a" * 129]), right=content(k0=["a" * 128]))
        self.refuse("range", content(k0=["é" * 65]))
        self.refuse("range", content(k0=["a"] * 65_537), right=content(k0=["a"] * 65_536))

    def test_rows(self):
        self.refuse("rows", content(k1=0))
        self.refuse("rows", content(k1=65_537))
        self.refuse("rows", content(k1=2 ** 63))
        self.refuse("packed-short", content(k1=2))
        self.refuse("packed-long", content(k3=b"\x00\x02\x00"))

    def test_devices(self):
        self.refuse("form", content(k2=DEVICE[:-1]), right=content(k2=DEVICE + OTHER))
        self.refuse("device", content(k5=run(1, T0, 0, 2)))
        self.refuse("device", content(k5=run(1, T0, 0, 2 ** 64 - 1)))
        self.refuse("range", content(k2=DEVICE * 65_537), right=content(k2=DEVICE * 65_536))

    def test_identities(self):
        two = content((b"0a", b"0b"))
        self.refuse("order", content((b"0b", b"0a")), right=two)
        self.refuse("order", content((b"0a", b"0a")), right=two)
        self.refuse("identity", content((b"",)))
        self.refuse("identity", content((b"0" * 513,)), right=content((b"0" * 512,)))
        self.refuse("identity", content(k3=b"\x01\x02"))
        self.refuse("packed-long", content(k4=b"0ka"))
        self.refuse("packed-short", content(k4=b"0"))

    def test_shared_bytes(self):
        shared = content((b"0a", b"0b"), k3=b"\x00\x01\x02\x01", k4=b"0ab")
        entries = self.parse(block(shared)).entries
        self.assertEqual([entry.identity for entry in entries], [b"0a", b"0b"])
        self.refuse("identity", content((b"0a", b"0b"), k3=b"\x00\x03\x02\x01", k4=b"0ab"), right=shared)

    def test_varints(self):
        self.refuse("varint", content(k3=b"\x00\x82\x00"))
        self.refuse("varint", content(k3=b"\x00" + b"\xff" * 9 + b"\x7f"))
        self.refuse("varint", content(k3=b"\x00" + b"\xff" * 100))
        self.refuse("varint", content(k3=b"\x00" + b"\x80" * 100))
        greatest = b"\xff" * 9 + b"\x01"
        self.assertEqual(Packed(greatest).varint(), 2 ** 64 - 1)
        self.refused("varint", Packed(b"\x80" * 9 + b"\x02").varint)
        self.refuse("packed-short", content(k3=b"\x00\x82"))

    def test_runs(self):
        right = content((b"0a", b"0b"))
        self.refuse("run", content((b"0a", b"0b"), k5=b"\x00" + right[5]), right=right)
        self.refuse("run", content(k5=run(2, T0, 0, 1)))
        self.refuse("packed-short", content((b"0a", b"0b"), k5=run(1, T0, 0, 1)), right=right)
        self.refuse("packed-long", content(k5=run(1, T0, 0, 1) + b"\x01"))

    def test_deltas_that_leave_48_or_16_bits(self):
        self.refuse("delta", content(k5=run(1, 2 ** 48, 0, 1)), right=content(k5=run(1, 2 ** 48 - 1, 0, 1)))
        self.refuse("delta", content(k5=run(1, -1, 0, 1)), right=content(k5=run(1, 0, 0, 1)))
        self.refuse("delta", content(k5=run(1, T0, 65_536, 1)), right=content(k5=run(1, T0, 65_535, 1)))
        self.refuse("delta", content(k5=run(1, T0, -1, 1)))

    def test_births(self):
        for none in (None, False):
            self.assertIsNone(self.parse(block(content(k7=none))).entries[0].born)
        self.refuse("form", content(k7=1))
        self.refuse("packed-short", content(k7=b""))

    def test_order_of_fields(self):
        self.refuse("order", content(fields=[field("b"), field("a")]), right=content(fields=[field("a"), field("b")]))
        self.fields_are_refused("order", field("a"), field("a"))
        self.fields_are_refused("order", field("a", 1, [], k5=b"\x00\x00"), field("a"))

    def test_2001_fields(self):
        many = [field(f"{number:04}") for number in range(2_001)]
        self.refuse("fields", content(fields=many), right=content(fields=many[:2_000]))

    def test_a_field_without_a_name_or_with_a_long_one(self):
        self.fields_are_refused("form", field(k0=None))
        self.fields_are_refused("form", field(""))

    def test_a_field_without_a_kind(self):
        self.fields_are_refused("form", field(k1=None))

    def test_what_a_kind_does_not_use_is_checked_for_its_form(self):
        counter = {"kind": 1, "values": [], "k5": b"\x00\x00"}
        self.assertFalse(self.parse(block(content(fields=[field(k2=run(), k3=run(), k4=2, k7=5, **counter)]))).held)
        self.fields_are_refused("packed-short", field(k2=b"", **counter))
        self.fields_are_refused("form", field(k3=1, **counter))
        self.fields_are_refused("range", field(k4=2 ** 32, **counter))
        self.fields_are_refused("form", field(k5="data"))

    def test_a_long_name_of_a_field(self):
        self.refuse("range", content(fields=[field("a" * 129)]), right=content(fields=[field("a" * 128)]))

    def test_values_of_other_rows(self):
        self.fields_are_refused("form", field(values=[]))
        self.fields_are_refused("form", field(values=[1, 2]))
        self.fields_are_refused("form", field(k6=None))
        self.fields_are_refused("form", field(k7=b"\x00\x00"))
        self.fields_are_refused("form", field(k6=None, k7=b"\x00\x00", k8=b"\x00\x00\x00"))
        self.fields_are_refused("value", field(values=[True]))

    def test_schema_versions(self):
        self.refuse("range", content(fields=[field(k4=2 ** 32)]), right=content(fields=[field(k4=2 ** 32 - 1)]))
        self.fields_are_refused("range", field(k4=b"\x80\x80\x80\x80\x10"))
        self.fields_are_refused("packed-short", field(k4=b""))
        self.fields_are_refused("packed-long", field(k4=b"\x01\x01"))
        self.fields_are_refused("form", field(k4="1"))

    def test_packed_integers(self):
        right = content(fields=[field(k6=None, k7=b"\x01\x02\x05")])
        self.assertEqual(self.parse(block(right)).entries[0].fields[b"n", 0].value.content, 6)
        for code, data in (("packed-short", b"\x01\x02"), ("packed-long", b"\x01\x02\x05\x05"), ("packed-short", b"")):
            self.refuse(code, content(fields=[field(k6=None, k7=data)]), right=right)

    def test_packed_reals(self):
        right = content(fields=[field(k6=None, k8=b"\x02\x01\x02\x05")])
        self.assertEqual(self.parse(block(right)).entries[0].fields[b"n", 0].value.content, 0.06)
        for code, data in (("numbers", b"\xff" + b"\x00" * 6 + b"\xf8\x7f"),
                           ("packed-short", b"\xff" + b"\x00" * 7), ("packed-long", b"\x00\x00\x00\x00")):
            self.refuse(code, content(fields=[field(k6=None, k8=data)]), right=right)

    def test_counters(self):
        base = b"\x01" + delta() + delta() + b"\x01"
        total = b"\x00" + delta() + delta() + delta() + b"\x02"
        right = content(fields=[field("n", 1, [5], k5=base + b"\x01" + total)])
        for code, item in (
                ("form", field("n", 1, [], k5=base + b"\x00")), ("form", field("n", 1, [5, 6], k5=base + b"\x00")),
                ("packed-short", field("n", 1, [5])), ("device", field("n", 1, [], k5=b"\x00\x01\x01" + total[1:])),
                ("packed-short", field("n", 1, [5], k5=base + b"\xff\xff\xff\xff\x0f" + total)),
                ("packed-long", field("n", 1, [5], k5=base + b"\x01" + total + b"\x00"))):
            self.refuse(code, content(fields=[item]), right=right)

    def test_totals_in_any_order_and_twice(self):
        def totals(*parts):
            data = b"\x00" + bytes([len(parts)])
            for device, amount in parts:
                data += bytes([device]) + delta(0, 0, device + 1) + delta() + delta() + bytes([2 * amount])
            item = content(k2=DEVICE + OTHER, fields=[field("n", 1, [], k5=data)])
            read = self.parse(block(item)).entries[0].fields[b"n", 1].totals
            return {device: total.sum for device, total in read.items()}

        right = {DEVICE: 3, OTHER: 4}
        for parts in (((0, 3), (1, 4)), ((1, 4), (0, 3)), ((0, 2), (1, 4), (0, 3), (1, 1))):
            self.assertEqual(totals(*parts), right)

    def test_totals_of_an_earlier_base_fall_away_as_they_are_read(self):
        """So that nothing is dropped for them, and no log refused."""
        def data(base):
            return (b"\x01" + delta() + delta() + b"\x01\x01\x01" + delta(0, 0, 1) + delta(base) + delta() + b"\x02")
        entry, = self.parse(block(content(k2=DEVICE + OTHER, fields=[field("n", 1, [5], k5=data(-1))]))).entries
        self.assertEqual(entry.fields[b"n", 1].totals, {})
        self.assertTrue(is_sound(entry))
        entry, = self.parse(block(content(k2=DEVICE + OTHER, fields=[field("n", 1, [5], k5=data(0))]))).entries
        self.assertFalse(is_sound(entry))

    def test_sets(self):
        start = delta() + b"\x01"
        mark = b"\x00\x01\x00\x00"
        right = content(fields=[field("n", 2, ["a", "b"], k5=start + b"\x02" + mark + mark)])
        for code, item in (
                ("form", field("n", 2, ["a"], k5=start + b"\x02" + mark + mark)),
                ("device", field("n", 2, ["a"], k5=start + b"\x01\x07" + mark[1:])),
                ("delta", field("n", 2, ["a"], k5=start + b"\x01\x00\x01\x00\x01")),
                ("form", field("n", 2, ["a"], k5=start + b"\x7f" + mark)),
                ("form", field("n", 2, ["a", "b"], k5=start + b"\x01" + mark)),
                ("packed-short", field("n", 2, ["a", "b"], k5=start + b"\x02" + mark))):
            self.refuse(code, content(fields=[item]), right=right)

    def marks(self, data, *elements):
        entry, = self.parse(block(content(k2=DEVICE + OTHER, fields=[field("n", 2, elements, k5=data)]))).entries
        return entry.fields[b"n", 2]

    def test_marks_in_any_order_and_twice(self):
        one = self.marks(delta() + b"\x01\x03\x00\x01\x01\x00" + b"\x00\x03\x00\x00\x03\x00" + b"\x01\x02\x01\x00",
                         "b", "a", "a")
        other = self.marks(delta() + b"\x01\x04\x01\x02\x01\x00" + b"\x00\x01\x03\x00" + b"\x00\x03\x00\x00\x03\x00"
                           + b"\x00\x01\x01\x00", "a", "a", "a", "b")
        self.assertEqual(one, other)
        self.assertEqual(len(one.marks), 3)

    def test_an_empty_mark(self):
        self.assertEqual(list(self.marks(delta() + b"\x01\x01\x00\x00", "a").marks.values()), [(None, None)])

    def test_a_sets_stamp_is_raised_to_that_of_its_marks(self):
        later = self.marks(delta() + b"\x01\x01\x01\x02\x02\x00", "a")
        self.assertEqual(later.stamp, (writing.moment(T0 + 1), OTHER))
        self.assertEqual(self.marks(delta() + b"\x01\x01\x01\x02\x01\x00", "a").stamp, (writing.moment(T0), DEVICE))

    def test_deletes(self):
        one = delta(1) + b"\x00"
        right = content(k0=["item", "list"], k8=b"\x00\x02" + one + delta(2) + b"\x02\x01\x020a")
        for code, data in (("deletes", b"\x01\x01" + one), ("deletes", b"\x00\x00"), ("deletes", b"\x00\x7f" + one),
                           ("order", b"\x00\x02" + one + one), ("order", b"\x00\x02" + delta(2) + b"\x00" + one),
                           ("deletes", b"\x00\x01" + delta() + b"\x02\x02\x020a"),
                           ("identity", b"\x00\x01" + delta() + b"\x02\x01\x00"),
                           ("identity", b"\x00\x01" + delta() + b"\x02\x01\x81\x04" + b"0" * 513),
                           ("deletes", b"\x00\x01" + one + b"\x00\x01" + one)):
            self.refuse(code, content(k0=["item", "list"], k8=data), right=right)

    def test_limits_of_a_file(self):
        budget = Budget()
        budget.rows(65_536)
        self.refused("rows", budget.rows, 1)
        budget = Budget()
        budget.rows(1)
        budget.values(2 ** 20 - 1)
        self.refused("values", budget.values, 1)
        rows = 1_024
        keys = tuple(b"0%05d" % row for row in range(rows))
        packed = [field(f"{number:04}", k6=None, k7=b"\x00\x00") for number in range(1_024)]
        self.assertEqual(len(self.parse(block(content(keys, fields=packed[:10]))).entries), rows)
        self.refuse("values", content(keys, fields=packed))

    def test_what_counts_as_a_value(self):
        def used(item):
            budget = Budget()
            held = blocks.parse(block(item), budget).held
            return next(used for used in range(100) if not self.is_too_much(budget, 2 ** 20 - used)), held

        counter = field("n", 1, [5], k5=b"\x01" + delta() + delta() + b"\x01\x00")
        marks = field("o", 2, ["a", "b"], k5=delta() + b"\x01\x02" + b"\x00\x01\x00\x00" * 2)
        self.assertEqual(used(content(fields=[field()])), (2, False))
        self.assertEqual(used(content(fields=[counter, marks])), (6, False))
        deletes = b"\x00\x02" + delta() + b"\x00" + delta(1) + b"\x00"
        self.assertEqual(used(content(fields=[field()], k8=deletes)), (4, False))
        self.assertEqual(used(content(fields=[field(), field("z", 9)])), (3, True))
        budget = Budget()
        blocks.parse(block(content(), layout=9), budget)
        self.assertFalse(self.is_too_much(budget, 2 ** 20))

    @staticmethod
    def is_too_much(budget, count):
        try:
            copy.copy(budget).values(count)
        except Refused:
            return True
        return False

    def test_unknown_keys_are_passed_over(self):
        entry, = self.parse(block(content(fields=[field(k99={0: ["later"]})], k99=[None]))).entries
        self.assertEqual(len(entry.fields), 1)

    def test_identities_that_are_not_well_formed_are_dropped(self):
        self.assertTrue(is_sound(self.parse(block()).entries[0]))
        integer_as_real = b"\x20" + (1 << 63 | 0x3FF0 << 48).to_bytes(8, "big")
        for wrong in (b"\x50a", b"1a\x00\x01", b"1a\x00\x02", b"\x10" + bytes(7), integer_as_real,
                      b"\x20" + b"\xff" * 8, b"1a"):
            self.assertIsNone(identity.decode(wrong), wrong)
            self.assertFalse(is_sound(self.parse(block(content((wrong,)))).entries[0]))

    def test_what_a_cause_names_is_not_looked_into(self):
        entry, = self.parse(block(content(k8=b"\x00\x01" + delta() + b"\x02\x00\x01\x50"))).entries
        self.assertEqual(entry.deletes[entry.born].cause.identity, b"\x50")
        self.assertTrue(is_sound(entry))

    def test_an_entry_with_nothing_in_it_is_dropped(self):
        self.assertFalse(is_sound(self.parse(block(content(fields=[], k7=None))).entries[0]))
        deletes = b"\x00\x01" + delta() + b"\x00"
        for item in (content(fields=[]), content(k7=None), content(fields=[], k7=None, k8=deletes)):
            self.assertTrue(is_sound(self.parse(block(item)).entries[0]))

    def test_an_entry_is_settled_as_it_is_read(self):
        deleted = {"k7": None, "k8": b"\x00\x01" + delta() + b"\x01"}
        entry, = self.parse(block(content(fields=[field(k3=run(1, -1)), field("o")], **deleted), min_reader=0)).entries
        self.assertEqual(set(entry.fields), {(b"o", 0)})
        self.assertEqual(entry.min_reader, 0)
        # What falls away is not what an entry is dropped for.
        of_two = content(fields=[field("n", 1, [], k5=b"\x00\x01\x01" + delta(0, 0, 1) + delta(-1) + delta() + b"\x02")],
                         k2=DEVICE + OTHER, **deleted)
        self.assertTrue(is_sound(self.parse(block(of_two)).entries[0]))

    def test_entries_that_are_dropped(self):
        """The end of section 9."""
        def sound(item):
            return is_sound(self.parse(block(content(k2=DEVICE + OTHER, fields=[item]))).entries[0])

        def counter(base_root=0, total_base=0, device=0, stamp_device=0, total_root=0):
            data = (b"\x01" + delta() + delta(base_root) + b"\x01\x01" + bytes([device]) + delta(0, 0, stamp_device)
                    + delta(total_base) + delta(total_root) + b"\x02")
            return field("n", 1, [5], k5=data)

        self.assertTrue(sound(field(k3=run(1, -1))))
        self.assertFalse(sound(field(k3=run(1, 1))))
        self.assertTrue(sound(counter()))
        self.assertTrue(sound(counter(device=1, stamp_device=2, total_base=-1)))
        for wrong in (counter(base_root=1), counter(total_base=1), counter(device=1), counter(total_root=1)):
            self.assertFalse(sound(wrong))


class LogRejects(Rejects):
    """Sections 7 and 8."""

    def parse(self, data, device=DEVICE):
        return logs.parse(data, device)

    def refuse(self, code, *arguments, **named):
        self.assertEqual(len(self.parse(writing.log()).blocks), 1)
        self.refused(code, self.parse, writing.log(*arguments, **named))

    def test_what_stands_beside_a_snapshot_is_not_looked_at(self):
        for data in (cbor_write.encode({0: True}), writing.log(k0=True)):
            log = self.parse(data)
            self.assertEqual((log.snapshot, log.blocks), (True, []))

    def test_forms(self):
        self.refused("form", self.parse, b"\x80")
        self.refuse("form", k3=1)
        self.refuse("form", k4="schema")
        self.refuse("form", {})

    def test_defaults_that_are_written(self):
        log = self.parse(writing.log(k0=False, k1=[], k2=[0, 1], k3=False))
        self.assertEqual(log, self.parse(writing.log()))

    def test_place_in_a_run(self):
        self.assertEqual(self.parse(writing.log(k2=[1, 2, "later"])).run, (1, 2))
        self.refuse("run", k2=[1, 1])
        self.refuse("run", k2=[0, 0])
        self.refuse("form", k2=[0])
        self.refuse("form", k2=[0, -1])
        self.assertEqual(self.parse(writing.log(k2=[65_535, 65_536])).run, (65_535, 65_536))
        self.refuse("range", k2=[0, 65_537])

    def test_a_schema_above_1_mib(self):
        self.parse(writing.log(k4=bytes(1 << 20)))
        self.refuse("range", k4=bytes((1 << 20) + 1))
        snapshots.parse_manifest(writing.manifest(k5=bytes(1 << 20)))
        self.refused("range", snapshots.parse_manifest, writing.manifest(k5=bytes((1 << 20) + 1)))

    def test_a_schema_that_cannot_be_parsed_is_passed_over(self):
        right = cbor_write.encode({0: "a", 1: 1, 2: []})
        for raw, parsed in ((right, {"name": "a", "version": 1, "tables": []}), (b"later", None)):
            self.assertEqual(logs.parsed_schema(self.parse(writing.log(k4=raw))), parsed)

    def test_cursors(self):
        self.assertEqual(len(self.parse(writing.log(k1=[[DEVICE, 1, 2], [OTHER, 1, 2, bytes(32), "later"]])).cursors), 2)
        self.refuse("order", k1=[[OTHER, 1, 2], [DEVICE, 1, 2]])
        self.refuse("order", k1=[[DEVICE, 1, 2], [DEVICE, 1, 2]])
        self.refuse("range", k1=[[DEVICE, 2 ** 53, 2]])
        for cursor in ([DEVICE, 1], [DEVICE[1:], 1, 2], [DEVICE, 1, 2, bytes(31)], [DEVICE, 1, -1], [DEVICE, True, 2]):
            self.refuse("form", k1=[cursor])
        many = [[number.to_bytes(16, "big"), 1, 2] for number in range(4_097)]
        self.assertEqual(len(self.parse(writing.log(k1=many[:-1])).cursors), 4_096)
        self.refuse("range", k1=many)
        without, = cursors.parse([[DEVICE, 0, 2 ** 64 - 1, bytes(32)]])
        self.assertEqual(without, (DEVICE, 0, 2 ** 64 - 1, None))

    def test_cursors_for_pruning(self):
        known = cursors.parse([[DEVICE, 1, 2]])
        self.assertEqual(cursors.parse_acknowledged([[DEVICE]], known), known)
        self.assertEqual(cursors.parse_acknowledged([[DEVICE, 1, 0]], known), [(DEVICE, 1, 0, None)])
        self.refused("form", cursors.parse_acknowledged, [[DEVICE, 1]], known)
        self.refused("cursor", cursors.parse_acknowledged, [[OTHER]], known)

    def test_edits_of_another_device(self):
        of_another = [
            content(k2=OTHER),
            content(k7=None, k2=DEVICE + OTHER, fields=[field(k2=run(1, 0, 0, 2))]),
            content(k2=DEVICE + OTHER, k7=run(1, 0, 0, 2)),
            content(k2=DEVICE + OTHER, fields=[field("n", 1, [1], k5=b"\x01" + delta(0, 0, 2) + delta() + b"\x01\x00")]),
            content(k2=DEVICE + OTHER, fields=[
                field("n", 1, [], k5=b"\x00\x01\x01" + delta(0, 0, 2) + delta() + delta() + b"\x02")]),
            content(k2=DEVICE + OTHER, fields=[field("n", 2, [1], k5=delta() + b"\x01\x01\x01\x01\x00\x00")])]
        for item in of_another:
            self.refuse("writer", [block(item)])
            self.assertTrue(self.parse(writing.log([block(item)], k3=True)).republished)

    def test_a_sets_stamp_that_a_removal_raised_is_of_its_device(self):
        item = content(k2=DEVICE + OTHER, fields=[field("n", 2, [1], k5=delta() + b"\x01\x01\x01\x02\x02\x00")])
        self.refuse("writer", [block(item)])

    def test_the_writer_is_looked_at_before_entries_are_dropped(self):
        self.refuse("writer", [block(content((b"\x50",), k2=OTHER))])

    def test_deletes_removals_and_roots_may_be_of_any_device(self):
        for item in (content(k2=DEVICE + OTHER, k8=b"\x00\x01" + delta(0, 0, 2) + b"\x00"),
                     content(k2=DEVICE + OTHER, fields=[field("n", 2, [1], k5=delta() + b"\x01\x01\x01\x02\x01\x00")]),
                     content(k2=DEVICE + OTHER, fields=[field(k3=run(1, -1, 0, 2))])):
            self.parse(writing.log([block(item)]))

    def assemble(self, *items):
        return pieces.assemble(self.parse(writing.log([block(item) for item in items])).blocks)

    def piece_rows(self, *parts, **keys):
        return content((b"0k",) * len(parts), fields=[field(values=list(parts))], k7=None, **keys)

    def test_pieces(self):
        last = content(fields=[field(values=[[2, 2, 3, 3, b""]])])
        both = self.piece_rows([2, 0, 3, 3, b"a"], [2, 1, 3, 3, b"b"])
        self.assertEqual(self.assemble(both, last)[0].fields[b"n", 0].value, values.Value(values.TEXT, b"ab"))
        mixed = content((b"0j", b"0k"), fields=[field(values=[7, [2, 0, 2, 3, b"a"]])], k7=None)
        small = content(fields=[field(values=[[2, 1, 2, 3, b""]])])
        self.assertEqual([entry.fields[b"n", 0].value.content for entry in self.assemble(mixed, small)], [7, b"a"])
        for code, items in (
                ("incomplete", (self.piece_rows([2, 1, 3, 3, b"b"], [2, 0, 3, 3, b"a"]), last)),
                ("incomplete", (last,)), ("incomplete", (both,)), ("incomplete", (last, both)),
                ("incomplete", (self.piece_rows([2, 0, 3, 3, b"a"]), last)),
                ("piece", (self.piece_rows([2, 0, 3, 3, b"a"], [2, 1, 4, 3, b"b"]), last)),
                ("piece", (self.piece_rows([2, 0, 3, 3, b"a"], [2, 1, 3, 4, b"b"]), last)),
                ("incomplete", (self.piece_rows([2, 0, 3, 3, b"a"], [2, 0, 3, 3, b"b"]), last)),
                ("piece", (self.piece_rows([2, 0, 3, 4, b"a"], [2, 1, 3, 4, b"b"]), last)),
                ("incomplete", (self.piece_rows([2, 0, 3, 3, b"a"], [2, 1, 3, 3, b"b"], k5=run(2, T0 + 1, 0, 1)), last))):
            self.refused(code, self.assemble, *items)

    def test_forms_of_pieces(self):
        for wrong in ([2, 2, 2, 3, b""], [2, 0, 0, 3, b""], [2, 0, 2, 5, b"a"], [2, 1, 2, 3, b"a"], [2, -1, 2, 3, b"a"],
                      [2, 0, 2, 3, "a"], [2, 0, True, 3, b""], [2, 0, 1, 3, b""], [2, 0, 65_539, 3, b"a"], [2, 0, 2, 3],
                      [2, 0, 2, 3, bytes((256 << 10) + 1)]):
            self.refuse("piece", [block(content(fields=[field(values=[wrong])]))])

    def test_identities_repeat_where_one_field_has_a_piece_in_every_row(self):
        ends = content((b"0k",) * 2, fields=[field(values=[[2, 1, 2, 3, b""]] * 2)])
        starts = self.piece_rows([2, 0, 2, 3, b"a"])
        self.refused("incomplete", self.assemble, starts, ends)
        some = content((b"0k",) * 2, fields=[field(values=[[2, 0, 2, 3, b"a"], 1])], k7=None)
        self.refuse("order", [block(some)])

    def test_a_piece_is_alone_in_its_row(self):
        piece = field(values=[[2, 0, 2, 3, b"a"]])
        self.parse(writing.log([block(content(fields=[piece], k7=None))]))
        for item in (content(fields=[piece]), content(fields=[piece, field("o")], k7=None),
                     content(fields=[piece], k7=None, k8=b"\x00\x01" + delta() + b"\x00")):
            self.refuse("piece", [block(item)])

    def test_pieces_above_16_mib(self):
        gathered = pieces.Pieces()
        row = blocks.parse(block(self.piece_rows([2, 0, 66, 4, bytes(256 << 10)]))).pieces[0]
        for index in range(64):
            gathered.add(row._replace(piece=row.piece._replace(index=index)))
        self.refused("piece", gathered.add, row._replace(piece=values.Piece(64, 66, values.BLOB, b"a")))

    def test_unfinished_values_above_128_mib(self):
        gathered = pieces.Pieces()
        row = blocks.parse(block(self.piece_rows([2, 0, 65, 4, bytes(256 << 10)]))).pieces[0]
        for field_name in "abcdefgh":
            for index in range(64):
                gathered.add(row._replace(field=field_name, piece=row.piece._replace(index=index)))
        end = content(fields=[field("a", values=[[2, 64, 65, 4, b""]])])
        other = row._replace(field="z", piece=values.Piece(0, 2, values.BLOB, b"a"))
        more = copy.deepcopy(gathered)
        self.refused("piece", more.add, other)
        gathered.complete(blocks.parse(block(end)).entries[0])
        gathered.add(other)


class SnapshotRejects(Rejects):
    """Section 10."""

    def part(self, items=(), held=(), manifest=None):
        body = {1: list(held), 5: list(items)}
        if manifest is not None:
            body[2] = manifest
        return snapshots.parse_part(cbor_write.encode(body))

    def whole(self, *parts):
        return snapshots.whole(parts, DEVICE, 5, bytes(32))

    def right(self):
        return [self.part([block()]), self.part(manifest=writing.manifest())]

    def refuse(self, code, *parts):
        self.assertEqual(len(self.whole(*self.right()).states), 1)
        self.refused(code, self.whole, *parts)

    def two(self, *items, counts=(("item", 2),)):
        counted = [list(pair) for pair in counts]
        return [self.part([block(item) for item in items]), self.part(manifest=writing.manifest(k4=counted))]

    def test_the_manifest_is_in_the_last_part_alone(self):
        with_manifest = self.part(manifest=writing.manifest())
        self.refuse("manifest", self.part([block()]))
        self.refuse("manifest", with_manifest, *self.right())

    def test_order_of_states(self):
        a, b = content((b"0a",)), content((b"0b",))
        other = content((b"0a",), k0=["list"])
        self.assertEqual(len(self.whole(*self.two(a, b)).states), 2)
        self.whole(*self.two(b, other, counts=(("item", 1), ("list", 1))))
        # A reader takes any; of several shapes in a part each ascends by itself.
        for items in ((b, a), (a, other, b), (content((b"0a", b"0c")), content((b"0b",), k7=None)), (a, a)):
            self.assertEqual(len(self.whole(*self.two(*items)).states), sum(item[1] for item in items))

    def test_states_after_held_blocks(self):
        held = [[DEVICE, 1, block(b"later", layout=9)]]
        states, last = self.right()
        for parts in ((states, self.part(held=held, manifest=writing.manifest(k8=1))),
                      (self.part(held=held), states, self.part(manifest=writing.manifest(k8=1)))):
            self.assertEqual(len(self.whole(*parts).held), 1)

    def test_held_blocks_are_taken_over_unread(self):
        held = [[OTHER, 1, block(b"broken")], [OTHER, 2, block(barrier=True)]]
        snapshot = self.whole(self.right()[0], self.part(held=held, manifest=writing.manifest(k8=2)))
        self.assertEqual([one.block.held for one in snapshot.held], [True, True])
        self.assertFalse(snapshot.stops)

    def test_states_that_a_reader_holds_are_of_the_writer_and_the_snapshots_seq(self):
        unread = self.part([block(b"later", layout=9)])
        snapshot = self.whole(unread, self.part(manifest=writing.manifest()))
        self.assertEqual([one[:2] for one in snapshot.unread], [(DEVICE, 5)])
        self.assertFalse(snapshot.stops)
        snapshots.check(snapshot)
        self.assertTrue(self.whole(self.part([block(b"later", layout=9, barrier=True)]), self.right()[1]).stops)

    def test_counts(self):
        states = self.part([block()])
        self.refuse("counts", states, self.part(manifest=writing.manifest(k8=1)))
        for counts, code in (([["item", 2]], "counts"), ([], "counts"), ([["item", 2], ["item", 1]], None)):
            self.check_is(code, states, k4=counts)

    def check_is(self, code, states, **keys):
        """What is for checks alone: the snapshot is taken."""
        snapshot = self.whole(states, self.part(manifest=writing.manifest(**keys)))
        self.assertEqual(len(snapshot.states), 1)
        if code:
            self.refused(code, snapshots.check, snapshot)
        else:
            snapshots.check(snapshot)

    def test_the_writers_own_cursor(self):
        states = self.part([block()])
        for cursor in ([DEVICE, 4, 0, bytes(32)], [DEVICE, 5, 0, bytes([1]) * 32], [OTHER, 5, 0, bytes(32)]):
            self.refuse("cursor", states, self.part(manifest=writing.manifest(k1=[cursor])))
        without = self.part(manifest=writing.manifest(k1=[[DEVICE, 5, 0]]))
        self.refused("cursor", snapshots.whole, (states, without), DEVICE, 5, bytes([1]) * 32)

    def test_the_digest(self):
        states = self.part([block()])
        right = digest.of(pieces.assemble(states.blocks))
        self.check_is(None, states, k6=right)
        self.check_is("digest", states, k6=bytes(16))
        self.refuse("form", states, self.part(manifest=writing.manifest(k6=right[1:])))

    def test_a_value_without_its_pieces(self):
        last = content(fields=[field(values=[[2, 1, 2, 3, b""]])])
        self.refuse("incomplete", self.part([block(last)]), self.right()[1])

    def test_forms(self):
        self.assertEqual(len(self.part(held=[[DEVICE, 1, block(), "later"]]).held), 1)
        for held in ([DEVICE, 1], [DEVICE, -1, block()], [b"", 1, block()], [DEVICE, 1, []]):
            self.refused("form", self.part, held=[held])


class HeadRejects(Rejects):
    """Section 11, and the schema of section 12."""

    def head(self, **keys):
        item = {1: "schema", **{int(key[1:]): value for key, value in keys.items()}}
        return heads.parse(cbor_write.encode({key: value for key, value in item.items() if value is not None}))

    def refuse(self, code, **keys):
        self.assertEqual(self.head(k99=[1]).schema_name, "schema")
        self.refused(code, self.head, **keys)

    def test_no_schemas_name(self):
        self.refuse("form", k1=None)
        self.refuse("range", k1="a" * 129)

    def test_arrays(self):
        self.assertEqual(self.head(k2=[3, bytes(32), "later"]).last_log, (3, bytes(32)))
        self.assertEqual(self.head(k14=[1, [0, DEVICE, "later"], OTHER, "later"]).floor, (1, (0, DEVICE), OTHER))
        for key, item in (("k2", [3]), ("k2", [3, bytes(31)]), ("k3", [1, 1]), ("k6", [[DEVICE]]), ("k7", [[DEVICE]]),
                          ("k14", [1, [0, DEVICE]]), ("k4", {}), ("k13", bytes(15)),
                          ("k6", [[DEVICE, "a"]])):
            self.refuse("form", **{key: item})

    def test_limits(self):
        self.head(k8=2 ** 32 - 1, k3=[1, 65_536, bytes(32)], k11="a" * 128, k15="a" * 1_024)
        self.assertEqual(self.head(k3=[1, 0, bytes(32)]).snapshot, (1, 0, bytes(32)))
        absent = self.head()
        self.assertEqual((absent.build, absent.format, absent.schema_version, absent.epoch), (0, 1, 1, 0))
        for keys in ({"k8": 2 ** 32}, {"k9": 2 ** 32}, {"k10": 2 ** 32}, {"k12": 2 ** 32}, {"k11": "a" * 129},
                     {"k15": "a" * 1_025}, {"k2": [2 ** 53, bytes(32)]}, {"k3": [1, 65_537, bytes(32)]},
                     {"k6": [[DEVICE, 1]] * 4_097}, {"k7": [[DEVICE, 1]] * 4_097}):
            self.refuse("range", **keys)

    def test_a_time_is_signed(self):
        self.assertEqual(self.head(k6=[[DEVICE, -1]]).retired, [(DEVICE, -1)])
        self.assertEqual(self.head(k16=-1).wall, -1)
        self.assertEqual(self.head(k16=2 ** 63 - 1).wall, 2 ** 63 - 1)
        self.refuse("form", k16=2 ** 63)

    def test_fences(self):
        body = {1: 3, 2: bytes(16), 3: bytes(32), 4: [[DEVICE, 1, bytes(32)]]}
        parsed = fences.parse(cbor_write.encode(body), _fence_header(3, 2))
        self.assertEqual((parsed.epoch, parsed.revoked), (3, None))
        self.refused("fence", fences.parse, cbor_write.encode(body), _fence_header(4, 3))
        self.refused("fence", fences.parse, cbor_write.encode(body), _fence_header(3, 3))
        for key, wrong in ((1, "3"), (2, bytes(15)), (3, bytes(31)), (4, [[DEVICE, 1]]), (5, b"")):
            self.refused("form", fences.parse, cbor_write.encode({**body, key: wrong}))
        for key in (1, 2, 3):
            self.refused("form", fences.parse, cbor_write.encode({name: body[name] for name in body if name != key}))

    def test_schemas(self):
        def made(table=(), column=(), **top):
            columns = [{0: "id", 1: "text", **dict(column)}]
            item = {0: "app", 1: 1, 2: [{0: "t", 1: ["id"], 2: columns, **dict(table)}]}
            item.update({int(key[1:]): value for key, value in top.items()})
            return cbor_write.encode(item)

        self.assertEqual(schema.parse(made({99: 1}, {99: 1}))["tables"][0]["name"], "t")
        self.assertEqual(len(schema.parse(made(k3=["a" * 300] * 200))["notes"]), 200)
        for code, raw in (
                ("word", made(column={1: "date"})), ("word", made({7: "remote"})), ("word", made({8: "keeps"})),
                ("word", made({5: [{0: ["id"], 1: "t", 3: "explode"}]})), ("range", made(k0="a" * 129)),
                ("range", made(k3=["a" * 301])), ("range", made(k3=["a"] * 201)), ("form", made(column={6: [0, 1]})),
                ("form", made(column={6: [1.0, 0.5]})), ("form", made(column={6: [1.0]})),
                ("range", made(column={5: 2 ** 63})), ("range", made({10: 2 ** 32})),
                ("range", made({1: ["id"] * 2_001})),
                ("value", made(column={7: [1, bytes(32), 5]})), ("value", made(column={7: [2, 0, 2, 3, b"a"]})),
                ("value", made(column={7: True})), ("range", made(k1=2 ** 32))):
            self.refused(code, schema.parse, raw)
        column, = schema.parse(made(column={6: [0.5, 0.5, "later"]}))["tables"][0]["columns"]
        self.assertEqual(column["range"], [0.5, 0.5])

    def test_no_key_of_a_schema_has_to_be_there(self):
        self.assertEqual(schema.parse(b"\xa0"), {"name": "", "version": 1, "tables": []})
        empty = schema.parse(cbor_write.encode({2: [{2: [{9: {}}], 5: [{}], 6: [{}], 11: [{}]}]}))["tables"][0]
        self.assertEqual(empty, {
            "name": "", "key": [], "columns": [{"name": "", "type": "any"}],
            "references": [{"columns": [], "table": ""}], "indexes": [{"name": "", "columns": []}], "otherUnique": [{"columns": [], "collations": []}]})

    def test_words_of_an_adopted_database(self):
        def column(**keys):
            keys = {int(key[1:]): value for key, value in keys.items()}
            return schema.parse(cbor_write.encode({2: [{2: [keys]}]}))["tables"][0]["columns"][0]

        self.assertEqual(column(k10="", k11="OTHER", k12="NOW"),
                         {"name": "", "type": "any", "declared": "", "collation": "OTHER"})
        self.assertEqual(column(k11="NOCASE", k12="CURRENT_DATE"), {"name": "", "type": "any"})
        self.refused("form", column, k11=1)


def _fence_header(seq, epoch):
    return Header(names.FENCE, 0, DEVICE, bytes(8), seq, epoch, bytes(32))


class FolderRejects(Rejects):
    """Files against each other: sections 3, 7, 10 and 11, in a copy of the folder of the golden files."""

    FIRST, THIRD = "t4afv55pxkjuip3nw6mjqqlbiq", "75y4q43deslviqipjhgbfvmixi"

    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        shutil.copytree(os.path.join(fixtures.REMOTE, "sync"), os.path.join(self.root, "sync"))

    def path(self, device, file):
        return os.path.join(self.root, "sync", device, file)

    def codes(self):
        return {(path.split("/")[-1], refusal.code) for path, refusal in fixtures.folder(self.root).problems}

    def seal_again(self, device, file, change=lambda body: body, **parts):
        """Writes a file anew with the key that the folder has, changed in one thing."""
        folder = fixtures.folder(self.root)
        name = names.parse(device, file)
        owner = folder.devices[name.device]
        with open(self.path(device, file), "rb") as opened:
            header, body = container.open_sealed(opened.read(), name, owner.keys_of)
        fields = {"kind": header.kind, "part": header.part, "device": header.device, "nonce": header.install_nonce,
                  "seq": header.seq, "epoch": header.epoch, "previous": header.previous, **parts}
        changed = cbor_write.encode(change(cbor.decode(body)))
        data = writing.seal(changed, data_key=owner.keys_of(header.epoch)[0], **fields)
        with open(self.path(device, file), "wb") as opened:
            opened.write(data)

    def test_the_copy_is_sound(self):
        self.assertEqual(self.codes(), set())

    def test_a_log_that_is_missing(self):
        os.remove(self.path(self.THIRD, "0000000000000003.log"))
        self.assertEqual(self.codes(), {("head.bin", "missing")})

    def test_a_log_between_that_is_missing(self):
        os.remove(self.path(self.THIRD, "0000000000000002.log"))
        self.assertEqual(self.codes(), {("head.bin", "missing")})
        state = State(fixtures.folder(self.root)).merge()
        self.assertEqual(state.cursors[names.device_bytes(self.THIRD)].seq, 1)

    def test_logs_that_a_snapshot_covers_may_be_missing(self):
        os.remove(self.path(self.FIRST, "0000000000000001.log"))
        self.assertEqual(self.codes(), set())

    def test_a_log_that_does_not_follow(self):
        self.seal_again(self.THIRD, "0000000000000002.log", previous=bytes([1]) * 32)
        self.assertEqual(self.codes(), {("0000000000000002.log", "chain"), ("0000000000000003.log", "chain")})
        state = State(fixtures.folder(self.root)).merge()
        self.assertEqual(state.cursors[names.device_bytes(self.THIRD)].seq, 1)

    def test_a_first_log_that_follows_something(self):
        self.seal_again(self.THIRD, "0000000000000001.log", previous=bytes([1]) * 32)
        self.assertIn(("0000000000000001.log", "chain"), self.codes())

    def test_a_last_log_that_is_another_than_in_the_head(self):
        self.seal_again(self.THIRD, "0000000000000003.log")
        self.assertEqual(self.codes(), {("head.bin", "chain")})

    def test_a_head_that_claims_very_many_logs(self):
        self.seal_again(self.THIRD, "head.bin", lambda head: {**head, 2: [2 ** 53 - 1, bytes(32)]})
        self.assertEqual(self.codes(), {("head.bin", "missing")})

    def test_a_part_that_is_missing(self):
        os.remove(self.path(self.FIRST, "snapshot-0000000000000001.00001.snap"))
        codes = self.codes()
        self.assertIn(("snapshot-0000000000000001.00003.snap", "incomplete"), codes)

    def test_a_snapshot_that_is_missing(self):
        for part in range(4):
            os.remove(self.path(self.FIRST, f"snapshot-0000000000000001.{part:05}.snap"))
        self.assertEqual(self.codes(), {("head.bin", "missing")})

    def test_a_snapshot_that_does_not_follow_its_log(self):
        self.seal_again(self.FIRST, "0000000000000001.log")
        self.assertIn(("snapshot-0000000000000001.00003.snap", "chain"), self.codes())

    def test_a_part_that_does_not_follow(self):
        self.seal_again(self.FIRST, "snapshot-0000000000000001.00001.snap")
        self.assertIn(("snapshot-0000000000000001.00003.snap", "chain"), self.codes())

    def test_a_last_part_that_is_another_than_in_the_head(self):
        self.seal_again(self.FIRST, "snapshot-0000000000000001.00003.snap")
        self.assertIn(("snapshot-0000000000000001.00003.snap", "chain"), self.codes())

    def test_a_file_in_another_devices_directory(self):
        shutil.copy(self.path(self.FIRST, "0000000000000003.log"), self.path(self.THIRD, "0000000000000004.log"))
        self.assertEqual(self.codes(), {("0000000000000004.log", "name")})

    def follow_with_the_head(self, device, seq):
        with open(self.path(device, f"{seq:016}.log"), "rb") as opened:
            digest = blake2b(opened.read())
        self.seal_again(device, "head.bin", lambda head: {**head, 2: [seq, digest]})

    def test_a_run_whose_end_is_not_there_is_on_its_way(self):
        self.seal_again(self.THIRD, "0000000000000003.log", lambda log: {**log, 2: [0, 2]})
        self.follow_with_the_head(self.THIRD, 3)
        self.assertEqual(self.codes(), set())
        state = State(fixtures.folder(self.root)).merge()
        self.assertEqual(state.cursors[names.device_bytes(self.THIRD)].seq, 2)
        self.assertEqual([refusal.code for _, refusal in state.notes], ["incomplete"])

    def test_one_log_of_a_run_says_for_all_that_it_is_sent_again(self):
        for republished, seq in ((False, 2), (True, 3)):
            first = {2: [0, 2], 3: republished, 5: [block(content(k2=OTHER))]}
            self.seal_again(self.THIRD, "0000000000000002.log", lambda log: first)
            with open(self.path(self.THIRD, "0000000000000002.log"), "rb") as opened:
                before = blake2b(opened.read())
            self.seal_again(self.THIRD, "0000000000000003.log", lambda log: {**log, 2: [1, 2]}, previous=before)
            self.follow_with_the_head(self.THIRD, 3)
            self.assertEqual(("0000000000000002.log", "writer") in self.codes(), not republished)
            state = State(fixtures.folder(self.root)).merge()
            self.assertEqual(state.cursors[names.device_bytes(self.THIRD)].seq, 3 if republished else 1)

    def test_a_cursors_moment_counts_what_was_dropped(self):
        third = names.device_bytes(self.THIRD)
        dropped = block(content((b"\x50",), k2=third, k5=run(1, T0 + 10 ** 9, 0, 1)))
        self.seal_again(self.THIRD, "0000000000000003.log", lambda log: {**log, 5: log[5] + [dropped]})
        state = State(fixtures.folder(self.root)).merge()
        self.assertEqual(state.cursors[third].moment, writing.moment(T0 + 10 ** 9))

    def test_a_run_whose_logs_have_two_counts(self):
        self.seal_again(self.THIRD, "0000000000000002.log", lambda log: {**log, 2: [0, 2]})
        self.assertIn(("0000000000000002.log", "run"), self.codes())

    def test_an_edit_of_another_device(self):
        other = block(content(k2=OTHER))
        self.seal_again(self.THIRD, "0000000000000003.log", lambda log: {**log, 5: [other]})
        self.assertIn(("0000000000000003.log", "writer"), self.codes())

    def test_entries_that_are_dropped_are_counted(self):
        def with_a_malformed_identity(log):
            return {**log, 5: [block(content((b"\x50",), k2=names.device_bytes(self.THIRD)))]}
        self.seal_again(self.THIRD, "0000000000000003.log", with_a_malformed_identity)
        self.assertEqual(fixtures.folder(self.root).dropped, 1)

    def test_a_barrier_stops_before_the_log(self):
        def with_barrier(log):
            return {**log, 5: log[5] + [block(b"later", layout=9, barrier=True)]}
        self.seal_again(self.THIRD, "0000000000000003.log", with_barrier)
        state = State(fixtures.folder(self.root)).merge()
        self.assertEqual(state.cursors[names.device_bytes(self.THIRD)].seq, 2)
        self.assertEqual([refusal.code for _, refusal in state.notes], ["barrier"])
        self.assertTrue(state.notes[0][1].stops)

    def change_last_part(self, part=None, **manifest):
        """Of the snapshot; the head names the changed one."""
        manifest = {int(key[1:]): value for key, value in manifest.items()}
        last = "snapshot-0000000000000001.00003.snap"
        self.seal_again(self.FIRST, last, lambda body: {
            **body, **(part or {}), 2: cbor_write.encode({**cbor.decode(body[2]), **manifest})})
        with open(self.path(self.FIRST, last), "rb") as opened:
            hashed = blake2b(opened.read())
        self.seal_again(self.FIRST, "head.bin", lambda head: {**head, 3: [1, 4, hashed]})

    def test_a_barrier_in_a_snapshot(self):
        unread = block(b"later", layout=9, barrier=True)
        for changed in ({"k3": 2}, {"part": {5: [unread]}}):
            self.change_last_part(**changed)
            self.assertEqual(self.codes(), set())
            state = State(fixtures.folder(self.root)).merge()
            self.assertNotIn((b"item", b"0i0"), state.records)
            self.assertIn("barrier", [refusal.code for _, refusal in state.notes])

    def test_a_snapshot_with_a_stamp_ahead_of_the_clock(self):
        ahead = block(content((b"0ahead",), k5=run(1, T0 + 10 ** 9, 0, 1)))
        self.change_last_part({5: [ahead]}, k6=bytes(16))
        state = State(fixtures.folder(self.root), T0).merge()
        self.assertNotIn((b"item", b"0i0"), state.records)
        self.assertIn("ahead", [refusal.code for _, refusal in state.notes])
        self.assertIn((b"item", b"0ahead"), State(fixtures.folder(self.root), T0 + 10 ** 9).merge().records)

    def test_counts_and_digest_that_do_not_agree_are_told(self):
        last = "snapshot-0000000000000001.00003.snap"
        for changed, code in (({"k6": bytes(16)}, "digest"), ({"k4": []}, "counts")):
            self.change_last_part(**changed)
            self.assertEqual(self.codes(), {(last, code)})
            self.assertIn((b"item", b"0i0"), State(fixtures.folder(self.root)).merge().records)

    def test_what_a_snapshots_writer_held_is_looked_at_again(self):
        late = content((b"0late",), k5=run(1, T0 + 10 ** 9, 0, 1))
        held = [content((b"0held",)), late, content((b"\x50",)), b"broken"]
        held = [[OTHER, seq, block(item)] for seq, item in enumerate(held)]
        held += [[OTHER, 9, block(content(fields=[field(values=[[2, 0, 2, 3, b"a"]])], k7=None))],
                 [OTHER, 9, block(content((b"0k",), fields=[field(values=[[2, 1, 2, 3, b""]])]))]]
        self.change_last_part({1: held}, k8=len(held))
        self.assertEqual(self.codes(), set())
        before = set(State(fixtures.folder(fixtures.REMOTE), T0).merge().records)
        added = set(State(fixtures.folder(self.root), T0).merge().records) - before
        self.assertEqual(added, {(b"item", b"0held"), (b"item", b"0k")})
        state = State(fixtures.folder(self.root), T0 + 10 ** 9).merge()
        self.assertIn((b"item", b"0late"), state.records)

    def test_what_a_snapshot_lacks_stays(self):
        state = State(fixtures.folder(self.root))
        mine, = blocks.parse(block(content((b"0mine",), k2=names.device_bytes(self.FIRST), k5=run(1, 1, 0, 1)))).entries
        state.records[mine.record] = mine
        self.assertIn(mine.record, state.merge().records)

    def test_parts_that_no_head_names(self):
        shutil.copy(self.path(self.FIRST, "snapshot-0000000000000001.00000.snap"),
                    self.path(self.FIRST, "snapshot-0000000000000001.00004.snap"))
        self.assertIn(("snapshot-0000000000000001.00004.snap", "name"), self.codes())
        os.remove(self.path(self.FIRST, "snapshot-0000000000000001.00004.snap"))
        self.seal_again(self.FIRST, "head.bin", lambda head: {key: item for key, item in head.items() if key != 3})
        for part in (3, 2):
            folder = fixtures.folder(self.root)
            self.assertEqual(folder.devices[names.device_bytes(self.FIRST)].snapshots, {})
            self.assertEqual({code for _, code in self.codes()}, set())
            os.remove(self.path(self.FIRST, f"snapshot-0000000000000001.{part:05}.snap"))

    def test_a_heads_epoch_and_install_nonce_are_not_compared(self):
        self.seal_again(self.FIRST, "head.bin", lambda head: {**head, 12: 7}, nonce=bytes([7]) * 8)
        self.assertEqual(self.codes(), set())

    def test_a_fence_with_another_hash_or_id_than_the_key_file(self):
        shutil.rmtree(os.path.join(self.root, "sync"))
        shutil.copytree(os.path.join(fixtures.WIRE, "sync"), os.path.join(self.root, "sync"))
        self.assertEqual(self.codes(), set())
        for key, wrong in ((3, bytes(32)), (2, bytes(16))):
            with open(self.path(fixtures.ANN, "fence-0000000002.bin"), "wb") as opened:
                opened.write(fixtures.raw("wire", "sync", fixtures.ANN, "fence-0000000002.bin"))
            self.seal_again(fixtures.ANN, "fence-0000000002.bin", lambda fence: {**fence, key: wrong})
            self.assertEqual(self.codes(), {("fence-0000000002.bin", "fence")})

    def test_two_keys_of_one_epoch(self):
        device = names.device_bytes(self.THIRD)
        with open(self.path(self.THIRD, "key-0000000001.bin"), "rb") as opened:
            header = keys.read_header(opened.read(), device, 1)
        data = writing.key_file(fixtures.PASSWORD.kek(header), writing.payload(earlier=[(1, bytes(32))]), device=device,
                                passes=header.passes, salt=header.salt)
        with open(self.path(self.THIRD, "key-0000000002.bin"), "wb") as opened:
            opened.write(data)
        self.assertEqual(self.codes(), set())
        self.assertEqual(len(fixtures.folder(self.root).devices[device].keys_of(1)), 2)

    def test_a_directory_with_the_name_of_a_file(self):
        os.mkdir(self.path(self.THIRD, "0000000000000004.log"))
        self.assertEqual(self.codes(), {("0000000000000004.log", "unreadable")})

    def test_a_file_that_is_far_too_long(self):
        with open(self.path(self.THIRD, "0000000000000004.log"), "wb") as opened:
            opened.truncate(1 << 34)
        self.assertEqual(self.codes(), {("0000000000000004.log", "length")})


class Hostile(unittest.TestCase):
    """Bytes that were changed at random: read, or refused by the one exception, never another."""

    TIMES = 150

    def changed(self, data, source):
        data = bytearray(data)
        for _ in range(source.randrange(1, 4)):
            at = source.randrange(len(data))
            choice = source.randrange(3)
            if choice == 0:
                data[at] = source.randrange(256)
            elif choice == 1:
                del data[at]
            else:
                data.insert(at, source.choice((0, 0x1B, 0x5B, 0x80, 0x9B, 0xFF)))
        return bytes(data)

    def bodies(self):
        folder = fixtures.folder(fixtures.WIRE)
        for file in folder.files:
            if file.header:
                data = fixtures.raw("wire", file.path)
                yield file, container.open_sealed(data, file.name, folder.devices[file.name.device].keys_of)[1]

    def read(self, header, body):
        if header.kind == names.LOG:
            log = logs.parse(body, header.device)
            entries = pieces.assemble(log.blocks)
            logs.parsed_schema(log)
            return [is_sound(entry) for entry in entries]
        if header.kind == names.SNAPSHOT:
            part = snapshots.parse_part(body)
            return part.manifest and snapshots.parse_manifest(part.manifest)
        return heads.parse(body) if header.kind == names.HEAD else fences.parse(body)

    def test_changed_bodies(self):
        source = random.Random(1)
        refused = 0
        for file, body in self.bodies():
            for _ in range(self.TIMES if len(body) < 10_000 else 5):
                try:
                    self.read(file.header, self.changed(body, source))
                except Refused:
                    refused += 1
        self.assertGreater(refused, 1_000)

    def test_changed_contents_of_blocks(self):
        source = random.Random(2)
        refused = 0
        raws = [part.content for file, body in self.bodies() if file.header.kind == names.LOG
                for part in logs.parse(body, file.header.device).blocks if len(part.content) < 10_000]
        for raw in raws * 100:
            try:
                for entry in blocks.parse([1, 1, False, self.changed(raw, source)]).entries or []:
                    is_sound(entry)
            except Refused:
                refused += 1
        self.assertGreater(refused, 500)

    def test_changed_files(self):
        """Of a sealed file no bit can be changed, and nothing be added or taken away."""
        source = random.Random(3)
        folder = fixtures.folder(fixtures.REMOTE)
        for file in folder.files:
            data = fixtures.raw("fleet", "remote", file.path)
            if file.header:
                keys_of = folder.devices[file.name.device].keys_of
                container.open_sealed(data, file.name, keys_of)
                for wrong in filter(lambda changed: changed != data, (self.changed(data, source) for _ in range(40))):
                    with self.assertRaises(Refused):
                        container.open_sealed(wrong, file.name, keys_of)


if __name__ == "__main__":
    unittest.main()
