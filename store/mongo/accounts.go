package mongo

import (
	"context"

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

// AddAccount stores a new account; ErrExists where UID, e-mail or Google
// subject is taken, by a removed account too.
func (s *Store) AddAccount(ctx context.Context, a market.Account) error {
	return accounts.add(ctx, s, a, nil)
}

// SaveAccount replaces the account of that UID, one version on.
func (s *Store) SaveAccount(ctx context.Context, a market.Account) error {
	return accounts.save(ctx, s, a, nil)
}

// Account finds by UID, removed ones too.
func (s *Store) Account(ctx context.Context, uid string) (market.Account, error) {
	return accounts.get(ctx, s, uid)
}

// AccountByEmail finds by e-mail in its NormalEmail form, removed ones too.
func (s *Store) AccountByEmail(ctx context.Context, email string) (market.Account, error) {
	return accounts.find(ctx, s, bson.D{field("keys.mail", market.NormalEmail(email))}, nil)
}

// AccountByGoogle finds by Google's subject; "" is nobody's.
func (s *Store) AccountByGoogle(ctx context.Context, sub string) (market.Account, error) {
	return accounts.find(ctx, s, bson.D{field("keys.google", sub)}, nil)
}

// PurgeAccount forgets an account for good. No error if there is none.
func (s *Store) PurgeAccount(ctx context.Context, uid string) error {
	return s.try(ctx, "purge account", func(ctx context.Context) error {
		_, err := s.db.Collection(accounts.name).DeleteOne(ctx, byID(uid))
		return err
	})
}
