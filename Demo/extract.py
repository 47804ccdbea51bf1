#!/usr/bin/env python3
"""Cuts three related tables out of the IANA time zone database.

Usage: Demo/extract.py [ZONEINFO_DIR]        (default /usr/share/zoneinfo)

Reads tzdata.zi, iso3166.tab and zone1970.tab and writes country.csv, zone.csv and era.csv beside this
script. The output is frozen in the repository, so that the demo shows the same rows everywhere; run this
again only to move the demo to a newer release of the database on purpose.
"""

import csv
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


def tab_rows(path):
    """The fields of each line that is not a comment."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def countries(source):
    return sorted((code, name) for code, name in tab_rows(source / "iso3166.tab"))


def split_position(text):
    """Splits ISO 6709 "+DDMM+DDDMM" or "+DDMMSS+DDDMMSS" at its second sign."""
    second = max(text.rfind("+"), text.rfind("-"))
    return text[:second], text[second:]


def zones(source):
    for row in tab_rows(source / "zone1970.tab"):
        latitude, longitude = split_position(row[1])
        comment = row[3] if len(row) > 3 else ""
        yield row[2], row[0].split(",")[0], latitude, longitude, comment


def eras(source, wanted):
    """A zone line and the continuation lines after it; the last one has no UNTIL and ends the zone."""
    zone, number = None, 0
    for line in (source / "tzdata.zi").read_text(encoding="utf-8").splitlines():
        fields = line.split()
        if fields[:1] == ["Z"]:
            zone, number, fields = fields[1], 0, fields[2:]
        elif zone is None or fields[:1] in (["L"], ["R"], ["#"]):
            continue
        number += 1
        offset, rules, form, until = fields[0], fields[1], fields[2], " ".join(fields[3:])
        if zone in wanted:
            yield f"{zone}#{number}", zone, offset, rules, form, until
        if not until:
            zone = None


def write(name, header, rows):
    with open(HERE / name, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
    print(f"{name}: {len(rows)} rows")


def main():
    source = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/zoneinfo")
    zone_rows = sorted(zones(source))
    names = {row[0] for row in zone_rows}
    era_rows = list(eras(source, names))
    missing = names - {row[1] for row in era_rows}
    if missing:
        sys.exit(f"no eras for {sorted(missing)}: tzdata.zi and zone1970.tab are of different releases")
    write("country.csv", ["code", "name"], countries(source))
    write("zone.csv", ["name", "country_code", "latitude", "longitude", "comment"], zone_rows)
    write("era.csv", ["id", "zone", "std_offset", "rules", "format", "until"], era_rows)


if __name__ == "__main__":
    main()
