"""Where the golden files and the page are, and what opens them."""

import json
import os
import re

from tributary_reader import keys, password
from tributary_reader.folder import Folder

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(HERE, "..", "Fixtures", "v1")
PAGE = os.path.join(HERE, "..", "..", "docs", "FORMAT.md")
WIRE = os.path.join(GOLDEN, "wire")
REMOTE = os.path.join(GOLDEN, "fleet", "remote")
ANN, BOB = "aebagbafaydqqcikbmga2dqpca", "aaaaaaaaaaaaoaaaaaaaaaaabe"


def load(*path):
    with open(os.path.join(GOLDEN, *path), encoding="utf-8") as file:
        return json.load(file)


def raw(*path):
    with open(os.path.join(GOLDEN, *path), "rb") as file:
        return file.read()


SECRETS = load("wire", "secrets.json")
# One for all tests, as it keeps what was derived.
PASSWORD = keys.Password(password.normalized(SECRETS["password"]))


def open_key(data, device, epoch):
    return keys.read(data, device, epoch, PASSWORD)


def folder(root):
    return Folder(root, open_key).read()


def examples():
    """The hexadecimal examples of the page, by their names."""
    with open(PAGE, encoding="utf-8") as file:
        found = re.findall(r"^```hex (\S+)\n(.*?)^```", file.read(), re.MULTILINE | re.DOTALL)
    return {name: bytes.fromhex("".join(digits.split())) for name, digits in found}
