package market

import (
	"context"
	"errors"
)

// AccountAccess is the part of an account that decides whether its sessions, and so its access
// tokens, are valid.
type AccountAccess struct {
	CredentialsVersion int64
	KeptSession        string
	Removed            bool
	SecondFactor       bool // the sign-in requires a code
}

// Access returns what decides whether sessions of the account are valid.
func (a Account) Access() AccountAccess {
	return AccountAccess{
		CredentialsVersion: a.CredentialsVersion, KeptSession: a.KeptSession, Removed: a.Removed, SecondFactor: a.HasSecondFactor(),
	}
}

// Allows returns whether a session of the account is valid, if it has not ended or expired.
func (a AccountAccess) Allows(s Session) bool {
	return !a.Removed && (s.CredentialsVersion == a.CredentialsVersion || s.ID == a.KeptSession)
}

// AccessCache returns the access of an account from memory, or else from read.
type AccessCache func(ctx context.Context, uid string, read func(context.Context) (AccountAccess, error)) (AccountAccess, error)

// UseAccessCache makes the check of each token use a cache. The cache must forget a person when
// an event on TopicControl names them. Call it before the first call. Without it, each check
// reads the account.
func (m *Market) UseAccessCache(c AccessCache) { m.accessCache = c }

// access returns the access of an account. An account that does not exist counts as removed.
func (m *Market) access(ctx context.Context, uid string) (AccountAccess, error) {
	read := func(ctx context.Context) (AccountAccess, error) {
		a, err := m.store.Account(ctx, uid)
		if errors.Is(err, ErrNotFound) {
			return AccountAccess{Removed: true}, nil
		}
		return a.Access(), err
	}
	if m.accessCache == nil {
		return read(ctx)
	}
	return m.accessCache(ctx, uid, read)
}
