-- +goose Up
-- People can delete their accounts, and export their data.
ALTER TABLE users ADD COLUMN leaving INTEGER NOT NULL DEFAULT 0;
CREATE INDEX payments_buyer   ON payments (buyer_uid, id);
CREATE INDEX reports_reporter ON reports (reporter_uid, id);
CREATE INDEX lines_concern    ON lines (concern_id, id);
CREATE INDEX lines_actor      ON lines (actor_id) WHERE actor_id <> '';
CREATE INDEX lines_target     ON lines (target_id);
