-- +goose Up
-- Of what a person gets emails, and which notifications there may still be an email about.
-- Older notifications have none.
ALTER TABLE users ADD COLUMN emails TEXT;
ALTER TABLE notifications ADD COLUMN email TEXT NOT NULL DEFAULT '';
ALTER TABLE notifications ADD COLUMN email_due INTEGER;
CREATE INDEX notifications_email_due ON notifications (email_due, id) WHERE email_due IS NOT NULL;
