package identity_test

import (
	"context"
	"log/slog"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"secondring/api/cache"
	"secondring/api/identity"
	"secondring/market"
)

// countingStore counts reads of sessions and accounts, and can run a function after the read of an
// account.
type countingStore struct {
	market.Store
	sessions  atomic.Int64
	accounts  atomic.Int64
	afterRead func() // may be nil
}

func (s *countingStore) Session(ctx context.Context, id string) (market.Session, error) {
	s.sessions.Add(1)
	return s.Store.Session(ctx, id)
}

func (s *countingStore) Account(ctx context.Context, uid string) (market.Account, error) {
	s.accounts.Add(1)
	found, err := s.Store.Account(ctx, uid)
	if s.afterRead != nil {
		s.afterRead()
	}
	return found, err
}

// cachingService is a second service with a token cache; the env's own service has none.
type cachingService struct {
	*identity.Service
	market   *market.Market
	versions *cache.Versions
	store    *countingStore
	token    string
	uid      string
}

func newCachingService(t *testing.T, e *env) *cachingService {
	t.Helper()
	r := &cachingService{versions: cache.NewVersions(), token: e.member(ada).token(ada), uid: e.account(ada).UID}
	r.store = &countingStore{Store: e.store.Hooked(r.versions.StoreHook)}
	r.market = market.New(r.store, e.clock, market.Rules{MaxHolds: 1}, market.NoPayments{})
	public, err := url.Parse(e.server.URL)
	must(t, err)
	r.Service, err = identity.New(identity.Config{
		Store: r.store, Market: r.market, Clock: e.clock, Secret: secret, PublicURL: public,
		Log: slog.New(slog.DiscardHandler), Versions: r.versions,
	})
	must(t, err)
	return r
}

// fillCache makes the service cache the token.
func (r *cachingService) fillCache(t *testing.T) {
	t.Helper()
	_, _, err := r.Bearer(t.Context(), r.token)
	must(t, err)
	if user, ok := identity.Cached(r.Service, r.token); !ok || user.UID != r.uid {
		t.Fatal("a valid token is not cached")
	}
}

// A cached token is dropped when its owner or its session changes: before a change of this
// process is acknowledged, and with the event of another process's change.
func TestTokenCacheInvalidation(t *testing.T) {
	control := func(kind, uid string) market.Event {
		return market.Event{Topic: market.TopicControl, Type: kind, Data: []byte(`{"uid":"` + uid + `"}`)}
	}
	for name, change := range map[string]func(e *env, r *cachingService) error{
		"a password change": func(e *env, r *cachingService) error {
			return r.SetPassword(e.t.Context(), ada, "something else")
		},
		"a promotion to admin": func(e *env, r *cachingService) error {
			return r.market.MakeAdmin(e.t.Context(), e.account(ada))
		},
		"a change of the name": func(e *env, r *cachingService) error {
			return r.market.Rename(e.t.Context(), r.uid, "Ada Lovelace")
		},
		"a removal of the user": func(e *env, r *cachingService) error {
			user, err := e.store.User(e.t.Context(), r.uid)
			must(e.t, err)
			_, err = r.market.RemoveUser(e.t.Context(), market.Actor{User: market.User{Admin: true}}, user.ID, market.RemovalReason{})
			return err
		},
		"an event from another node": func(_ *env, r *cachingService) error {
			r.versions.Happened(control(market.TypeSessionEnded, r.uid))
			return nil
		},
		"lost events": func(_ *env, r *cachingService) error {
			r.versions.AllChanged()
			return nil
		},
		"the expiry after an hour": func(e *env, _ *cachingService) error {
			e.clock.Pass(time.Hour)
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			r := newCachingService(t, e)
			r.fillCache(t)
			r.versions.Happened(control(market.TypeSessionEnded, "another-uid"))
			must(t, change(e, r))
			if _, ok := identity.Cached(r.Service, r.token); ok {
				t.Error("the token is still cached")
			}
			want, _, err := e.service.Bearer(t.Context(), r.token)
			got, _, gotErr := r.Bearer(t.Context(), r.token)
			if market.CodeOf(gotErr) != market.CodeOf(err) || got.User.Name != want.User.Name || got.User.Admin != want.User.Admin {
				t.Errorf("the actor is %+v, %v; without a cache it is %+v, %v", got, gotErr, want, err)
			}
		})
	}
}

// A session that ends during the read of the store is not cached as valid.
func TestSessionEndedDuringReadIsNotCached(t *testing.T) {
	e := newEnv(t)
	r := newCachingService(t, e)
	r.store.afterRead = func() {
		r.store.afterRead = nil
		must(t, r.SetPassword(t.Context(), ada, "something else"))
	}
	_, _, err := r.Bearer(t.Context(), r.token)
	must(t, err) // it was valid when the read began
	if _, ok := identity.Cached(r.Service, r.token); ok {
		t.Error("the token is still cached")
	}
}

// Many calls share one read of the store. It is read again if another process may have
// written.
func TestTokenIsReadOnce(t *testing.T) {
	e := newEnv(t)
	r := newCachingService(t, e)
	for range 1000 {
		_, _, err := r.Bearer(t.Context(), r.token)
		must(t, err)
	}
	if n := r.store.sessions.Load(); n > 2 {
		t.Errorf("1000 calls read the session %d times, want at most 2", n)
	}
	must(t, e.service.SetPassword(t.Context(), ada, "something else")) // by a process whose writes r does not see
	r.versions.AllChanged()
	if _, _, err := r.Bearer(t.Context(), r.token); market.CodeOf(err) != market.CodeNoToken {
		t.Errorf("the token gets %v, want code %q", err, market.CodeNoToken)
	}
}

// If other nodes write to the store, tokens are not cached: each check reads the session and the user.
// It reads the account from memory until its credentials change, on this node or, as the event says,
// on another.
func TestAccountIsReadOnceForManyTokenChecks(t *testing.T) {
	e := newEnv(t)
	r := newCachingService(t, e)
	access := cache.New[market.AccountAccess](r.versions, 10)
	r.market.UseAccessCache(func(ctx context.Context, uid string, read func(context.Context) (market.AccountAccess, error)) (market.AccountAccess, error) {
		return access.Load(ctx, uid, []string{cache.Person(uid)}, read)
	})
	session := e.sessionOf(r.token)
	check := func(calls, reads int64) {
		t.Helper()
		before := r.store.accounts.Load()
		for range calls {
			_, err := r.market.Actor(t.Context(), r.uid, session)
			must(t, err)
		}
		if n := r.store.accounts.Load() - before; n > reads {
			t.Errorf("%d checks read the account %d times, want at most %d", calls, n, reads)
		}
	}
	check(1000, 2)
	a := e.account(ada)
	a.CredentialsVersion, a.KeptSession, a.Version = 1, session, a.Version+1
	must(t, r.store.SaveAccount(t.Context(), a, nil)) // by this node
	check(10, 1)
	a.CredentialsVersion, a.KeptSession, a.Version = 2, "", a.Version+1
	must(t, e.store.SaveAccount(t.Context(), a, nil)) // by another node
	r.versions.AccessChanged(r.uid)
	if _, err := r.market.Actor(t.Context(), r.uid, session); market.CodeOf(err) != market.CodeNoToken {
		t.Errorf("the session of older credentials gets %v", err)
	}
}

// sessionOf returns the session of an access token.
func (e *env) sessionOf(token string) string {
	e.t.Helper()
	actor, _, err := e.service.Bearer(e.t.Context(), token)
	must(e.t, err)
	return actor.Session
}
