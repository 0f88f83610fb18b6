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

func (s *failsAfterSave) SaveAccount(ctx context.Context, a market.Account, events []market.Event) error {
	err := s.Store.SaveAccount(ctx, a, events)
	s.down = s.fails
	return err
}

// A thief who knows the password switches on a second factor. A new password would not help the
// owner, but the link of the email does.
func TestOwnerSwitchesOffSecondFactorOfThief(t *testing.T) {
	e := newEmailEnv(t)
	e.confirmedMember(ada)
	thief := e.browser()
	thief.signIn(ada, adaPass).wantStatus(200)
	secret, _ := thief.enableSecondFactor()
	link := e.last(ada, "is on").Token()

	for range 3 {
		thief.forgot(ada) // no more resets can be requested in this hour
		e.emails(ada)
	}
	e.browser().openLink(link).wantStatus(204)
	thief.do("GET", "/identity/me", nil).wantStatus(401)
	again := e.browser()
	again.signIn(ada, adaPass).wantStatus(401) // the thief knows this password
	again.submitCode(thief.totp(secret)).wantStatus(401)
	owner := e.browser()
	owner.reset(e.last(ada, "Reset").Token(), "battery staple").wantStatus(204)
	owner.signIn(ada, "battery staple").wantStatus(200)
	e.browser().openLink(link).wantError(410, market.CodeGone, "")
}

// The link is about one second factor. It does not switch off another one, and it survives a reset
// and a change of the address that is undone.
func TestLinkAgainstSecondFactor(t *testing.T) {
	t.Run("of a factor that was replaced", func(t *testing.T) {
		e := newEmailEnv(t)
		b := e.confirmedMember(ada)
		b.enableSecondFactor()
		link := e.last(ada, "is on").Token()
		b.do("POST", "/identity/second-factor/stop", fields{"password": adaPass}).wantStatus(204)
		b.enableSecondFactor()
		e.browser().openLink(link).wantError(410, market.CodeGone, "")
	})
	t.Run("after a reset", func(t *testing.T) {
		e := newEmailEnv(t)
		e.confirmedMember(ada).enableSecondFactor()
		link := e.last(ada, "is on").Token()
		owner := e.browser()
		owner.forgot(ada)
		owner.reset(e.last(ada, "Reset").Token(), "battery staple").wantStatus(204)
		owner.signIn(ada, "battery staple").wantStatus(401) // the code is missing
		owner.openLink(link).wantStatus(204)
		owner.reset(e.last(ada, "Reset").Token(), "other words").wantStatus(204)
		owner.signIn(ada, "other words").wantStatus(200)
	})
	t.Run("after a change of the address was undone", func(t *testing.T) {
		e := newEmailEnv(t)
		thief := e.confirmedMember(ada)
		thief.enableSecondFactor() // while the account has the owner's address
		link := e.last(ada, "is on").Token()
		thief.changeEmail(e, attackerEmail)
		owner := e.browser()
		owner.openLink(link).wantError(410, market.CodeGone, "")
		owner.openLink(e.last(ada, "was changed").Token()).wantStatus(204)
		e.emails(ada) // sends the first link for a new password, which the next one replaces
		owner.openLink(link).wantStatus(204)
		owner.reset(e.last(ada, "Reset").Token(), "battery staple").wantStatus(204)
		owner.signIn(ada, "battery staple").wantStatus(200)
	})
}

// A thief changes the address of the account. Nobody else gets the old address while its owner can
// undo the change.
func TestOldAddressIsReservedWhileChangeCanBeUndone(t *testing.T) {
	google, useServer := startGoogle(t)
	e := newEmailEnv(t, useServer)
	thief := e.confirmedMember(grace.Email)
	other := e.confirmedMember("other@example.com")
	toOther := other.requestEmailChange(e, "third@example.com")
	thief.changeEmail(e, attackerEmail)
	undo := e.last(grace.Email, "was changed").Token()

	e.browser().signUp("GRACE@example.com", adaPass).wantError(409, market.CodeExists, "Email is already in use")
	other.do("POST", "/identity/email", fields{"email": grace.Email, "password": adaPass}).wantError(409, market.CodeExists, "")
	google.QueueUser(grace)
	e.browser().signInWithGoogle("/").wantRedirect("/login?error=google_other")
	if err := e.service.CreateAdmin(t.Context(), grace.Email, adaPass); market.CodeOf(err) != market.CodeExists {
		t.Errorf("the command gets %v", err)
	}
	other.openLink(toOther).wantStatus(204) // other addresses are free
	e.browser().openLink(undo).wantStatus(204)
	e.browser().reset(e.last(grace.Email, "Reset").Token(), "battery staple").wantStatus(204)
	e.browser().signIn(grace.Email, "battery staple").wantStatus(200)
}

func TestOldAddressIsFreeAfterItsReservation(t *testing.T) {
	e := newEmailEnv(t)
	b := e.confirmedMember(ada)
	b.changeEmail(e, newAda)
	b.changeEmail(e, ada) // the owner may return
	b.changeEmail(e, newAda)
	e.clock.Pass(8 * 24 * time.Hour)
	e.browser().signUp(ada, adaPass).wantStatus(201)
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

func (s beforeSave) SaveAccount(ctx context.Context, a market.Account, events []market.Event) error {
	s.before(a)
	return s.Store.SaveAccount(ctx, a, events)
}

// The owner's mail server accepts emails only later. Until then a thief changes the address twice
// and undoes the second change. The owner still gets the link that undoes the first.
func TestThiefCannotSuppressTheUndoLink(t *testing.T) {
	e := newEmailEnv(t)
	thief := e.confirmedMember(ada)
	e.smtp.Defer(ada)
	e.clock.Pass(time.Second)
	thief.changeEmail(e, attackerEmail)
	e.clock.Pass(time.Second)
	thief.changeEmail(e, "second-"+attackerEmail)
	e.clock.Pass(time.Second)
	e.browser().openLink(e.last(attackerEmail, "was changed").Token()).wantStatus(204)
	e.browser().reset(e.last(attackerEmail, "Reset").Token(), "thief password").wantStatus(204)
	e.smtp.Defer("")
	e.clock.Pass(time.Hour)
	owner := e.browser()
	owner.openLink(e.last(ada, "was changed").Token()).wantStatus(204)
	owner.reset(e.last(ada, "Reset").Token(), "battery staple").wantStatus(204)
	owner.signIn(ada, "battery staple").wantStatus(200)
}

// The same with the link against a second factor: it is for the address of the email.
func TestLateLinkAgainstSecondFactorIsForItsAddress(t *testing.T) {
	e := newEmailEnv(t)
	thief := e.confirmedMember(ada)
	e.smtp.Defer(ada)
	thief.enableSecondFactor()
	thief.changeEmail(e, attackerEmail)
	e.smtp.Defer("")
	e.clock.Pass(time.Hour)
	link := e.last(ada, "is on").Token()
	owner := e.browser()
	owner.openLink(link).wantError(410, market.CodeGone, "") // it would be the thief's new password
	owner.openLink(e.last(ada, "was changed").Token()).wantStatus(204)
	owner.openLink(link).wantStatus(204)
	owner.reset(e.last(ada, "Reset").Token(), "battery staple").wantStatus(204)
	owner.signIn(ada, "battery staple").wantStatus(200)
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
