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

// setCheapHash gives an account a password hash with a low cost.
func (e *env) setCheapHash(email, password string) {
	e.t.Helper()
	a := e.account(email)
	salt := []byte("a salt of 16 by.")
	b64 := func(b []byte) string { return strings.TrimRight(encode(b), "=") }
	a.PasswordHash = "$argon2id$v=19$m=64,t=1,p=1$" + b64(salt) + "$" + b64(argon2.IDKey([]byte(password), salt, 1, 64, 1, 32))
	a.Version++
	must(e.t, e.store.SaveAccount(e.t.Context(), a, nil))
}

// Many addresses guess the password of one account. Each has only few attempts once that is
// detected. The owner can still sign in from their own address, and existing sessions stay
// valid.
func TestDistributedGuessesDoNotLockOutOwner(t *testing.T) {
	e := newEnv(t)
	owner := e.browser()
	owner.signUp(ada, adaPass).wantStatus(201)
	e.setCheapHash(ada, adaPass)
	for i := range 100 {
		e.from(fmt.Sprintf("203.0.113.%d", i)).signIn(ada, "a guess").wantStatus(401)
	}
	for i := range 3 {
		address := fmt.Sprintf("198.51.100.%d", i)
		e.from(address).signIn(ada, "a guess").wantStatus(401)
		e.from(address).signIn(ada, "another").wantStatus(401)
		e.from(address).signIn(ada, adaPass).wantStatus(429)
	}
	e.from("203.0.113.7").signIn(ada, "a second guess").wantStatus(401)
	e.from("203.0.113.7").signIn(ada, adaPass).wantStatus(429)

	owner.do("GET", "/identity/me", nil).wantStatus(200)
	e.from("192.0.2.77").signIn(ada, adaPass).wantStatus(200)
	e.from("192.0.2.77").signIn("somebody@example.com", "a guess").wantStatus(401)
	e.clock.Pass(15 * time.Minute)
	e.from("203.0.113.7").signIn(ada, adaPass).wantStatus(200)
}

// One address tries stolen passwords on many accounts.
func TestCredentialStuffingIsLimitedByAddress(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).wantStatus(201)
	e.setCheapHash(ada, adaPass)
	emails := make([]string, 10)
	for i := range emails {
		emails[i] = fmt.Sprintf("person%d@example.com", i)
		a := e.account(ada)
		a.UID, a.Email, a.Version = fmt.Sprintf("uid-%d", i), emails[i], 1
		must(t, e.store.AddAccount(t.Context(), a, nil))
	}
	for i := range 100 {
		e.browser().signIn(emails[i%10], fmt.Sprintf("stolen %d", i)).wantStatus(401)
	}
	for _, email := range slices.Concat(emails, []string{ada, "nobody@example.com"}) {
		e.browser().signIn(email, adaPass).wantError(429, "too_many_requests", "")
	}
	e.from("192.0.2.2").signIn(emails[0], adaPass).wantStatus(200)
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
	e.controlEvents()
	b.signIn(ada, adaPass).wantStatus(200)
	b.do("GET", "/identity/me", nil).wantStatus(200)
	e.wantTokenRefused(token)
	e.wantControl(market.Control{UID: actor.User.UID, Session: actor.Session})
	attacker := e.browser()
	attacker.client.Jar.SetCookies(site, old)
	attacker.do("GET", "/identity/me", nil).wantStatus(401)

	t.Run("a session of another user does not end", func(t *testing.T) {
		token := b.token(ada)
		b.signUp("bob@example.com", adaPass).wantStatus(201)
		if _, _, err := e.service.Bearer(t.Context(), token); err != nil {
			t.Errorf("the other user's token is refused: %v", err)
		}
	})
	t.Run("a wrong password ends no session", func(t *testing.T) {
		b.signIn("bob@example.com", "a guess").wantStatus(401)
		b.do("GET", "/identity/me", nil).wantStatus(200)
	})
}

// A Google account has an address that belongs to another user here, and Google has not
// verified it.
func TestUnverifiedGoogleAddressIsNotLinked(t *testing.T) {
	for name, createVictim := range map[string]func(e *googleEnv){
		"with a password": func(e *googleEnv) { e.browser().signUp(grace.Email, adaPass).wantStatus(201) },
		"with Google": func(e *googleEnv) {
			e.google.QueueUser(grace)
			e.browser().signInWithGoogle("/").wantRedirect("/")
		},
		"without a sign-in": func(e *googleEnv) {
			_, err := e.service.CreateAccount(t.Context(), grace.Email, "", "Grace")
			must(t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newGoogleEnv(t)
			createVictim(e)
			before := e.account(grace.Email)
			attacker := e.browser()
			e.google.QueueUser(googleUser{Subject: "attacker", Email: "GRACE@example.com", Name: "Grace Hopper"})
			attacker.signInWithGoogle("/").wantRedirect("/login?error=google_unverified")
			attacker.do("GET", "/identity/me", nil).wantStatus(401)
			attacker.do("POST", "/identity/google/link", fields{"password": "a guess"}).wantStatus(401)
			if after := e.account(grace.Email); !reflect.DeepEqual(after, before) {
				t.Errorf("the account was %+v and is %+v", before, after)
			}
		})
	}
}

// The return path is the sealed one of the request, not one in the callback.
func TestCallbackUsesSealedReturnTo(t *testing.T) {
	e := newGoogleEnv(t)
	for _, parameters := range []string{
		"returnTo=https://evil.example", "returnTo=//evil.example", "redirect_uri=https://evil.example",
		"iss=https://evil.example", "next=https://evil.example&returnTo=/dashboard",
	} {
		e.google.QueueUser(grace)
		b := e.browser()
		b.do("GET", b.googleCallback(b.startGoogle("/categories"))+"&"+parameters, nil).wantRedirect("/categories")
	}
	b := e.browser()
	state := b.startGoogle("/").Query().Get("state")
	for _, parameters := range []string{"&state=evil", "&code=", "&error=https://evil.example", "&error=%0d%0aLocation:%20https://evil.example"} {
		a := b.do("GET", "/identity/google/callback?state="+state+parameters, nil)
		if to := a.Header.Get("Location"); !strings.HasPrefix(to, "/login?error=google_") {
			t.Errorf("%s redirects to %q, want the login page", parameters, to)
		}
	}
}
