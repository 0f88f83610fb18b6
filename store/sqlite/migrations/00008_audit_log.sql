-- +goose Up
-- The audit log. An entry is inserted with the action that it describes, and deleted when it
-- is old.
CREATE TABLE lines (
  id          TEXT    NOT NULL PRIMARY KEY,
  at          INTEGER,
  actor_id   TEXT    NOT NULL,
  actor       TEXT    NOT NULL,
  deed        TEXT    NOT NULL,
  target      TEXT    NOT NULL,
  target_id   TEXT    NOT NULL,
  concern_id TEXT    NOT NULL
) STRICT;
CREATE INDEX lines_at ON lines (at);

-- +goose StatementBegin
CREATE TRIGGER lines_enter AFTER INSERT ON lines
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('lines', '', 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER lines_leave AFTER DELETE ON lines
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'lines' AND scope = '';
END;
-- +goose StatementEnd
