-- +goose Up
-- users.emails: the kinds of notifications of which the person gets emails. notifications.email:
-- the state of the notification's email. Notifications from before this schema have no email.
ALTER TABLE users ADD COLUMN emails TEXT;
ALTER TABLE notifications ADD COLUMN email TEXT NOT NULL DEFAULT '';
ALTER TABLE notifications ADD COLUMN email_due INTEGER;
CREATE INDEX notifications_email_due ON notifications (email_due, id) WHERE email_due IS NOT NULL;
