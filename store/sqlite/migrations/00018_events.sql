-- +goose Up
-- One row for each event that is not published yet, in place of one BLOB for each
-- transaction (migration 7).
CREATE TABLE events (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT, -- never used twice; commit order
  topic   TEXT    NOT NULL,
  type    TEXT    NOT NULL,
  entity  TEXT    NOT NULL,
  version INTEGER NOT NULL,
  at      INTEGER,                           -- milliseconds since 1970
  data    TEXT    NOT NULL                   -- JSON; '' for none
) STRICT;
-- An event's number was its bundle's, with 20 bits for its place in the bundle. New
-- numbers are above all of those, whatever waits now.
INSERT INTO sqlite_sequence (name, seq)
SELECT 'events', (seq + 1) << 20 FROM sqlite_sequence WHERE name = 'outbox' AND seq > 0;
INSERT INTO events (topic, type, entity, version, at, data)
SELECT e.value ->> 'topic', e.value ->> 'type', e.value ->> 'entity', e.value ->> 'version', e.value ->> 'at', e.value ->> 'data'
FROM outbox CROSS JOIN json_each(unbundle(outbox.events)) AS e ORDER BY outbox.seq, e.key;
DROP TABLE outbox;
ALTER TABLE events RENAME TO outbox;
