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

// failingStore is a store that a test can make unavailable.
type failingStore struct {
	identity.Store
	down bool
}

var errDown = errors.New("the store is down")

func (s *failingStore) AddAccount(ctx context.Context, a market.Account, effects []market.Effect) error {
	if s.down {
		return errDown
	}
	return s.Store.AddAccount(ctx, a, effects)
}

func (s *failingStore) SaveAccount(ctx context.Context, a market.Account, e []market.Effect) error {
	if s.down {
		return errDown
	}
	return s.Store.SaveAccount(ctx, a, e)
}

func (s *failingStore) AccountByEmail(ctx context.Context, email string) (market.Account, error) {
	if s.down {
		return market.Account{}, errDown
	}
	return s.Store.AccountByEmail(ctx, email)
}

func (s *failingStore) AccountByGoogle(ctx context.Context, sub string) (market.Account, error) {
	if s.down {
		return market.Account{}, errDown
	}
	return s.Store.AccountByGoogle(ctx, sub)
}

func (s *failingStore) Session(ctx context.Context, id string) (market.Session, error) {
	if s.down {
		return market.Session{}, errDown
	}
	return s.Store.Session(ctx, id)
}

func (s *failingStore) EndSession(ctx context.Context, id string, effects []market.Effect) error {
	if s.down {
		return errDown
	}
	return s.Store.EndSession(ctx, id, effects)
}

func (s *failingStore) User(ctx context.Context, uid string) (market.User, error) {
	if s.down {
		return market.User{}, errDown
	}
	return s.Store.User(ctx, uid)
}

// A store outage is a 500, not a wrong password or an ended session: clients would sign
// users out.
func TestStoreOutageEndsNoSession(t *testing.T) {
	store := &failingStore{}
	e := newEnv(t, func(c *identity.Config) { store.Store, c.Store = c.Store, store })
	b := e.member(ada)
	for name, c := range map[string]struct {
		method, path string
		body         fields
		afterCookie  bool // the store fails after the check of the cookie
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
			store.down = !c.afterCookie
			e.afterCookieCheck = func(context.Context) { store.down = true }
			var a response
			if c.body == nil {
				a = b.do(c.method, c.path, nil)
			} else {
				a = b.do(c.method, c.path, c.body)
			}
			store.down, e.afterCookieCheck = false, nil
			if a.wantStatus(500); len(a.Cookie) != 0 || strings.Contains(a.Body, errDown.Error()) {
				t.Errorf("the response sets cookies %v or shows the error: %s", a.Cookie, a.Body)
			}
		})
	}
	store.down = true
	_, err := e.service.Cookie(t.Context(), httptest.NewRequest("GET", "/", nil))
	if market.CodeOf(err) != market.CodeNoToken {
		t.Errorf("a request without a cookie reads the store: %v", err)
	}
}

func TestGoogleSignInDuringStoreOutage(t *testing.T) {
	store := &failingStore{}
	e := newGoogleEnv(t, func(c *identity.Config) { store.Store, c.Store = c.Store, store })
	e.google.QueueUser(grace)
	store.down = true
	e.browser().signInWithGoogle("/").wantRedirect("/login?error=google_failed")
	store.down = false
	e.google.QueueUser(grace)
	e.browser().signInWithGoogle("/").wantRedirect("/")
}

// lateStore calls afterMiss once, after the first AccountByEmail that finds nothing.
type lateStore struct {
	identity.Store
	afterMiss func()
}

func (s *lateStore) AccountByEmail(ctx context.Context, email string) (market.Account, error) {
	a, err := s.Store.AccountByEmail(ctx, email)
	if f := s.afterMiss; f != nil && errors.Is(err, market.ErrNotFound) {
		s.afterMiss = nil
		f()
	}
	return a, err
}

func TestGoogleSignInBetweenTheReadsOfAnotherIsTheSameAccount(t *testing.T) {
	store := &lateStore{}
	e := newGoogleEnv(t, func(c *identity.Config) { store.Store, c.Store = c.Store, store })
	e.google.QueueUser(grace)
	first, second := e.browser(), e.browser()
	callback := second.googleCallback(second.startGoogle("/"))
	store.afterMiss = func() {
		e.google.QueueUser(grace)
		first.signInWithGoogle("/").wantRedirect("/")
	}
	second.do("GET", callback, nil).wantRedirect("/")
}

func TestConcurrentGoogleSignInsCreateOneAccount(t *testing.T) {
	e := newGoogleEnv(t)
	for range 5 {
		user := grace
		user.Subject, user.Email = market.NewID(e.clock.Now()), market.NewID(e.clock.Now())+"@example.com"
		browsers := []*browser{e.browser(), e.browser(), e.browser()}
		callbacks := make([]string, len(browsers))
		for i, b := range browsers {
			e.google.QueueUser(user)
			callbacks[i] = b.googleCallback(b.startGoogle("/"))
		}
		var all sync.WaitGroup
		for i, b := range browsers {
			all.Go(func() {
				if a := b.do("GET", callbacks[i], nil); a.Header.Get("Location") != "/" {
					t.Errorf("redirects to %s, want /", a.Header.Get("Location"))
				}
			})
		}
		all.Wait()
		for _, b := range browsers {
			if me := b.do("GET", "/identity/me", nil).wantStatus(200); me["uid"] != e.account(user.Email).UID {
				t.Errorf("signed in as %v", me)
			}
		}
	}
}
