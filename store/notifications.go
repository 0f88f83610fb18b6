package store

import (
	"context"
	"time"

	"secondring/market"
)

// AddNotification stores a notification in a write of its own. It returns ErrExists if the ID
// exists, or the person has a notification with the same Cause.
func (s *Store) AddNotification(ctx context.Context, n market.Notification, effects []market.Effect) error {
	w, err := notifications.write(Add, n, n.Version, effects)
	if err := s.write(ctx, "add notification", w, err); err != nil {
		return err
	}
	return s.trim(ctx, n.UID)
}

// trimNotifications deletes the surplus notifications of the people who got one with a write.
func (s *Store) trimNotifications(ctx context.Context, follow []Write) error {
	for _, w := range follow {
		if w.Kind != &notifications.Info {
			continue
		}
		if err := s.trim(ctx, w.Keys["uid"].(string)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) trim(ctx context.Context, uid string) error {
	of := Keys{"uid": uid}
	found, err := s.engine.Find(ctx, &notifications.Info, Find{Where: of, CountTo: market.MaxNotifications + 1})
	if err != nil || found.Total <= market.MaxNotifications {
		return err
	}
	all, err := notifications.all(ctx, s, of)
	if err != nil {
		return err
	}
	return atOnce(ctx, market.SurplusNotifications(all), func(ctx context.Context, id string) error {
		return notifications.drop(ctx, s, market.Notification{ID: id}, nil)
	})
}

// SaveNotification replaces a notification.
func (s *Store) SaveNotification(ctx context.Context, n market.Notification, effects []market.Effect) error {
	return notifications.save(ctx, s, n, effects)
}

// Notification returns the notification with an ID.
func (s *Store) Notification(ctx context.Context, id string) (market.Notification, error) {
	return notifications.get(ctx, s, id)
}

// NotificationOfCause returns a person's notification with a cause.
func (s *Store) NotificationOfCause(ctx context.Context, uid, cause string) (market.Notification, error) {
	return notifications.newest(ctx, s, Keys{"uid": uid, "cause": cause})
}

// NotificationsOf lists a person's notifications.
func (s *Store) NotificationsOf(ctx context.Context, uid string, page market.Page) (market.List[market.Notification], error) {
	return notifications.list(ctx, s, Keys{"uid": uid}, page, CountAll)
}

// UnreadNotifications returns up to limit of a person's unread notifications, the newest first.
func (s *Store) UnreadNotifications(ctx context.Context, uid string, limit int) ([]market.Notification, error) {
	return notifications.page(ctx, s, Keys{"unread": uid}, market.Page{Limit: limit})
}

// NotificationsToEmail returns up to limit notifications whose EmailDue is not after now.
func (s *Store) NotificationsToEmail(ctx context.Context, now time.Time, limit int) ([]market.Notification, error) {
	return notifications.until(ctx, s, "notification", now, limit)
}

// SetNotificationEmails sets Email and EmailDue of those notifications whose Email is still before
// and whose EmailDue is set.
func (s *Store) SetNotificationEmails(ctx context.Context, ids []string, before, email market.EmailWhen, due time.Time) error {
	return atOnce(ctx, ids, func(ctx context.Context, id string) error {
		return ignoreNotFound(notifications.change(ctx, s, id, func(n *market.Notification) bool {
			if n.Email != before || n.EmailDue.IsZero() {
				return false
			}
			n.Email, n.EmailDue = email, due
			return true
		}))
	})
}

// DeleteNotifications deletes all notifications of a person.
func (s *Store) DeleteNotifications(ctx context.Context, uid string) error {
	all, err := notifications.all(ctx, s, Keys{"uid": uid})
	if err != nil {
		return err
	}
	return atOnce(ctx, all, func(ctx context.Context, n market.Notification) error {
		return notifications.drop(ctx, s, n, nil)
	})
}

// PurgeNotifications deletes up to limit notifications from before that time.
func (s *Store) PurgeNotifications(ctx context.Context, before time.Time, limit int) (int, error) {
	return notifications.purge(ctx, s, before, limit)
}
