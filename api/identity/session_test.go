package identity_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"secondring/api/identity"
	"secondring/market"
)

const month = 30 * 24 * time.Hour

func TestCookieAttributes(t *testing.T) {
	for name, c := range map[string]struct {
		scheme, cookie string
		secure         bool
	}{
		"http":  {"http", "sr_session", false},
		"https": {"https", "__Host-sr_session", true},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t, func(config *identity.Config) {
				config.PublicURL = &url.URL{Scheme: c.scheme, Host: "shop.example.com"}
			})
			a := e.browser().signUp(ada, adaPass)
			got := a.Cookie[c.cookie]
			if got == nil || len(a.Cookie) != 2 { // the other is the device cookie
				t.Fatalf("cookies are %v", a.Header.Values("Set-Cookie"))
			}
			if !got.HttpOnly || got.Secure != c.secure || got.SameSite != http.SameSiteLaxMode ||
				got.Path != "/" || got.Domain != "" || got.MaxAge != int(month.Seconds()) {
				t.Errorf("cookie is %v", got)
			}
			if len(got.Value) != 43 { // 32 bytes
				t.Errorf("the cookie value %q has %d characters, want 43", got.Value, len(got.Value))
			}
		})
	}
}

func TestCookieIsStoredHashed(t *testing.T) {
	e := newEnv(t)
	value := e.browser().signUp(ada, adaPass).Cookie["sr_session"].Value
	if _, err := e.store.Session(t.Context(), value); err == nil {
		t.Error("the cookie value is the stored session ID")
	}
	r := httptest.NewRequest("GET", "/", nil)
	r.AddCookie(&http.Cookie{Name: "sr_session", Value: value})
	in, err := e.service.Cookie(t.Context(), r)
	must(t, err)
	forged := httptest.NewRequest("GET", "/", nil)
	forged.AddCookie(&http.Cookie{Name: "sr_session", Value: in.Session.ID})
	if _, err := e.service.Cookie(t.Context(), forged); market.CodeOf(err) != market.CodeNoToken {
		t.Errorf("the stored session ID as a cookie: %v, want code %q", err, market.CodeNoToken)
	}
}

func TestEachSignInStartsItsOwnSession(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).wantStatus(201)
	b := e.browser()
	planted := func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "sr_session", Value: strings.Repeat("a", 43)}) }
	body := fields{"email": ada, "password": adaPass}
	first := b.do("POST", "/identity/sign-in", body, planted).Cookie["sr_session"].Value
	second := b.do("POST", "/identity/sign-in", body).Cookie["sr_session"].Value
	if first == strings.Repeat("a", 43) || first == second {
		t.Errorf("two sign-ins have the sessions %q and %q", first, second)
	}
	e.browser().do("GET", "/identity/me", nil, planted).wantStatus(401)
}

func TestUnknownCookies(t *testing.T) {
	e := newEnv(t)
	for _, value := range []string{"", "a", strings.Repeat("a", 43), strings.Repeat("a", 5000), "%00", "null"} {
		sent := func(r *http.Request) { r.Header.Set("Cookie", "sr_session="+value) }
		e.browser().do("GET", "/identity/me", nil, sent).wantError(401, market.CodeNoToken, "Please log in first")
	}
}

func TestSessionInUseIsExtended(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	if c := b.do("GET", "/identity/me", nil).Cookie; len(c) != 0 {
		t.Error("the cookie is extended at once")
	}
	e.clock.Pass(59 * time.Minute)
	if c := b.do("GET", "/jwt?email="+ada, nil).Cookie; len(c) != 0 {
		t.Error("the cookie is extended within the hour")
	}
	e.clock.Pass(time.Minute)
	if c := b.do("GET", "/jwt?email="+ada, nil).Cookie["sr_session"]; c == nil || c.MaxAge != int(month.Seconds()) || !c.HttpOnly {
		t.Errorf("after an hour: %v", c)
	}
	for range 3 {
		e.clock.Pass(month - time.Minute)
		b.do("GET", "/identity/me", nil).wantStatus(200)
	}
	e.clock.Pass(month)
	b.do("GET", "/identity/me", nil).wantStatus(401)
}

func TestEndedSessionIsNotExtended(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	e.clock.Pass(2 * time.Hour)
	e.afterCookieCheck = func(ctx context.Context) { must(t, e.store.EndSessions(ctx, e.account(ada).UID, nil)) }
	a := b.do("GET", "/identity/me", nil)
	a.wantStatus(401)
	if len(a.Cookie) != 0 {
		t.Error("the cookie was extended")
	}
}

// hookedStore is a store that runs a function right after a session was added.
type hookedStore struct {
	identity.Store
	afterAdd func()
}

func (s hookedStore) AddSession(ctx context.Context, session market.Session) error {
	err := s.Store.AddSession(ctx, session)
	s.afterAdd()
	return err
}

func TestSignInDuringPasswordChange(t *testing.T) {
	for name, change := range map[string]func(*market.Account){
		"credentials changed": func(a *market.Account) { a.CredentialsVersion++ },
		"account removed":     func(a *market.Account) { a.Removed = true },
	} {
		t.Run(name, func(t *testing.T) {
			afterAdd := func() {}
			e := newEnv(t, func(c *identity.Config) {
				c.Store = hookedStore{Store: c.Store, afterAdd: func() { afterAdd() }}
			})
			e.browser().signUp(ada, adaPass).wantStatus(201)
			afterAdd = func() {
				a := e.account(ada)
				change(&a)
				a.Version++
				must(t, e.store.SaveAccount(t.Context(), a, nil))
			}
			a := e.browser().signIn(ada, adaPass)
			a.wantError(401, market.CodeNoToken, "Wrong email or password")
			if len(a.Cookie) != 0 {
				t.Error("a cookie was set")
			}
		})
	}
}
