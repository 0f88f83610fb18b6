package store

import (
	"context"
	"errors"
	"maps"
	"slices"
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

// trimNotifications deletes the surplus notifications of the people who got one with a write, and tells
// their screens.
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
	all, err := s.withReads(ctx)(notifications.all(ctx, s, of))
	if err != nil {
		return err
	}
	return atOnce(ctx, market.SurplusNotifications(all), func(ctx context.Context, n market.Notification) error {
		return notifications.drop(ctx, s, n, []market.Effect{n.RemovedEvent(all[0].At)})
	})
}

// SaveNotification replaces a notification.
func (s *Store) SaveNotification(ctx context.Context, n market.Notification, effects []market.Effect) error {
	return notifications.save(ctx, s, n, effects)
}

// withReads returns a function that sets ReadAt of notifications that were read from the engine.
func (s *Store) withReads(ctx context.Context) func([]market.Notification, error) ([]market.Notification, error) {
	return func(all []market.Notification, err error) ([]market.Notification, error) {
		if err != nil {
			return nil, err
		}
		people := map[string]market.Reads{}
		for _, n := range all {
			people[n.UID] = market.Reads{}
		}
		stored, err := reads.several(ctx, s, slices.Collect(maps.Keys(people))...)
		for _, r := range stored {
			people[r.UID] = r
		}
		for i := range all {
			people[all[i].UID].Set(&all[i])
		}
		return all, err
	}
}

// Notification returns the notification with an ID.
func (s *Store) Notification(ctx context.Context, id string) (market.Notification, error) {
	return notifications.only(s.withReads(ctx)(notifications.several(ctx, s, id)))
}

// NotificationOfCause returns a person's notification with a cause.
func (s *Store) NotificationOfCause(ctx context.Context, uid, cause string) (market.Notification, error) {
	return notifications.only(s.withReads(ctx)(notifications.find(ctx, s, Find{Where: Keys{"uid": uid, "cause": cause}, Limit: 1})))
}

// NotificationsOf lists a person's notifications.
func (s *Store) NotificationsOf(ctx context.Context, uid string, page market.Page) (market.List[market.Notification], error) {
	list, err := notifications.list(ctx, s, Keys{"uid": uid}, page, CountAll)
	list.Items, err = s.withReads(ctx)(list.Items, err)
	return list, err
}

// Reads returns which notifications a person has read.
func (s *Store) Reads(ctx context.Context, uid string) (market.Reads, error) {
	r, err := reads.get(ctx, s, uid)
	return r, ignoreNotFound(err)
}

// SaveReads replaces which notifications a person has read. Its Version is 1 if nothing is stored.
func (s *Store) SaveReads(ctx context.Context, r market.Reads, effects []market.Effect) error {
	if r.Version == 1 {
		return reads.add(ctx, s, r, effects)
	}
	return reads.save(ctx, s, r, effects)
}

// UnreadNotifications returns up to limit of a person's unread notifications, the newest first.
func (s *Store) UnreadNotifications(ctx context.Context, uid string, limit int) ([]market.Notification, error) {
	all, err := s.withReads(ctx)(notifications.all(ctx, s, Keys{"uid": uid}))
	unread := slices.DeleteFunc(all, func(n market.Notification) bool { return !n.ReadAt.IsZero() })
	return unread[:min(limit, len(unread))], err
}

// NotificationsToEmail returns up to limit notifications whose EmailDue is not after now.
func (s *Store) NotificationsToEmail(ctx context.Context, now time.Time, limit int) ([]market.Notification, error) {
	return s.withReads(ctx)(notifications.until(ctx, s, "notification", now, limit))
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

// DeleteNotifications deletes all notifications of a person, and which of them were read.
func (s *Store) DeleteNotifications(ctx context.Context, uid string) error {
	all, err := notifications.all(ctx, s, Keys{"uid": uid})
	if err != nil {
		return err
	}
	err = atOnce(ctx, all, func(ctx context.Context, n market.Notification) error {
		return notifications.drop(ctx, s, n, nil)
	})
	return errors.Join(err, reads.drop(ctx, s, market.Reads{UID: uid}, nil))
}

// PurgeNotifications deletes up to limit notifications from before that time.
func (s *Store) PurgeNotifications(ctx context.Context, before time.Time, limit int) (int, error) {
	return notifications.purge(ctx, s, before, limit)
}
