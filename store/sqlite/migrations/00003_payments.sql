-- +goose Up
ALTER TABLE products ADD COLUMN hold_transaction TEXT;
-- Phones that were held before this schema had no payment.
UPDATE products SET hold_transaction = '' WHERE hold_booking IS NOT NULL;

ALTER TABLE bookings ADD COLUMN intent     TEXT    NOT NULL DEFAULT '';
ALTER TABLE bookings ADD COLUMN intent_at  INTEGER;
ALTER TABLE bookings ADD COLUMN attempt    INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bookings ADD COLUMN closing_at INTEGER;
UPDATE bookings SET closing_at = due WHERE closing <> '';
DROP INDEX bookings_due;
CREATE INDEX bookings_due     ON bookings (due, id) WHERE intent = ''  AND due IS NOT NULL;
CREATE INDEX bookings_intents ON bookings (due, id) WHERE intent <> '' AND due IS NOT NULL;

CREATE TABLE payments (
  id             TEXT    NOT NULL PRIMARY KEY,
  transaction_id TEXT    NOT NULL UNIQUE,
  booking_id     TEXT    NOT NULL,
  product_id     TEXT    NOT NULL,
  buyer_uid      TEXT    NOT NULL,
  email          TEXT    NOT NULL,
  price          INTEGER NOT NULL,
  outcome        TEXT    NOT NULL,
  refunded_at    INTEGER,
  version        INTEGER NOT NULL,
  created_at     INTEGER
) STRICT;

CREATE TABLE records (
  kind    TEXT    NOT NULL,
  id      TEXT    NOT NULL,
  data    BLOB    NOT NULL,
  due     INTEGER,
  expires INTEGER,
  version INTEGER NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT;
CREATE INDEX records_due     ON records (kind, due, id) WHERE due IS NOT NULL;
CREATE INDEX records_expires ON records (expires)       WHERE expires IS NOT NULL;
