package market

import (
	"context"
	"errors"
	"time"
)

// Actor is the user who makes a call. It is read from the access token or the session
// cookie, never from a request body.
type Actor struct {
	User    User
	Session string    // the ID of the session of the token or the cookie
	Ends    time.Time // when that session ends, unless it is extended

	CredentialsVersion int64 // of that session
}

// Actor returns the user of a token. It returns CodeNoToken if the session or the account has
// ended, or the account has been entered in another way since the session began.
func (m *Market) Actor(ctx context.Context, uid, session string) (Actor, error) {
	s, err := m.store.Session(ctx, session)
	if errors.Is(err, ErrNotFound) || (err == nil && (s.UID != uid || !s.ExpiresAt.After(m.clock.Now()))) {
		return Actor{}, signInAgain()
	}
	if err != nil {
		return Actor{}, err
	}
	access, err := m.access(ctx, uid)
	if err == nil && !access.Allows(s) {
		err = signInAgain()
	}
	if err != nil {
		return Actor{}, err
	}
	who, err := m.actor(ctx, s, access)
	if CodeOf(err) == CodeNoUser { // who had a user when the token was issued
		err = signInAgain()
	}
	return who, err
}

// MayStay returns whether a socket of a session may stay: its token would be accepted again.
func (m *Market) MayStay(ctx context.Context, uid, session string) (bool, error) {
	_, err := m.Actor(ctx, uid, session)
	if code := CodeOf(err); code == CodeNoToken || code == CodeNeedsFactor {
		return false, nil
	}
	return err == nil, err
}

// actor returns the user of a valid session of an account with this access.
func (m *Market) actor(ctx context.Context, s Session, access AccountAccess) (Actor, error) {
	u, err := m.store.User(ctx, s.UID)
	switch {
	case errors.Is(err, ErrNotFound):
		return Actor{}, refuse(CodeNoUser, "Finish your sign-up first")
	case err != nil:
		return Actor{}, err
	case u.Removed:
		return Actor{}, signInAgain()
	}
	return Actor{User: u, Session: s.ID, Ends: s.ExpiresAt, CredentialsVersion: s.CredentialsVersion}, m.MayAct(u, access)
}

// MayAct returns CodeNeedsFactor for an admin without a second factor, if the rules require
// one.
func (m *Market) MayAct(u User, access AccountAccess) error {
	if m.rules.AdminFactor && u.Admin && !access.SecondFactor {
		return refuse(CodeNeedsFactor, "Admins need two-step login. Please set it up first")
	}
	return nil
}

// SessionActor returns the user of a valid session of an account. It returns CodeNoUser before
// POST /users, and CodeNoToken if the user was removed.
func (m *Market) SessionActor(ctx context.Context, s Session, a Account) (Actor, error) {
	return m.actor(ctx, s, a.Access())
}

func signInAgain() error { return refuse(CodeNoToken, "Please log in again") }

// Topic returns the broker's topic for a topic name in the protocol. ok is false if there
// is no such topic, or if this reader may not read it. A visitor has an empty uid.
func (m *Market) Topic(ctx context.Context, uid, name string) (topic string, ok bool, err error) {
	if name == TopicAdvertised {
		return name, true, nil
	}
	switch {
	case uid == "" && (name == "me" || name == TopicAdmin):
		return "", false, nil
	case name == "me":
		return TopicMe(uid), true, nil
	case name == TopicAdmin:
		u, err := m.store.User(ctx, uid)
		if errors.Is(err, ErrNotFound) {
			return "", false, nil
		}
		return u.AdminTopic(), err == nil && u.Admin && !u.Removed, err
	}
	brand, isBrand := BrandOfTopic(name)
	if !isBrand {
		return "", false, nil
	}
	_, err = m.store.Brand(ctx, brand)
	if errors.Is(err, ErrNotFound) {
		return "", false, nil
	}
	if uid == "" {
		return TopicBrandForVisitors(brand), err == nil, err
	}
	return name, err == nil, err
}

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
