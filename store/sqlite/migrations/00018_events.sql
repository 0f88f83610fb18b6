-- +goose Up
-- There is one row for each event that is not published yet. Since migration 7 there was one
-- BLOB for each transaction.
CREATE TABLE events (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of the commits; no number is used twice
  topic   TEXT    NOT NULL,
  type    TEXT    NOT NULL,
  entity  TEXT    NOT NULL,
  version INTEGER NOT NULL,
  at      INTEGER,                           -- milliseconds since 1970
  data    TEXT    NOT NULL                   -- JSON; '' for none
) STRICT;
-- The number of an event was the number of its bundle, followed by 20 bits for its position in
-- the bundle. New numbers are larger than all of those, even if the outbox is empty now.
INSERT INTO sqlite_sequence (name, seq)
SELECT 'events', (seq + 1) << 20 FROM sqlite_sequence WHERE name = 'outbox' AND seq > 0;
INSERT INTO events (topic, type, entity, version, at, data)
SELECT e.value ->> 'topic', e.value ->> 'type', e.value ->> 'entity', e.value ->> 'version', e.value ->> 'at', e.value ->> 'data'
FROM outbox CROSS JOIN json_each(unbundle(outbox.events)) AS e ORDER BY outbox.seq, e.key;
DROP TABLE outbox;
ALTER TABLE events RENAME TO outbox;
