package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
)

var notifications = kind[market.Notification]{
	name: "notifications", what: "notification",
	id:      func(n market.Notification) any { return n.ID },
	version: func(n market.Notification) int64 { return n.Version },
	keys: func(n market.Notification) bson.D {
		keys := bson.D{
			field("new", n.ID), field("uid", n.UID), field("cause", n.Cause), field("expires", n.At.Add(market.NotificationKept)),
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

// AddNotification stores a notification by itself.
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

// trimNotifications deletes those of a person that are too many. Their events are still
// published.
func (s *Store) trimNotifications(ctx context.Context, uid string) error {
	how := options.Find().SetProjection(bson.D{field("_id", 1)}).SetSort(bson.D{field("keys.new", -1)}).
		SetSkip(market.NotificationsKept).SetLimit(1)
	return s.retry(ctx, "trim notifications", func(ctx context.Context) error {
		all := s.db.Collection(notifications.name)
		cursor, err := all.Find(ctx, bson.D{field("keys.uid", uid)}, how)
		if err != nil {
			return err
		}
		var found []struct {
			ID string `bson:"_id"`
		}
		if err := cursor.All(ctx, &found); err != nil || len(found) == 0 {
			return err
		}
		_, err = all.UpdateMany(ctx, bson.D{field("keys.uid", uid), field("keys.new", bson.D{field("$lte", found[0].ID)})}, tombstone(s.clock.now()))
		return err
	})
}

// SaveNotification replaces the notification of that ID, with its version raised by one.
func (s *Store) SaveNotification(ctx context.Context, n market.Notification, events []market.Event) error {
	return notifications.save(ctx, s, n, events)
}

// Notification finds by ID.
func (s *Store) Notification(ctx context.Context, id string) (market.Notification, error) {
	return notifications.get(ctx, s, id)
}

// NotificationsOf lists a person's notifications.
func (s *Store) NotificationsOf(ctx context.Context, uid string, page market.Page) (market.List[market.Notification], error) {
	return notifications.list(ctx, s, bson.D{field("keys.uid", uid)}, page)
}

// UnreadNotifications returns a person's unread notifications, newest first.
func (s *Store) UnreadNotifications(ctx context.Context, uid string, limit int) ([]market.Notification, error) {
	return notifications.collect(ctx, s, bson.D{field("keys.unread", uid)}, newest, limit)
}

// NotificationsToEmail returns those whose EmailDue is set and not after now, oldest first.
func (s *Store) NotificationsToEmail(ctx context.Context, now time.Time, limit int) ([]market.Notification, error) {
	due := bson.D{field("keys.emailDue", set("$lte", now))}
	return notifications.collect(ctx, s, due, bson.D{field("keys.emailDue", 1), field("keys.new", 1)}, limit)
}

// SetNotificationEmails sets Email and EmailDue of those whose Email is still the one before
// and whose EmailDue is set.
func (s *Store) SetNotificationEmails(ctx context.Context, ids []string, before, email market.EmailWhen, due time.Time) error {
	was := bson.A{before}
	if before == "" { // an empty field may be left out
		was = bson.A{"", nil}
	}
	filter := bson.D{
		field("_id", bson.D{field("$in", ids)}), field("entity.email", bson.D{field("$in", was)}),
		field("keys.emailDue", bson.D{field("$exists", true)}),
	}
	change := bson.D{
		field("$set", bson.D{field("entity.email", email)}),
		field("$unset", bson.D{field("keys.emailDue", ""), field("entity.emaildue", "")}),
	}
	if !due.IsZero() {
		change = bson.D{field("$set", bson.D{
			field("entity.email", email), field("keys.emailDue", due), field("entity.emaildue", due),
		})}
	}
	return s.retry(ctx, "set emails of notifications", func(ctx context.Context) error {
		_, err := s.db.Collection(notifications.name).UpdateMany(ctx, filter, change)
		return err
	})
}

// ForgetNotifications deletes all of a person.
func (s *Store) ForgetNotifications(ctx context.Context, uid string) error {
	return s.retry(ctx, "forget notifications", func(ctx context.Context) error {
		_, err := s.db.Collection(notifications.name).UpdateMany(ctx, bson.D{field("keys.uid", uid)}, tombstone(s.clock.now()))
		return err
	})
}

// PurgeNotifications deletes up to limit from before then, and returns how many.
func (s *Store) PurgeNotifications(ctx context.Context, before time.Time, limit int) (int, error) {
	return s.purge(ctx, notifications.name, set("$lt", before.Add(market.NotificationKept)), limit)
}
