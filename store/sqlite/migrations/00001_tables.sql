-- +goose Up
-- Times are in milliseconds since 1970, in UTC; NULL means that a time is not set.
-- Columns whose names end in _key have the form of a text by which it is compared.

CREATE TABLE meta (
  name  TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
  id           TEXT    NOT NULL PRIMARY KEY,
  uid          TEXT    NOT NULL,
  name         TEXT    NOT NULL,
  email        TEXT    NOT NULL,
  email_key    TEXT    NOT NULL,
  account_type TEXT    NOT NULL,
  admin        INTEGER NOT NULL CHECK (admin IN (0, 1)),
  status       TEXT    NOT NULL,
  removed      INTEGER NOT NULL CHECK (removed IN (0, 1)),
  sweep_until  INTEGER,
  version      INTEGER NOT NULL,
  created_at   INTEGER
) STRICT;
CREATE UNIQUE INDEX users_uid   ON users (uid)       WHERE removed = 0;
CREATE UNIQUE INDEX users_email ON users (email_key) WHERE removed = 0;
CREATE INDEX users_any   ON users (uid, removed, id DESC);
CREATE INDEX users_type  ON users (account_type, id) WHERE admin = 0 AND removed = 0;
CREATE INDEX users_sweep ON users (sweep_until, id)  WHERE sweep_until IS NOT NULL;

CREATE TABLE accounts (
  uid           TEXT    NOT NULL PRIMARY KEY,
  email         TEXT    NOT NULL,
  email_key     TEXT    NOT NULL UNIQUE,
  password_hash TEXT    NOT NULL,
  google_sub    TEXT    NOT NULL,
  display_name  TEXT    NOT NULL,
  photo_url     TEXT    NOT NULL,
  removed       INTEGER NOT NULL CHECK (removed IN (0, 1)),
  version       INTEGER NOT NULL,
  created_at    INTEGER
) STRICT;
CREATE UNIQUE INDEX accounts_google ON accounts (google_sub) WHERE google_sub <> '';

CREATE TABLE sessions (
  id         TEXT NOT NULL PRIMARY KEY,
  uid        TEXT NOT NULL,
  created_at INTEGER,
  expires_at INTEGER
) STRICT;
CREATE INDEX sessions_uid     ON sessions (uid);
CREATE INDEX sessions_expires ON sessions (expires_at);

-- free is the number of the brand's phones that are neither booked nor sold. Triggers
-- update it, so that the brands with most available phones are read from an index.
CREATE TABLE brands (
  id         TEXT    NOT NULL PRIMARY KEY,
  name       TEXT    NOT NULL,
  name_key   TEXT    NOT NULL UNIQUE,
  img        TEXT    NOT NULL,
  version    INTEGER NOT NULL,
  created_at INTEGER,
  free       INTEGER NOT NULL DEFAULT 0 CHECK (free >= 0)
) STRICT;
CREATE INDEX brands_free ON brands (free DESC, name_key);

CREATE TABLE products (
  id             TEXT    NOT NULL PRIMARY KEY,
  brand_id       TEXT    NOT NULL REFERENCES brands (id),
  brand          TEXT    NOT NULL,
  name           TEXT    NOT NULL,
  img            TEXT    NOT NULL,
  original_price INTEGER NOT NULL,
  resale_price   INTEGER NOT NULL,
  used_time      TEXT    NOT NULL,
  condition      TEXT    NOT NULL,
  description    TEXT    NOT NULL,
  seller_uid     TEXT    NOT NULL,
  seller_name    TEXT    NOT NULL,
  seller_email   TEXT    NOT NULL,
  location       TEXT    NOT NULL,
  phone          TEXT    NOT NULL,
  posted_on      TEXT    NOT NULL,
  verified       INTEGER NOT NULL CHECK (verified IN (0, 1)),
  advertised     INTEGER NOT NULL CHECK (advertised IN (0, 1)),
  sold           INTEGER NOT NULL CHECK (sold IN (0, 1)),
  version        INTEGER NOT NULL,
  created_at     INTEGER,
  hold_booking   TEXT, -- NULL, as all columns hold_…, if the phone is not booked
  hold_buyer     TEXT,
  hold_name      TEXT,
  hold_email     TEXT,
  hold_phone     TEXT,
  hold_location  TEXT,
  hold_at        INTEGER,
  hold_until     INTEGER
) STRICT;
CREATE INDEX products_brand      ON products (brand_id, id);
CREATE INDEX products_seller     ON products (seller_uid, id);
CREATE INDEX products_advertised ON products (id) WHERE advertised = 1 AND hold_booking IS NULL;
CREATE INDEX products_held       ON products (hold_at, id) WHERE hold_at IS NOT NULL AND sold = 0;

CREATE TABLE bookings (
  id           TEXT    NOT NULL PRIMARY KEY,
  buyer_uid    TEXT    NOT NULL,
  user_name    TEXT    NOT NULL,
  email        TEXT    NOT NULL,
  product_id   TEXT    NOT NULL,
  seller_uid   TEXT    NOT NULL,
  product_name TEXT    NOT NULL,
  brand_id     TEXT    NOT NULL,
  brand        TEXT    NOT NULL,
  img          TEXT    NOT NULL,
  price        INTEGER NOT NULL,
  phone        TEXT    NOT NULL,
  location     TEXT    NOT NULL,
  status       TEXT    NOT NULL,
  hold_until   INTEGER,
  closing      TEXT    NOT NULL,
  due          INTEGER,
  ended_at     INTEGER,
  version      INTEGER NOT NULL,
  created_at   INTEGER
) STRICT;
CREATE INDEX bookings_buyer ON bookings (buyer_uid, id);
CREATE INDEX bookings_phone ON bookings (buyer_uid, product_id, id);
CREATE INDEX bookings_held  ON bookings (buyer_uid, id) WHERE status = 'held';
CREATE INDEX bookings_due   ON bookings (due, id) WHERE due IS NOT NULL;

CREATE TABLE reports (
  id           TEXT    NOT NULL PRIMARY KEY,
  product_id   TEXT    NOT NULL,
  reporter_uid TEXT    NOT NULL,
  user_name    TEXT    NOT NULL,
  email        TEXT    NOT NULL,
  product_name TEXT    NOT NULL,
  brand_id     TEXT    NOT NULL,
  brand        TEXT    NOT NULL,
  img          TEXT    NOT NULL,
  reason       TEXT    NOT NULL,
  version      INTEGER NOT NULL,
  created_at   INTEGER,
  UNIQUE (product_id, reporter_uid)
) STRICT;

-- There is one writer, so the order of seq is the order of the commits. No number is used twice.
CREATE TABLE outbox (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  topic   TEXT    NOT NULL,
  type    TEXT    NOT NULL,
  at      INTEGER,
  entity  TEXT    NOT NULL,
  version INTEGER NOT NULL,
  data    TEXT    NOT NULL
) STRICT;

-- counts has the length of every list, so that no query counts rows.
CREATE TABLE counts (
  list  TEXT    NOT NULL,
  scope TEXT    NOT NULL,
  n     INTEGER NOT NULL CHECK (n >= 0),
  PRIMARY KEY (list, scope)
) STRICT, WITHOUT ROWID;
