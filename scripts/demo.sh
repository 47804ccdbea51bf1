#!/usr/bin/env bash
# Three devices edit one database apart and end the same, through one folder. Everything is in a temporary folder.
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
"$swift" build --quiet --product tributary
tool=$("$swift" build --show-bin-path)/tributary
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
remote=$work/remote
mkdir "$remote"
umask 077
echo 'correct horse battery staple' >"$work/password"

fail() { echo "demo: $*" >&2; exit 1; }
on() { # DEVICE COMMAND ...: runs the tool as that device, on its own database
  local device=$1 command=$2
  shift 2
  mkdir -p "$work/$device"
  TRIBUTARY_STATE_HOME=$work/$device/state "$tool" "$command" "$work/$device/zones.db" "$@"
}
attach() { # DEVICE [--new]
  local device=$1
  shift
  on "$device" attach "$remote" --schema Demo/zones.schema.json --device "$device" \
    --password-file "$work/password" "$@" >/dev/null
}
sync_all() { for device in laptop phone tablet; do printf '  %-7s ' "$device"; on "$device" sync; done; }
digest() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -c1-64; }

# The rows of a CSV file without quotes across lines, as INSERTs.
inserts() { # TABLE FILE
  awk -v table="$1" '
    function quote(text) { gsub(/\047/, "\047\047", text); return text == "" && table == "zone" && n == 2 ? "NULL" : "\047" text "\047" }
    NR == 1 { next }
    {
      sub(/\r$/, ""); rest = $0; n = 0; values = ""
      while (1) {
        n++
        if (substr(rest, 1, 1) == "\"") {
          match(rest, /^"([^"]|"")*"/); cell = substr(rest, 2, RLENGTH - 2); gsub(/""/, "\"", cell)
          rest = substr(rest, RLENGTH + 1)
        } else {
          match(rest, /^[^,]*/); cell = substr(rest, 1, RLENGTH); rest = substr(rest, RLENGTH + 1)
        }
        values = values (n > 1 ? "," : "") quote(cell)
        if (rest == "") break
        rest = substr(rest, 2)
      }
      print "INSERT INTO " table " VALUES(" values ");"
    }' "$2"
}

echo "1. The laptop starts a set and loads the time zone database; phone and tablet join."
attach laptop --new
for table in country zone era; do inserts "$table" "Demo/$table.csv"; done >"$work/load.sql"
on laptop sql --file "$work/load.sql"
attach phone
attach tablet
sync_all

echo "2. All three edit apart; laptop and phone both change Berlin's comment."
on laptop sql "UPDATE zone SET comment='from the laptop' WHERE name='Europe/Berlin'; INSERT INTO country VALUES('XL','Laptopia')"
on phone sql "UPDATE zone SET comment='from the phone' WHERE name='Europe/Berlin'; UPDATE country SET name='Phonia' WHERE code='FR'"
on tablet sql "UPDATE zone SET latitude='+0000' WHERE name='Europe/Berlin'; DELETE FROM zone WHERE name='Asia/Tokyo'"
sync_all
echo "   and once more, so that the first hears of the last:"
sync_all

echo "3. What each device holds now:"
first=
for device in laptop phone tablet; do
  rows=$(on "$device" sql "SELECT (SELECT count(*) FROM country)||' countries, '||(SELECT count(*) FROM zone)||' zones, '||(SELECT count(*) FROM era)||' eras'; SELECT latitude||' '||comment FROM zone WHERE name='Europe/Berlin'")
  on "$device" export --canonical >"$work/$device/export"
  [ -s "$work/$device/export" ] || fail "the export of $device is empty"
  hash=$(digest <"$work/$device/export")
  printf '  %-7s %s; Berlin: %s\n          export sha256 %s\n' "$device" "${rows%%$'\n'*}" "${rows#*$'\n'}" "$hash"
  state="$rows $hash"
  [ -z "$first" ] || [ "$state" = "$first" ] || fail "$device differs"
  first=$state
done
case $first in
  "250 countries, 311 zones, "*"+0000 from the phone"*) ;;
  *) fail "the edits did not all arrive: $first" ;;
esac

echo "4. What a stranger with the folder sees:"
(cd "$remote" && find . -type f | sort | while read -r file; do printf '  %8d %s\n' "$(wc -c <"$file")" "$file"; done)
for name in Berlin Laptopia Phonia Tokyo country zones latitude laptop tablet com.example; do
  # The search must be able to find it: each name is in some device's own files.
  grep -raqi -- "$name" "$work"/{laptop,phone,tablet} || fail "\"$name\" is nowhere, so its absence proves nothing"
  # Names of files count as well as what is in them.
  if grep -raqi -- "$name" "$remote" || find "$remote" | sed "s|^$remote||" | grep -qi -- "$name"; then
    fail "the folder shows \"$name\""
  fi
done
echo "  None of the names, values, tables or devices in any of them."
echo "All three devices are the same."
