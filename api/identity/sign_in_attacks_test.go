package identity_test

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"

	"secondring/market"
)

// cheap gives an account a password hash with a low cost.
func (e *env) cheap(email, password string) {
	e.t.Helper()
	a := e.account(email)
	salt := []byte("a salt of 16 by.")
	b64 := func(b []byte) string { return strings.TrimRight(encode(b), "=") }
	a.PasswordHash = "$argon2id$v=19$m=64,t=1,p=1$" + b64(salt) + "$" + b64(argon2.IDKey([]byte(password), salt, 1, 64, 1, 32))
	a.Version++
	must(e.t, e.store.SaveAccount(e.t.Context(), a, nil))
}

func (e *env) from(address string) *browser {
	b := e.browser()
	b.address = address
	return b
}

// Many addresses guess the password of one account. Each has only few attempts once that is
// detected. The owner can still sign in from their own address, and existing sessions stay
// valid.
func TestDistributedGuessesDoNotLockOutOwner(t *testing.T) {
	e := newEnv(t)
	owner := e.browser()
	owner.signUp(ada, adaPass).is(201)
	e.cheap(ada, adaPass)
	for i := range 100 {
		e.from(fmt.Sprintf("203.0.113.%d", i)).signIn(ada, "a guess").is(401)
	}
	for i := range 3 {
		address := fmt.Sprintf("198.51.100.%d", i)
		e.from(address).signIn(ada, "a guess").is(401)
		e.from(address).signIn(ada, "another").is(401)
		e.from(address).signIn(ada, adaPass).is(429)
	}
	e.from("203.0.113.7").signIn(ada, "a second guess").is(401)
	e.from("203.0.113.7").signIn(ada, adaPass).is(429)

	owner.do("GET", "/identity/me", nil).is(200)
	e.from("192.0.2.77").signIn(ada, adaPass).is(200)
	e.from("192.0.2.77").signIn("somebody@example.com", "a guess").is(401)
	e.clock.Pass(15 * time.Minute)
	e.from("203.0.113.7").signIn(ada, adaPass).is(200)
}

// One address tries stolen passwords on many accounts.
func TestCredentialStuffingIsLimitedByAddress(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).is(201)
	e.cheap(ada, adaPass)
	people := make([]string, 10)
	for i := range people {
		people[i] = fmt.Sprintf("person%d@example.com", i)
		a := e.account(ada)
		a.UID, a.Email, a.Version = fmt.Sprintf("uid-%d", i), people[i], 1
		must(t, e.store.AddAccount(t.Context(), a, nil))
	}
	for i := range 100 {
		e.browser().signIn(people[i%10], fmt.Sprintf("stolen %d", i)).is(401)
	}
	for _, email := range slices.Concat(people, []string{ada, "nobody@example.com"}) {
		e.browser().signIn(email, adaPass).refused(429, "too_many_requests", "")
	}
	e.from("192.0.2.2").signIn(people[0], adaPass).is(200)
}

// A sign-in never keeps the session of the request's cookie, and ends that session if it
// is the same user's.
func TestSignInEndsPreviousSession(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	site, err := url.Parse(e.server.URL)
	must(t, err)
	old, token := b.client.Jar.Cookies(site), b.token(ada)
	actor, _, err := e.service.Bearer(t.Context(), token)
	must(t, err)
	e.control()
	b.signIn(ada, adaPass).is(200)
	b.do("GET", "/identity/me", nil).is(200)
	if _, _, err := e.service.Bearer(t.Context(), token); market.CodeOf(err) != market.CodeNoToken {
		t.Errorf("the replaced session's token: %v", err)
	}
	if controls := e.control(); len(controls) != 1 || controls[0] != (market.Control{UID: actor.User.UID, Session: actor.Session}) {
		t.Errorf("told the nodes %v", controls)
	}
	thief := e.browser()
	thief.client.Jar.SetCookies(site, old)
	thief.do("GET", "/identity/me", nil).is(401)

	t.Run("not if it is another user's", func(t *testing.T) {
		token := b.token(ada)
		b.signUp("bob@example.com", adaPass).is(201)
		if _, _, err := e.service.Bearer(t.Context(), token); err != nil {
			t.Errorf("the other's token: %v", err)
		}
	})
	t.Run("not by a wrong password", func(t *testing.T) {
		b.signIn("bob@example.com", "a guess").is(401)
		b.do("GET", "/identity/me", nil).is(200)
	})
}

// A Google account has an address that belongs to another user here, and Google has not
// verified it.
func TestUnverifiedGoogleAddressIsNotLinked(t *testing.T) {
	for name, victim := range map[string]func(e *googleEnv){
		"with a password": func(e *googleEnv) { e.browser().signUp(grace.Email, adaPass).is(201) },
		"with Google": func(e *googleEnv) {
			e.google.QueueUser(grace)
			e.browser().google("/").leadsTo("/")
		},
		"without a sign-in": func(e *googleEnv) {
			_, err := e.service.CreateAccount(t.Context(), grace.Email, "", "Grace")
			must(t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newGoogleEnv(t)
			victim(e)
			before := e.account(grace.Email)
			thief := e.browser()
			e.google.QueueUser(googleUser{Subject: "thief", Email: "GRACE@example.com", Name: "Grace Hopper"})
			thief.google("/").leadsTo("/login?error=google_unverified")
			thief.do("GET", "/identity/me", nil).is(401)
			thief.do("POST", "/identity/google/link", fields{"password": "a guess"}).is(401)
			if after := e.account(grace.Email); !reflect.DeepEqual(after, before) {
				t.Errorf("the account was %+v and is %+v", before, after)
			}
		})
	}
}

// The return path is the sealed one of the request, not one in the callback.
func TestCallbackUsesSealedReturnTo(t *testing.T) {
	e := newGoogleEnv(t)
	for _, more := range []string{
		"returnTo=https://evil.example", "returnTo=//evil.example", "redirect_uri=https://evil.example",
		"iss=https://evil.example", "next=https://evil.example&returnTo=/dashboard",
	} {
		e.google.QueueUser(grace)
		b := e.browser()
		b.do("GET", b.visit(b.leave("/categories"))+"&"+more, nil).leadsTo("/categories")
	}
	b := e.browser()
	state := b.leave("/").Query().Get("state")
	for _, odd := range []string{"&state=evil", "&code=", "&error=https://evil.example", "&error=%0d%0aLocation:%20https://evil.example"} {
		a := b.do("GET", "/identity/google/callback?state="+state+odd, nil)
		if to := a.Header.Get("Location"); !strings.HasPrefix(to, "/login?error=google_") {
			t.Errorf("%s leads to %q", odd, to)
		}
	}
}
