package identity_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"secondring/api/identity"
	"secondring/market"
)

// An account that only Google signs in is used in an old session, as by a person who finds an open
// browser. No call that changes how it is entered is allowed.
func TestOldSessionCannotChangeHowAccountIsEntered(t *testing.T) {
	google, useServer := startGoogle(t)
	e := newEmailEnv(t, useServer)
	google.QueueUser(grace)
	b := e.browser()
	b.signInWithGoogle("/").wantRedirect("/")
	before := e.account(grace.Email)
	e.clock.Pass(11 * time.Minute)
	for call, body := range map[string]fields{
		"POST /identity/password":            {"current": "", "new": "thief password"},
		"POST /identity/email":               {"email": attackerEmail},
		"POST /identity/second-factor/start": {},
		"POST /identity/second-factor/stop":  {},
		"POST /identity/leave":               {"confirm": grace.Email},
		"DELETE /identity/google":            {"password": ""},
	} {
		t.Run(call, func(t *testing.T) {
			method, path, _ := strings.Cut(call, " ")
			b.do(method, path, body).wantError(403, market.CodeForbidden, "Please log in again first")
		})
	}
	if after := e.account(grace.Email); after.PasswordHash != "" || after.Version != before.Version {
		t.Errorf("the account is %+v, it was %+v", after, before)
	}
}

// A sign-in checks the credentials, and before its session is stored they change. The session that
// it stores is never valid, whatever changed.
func TestSessionOfOlderCredentialsIsNotValid(t *testing.T) {
	for name, change := range map[string]func(*emailEnv, *browser){
		"second factor": func(_ *emailEnv, owner *browser) { owner.enableSecondFactor() },
		"password": func(_ *emailEnv, owner *browser) {
			owner.do("POST", "/identity/password", fields{"current": adaPass, "new": "battery staple"}).wantStatus(204)
		},
		"reset": func(e *emailEnv, owner *browser) {
			owner.forgot(ada)
			owner.reset(e.last(ada, "Reset").Token(), "battery staple").wantStatus(204)
		},
		"address": func(e *emailEnv, owner *browser) { owner.changeEmail(e, newAda) },
	} {
		t.Run(name, func(t *testing.T) {
			beforeAdd := func() {}
			var stored market.Session
			e := newEmailEnv(t, func(c *identity.Config) {
				c.Store = addSessionHook{c.Store.(market.Store), func(s market.Session) { stored = s; beforeAdd() }}
			})
			owner := e.confirmedMember(ada)
			beforeAdd = func() { beforeAdd = func() {}; change(e, owner) }
			thief := e.browser()
			thief.signIn(ada, adaPass).wantError(401, market.CodeNoToken, "Wrong email or password")
			account, err := e.store.Account(t.Context(), stored.UID)
			must(t, err)
			if _, err := e.store.Session(t.Context(), stored.ID); err != nil || account.Access().Allows(stored) {
				t.Errorf("the session %+v of the sign-in (%v) is valid for the account %+v", stored, err, account)
			}
			if _, err := e.market.Actor(t.Context(), stored.UID, stored.ID); market.CodeOf(err) != market.CodeNoToken {
				t.Errorf("a token of the session gets %v", err)
			}
		})
	}
}

// addSessionHook calls a function before a session is stored.
type addSessionHook struct {
	market.Store
	before func(market.Session)
}

func (s addSessionHook) AddSession(ctx context.Context, session market.Session) error {
	s.before(session)
	return s.Store.AddSession(ctx, session)
}

// The process stops right after the write of a new password. The other sessions have ended with it.
func TestCredentialsAndSessionsChangeInOneWrite(t *testing.T) {
	store := &failsAfterSave{failingStore: &failingStore{}}
	e := newEnv(t, func(c *identity.Config) { store.Store, c.Store = c.Store, store })
	owner, thief := e.member(ada), e.browser()
	thief.signIn(ada, adaPass).wantStatus(200)
	token := thief.token(ada)
	store.fails = true
	owner.do("POST", "/identity/password", fields{"current": adaPass, "new": "battery staple"})
	store.down, store.fails = false, false
	thief.do("GET", "/identity/me", nil).wantStatus(401)
	e.wantTokenRefused(token)
	owner.do("GET", "/identity/me", nil).wantStatus(200)
}

// failsAfterSave can fail each call after an account was saved.
type failsAfterSave struct {
	*failingStore
	fails bool
}

func (s *failsAfterSave) SaveAccount(ctx context.Context, a market.Account, effects []market.Effect) error {
	err := s.Store.SaveAccount(ctx, a, effects)
	s.down = s.fails
	return err
}

// A Google account that was linked before gives no access after a reset or a change of the address.
func TestResetAndChangeOfAddressUnlinkGoogle(t *testing.T) {
	for name, change := range map[string]func(*emailEnv, *browser){
		"reset": func(e *emailEnv, owner *browser) {
			owner.forgot(grace.Email)
			owner.reset(e.last(grace.Email, "Reset").Token(), "battery staple").wantStatus(204)
		},
		"change of address": func(e *emailEnv, owner *browser) { owner.changeEmail(e, newAda) },
		"unlinking": func(_ *emailEnv, owner *browser) {
			owner.do("DELETE", "/identity/google", fields{"password": adaPass}).wantStatus(204)
		},
	} {
		t.Run(name, func(t *testing.T) {
			google, useServer := startGoogle(t)
			e := newEmailEnv(t, useServer)
			owner := e.confirmedMember(grace.Email)
			google.QueueUser(grace)
			linked := e.browser()
			linked.signInWithGoogle("/").wantRedirect("/login?link=1")
			linked.do("POST", "/identity/google/link", fields{"password": adaPass}).wantStatus(200)
			uid := e.account(grace.Email).UID
			owner.signIn(grace.Email, adaPass).wantStatus(200)

			change(e, owner)
			linked.do("GET", "/identity/me", nil).wantStatus(401)
			if a, err := e.store.Account(t.Context(), uid); err != nil || a.GoogleSub != "" {
				t.Errorf("the account is %+v, %v", a, err)
			}
			google.QueueUser(grace)
			thief := e.browser()
			thief.signInWithGoogle("/")
			if me := thief.do("GET", "/identity/me", nil); strings.Contains(me.Body, uid) {
				t.Errorf("the Google account signs in: %s", me.Body)
			}
		})
	}
}

func TestUnlinkingGoogleRefusals(t *testing.T) {
	google, useServer := startGoogle(t)
	e := newEmailEnv(t, useServer)
	google.QueueUser(grace)
	b := e.browser()
	b.signInWithGoogle("/").wantRedirect("/")
	b.do("DELETE", "/identity/google", fields{"password": "guess"}).wantError(409, market.CodePassword, "")
	b.do("POST", "/identity/password", fields{"current": "", "new": adaPass}).wantStatus(204)
	b.do("DELETE", "/identity/google", fields{}).wantFieldError("password", "Password is required")
	b.do("DELETE", "/identity/google", fields{"password": "guess"}).wantFieldError("password", "This is not your password")
	b.do("DELETE", "/identity/google", fields{"password": adaPass}).wantStatus(204)
	b.do("DELETE", "/identity/google", fields{"password": adaPass}).wantStatus(204) // nothing is linked
	e.browser().do("DELETE", "/identity/google", fields{"password": adaPass}).wantStatus(401)
	b.do("GET", "/identity/me", nil).wantStatus(200)
}

// A thief with a session, or with the password, cannot prevent that the owner uses a link for a new
// password.
func TestThiefCannotPreventAReset(t *testing.T) {
	for name, prevent := range map[string]func(*browser){
		"signs out other devices": func(thief *browser) { thief.do("DELETE", "/identity/sessions", nil).wantStatus(204) },
		"changes the password": func(thief *browser) {
			thief.do("POST", "/identity/password", fields{"current": adaPass, "new": "thief password"}).wantStatus(204)
		},
		"switches on a second factor": func(thief *browser) { thief.enableSecondFactor() },
	} {
		t.Run(name, func(t *testing.T) {
			e := newEmailEnv(t)
			owner := e.confirmedMember(ada)
			thief := e.browser()
			thief.signIn(ada, adaPass).wantStatus(200)
			owner.forgot(ada)
			token := e.last(ada, "Reset").Token()
			prevent(thief)
			owner.reset(token, "battery staple").wantStatus(204)
			thief.do("GET", "/identity/me", nil).wantStatus(401)
		})
	}
}

// A reset reads the account, and before its write the credentials change. It is made nevertheless.
func TestResetBesideAChangeOfCredentials(t *testing.T) {
	store := &failingStore{}
	changes := 0
	e := newEmailEnv(t, func(c *identity.Config) {
		store.Store = c.Store
		c.Store = beforeSave{c.Store.(market.Store), func(a market.Account) {
			if changes > 0 {
				changes--
				stored, err := store.Account(t.Context(), a.UID)
				must(t, err)
				stored.CredentialsVersion++
				stored.Version++
				must(t, store.SaveAccount(t.Context(), stored, nil))
			}
		}}
	})
	owner := e.confirmedMember(ada)
	owner.forgot(ada)
	token := e.last(ada, "Reset").Token()
	changes = 3
	owner.reset(token, "battery staple").wantStatus(204)
	owner.signIn(ada, "battery staple").wantStatus(200)
}

// beforeSave calls a function before an account is saved.
type beforeSave struct {
	market.Store
	before func(market.Account)
}

func (s beforeSave) SaveAccount(ctx context.Context, a market.Account, effects []market.Effect) error {
	s.before(a)
	return s.Store.SaveAccount(ctx, a, effects)
}

// An account that has left cannot return to its old address, so anybody may have it.
func TestReservationEndsWithItsAccount(t *testing.T) {
	e := newEmailEnv(t)
	b := e.confirmedMember(ada)
	b.changeEmail(e, newAda)
	b.do("POST", "/identity/leave", fields{"password": adaPass}).wantStatus(204)
	e.browser().signUp(ada, adaPass).wantStatus(201)
}

// Somebody signs up with another person's address and switches on a second factor. The person
// confirms the address, and later sets a new password.
func TestResetRemovesSecondFactorFromBeforeTheConfirmation(t *testing.T) {
	e := newEmailEnv(t)
	stranger := e.member(ada)
	stranger.enableSecondFactor()
	owner := e.browser()
	owner.openLink(e.last(ada, "Confirm").Token()).wantStatus(204)
	owner.forgot(ada)
	owner.reset(e.last(ada, "Reset").Token(), "battery staple").wantStatus(204)
	owner.signIn(ada, "battery staple").wantStatus(200)
}

// The password of an account is asked for before another Google account is linked to it. If the
// address of the account changes meanwhile, the question is void.
func TestPendingLinkOfOlderCredentialsIsVoid(t *testing.T) {
	google, useServer := startGoogle(t)
	e := newEmailEnv(t, useServer)
	owner := e.confirmedMember(grace.Email)
	google.QueueUser(grace)
	b := e.browser()
	b.signInWithGoogle("/").wantRedirect("/login?link=1")
	owner.changeEmail(e, newAda)
	b.do("POST", "/identity/google/link", fields{"password": adaPass}).wantError(401, market.CodeNoToken, "Please log in with Google again")
}

// A second factor that was never confirmed is not "switched off".
func TestUnconfirmedSecondFactorIsDroppedSilently(t *testing.T) {
	e := newEmailEnv(t)
	b := e.confirmedMember(ada)
	other := e.browser()
	other.signIn(ada, adaPass).wantStatus(200)
	b.do("POST", "/identity/second-factor/start", fields{"password": adaPass}).wantStatus(200)
	b.do("POST", "/identity/second-factor/stop", fields{"password": adaPass}).wantStatus(204)
	other.do("GET", "/identity/me", nil).wantStatus(200)
	if got := e.subjects(ada); strings.Contains(got, "Two-step") {
		t.Errorf("the address got the emails %s", got)
	}
}
