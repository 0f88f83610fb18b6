-- +goose Up
-- The events of one transaction are one row (see migrate_bundles.go).
CREATE TABLE bundles (
  seq    INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of the commits; no number is used twice
  n      INTEGER NOT NULL,                  -- the number of events
  gone   INTEGER NOT NULL DEFAULT 0,        -- the number of published events
  events BLOB    NOT NULL
) STRICT;
INSERT INTO bundles (seq, n, events)
SELECT seq, 1, bundle(topic, type, at, entity, version, CAST(data AS BLOB)) FROM outbox ORDER BY seq;
-- New numbers continue after the old ones, even if the outbox is empty now.
INSERT INTO sqlite_sequence (name, seq) SELECT 'bundles', 0
WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'bundles');
UPDATE sqlite_sequence SET seq = max(seq, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0))
WHERE name = 'bundles';
DROP TABLE outbox;
ALTER TABLE bundles RENAME TO outbox;
