package store

import (
	"context"
	"errors"
	"math"
	"time"

	"secondring/market"
)

// AddUser stores a new user.
func (s *Store) AddUser(ctx context.Context, u market.User, effects []market.Effect) error {
	return users.add(ctx, s, u, effects)
}

// SaveUser replaces a user.
func (s *Store) SaveUser(ctx context.Context, u market.User, effects []market.Effect) error {
	return users.save(ctx, s, u, effects)
}

// User returns the user with a UID: the one who is not removed, otherwise the newest.
func (s *Store) User(ctx context.Context, uid string) (market.User, error) {
	u, err := users.newest(ctx, s, Keys{"uid": uid})
	if errors.Is(err, market.ErrNotFound) {
		return users.newest(ctx, s, Keys{"who": uid})
	}
	return u, err
}

// UserByID returns the user with an ID, a removed one too.
func (s *Store) UserByID(ctx context.Context, id string) (market.User, error) {
	return users.get(ctx, s, id)
}

// UserByEmail returns the user with an email address who is not removed.
func (s *Store) UserByEmail(ctx context.Context, email string) (market.User, error) {
	return users.newest(ctx, s, Keys{"email": market.NormalEmail(email)})
}

// UsersByUID returns the users with these UIDs who are not removed, in any order.
func (s *Store) UsersByUID(ctx context.Context, uids []string) ([]market.User, error) {
	return users.all(ctx, s, Keys{"uid": uids})
}

// Users lists the users of an account type who are neither admins nor removed.
func (s *Store) Users(ctx context.Context, accountType string, page market.Page) (market.List[market.User], error) {
	return users.list(ctx, s, Keys{"type": accountType}, page, CountAll)
}

// Admins returns up to limit admins who are not removed.
func (s *Store) Admins(ctx context.Context, limit int) ([]market.User, error) {
	return users.page(ctx, s, Keys{"admin": "yes"}, market.Page{Limit: limit})
}

// UsersToSweep returns up to limit users whose SweepUntil is set.
func (s *Store) UsersToSweep(ctx context.Context, limit int) ([]market.User, error) {
	return users.until(ctx, s, "sweep", time.UnixMilli(math.MaxInt32*1000), limit)
}

// PurgeUser removes a removed user permanently.
func (s *Store) PurgeUser(ctx context.Context, uid string) error {
	all, err := users.all(ctx, s, Keys{"who": uid})
	if err != nil {
		return err
	}
	for _, u := range all {
		if u.Removed {
			if err := users.drop(ctx, s, u, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// AddAccount stores a new account.
func (s *Store) AddAccount(ctx context.Context, a market.Account, effects []market.Effect) error {
	return accounts.add(ctx, s, a, effects)
}

// SaveAccount replaces an account.
func (s *Store) SaveAccount(ctx context.Context, a market.Account, effects []market.Effect) error {
	return accounts.save(ctx, s, a, effects)
}

// Account returns the account with a UID, a removed one too.
func (s *Store) Account(ctx context.Context, uid string) (market.Account, error) {
	return accounts.get(ctx, s, uid)
}

// AccountByEmail returns the account with an email address, a removed one too.
func (s *Store) AccountByEmail(ctx context.Context, email string) (market.Account, error) {
	return accounts.newest(ctx, s, Keys{"email": market.NormalEmail(email)})
}

// AccountByGoogle returns the account with a Google subject. It returns ErrNotFound for "".
func (s *Store) AccountByGoogle(ctx context.Context, sub string) (market.Account, error) {
	return accounts.newest(ctx, s, Keys{"google": sub})
}

// PurgeAccount removes an account permanently. It stores the events even if there is none.
func (s *Store) PurgeAccount(ctx context.Context, uid string, effects []market.Effect) error {
	return accounts.drop(ctx, s, market.Account{UID: uid}, effects)
}

// OrphanedAccounts reads up to limit accounts after a UID, and returns those without a user that
// were made before that time. last is the last UID that it read; "" at the end.
func (s *Store) OrphanedAccounts(ctx context.Context, after string, before time.Time, limit int) (uids []string, last string, err error) {
	page, err := accounts.find(ctx, s, Find{After: after, Ascending: true, Limit: limit})
	if err != nil || len(page) == 0 {
		return nil, "", err
	}
	if len(page) == limit {
		last = page[limit-1].UID
	}
	var all []string
	for _, a := range page {
		all = append(all, a.UID)
	}
	existing, err := users.all(ctx, s, Keys{"who": all})
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

// AddSession stores a new session.
func (s *Store) AddSession(ctx context.Context, session market.Session) error {
	return sessions.add(ctx, s, session, nil)
}

// Session returns the session with an ID.
func (s *Store) Session(ctx context.Context, id string) (market.Session, error) {
	return sessions.get(ctx, s, id)
}

// SessionsOf returns a person's sessions that have not ended.
func (s *Store) SessionsOf(ctx context.Context, uid string) ([]market.Session, error) {
	return sessions.all(ctx, s, Keys{"uid": uid})
}

// ExtendSession sets SeenAt and ExpiresAt of a session. It returns ErrNotFound if it has ended.
func (s *Store) ExtendSession(ctx context.Context, id string, seen, until time.Time) error {
	return sessions.change(ctx, s, id, func(v *market.Session) bool {
		v.SeenAt, v.ExpiresAt = seen, until
		return true
	})
}

// EndSession ends a session. It stores the events even if it has ended, because its access tokens
// may still be valid.
func (s *Store) EndSession(ctx context.Context, id string, effects []market.Effect) error {
	return sessions.drop(ctx, s, market.Session{ID: id}, effects)
}

// EndSessions ends all sessions of a person, and then stores the events, which it does even if
// there was no session.
func (s *Store) EndSessions(ctx context.Context, uid string, effects []market.Effect) error {
	all, err := s.SessionsOf(ctx, uid)
	if err != nil {
		return err
	}
	err = atOnce(ctx, all, func(ctx context.Context, v market.Session) error {
		return sessions.drop(ctx, s, v, nil)
	})
	if err != nil || len(effects) == 0 {
		return err
	}
	return sessions.drop(ctx, s, market.Session{ID: "all of " + uid, UID: uid}, effects)
}

// PurgeSessions removes up to limit sessions that expired before that time.
func (s *Store) PurgeSessions(ctx context.Context, before time.Time, limit int) (int, error) {
	return sessions.purge(ctx, s, before, limit)
}
