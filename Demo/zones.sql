-- The demo's tables. STRICT is left out so that the oldest supported SQLite reads them too.
CREATE TABLE country (
  code TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL CHECK (name <> '')
);

CREATE TABLE zone (
  name TEXT PRIMARY KEY NOT NULL,
  country_code TEXT REFERENCES country (code) ON DELETE SET NULL,
  latitude TEXT NOT NULL,
  longitude TEXT NOT NULL,
  comment TEXT NOT NULL DEFAULT ''
);

CREATE TABLE era (
  id TEXT PRIMARY KEY NOT NULL,
  zone TEXT NOT NULL REFERENCES zone (name) ON DELETE CASCADE,
  std_offset TEXT NOT NULL,
  rules TEXT NOT NULL,
  format TEXT NOT NULL,
  until TEXT NOT NULL DEFAULT ''
);

CREATE INDEX zone_by_country ON zone (country_code);
CREATE INDEX era_by_zone ON era (zone);
