package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
)

// users: a removed one has neither uid nor mail, which are unique; "who" finds
// all of a UID, and "list" is there for those that admins list.
var users = kind[market.User]{
	name: "users", what: "user",
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

// AddUser stores a new user; ErrExists where the ID, or for one not removed the
// UID or the email, is taken.
func (s *Store) AddUser(ctx context.Context, u market.User, events []market.Event) error {
	return users.add(ctx, s, u, events)
}

// SaveUser replaces the user of that ID, with its version raised by one.
func (s *Store) SaveUser(ctx context.Context, u market.User, events []market.Event) error {
	return users.save(ctx, s, u, events)
}

// User finds by UID: the one not removed if there is one, else the newest
// removed one.
func (s *Store) User(ctx context.Context, uid string) (market.User, error) {
	return users.find(ctx, s, bson.D{field("keys.who", uid)}, bson.D{field("keys.removed", 1), field("keys.new", -1)})
}

// UserByID finds by ID, removed ones too.
func (s *Store) UserByID(ctx context.Context, id string) (market.User, error) {
	return users.get(ctx, s, id)
}

// UserByEmail finds one not removed.
func (s *Store) UserByEmail(ctx context.Context, email string) (market.User, error) {
	return users.find(ctx, s, bson.D{field("keys.mail", market.NormalEmail(email))}, nil)
}

// Users lists those of one account type who are neither admins nor removed.
func (s *Store) Users(ctx context.Context, accountType string, page market.Page) (market.List[market.User], error) {
	return users.list(ctx, s, bson.D{field("keys.list", accountType)}, page)
}

// Admins returns up to limit admins who are not removed.
func (s *Store) Admins(ctx context.Context, limit int) ([]market.User, error) {
	return users.collect(ctx, s, bson.D{field("entity.admin", true), field("keys.removed", false)}, nil, limit)
}

// UsersToSweep returns users whose SweepUntil is set, earliest first.
func (s *Store) UsersToSweep(ctx context.Context, limit int) ([]market.User, error) {
	return users.collect(ctx, s, bson.D{field("keys.sweep", bson.D{field("$gt", time.Time{})})},
		bson.D{field("keys.sweep", 1), field("keys.new", 1)}, limit)
}

// PurgeUser deletes a removed user completely, except for waiting events. A user who is not
// removed stays. It is no error if there is none.
func (s *Store) PurgeUser(ctx context.Context, uid string) error {
	filter := bson.D{field("keys.who", uid), field("keys.removed", true)}
	return s.retry(ctx, "purge user", func(ctx context.Context) error {
		_, err := s.db.Collection(users.name).UpdateMany(ctx, filter, tombstone(s.clock.now()))
		return err
	})
}
