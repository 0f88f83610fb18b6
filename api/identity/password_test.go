package identity_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/crypto/argon2"

	"secondring/api/identity"
	"secondring/market"
)

func TestUnknownAddressTakesAsLongAsWrongPassword(t *testing.T) {
	e := newGoogleEnv(t)
	e.browser().signUp(ada, adaPass).wantStatus(201)
	e.google.QueueUser(grace)
	e.browser().signInWithGoogle("/").wantRedirect("/")
	e.member("removed@example.com")
	e.removeUser("removed@example.com")

	hashCount := identity.CountHashes(e.service)
	for name, email := range map[string]string{
		"known": ada, "unknown": "nobody@example.com", "without a password": grace.Email, "removed": "removed@example.com",
	} {
		e.browser().signIn(email, "wrong password").wantError(401, market.CodeNoToken, "Wrong email or password")
		if n := hashCount(); n != 1 {
			t.Errorf("%s: %d passwords were hashed, want 1", name, n)
		}
	}
	for range 10 {
		e.browser().signIn(ada, "wrong password")
	}
	hashCount()
	e.browser().signIn(ada, adaPass).wantStatus(429)
	if n := hashCount(); n != 0 {
		t.Errorf("above the limit %d passwords were hashed, want none", n)
	}
}

func TestStoredHashes(t *testing.T) {
	e := newEnv(t)
	b64 := func(b []byte) string { return strings.TrimRight(encode(b), "=") }
	salt := []byte("a salt of 16 by.")
	older := "$argon2id$v=19$m=64,t=1,p=2$" + b64(salt) + "$" + b64(argon2.IDKey([]byte(adaPass), salt, 1, 64, 2, 16))
	for hash, want := range map[string]bool{older: true, "": false} {
		if ok, err := identity.Matches(e.service, hash, adaPass); ok != want || err != nil {
			t.Errorf("Matches(%q) = %v, %v", hash, ok, err)
		}
	}
	if ok, err := identity.Matches(e.service, older, "wrong"); ok || err != nil {
		t.Errorf("wrong password: %v, %v", ok, err)
	}
	for _, hash := range []string{
		"plain", "$2b$10$abc", "$argon2i$v=19$m=64,t=1,p=1$YQ$YQ", "$argon2id$v=18$m=64,t=1,p=1$YQ$YQ",
		"$argon2id$v=19$m=64,t=0,p=1$YQ$YQ", "$argon2id$v=19$m=64,t=1,p=0$YQ$YQ", "$argon2id$v=19$m=x,t=1,p=1$YQ$YQ",
		"$argon2id$v=19$m=64,t=1,p=1$!$YQ", "$argon2id$v=19$m=64,t=1,p=1$YQ$", "$argon2id$v=19$m=64,t=1,p=1$YQ$YQ$",
	} {
		if ok, err := identity.Matches(e.service, hash, ""); ok || err == nil {
			t.Errorf("Matches(%q) = %v, %v", hash, ok, err)
		}
	}
}

func TestConcurrentHashesAreLimited(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).wantStatus(201)
	release := identity.HoldHashing(e.service)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.service.SetPassword(ctx, ada, adaPass); err == nil {
		t.Error("a cancelled request is still served")
	}
	release()
	must(t, e.service.SetPassword(t.Context(), ada, adaPass))
}

func TestHashWaitIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		_, err := identity.MatchesBusy(adaPass)
		if market.CodeOf(err) != market.CodeUnavailable || time.Since(start) != 8*time.Second {
			t.Errorf("after %s: %v", time.Since(start), err)
		}
	})
}

func TestNewPasswordEndsOtherSessions(t *testing.T) {
	e := newEnv(t)
	b, other := e.member(ada), e.browser()
	other.signIn(ada, adaPass).wantStatus(200)
	token, otherToken := b.token(ada), other.token(ada)
	actor, _, err := e.service.Bearer(t.Context(), token)
	must(t, err)
	e.controlEvents()

	b.do("POST", "/identity/password", fields{"current": adaPass, "new": "battery staple"}).wantStatus(204)
	b.do("GET", "/identity/me", nil).wantStatus(200)
	other.do("GET", "/identity/me", nil).wantStatus(401)
	if _, _, err := e.service.Bearer(t.Context(), token); err != nil {
		t.Errorf("the token of the session that changed the password is refused: %v", err)
	}
	e.wantTokenRefused(otherToken)
	e.wantControl(market.Control{UID: actor.User.UID, Except: actor.Session, Reason: market.ReasonPasswordChanged, CredentialsVersion: 1})
	e.browser().signIn(ada, adaPass).wantStatus(401)
	e.browser().signIn(ada, "battery staple").wantStatus(200)
}

func TestPasswordRefusals(t *testing.T) {
	e := newEnv(t)
	b := e.browser()
	b.signUp(ada, adaPass).wantStatus(201)
	change := func(body fields) response { return b.do("POST", "/identity/password", body) }
	change(fields{"new": "battery staple"}).wantFieldError("current", "Password is required")
	change(fields{"current": adaPass}).wantFieldError("new", "Password is required")
	change(fields{"current": adaPass, "new": "12345"}).wantFieldError("new", "Password must be atleast 6 characters or longer")
	change(fields{"current": adaPass, "new": strings.Repeat("p", 1025)}).wantFieldError("new", "Password is longer than 1024 characters")
	change(fields{"current": adaPass, "new": 123456}).wantFieldError("new", "New password must be a text")
	for range 10 {
		change(fields{"current": "a guess", "new": "battery staple"}).wantFieldError("current", "This is not your password")
	}
	change(fields{"current": adaPass, "new": "battery staple"}).wantError(429, "too_many_requests", "")
	e.browser().signIn(ada, adaPass).wantStatus(429) // all guesses are counted together
}

func TestGoogleUserCanSetFirstPassword(t *testing.T) {
	e := newGoogleEnv(t)
	e.google.QueueUser(grace)
	b := e.browser()
	b.signInWithGoogle("/").wantRedirect("/")
	e.browser().signIn(grace.Email, adaPass).wantStatus(401)
	b.do("POST", "/identity/password", fields{"new": adaPass}).wantStatus(204)
	e.browser().signIn(grace.Email, adaPass).wantStatus(200)
	b.do("POST", "/identity/password", fields{"new": "battery staple"}).wantFieldError("current", "Password is required")
}
