package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
)

var accounts = kind[market.Account]{
	name: "accounts", singular: "account",
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

// AddAccount stores a new account. It returns ErrExists if another account, even a removed
// one, has its UID, email or Google subject.
func (s *Store) AddAccount(ctx context.Context, a market.Account, events []market.Event) error {
	return accounts.add(ctx, s, a, events)
}

// SaveAccount replaces the account with the UID of a. The version of a must be one above the
// stored version.
func (s *Store) SaveAccount(ctx context.Context, a market.Account, events []market.Event) error {
	return accounts.save(ctx, s, a, events)
}

// Account returns the account with a UID, even if it is removed.
func (s *Store) Account(ctx context.Context, uid string) (market.Account, error) {
	return accounts.get(ctx, s, uid)
}

// AccountByEmail returns the account with an email, even if it is removed. Emails are
// compared in their NormalEmail form.
func (s *Store) AccountByEmail(ctx context.Context, email string) (market.Account, error) {
	return accounts.findOne(ctx, s, bson.D{field("keys.mail", market.NormalEmail(email))}, nil)
}

// AccountByGoogle returns the account with a Google subject. It returns ErrNotFound for "".
func (s *Store) AccountByGoogle(ctx context.Context, sub string) (market.Account, error) {
	return accounts.findOne(ctx, s, bson.D{field("keys.google", sub)}, nil)
}

// OrphanedAccounts reads up to limit accounts in the order of their UIDs, starting after a
// UID. It returns the UIDs of those that are not removed, were created before that time, and
// have no user. last is the last UID that it read, or "" if there are no more.
func (s *Store) OrphanedAccounts(ctx context.Context, after string, before time.Time, limit int) (uids []string, last string, err error) {
	filter := bson.D{field("_id", bson.D{field("$gt", after)}), field("gone", absent)}
	page, err := accounts.collect(ctx, s, filter, bson.D{field("_id", 1)}, limit)
	if err != nil || len(page) == 0 {
		return nil, "", err
	}
	if len(page) == limit {
		last = page[limit-1].UID
	}
	pageUIDs := bson.A{}
	for _, a := range page {
		pageUIDs = append(pageUIDs, a.UID)
	}
	existing, err := users.collect(ctx, s, bson.D{field("keys.who", bson.D{field("$in", pageUIDs)})}, nil, 0)
	if err != nil {
		return nil, "", err
	}
	hasUser := map[string]bool{}
	for _, u := range existing {
		hasUser[u.UID] = true
	}
	for _, a := range page {
		if !hasUser[a.UID] && !a.Removed && !a.CreatedAt.IsZero() && a.CreatedAt.Before(before) {
			uids = append(uids, a.UID)
		}
	}
	return uids, last, nil
}

// PurgeAccount deletes an account permanently. If there is none, it returns no error and still
// stores the events.
func (s *Store) PurgeAccount(ctx context.Context, uid string, events []market.Event) error {
	if len(events) == 0 {
		return s.deleteAccount(ctx, uid)
	}
	return s.runOp(ctx, pendingOp{Account: uid}, events)
}

// deleteAccount deletes an account. If some of its events are not published yet, the document
// becomes a tombstone that keeps them.
func (s *Store) deleteAccount(ctx context.Context, uid string) error {
	if uid == "" {
		return nil
	}
	return s.retry(ctx, "purge account", func(ctx context.Context) error {
		collection := s.db.Collection(accounts.name)
		result, err := collection.DeleteOne(ctx, append(byID(uid), field("waits", absent)))
		if err != nil || result.DeletedCount > 0 {
			return err
		}
		_, err = collection.UpdateOne(ctx, append(byID(uid), field("gone", absent)), tombstone(s.clock.now()))
		return err
	})
}
