-- +goose Up
-- The events of all changes that were stored together are one row (see
-- bundle.go): they are written, read and forgotten together.
CREATE TABLE bundles (
  seq    INTEGER PRIMARY KEY AUTOINCREMENT, -- never used twice: commit order
  n      INTEGER NOT NULL,                  -- how many events there were
  gone   INTEGER NOT NULL DEFAULT 0,        -- how many of them are published
  events BLOB    NOT NULL
) STRICT;
INSERT INTO bundles (seq, n, events)
SELECT seq, 1, bundle(topic, type, at, entity, version, CAST(data AS BLOB)) FROM outbox ORDER BY seq;
-- Places go on from where they were, whatever of them waits just now.
INSERT INTO sqlite_sequence (name, seq) SELECT 'bundles', 0
WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'bundles');
UPDATE sqlite_sequence SET seq = max(seq, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0))
WHERE name = 'bundles';
DROP TABLE outbox;
ALTER TABLE bundles RENAME TO outbox;
