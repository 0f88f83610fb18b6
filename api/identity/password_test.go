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
	e.browser().signUp(ada, adaPass).is(201)
	e.google.QueueUser(grace)
	e.browser().google("/").leadsTo("/")
	removed := e.member("gone@example.com")
	removed.signIn("gone@example.com", adaPass).is(200)
	user, err := e.store.UserByEmail(t.Context(), "gone@example.com")
	must(t, err)
	_, err = e.market.RemoveUser(t.Context(), market.Actor{User: market.User{Admin: true}}, user.ID)
	must(t, err)

	hashed := identity.CountHashes(e.service)
	for name, email := range map[string]string{
		"known": ada, "unknown": "nobody@example.com", "without a password": grace.Email, "removed": "gone@example.com",
	} {
		e.browser().signIn(email, "wrong password").refused(401, market.CodeNoToken, "Wrong email or password")
		if n := hashed(); n != 1 {
			t.Errorf("%s: %d passwords were hashed, want 1", name, n)
		}
	}
	for range 10 {
		e.browser().signIn(ada, "wrong password")
	}
	hashed()
	e.browser().signIn(ada, adaPass).is(429)
	if n := hashed(); n != 0 {
		t.Errorf("above the limit %d passwords were hashed", n)
	}
}

func TestStoredHashes(t *testing.T) {
	e := newEnv(t)
	b64 := func(b []byte) string { return strings.TrimRight(encode(b), "=") }
	salt := []byte("a salt of 16 by.")
	older := "$argon2id$v=19$m=64,t=1,p=2$" + b64(salt) + "$" + b64(argon2.IDKey([]byte(adaPass), salt, 1, 64, 2, 16))
	for hash, want := range map[string]bool{older: true, "": false} {
		if ok, err := identity.Matches(e.service, hash, adaPass); ok != want || err != nil {
			t.Errorf("%q: %v, %v", hash, ok, err)
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
			t.Errorf("%q: %v, %v", hash, ok, err)
		}
	}
}

func TestConcurrentHashesAreLimited(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).is(201)
	release := identity.HoldHashing(e.service)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.service.SetPassword(ctx, ada, adaPass); err == nil {
		t.Error("a caller who has disconnected is still served")
	}
	release()
	must(t, e.service.SetPassword(t.Context(), ada, adaPass))
}

func TestHashWaitIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		_, err := identity.MatchesBusy(adaPass)
		if market.CodeOf(err) != market.CodeUnavailable || time.Since(begun) != 8*time.Second {
			t.Errorf("after %s: %v", time.Since(begun), err)
		}
	})
}
