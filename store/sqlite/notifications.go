package sqlite

import (
	"context"
	"time"

	"secondring/market"
)

// notificationColumns are the columns of notifications in the order of notificationFields.
const notificationColumns = "id, uid, kind, text, subject, link, product_id, cause, matches, at, read_at, version, email, email_due"

var (
	notificationTable       = newTable("notifications", notificationColumns)
	notificationSwap        = notificationTable.swap("notification")
	qAddMissingNotification = query("INSERT INTO notifications (" + notificationColumns + ") VALUES (" + marks(14) + ") ON CONFLICT DO NOTHING")
	qNotification           = query("SELECT " + notificationColumns + " FROM notifications WHERE id = ?")
	qUnreadNotifications    = query("SELECT " + notificationColumns + ` FROM notifications
		WHERE uid = ? AND read_at IS NULL ORDER BY id DESC LIMIT 0 + ?`)
	qNotificationOfCause  = query("SELECT " + notificationColumns + " FROM notifications WHERE uid = ? AND cause = ?")
	qNotificationsOf      = query("SELECT " + notificationColumns + " FROM notifications WHERE uid = ? ORDER BY id DESC")
	qTrimNotifications    = query("DELETE FROM notifications WHERE id IN (SELECT value FROM json_each(?))")
	qNotificationsToEmail = query("SELECT " + notificationColumns + ` FROM notifications
		WHERE email_due IS NOT NULL AND email_due <= ? ORDER BY email_due, id LIMIT 0 + ?`)
	qSetNotificationEmails = query(`UPDATE notifications SET email = ?, email_due = ?
		WHERE id IN (SELECT value FROM json_each(?)) AND email = ? AND email_due IS NOT NULL`)
	qDeleteNotifications = query(`DELETE FROM notifications WHERE uid = ?`)
	qPurgeNotifications  = query(`DELETE FROM notifications WHERE rowid IN (
		SELECT rowid FROM notifications WHERE at < ? ORDER BY at LIMIT 0 + ?)`)

	notificationList = listing[market.Notification]{
		page:   query("SELECT " + notificationColumns + " FROM notifications WHERE uid = ? AND id < ? ORDER BY id DESC LIMIT 0 + ?"),
		fields: notificationFields, countName: "notifications",
	}
)

func notificationFields(n *market.Notification) []any {
	return []any{
		&n.ID, &n.UID, &n.Kind, &n.Text, &n.Subject, &n.Link, &n.ProductID, &n.Cause,
		asJSON(&n.Matches),
		timeColumn{&n.At},
		timeColumn{&n.ReadAt},
		&n.Version,
		&n.Email,
		timeColumn{&n.EmailDue},
	}
}

// AddNotification stores a new notification in a write of its own. It returns ErrExists if the
// ID exists, or if the person has a notification with the same Cause.
func (s *Store) AddNotification(ctx context.Context, n market.Notification, events []market.Event) error {
	return s.write(ctx, "add notification", func(tx *conn) error {
		if _, err := tx.exec(notificationSwap.qInsert, notificationFields(&n)...); err != nil {
			return err
		}
		if err := tx.trimNotifications(n.UID); err != nil {
			return err
		}
		return tx.addEvents(events)
	})
}

// addNotifications stores the notifications that are contained in the events, in the
// transaction of the change. It skips those that are already stored.
func (c *conn) addNotifications(events []market.Event) error {
	all, err := market.NotificationsIn(events)
	if err != nil {
		return err
	}
	for _, n := range all {
		added, err := c.exec(qAddMissingNotification, notificationFields(&n)...)
		if err == nil && added > 0 {
			err = c.trimNotifications(n.UID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// trimNotifications deletes the surplus notifications of a person.
func (c *conn) trimNotifications(uid string) error {
	var count int
	if err := c.row(qCount, []any{&count}, notificationList.countName, uid); err != nil || count <= market.MaxNotifications {
		return err
	}
	all, err := many(c, qNotificationsOf, notificationFields, uid)
	if err != nil {
		return err
	}
	surplus := market.SurplusNotifications(all)
	_, err = c.exec(qTrimNotifications, asJSON(&surplus))
	return err
}

// SaveNotification replaces the notification with the same ID if the version is one above the stored
// one. Otherwise it returns ErrConflict, or ErrNotFound if none is stored with this ID.
func (s *Store) SaveNotification(ctx context.Context, n market.Notification, events []market.Event) error {
	return notificationSwap.save(ctx, s, notificationFields(&n), n.ID, n.Version, events)
}

// Notification returns the notification with an ID.
func (s *Store) Notification(ctx context.Context, id string) (market.Notification, error) {
	return find(ctx, s, "notification", qNotification, notificationFields, id)
}

// NotificationOfCause returns a person's notification with a Cause.
func (s *Store) NotificationOfCause(ctx context.Context, uid, cause string) (market.Notification, error) {
	return find(ctx, s, "notification", qNotificationOfCause, notificationFields, uid, cause)
}

// NotificationsOf lists a person's notifications, newest first.
func (s *Store) NotificationsOf(ctx context.Context, uid string, page market.Page) (market.List[market.Notification], error) {
	return list(ctx, s, notificationList, page, uid)
}

// UnreadNotifications returns up to limit of a person's unread notifications, newest first.
func (s *Store) UnreadNotifications(ctx context.Context, uid string, limit int) ([]market.Notification, error) {
	return collect(ctx, s, "unread notifications", qUnreadNotifications, notificationFields, uid, limit)
}

// NotificationsToEmail returns up to limit notifications whose EmailDue is set and not after
// now, oldest EmailDue first.
func (s *Store) NotificationsToEmail(ctx context.Context, now time.Time, limit int) ([]market.Notification, error) {
	return collect(ctx, s, "notifications to email", qNotificationsToEmail, notificationFields, timeParam(now), limit)
}

// SetNotificationEmails sets Email and EmailDue of those of the notifications whose Email is
// still before and whose EmailDue is set.
func (s *Store) SetNotificationEmails(ctx context.Context, ids []string, before, email market.EmailWhen, due time.Time) error {
	_, err := s.exec(ctx, "set emails of notifications", qSetNotificationEmails, email, timeParam(due), asJSON(&ids), before)
	return err
}

// DeleteNotifications deletes all notifications of a person.
func (s *Store) DeleteNotifications(ctx context.Context, uid string) error {
	_, err := s.exec(ctx, "delete notifications", qDeleteNotifications, uid)
	return err
}

// PurgeNotifications deletes up to limit notifications from before that time, oldest first,
// and returns how many it deleted.
func (s *Store) PurgeNotifications(ctx context.Context, before time.Time, limit int) (purged int, err error) {
	return s.exec(ctx, "purge notifications", qPurgeNotifications, timeParam(before), limit)
}
