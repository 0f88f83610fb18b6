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
INSERT INTO events (topic, type, entity, version, at, data)
SELECT e.value ->> 'topic', e.value ->> 'type', e.value ->> 'entity', e.value ->> 'version', e.value ->> 'at', e.value ->> 'data'
FROM outbox CROSS JOIN json_each(unbundle(outbox.events)) AS e ORDER BY outbox.seq, e.key;
DROP TABLE outbox;
ALTER TABLE events RENAME TO outbox;
