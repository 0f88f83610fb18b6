package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
)

var accounts = kind[market.Account]{
	name: "accounts", what: "account",
	id:      func(a market.Account) any { return a.UID },
	version: func(a market.Account) int64 { return a.Version },
	keys: func(a market.Account) bson.D {
		keys := bson.D{field("mail", market.NormalEmail(a.Email))}
		if a.GoogleSub != "" {
			keys = append(keys, field("google", a.GoogleSub))
		}
		return keys
	},
}

// AddAccount stores a new account; ErrExists where UID, email or Google
// subject is taken, by a removed account too.
func (s *Store) AddAccount(ctx context.Context, a market.Account, events []market.Event) error {
	return accounts.add(ctx, s, a, events)
}

// SaveAccount replaces the account of that UID, with its version raised by one.
func (s *Store) SaveAccount(ctx context.Context, a market.Account, events []market.Event) error {
	return accounts.save(ctx, s, a, events)
}

// Account finds by UID, removed ones too.
func (s *Store) Account(ctx context.Context, uid string) (market.Account, error) {
	return accounts.get(ctx, s, uid)
}

// AccountByEmail finds by email in its NormalEmail form, removed ones too.
func (s *Store) AccountByEmail(ctx context.Context, email string) (market.Account, error) {
	return accounts.find(ctx, s, bson.D{field("keys.mail", market.NormalEmail(email))}, nil)
}

// AccountByGoogle finds an account by Google's subject; "" belongs to no account.
func (s *Store) AccountByGoogle(ctx context.Context, sub string) (market.Account, error) {
	return accounts.find(ctx, s, bson.D{field("keys.google", sub)}, nil)
}

// OrphanedAccounts looks at up to limit accounts after one, by UID, and returns
// those that were made before then and have no user, and the last; "" where that
// was the last of all.
func (s *Store) OrphanedAccounts(ctx context.Context, after string, before time.Time, limit int) (uids []string, last string, err error) {
	from := bson.D{field("_id", bson.D{field("$gt", after)}), field("gone", absent)}
	all, err := accounts.collect(ctx, s, from, bson.D{field("_id", 1)}, limit)
	if err != nil || len(all) == 0 {
		return nil, "", err
	}
	if len(all) == limit {
		last = all[limit-1].UID
	}
	asked := bson.A{}
	for _, a := range all {
		asked = append(asked, a.UID)
	}
	known, err := users.collect(ctx, s, bson.D{field("keys.who", bson.D{field("$in", asked)})}, nil, 0)
	if err != nil {
		return nil, "", err
	}
	has := map[string]bool{}
	for _, u := range known {
		has[u.UID] = true
	}
	for _, a := range all {
		if !has[a.UID] && !a.Removed && !a.CreatedAt.IsZero() && a.CreatedAt.Before(before) {
			uids = append(uids, a.UID)
		}
	}
	return uids, last, nil
}

// PurgeAccount deletes an account completely. It is no error if there is none; the events
// are stored in any case.
func (s *Store) PurgeAccount(ctx context.Context, uid string, events []market.Event) error {
	if len(events) == 0 {
		return s.deleteAccount(ctx, uid)
	}
	return s.runOp(ctx, pendingOp{Account: uid}, events)
}

// deleteAccount leaves of an account only the events that wait.
func (s *Store) deleteAccount(ctx context.Context, uid string) error {
	if uid == "" {
		return nil
	}
	return s.retry(ctx, "purge account", func(ctx context.Context) error {
		all := s.db.Collection(accounts.name)
		done, err := all.DeleteOne(ctx, append(byID(uid), field("waits", absent)))
		if err != nil || done.DeletedCount > 0 {
			return err
		}
		_, err = all.UpdateOne(ctx, append(byID(uid), field("gone", absent)), tombstone(s.clock.now()))
		return err
	})
}
