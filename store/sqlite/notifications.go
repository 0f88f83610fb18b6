package sqlite

import (
	"context"
	"time"

	"secondring/market"
)

// notificationColumns are the columns of notifications in the order of notificationFields.
const notificationColumns = "id, uid, kind, text, subject, link, cause, at, read_at, version, email, email_due"

var (
	notificationTable    = newTable("notifications", notificationColumns)
	notificationSwap     = notificationTable.swap("notification")
	qCarryNotification   = query("INSERT INTO notifications (" + notificationColumns + ") VALUES (" + marks(12) + ") ON CONFLICT DO NOTHING")
	qNotification        = query("SELECT " + notificationColumns + " FROM notifications WHERE id = ?")
	qUnreadNotifications = query("SELECT " + notificationColumns + ` FROM notifications
		WHERE uid = ? AND read_at IS NULL ORDER BY id DESC LIMIT 0 + ?`)
	// The newest of those that are too many, and all before it.
	qTrimNotifications = query(`DELETE FROM notifications WHERE uid = ? AND id <= (
		SELECT id FROM notifications WHERE uid = ? ORDER BY id DESC LIMIT 1 OFFSET 0 + ?)`)
	qNotificationsToEmail = query("SELECT " + notificationColumns + ` FROM notifications
		WHERE email_due IS NOT NULL AND email_due <= ? ORDER BY email_due, id LIMIT 0 + ?`)
	qSetNotificationEmails = query(`UPDATE notifications SET email = ?, email_due = ?
		WHERE id IN (SELECT value FROM json_each(?)) AND email = ? AND email_due IS NOT NULL`)
	qForgetNotifications = query(`DELETE FROM notifications WHERE uid = ?`)
	qPurgeNotifications  = query(`DELETE FROM notifications WHERE rowid IN (
		SELECT rowid FROM notifications WHERE at < ? ORDER BY at LIMIT 0 + ?)`)

	notificationList = listing[market.Notification]{
		page:   query("SELECT " + notificationColumns + " FROM notifications WHERE uid = ? AND id < ? ORDER BY id DESC LIMIT 0 + ?"),
		fields: notificationFields, counts: "notifications",
	}
)

func notificationFields(n *market.Notification) []any {
	return []any{
		&n.ID, &n.UID, &n.Kind, &n.Text, &n.Subject, &n.Link, &n.Cause,
		when{&n.At},
		when{&n.ReadAt},
		&n.Version,
		&n.Email,
		when{&n.EmailDue},
	}
}

// AddNotification stores a notification by itself.
func (s *Store) AddNotification(ctx context.Context, n market.Notification, events []market.Event) error {
	return s.write(ctx, "add notification", func(tx *conn) error {
		if _, err := tx.exec(notificationSwap.insert, notificationFields(&n)...); err != nil {
			return err
		}
		if err := tx.trimNotifications(n.UID); err != nil {
			return err
		}
		return tx.addEvents(events)
	})
}

// addCarriedNotifications stores the notifications that events carry, in the transaction
// of the change.
func (c *conn) addCarriedNotifications(events []market.Event) error {
	all, err := market.NotificationsIn(events)
	for _, n := range all {
		added, err := c.exec(qCarryNotification, notificationFields(&n)...)
		if err == nil && added > 0 {
			err = c.trimNotifications(n.UID)
		}
		if err != nil {
			return err
		}
	}
	return err
}

func (c *conn) trimNotifications(uid string) error {
	_, err := c.exec(qTrimNotifications, uid, uid, market.NotificationsKept)
	return err
}

// SaveNotification replaces the notification of that ID, with its version raised by one.
func (s *Store) SaveNotification(ctx context.Context, n market.Notification, events []market.Event) error {
	return notificationSwap.save(ctx, s, notificationFields(&n), n.ID, n.Version, events)
}

// Notification finds by ID.
func (s *Store) Notification(ctx context.Context, id string) (market.Notification, error) {
	return find(ctx, s, "notification", qNotification, notificationFields, id)
}

// NotificationsOf lists a person's notifications.
func (s *Store) NotificationsOf(ctx context.Context, uid string, page market.Page) (market.List[market.Notification], error) {
	return list(ctx, s, notificationList, page, uid)
}

// UnreadNotifications returns a person's unread notifications, newest first.
func (s *Store) UnreadNotifications(ctx context.Context, uid string, limit int) ([]market.Notification, error) {
	return collect(ctx, s, "unread notifications", qUnreadNotifications, notificationFields, uid, limit)
}

// NotificationsToEmail returns those whose EmailDue is set and not after now, oldest first.
func (s *Store) NotificationsToEmail(ctx context.Context, now time.Time, limit int) ([]market.Notification, error) {
	return collect(ctx, s, "notifications to email", qNotificationsToEmail, notificationFields, at(now), limit)
}

// SetNotificationEmails sets Email and EmailDue of those whose Email is still the one before
// and whose EmailDue is set.
func (s *Store) SetNotificationEmails(ctx context.Context, ids []string, before, email market.EmailWhen, due time.Time) error {
	return s.write(ctx, "set emails of notifications", func(tx *conn) error {
		_, err := tx.exec(qSetNotificationEmails, email, at(due), asJSON(&ids), before)
		return err
	})
}

// ForgetNotifications deletes all of a person.
func (s *Store) ForgetNotifications(ctx context.Context, uid string) error {
	return s.write(ctx, "forget notifications", func(tx *conn) error {
		_, err := tx.exec(qForgetNotifications, uid)
		return err
	})
}

// PurgeNotifications deletes up to limit from before then, and returns how many.
func (s *Store) PurgeNotifications(ctx context.Context, before time.Time, limit int) (purged int, err error) {
	err = s.write(ctx, "purge notifications", func(tx *conn) error {
		n, err := tx.exec(qPurgeNotifications, at(before), limit)
		purged = int(n)
		return err
	})
	return purged, err
}
