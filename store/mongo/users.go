package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
)

// users is the collection of users. The keys "uid" and "mail" are unique, and removed users do
// not have them. The key "who" is the UID of every user, removed or not. The key "list" is set
// for the users that Users lists.
var users = kind[market.User]{
	name: "users", singular: "user",
	id:      func(u market.User) any { return u.ID },
	version: func(u market.User) int64 { return u.Version },
	keys: func(u market.User) bson.D {
		keys := bson.D{field("new", u.ID), field("who", u.UID), field("removed", u.Removed)}
		if !u.Removed {
			keys = append(keys, field("uid", u.UID), field("mail", market.NormalEmail(u.Email)))
		}
		if !u.Removed && !u.Admin {
			keys = append(keys, field("list", u.AccountType))
		}
		if !u.SweepUntil.IsZero() {
			keys = append(keys, field("sweep", u.SweepUntil))
		}
		return keys
	},
}

// AddUser stores a new user. It returns ErrExists if the ID exists, or if the new user is not
// removed and another user who is not removed has the same UID or email.
func (s *Store) AddUser(ctx context.Context, u market.User, events []market.Event) error {
	return users.add(ctx, s, u, events)
}

// SaveUser replaces the user with the ID of u. The version of u must be one above the stored
// version.
func (s *Store) SaveUser(ctx context.Context, u market.User, events []market.Event) error {
	return users.save(ctx, s, u, events)
}

// User returns the user with a UID: the one who is not removed if there is one, otherwise the
// newest removed one.
func (s *Store) User(ctx context.Context, uid string) (market.User, error) {
	return users.findOne(ctx, s, bson.D{field("keys.who", uid)}, bson.D{field("keys.removed", 1), field("keys.new", -1)})
}

// UserByID returns the user with an ID, even if the user is removed.
func (s *Store) UserByID(ctx context.Context, id string) (market.User, error) {
	return users.get(ctx, s, id)
}

// UserByEmail returns the user with an email who is not removed.
func (s *Store) UserByEmail(ctx context.Context, email string) (market.User, error) {
	return users.findOne(ctx, s, bson.D{field("keys.mail", market.NormalEmail(email))}, nil)
}

// Users returns a page of the users of one account type who are neither admins nor removed,
// newest first, and the number of all.
func (s *Store) Users(ctx context.Context, accountType string, page market.Page) (market.List[market.User], error) {
	return users.list(ctx, s, bson.D{field("keys.list", accountType)}, page)
}

// Admins returns up to limit admins who are not removed, in any order.
func (s *Store) Admins(ctx context.Context, limit int) ([]market.User, error) {
	return users.collect(ctx, s, bson.D{field("entity.admin", true), field("keys.removed", false)}, nil, limit)
}

// UsersToSweep returns up to limit users whose SweepUntil is set, earliest first.
func (s *Store) UsersToSweep(ctx context.Context, limit int) ([]market.User, error) {
	return users.collect(ctx, s, bson.D{field("keys.sweep", bson.D{field("$gt", time.Time{})})},
		bson.D{field("keys.sweep", 1), field("keys.new", 1)}, limit)
}

// PurgeUser deletes a removed user, except for events that are not published yet. It does
// nothing, and returns no error, if the user is not removed or does not exist.
func (s *Store) PurgeUser(ctx context.Context, uid string) error {
	filter := bson.D{field("keys.who", uid), field("keys.removed", true)}
	return s.retry(ctx, "purge user", func(ctx context.Context) error {
		_, err := s.db.Collection(users.name).UpdateMany(ctx, filter, tombstone(s.clock.now()))
		return err
	})
}
