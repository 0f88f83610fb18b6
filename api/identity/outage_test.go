package identity_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"secondring/api/identity"
	"secondring/market"
)

// outage is a store that a test can make unavailable.
type outage struct {
	identity.Store
	away bool
}

var errAway = errors.New("the store is away")

func (o *outage) AddAccount(ctx context.Context, a market.Account, events []market.Event) error {
	if o.away {
		return errAway
	}
	return o.Store.AddAccount(ctx, a, events)
}

func (o *outage) SaveAccount(ctx context.Context, a market.Account, e []market.Event) error {
	if o.away {
		return errAway
	}
	return o.Store.SaveAccount(ctx, a, e)
}

func (o *outage) AccountByEmail(ctx context.Context, email string) (market.Account, error) {
	if o.away {
		return market.Account{}, errAway
	}
	return o.Store.AccountByEmail(ctx, email)
}

func (o *outage) AccountByGoogle(ctx context.Context, sub string) (market.Account, error) {
	if o.away {
		return market.Account{}, errAway
	}
	return o.Store.AccountByGoogle(ctx, sub)
}

func (o *outage) Session(ctx context.Context, id string) (market.Session, error) {
	if o.away {
		return market.Session{}, errAway
	}
	return o.Store.Session(ctx, id)
}

func (o *outage) EndSession(ctx context.Context, id string, events []market.Event) error {
	if o.away {
		return errAway
	}
	return o.Store.EndSession(ctx, id, events)
}

func (o *outage) EndSessions(ctx context.Context, uid, except string, events []market.Event) error {
	if o.away {
		return errAway
	}
	return o.Store.EndSessions(ctx, uid, except, events)
}

func (o *outage) User(ctx context.Context, uid string) (market.User, error) {
	if o.away {
		return market.User{}, errAway
	}
	return o.Store.User(ctx, uid)
}

// A store outage is a 503, not a wrong password or an ended session: clients would sign
// users out.
func TestStoreOutageEndsNoSession(t *testing.T) {
	store := &outage{}
	e := newEnv(t, func(c *identity.Config) { store.Store, c.Store = c.Store, store })
	b := e.member(ada)
	for name, c := range map[string]struct {
		method, path string
		body         fields
		late         bool // the store fails after the check of the cookie
	}{
		"sign-up":      {"POST", "/identity/sign-up", fields{"email": "new@example.com", "password": adaPass, "displayName": "New"}, false},
		"sign-in":      {"POST", "/identity/sign-in", fields{"email": ada, "password": adaPass}, false},
		"me":           {"GET", "/identity/me", nil, false},
		"token":        {"GET", "/jwt?email=" + ada, nil, true},
		"new name":     {"PATCH", "/identity/me", fields{"displayName": "New"}, true},
		"new password": {"POST", "/identity/password", fields{"current": adaPass, "new": "battery staple"}, true},
		"sign-out":     {"POST", "/identity/sign-out", nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			store.away = !c.late
			e.meanwhile = func(context.Context) { store.away = true }
			var a answer
			if c.body == nil {
				a = b.do(c.method, c.path, nil)
			} else {
				a = b.do(c.method, c.path, c.body)
			}
			store.away, e.meanwhile = false, nil
			if a.is(500); len(a.Cookie) != 0 || strings.Contains(a.Body, errAway.Error()) {
				t.Errorf("cookies %v, body %s", a.Cookie, a.Body)
			}
		})
	}
	store.away = true
	_, err := e.service.Cookie(t.Context(), httptest.NewRequest("GET", "/", nil))
	if market.CodeOf(err) != market.CodeNoToken {
		t.Errorf("without a cookie the store is not read: %v", err)
	}
}

func TestGoogleSignInDuringStoreOutage(t *testing.T) {
	store := &outage{}
	e := newGoogleEnv(t, func(c *identity.Config) { store.Store, c.Store = c.Store, store })
	e.google.QueueUser(grace)
	store.away = true
	e.browser().google("/").leadsTo("/login?error=google_failed")
	store.away = false
	e.google.QueueUser(grace)
	e.browser().google("/").leadsTo("/")
}

func TestConcurrentGoogleSignInsCreateOneAccount(t *testing.T) {
	e := newGoogleEnv(t)
	for range 5 {
		who := grace
		who.Subject, who.Email = market.NewID(e.clock.Now()), market.NewID(e.clock.Now())+"@example.com"
		browsers := []*browser{e.browser(), e.browser(), e.browser()}
		callbacks := make([]string, len(browsers))
		for i, b := range browsers {
			e.google.QueueUser(who)
			callbacks[i] = b.visit(b.leave("/"))
		}
		var all sync.WaitGroup
		for i, b := range browsers {
			all.Go(func() {
				if a := b.do("GET", callbacks[i], nil); a.Header.Get("Location") != "/" {
					t.Errorf("leads to %s", a.Header.Get("Location"))
				}
			})
		}
		all.Wait()
		for _, b := range browsers {
			if me := b.do("GET", "/identity/me", nil).is(200); me["uid"] != e.account(who.Email).UID {
				t.Errorf("signed in as %v", me)
			}
		}
	}
}
