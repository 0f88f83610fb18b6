-- +goose Up
-- A notification is inserted in the transaction of its cause, or alone.
CREATE TABLE notifications (
  id      TEXT    NOT NULL PRIMARY KEY,
  uid     TEXT    NOT NULL,
  kind    TEXT    NOT NULL,
  text    TEXT    NOT NULL,
  link    TEXT    NOT NULL,
  cause   TEXT    NOT NULL,
  at      INTEGER,
  read_at INTEGER,
  version INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX notifications_cause ON notifications (uid, cause);
CREATE INDEX notifications_uid    ON notifications (uid, id);
CREATE INDEX notifications_unread ON notifications (uid, id) WHERE read_at IS NULL;
CREATE INDEX notifications_at     ON notifications (at);

-- +goose StatementBegin
CREATE TRIGGER notifications_enter AFTER INSERT ON notifications
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('notifications', NEW.uid, 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER notifications_leave AFTER DELETE ON notifications
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'notifications' AND scope = OLD.uid;
END;
-- +goose StatementEnd

CREATE INDEX users_admins ON users (admin) WHERE admin = 1;
