package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
)

var notifications = kind[market.Notification]{
	name: "notifications", singular: "notification",
	id:      func(n market.Notification) any { return n.ID },
	version: func(n market.Notification) int64 { return n.Version },
	keys: func(n market.Notification) bson.D {
		keys := bson.D{
			field("new", n.ID), field("uid", n.UID), field("cause", n.Cause), field("expires", n.At.Add(market.NotificationRetention)),
		}
		if n.ReadAt.IsZero() {
			keys = append(keys, field("unread", n.UID))
		}
		if !n.EmailDue.IsZero() {
			keys = append(keys, field("emailDue", n.EmailDue))
		}
		return keys
	},
}

// AddNotification stores a notification in a write of its own. It returns ErrExists if the ID
// exists, or the person has a notification with the same Cause.
func (s *Store) AddNotification(ctx context.Context, n market.Notification, events []market.Event) error {
	if err := notifications.add(ctx, s, n, events); err != nil {
		return err
	}
	return s.trimNotifications(ctx, n.UID)
}

// addCarriedNotifications copies the notifications that stored events carry into their
// collection, each once.
func (s *Store) addCarriedNotifications(ctx context.Context, events []market.Event) error {
	all, err := market.NotificationsIn(events)
	for _, n := range all {
		added, err := addOnce(ctx, s, notifications, n)
		if err == nil && added {
			err = s.trimNotifications(ctx, n.UID)
		}
		if err != nil {
			return err
		}
	}
	return err
}

// trimNotifications deletes the surplus notifications of a person. Their events are still
// published.
func (s *Store) trimNotifications(ctx context.Context, uid string) error {
	ofPerson := bson.D{field("keys.uid", uid)}
	if n, err := notifications.count(ctx, s, ofPerson, market.MaxNotifications+1); err != nil || n <= market.MaxNotifications {
		return err
	}
	all, err := notifications.collect(ctx, s, ofPerson, newestFirst, 0)
	if err != nil {
		return err
	}
	ids := market.SurplusNotifications(all)
	if len(ids) == 0 {
		return nil
	}
	surplus := bson.D{field("_id", bson.D{field("$in", ids)}), field("keys.uid", uid)}
	return s.retry(ctx, "trim notifications", func(ctx context.Context) error {
		_, err := s.db.Collection(notifications.name).UpdateMany(ctx, surplus, tombstone(s.clock.now()))
		return err
	})
}

// SaveNotification replaces the notification with the ID of n. The version of n must be one
// above the stored version.
func (s *Store) SaveNotification(ctx context.Context, n market.Notification, events []market.Event) error {
	return notifications.save(ctx, s, n, events)
}

// Notification returns the notification with an ID.
func (s *Store) Notification(ctx context.Context, id string) (market.Notification, error) {
	return notifications.get(ctx, s, id)
}

// NotificationOfCause returns a person's notification with a Cause.
func (s *Store) NotificationOfCause(ctx context.Context, uid, cause string) (market.Notification, error) {
	return notifications.findOne(ctx, s, bson.D{field("keys.uid", uid), field("keys.cause", cause)}, nil)
}

// NotificationsOf returns a page of a person's notifications, newest first, and the number of
// all.
func (s *Store) NotificationsOf(ctx context.Context, uid string, page market.Page) (market.List[market.Notification], error) {
	return notifications.list(ctx, s, bson.D{field("keys.uid", uid)}, page)
}

// UnreadNotifications returns up to limit of a person's unread notifications, newest first.
func (s *Store) UnreadNotifications(ctx context.Context, uid string, limit int) ([]market.Notification, error) {
	return notifications.collect(ctx, s, bson.D{field("keys.unread", uid)}, newestFirst, limit)
}

// NotificationsToEmail returns up to limit notifications whose EmailDue is set and not after
// now, oldest first.
func (s *Store) NotificationsToEmail(ctx context.Context, now time.Time, limit int) ([]market.Notification, error) {
	due := bson.D{field("keys.emailDue", timeRange("$lte", now))}
	return notifications.collect(ctx, s, due, bson.D{field("keys.emailDue", 1), field("keys.new", 1)}, limit)
}

// SetNotificationEmails sets Email and EmailDue of those notifications whose Email still equals
// before and whose EmailDue is set.
func (s *Store) SetNotificationEmails(ctx context.Context, ids []string, before, email market.EmailWhen, due time.Time) error {
	current := bson.A{before}
	if before == "" { // an empty field may be missing
		current = bson.A{"", nil}
	}
	filter := bson.D{
		field("_id", bson.D{field("$in", ids)}), field("entity.email", bson.D{field("$in", current)}),
		field("keys.emailDue", bson.D{field("$exists", true)}),
	}
	update := bson.D{
		field("$set", bson.D{field("entity.email", email)}),
		field("$unset", bson.D{field("keys.emailDue", ""), field("entity.emaildue", "")}),
	}
	if !due.IsZero() {
		update = bson.D{field("$set", bson.D{
			field("entity.email", email), field("keys.emailDue", due), field("entity.emaildue", due),
		})}
	}
	return s.retry(ctx, "set emails of notifications", func(ctx context.Context) error {
		_, err := s.db.Collection(notifications.name).UpdateMany(ctx, filter, update)
		return err
	})
}

// DeleteNotifications deletes all notifications of a person.
func (s *Store) DeleteNotifications(ctx context.Context, uid string) error {
	return s.retry(ctx, "delete notifications", func(ctx context.Context) error {
		_, err := s.db.Collection(notifications.name).UpdateMany(ctx, bson.D{field("keys.uid", uid)}, tombstone(s.clock.now()))
		return err
	})
}

// PurgeNotifications deletes up to limit notifications from before that time, oldest first, and
// returns how many it deleted.
func (s *Store) PurgeNotifications(ctx context.Context, before time.Time, limit int) (int, error) {
	return s.purge(ctx, notifications.name, timeRange("$lt", before.Add(market.NotificationRetention)), limit)
}
