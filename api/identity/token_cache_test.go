package identity_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"secondring/api/identity"
	"secondring/market"
	"secondring/market/fresh"
)

// asked counts how often sessions are looked up, and may do something meanwhile.
type asked struct {
	market.Store
	sessions  atomic.Int64
	meanwhile func()
}

func (s *asked) Session(ctx context.Context, id string) (market.Session, error) {
	s.sessions.Add(1)
	found, err := s.Store.Session(ctx, id)
	if s.meanwhile != nil {
		s.meanwhile()
	}
	return found, err
}

// rememberer is a provider that remembers, beside the world's own, which does not.
type rememberer struct {
	*identity.Service
	market *market.Market
	watch  *fresh.Watch
	store  *asked
	token  string
	uid    string
}

func newRememberer(t *testing.T, w *world, alone bool) *rememberer {
	t.Helper()
	r := &rememberer{watch: fresh.New(), token: w.member(ada).token(ada), uid: w.account(ada).UID}
	r.store = &asked{Store: r.watch.Store(w.store)}
	r.market = market.New(r.store, w.clock, market.Rules{MaxHolds: 1}, market.NoPayments{})
	public, err := url.Parse(w.server.URL)
	must(t, err)
	r.Service, err = identity.New(identity.Config{
		Store: r.store, Market: r.market, Clock: w.clock, Secret: secret, PublicURL: public,
		Log: slog.New(slog.DiscardHandler), Watch: r.watch, Alone: alone,
	})
	must(t, err)
	return r
}

// settled has the token remembered, just now.
func (r *rememberer) settled(t *testing.T) {
	t.Helper()
	_, _, err := r.Bearer(t.Context(), r.token)
	must(t, err)
	if who, ok := r.Known(r.token); !ok || who.User.UID != r.uid {
		t.Fatal("a good token is not remembered")
	}
}

// A remembered token is forgotten the moment that anything about its owner, or
// its session, changes: by this process before the change is acknowledged, by
// another one with its event.
func TestWhatEndsAToken(t *testing.T) {
	control := func(kind, uid string) market.Event {
		return market.Event{Topic: market.TopicControl, Type: kind, Data: []byte(`{"uid":"` + uid + `"}`)}
	}
	for name, happens := range map[string]func(w *world, r *rememberer) error{
		"another password": func(w *world, r *rememberer) error {
			return r.SetPassword(w.t.Context(), ada, "something else")
		},
		"becoming an admin": func(w *world, r *rememberer) error {
			return r.market.MakeAdmin(w.t.Context(), w.account(ada))
		},
		"another name": func(w *world, r *rememberer) error {
			return r.market.Rename(w.t.Context(), r.uid, "Countess")
		},
		"the account's removal": func(w *world, r *rememberer) error {
			user, err := w.store.User(w.t.Context(), r.uid)
			must(w.t, err)
			_, err = r.market.RemoveUser(w.t.Context(), market.Actor{User: market.User{Admin: true}}, user.ID)
			return err
		},
		"an event from another node": func(_ *world, r *rememberer) error {
			r.watch.Heard(control(market.TypeSessionEnded, r.uid))
			return nil
		},
		"events that were lost": func(_ *world, r *rememberer) error {
			r.watch.Lost()
			return nil
		},
		"an hour": func(w *world, _ *rememberer) error {
			w.clock.Pass(time.Hour)
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			r := newRememberer(t, w, true)
			r.settled(t)
			r.watch.Heard(control(market.TypeSessionEnded, "somebody else's"))
			must(t, happens(w, r))
			if _, ok := r.Known(r.token); ok {
				t.Error("the token is believed still")
			}
			want, _, err := w.service.Bearer(t.Context(), r.token)
			got, _, gotErr := r.Bearer(t.Context(), r.token)
			if market.CodeOf(gotErr) != market.CodeOf(err) || got.User.Name != want.User.Name || got.User.Admin != want.User.Admin {
				t.Errorf("%+v, %v; the store says %+v, %v", got, gotErr, want, err)
			}
		})
	}
}

// What ends while the store is being asked is not remembered as going on.
func TestAnEndWhileTheStoreIsAsked(t *testing.T) {
	w := newWorld(t)
	r := newRememberer(t, w, true)
	r.store.meanwhile = func() {
		r.store.meanwhile = nil
		must(t, r.SetPassword(t.Context(), ada, "something else"))
	}
	_, _, err := r.Bearer(t.Context(), r.token)
	must(t, err) // it held when it was asked about
	if _, ok := r.Known(r.token); ok {
		t.Error("the token is believed still")
	}
}

// The store is asked once for many calls, yet again after a while: another
// process may have said nothing.
func TestTheStoreIsAskedNowAndThen(t *testing.T) {
	w := newWorld(t)
	r := newRememberer(t, w, true)
	began := time.Now()
	for range 1000 {
		_, _, err := r.Bearer(t.Context(), r.token)
		must(t, err)
	}
	if n, most := r.store.sessions.Load(), 1+int64(time.Since(began)/(500*time.Millisecond)); n > most {
		t.Errorf("a thousand calls asked %d times, want %d at most", n, most)
	}
	must(t, w.service.SetPassword(t.Context(), ada, "something else")) // by a process that r does not hear
	for {
		_, _, err := r.Bearer(t.Context(), r.token)
		if market.CodeOf(err) == market.CodeNoToken {
			break
		}
		if must(t, err); time.Since(began) > 5*time.Second {
			t.Fatal("the token is believed for ever")
		}
	}
}

// Who is sure that no other process has written asks no more, until one has.
func TestTheStoreIsNotAskedWhileItIsSure(t *testing.T) {
	w := newWorld(t)
	r := newRememberer(t, w, true)
	r.settled(t)
	before := r.store.sessions.Load()
	for began := time.Now(); time.Since(began) < time.Second; {
		r.watch.Sure(market.Monotonic())
		if _, ok := r.Known(r.token); !ok {
			t.Fatal("it is not believed")
		}
		if _, _, err := r.Bearer(t.Context(), r.token); err != nil || r.store.sessions.Load() != before {
			t.Fatal("the store is asked", err)
		}
	}
	r.watch.Lost()
	r.watch.Sure(market.Monotonic())
	if _, ok := r.Known(r.token); ok {
		t.Error("it is believed, and others have written")
	}
}

// Beside other nodes a write asks the store each time, whatever is remembered.
func TestBesideOthersWritesAsk(t *testing.T) {
	w := newWorld(t)
	r := newRememberer(t, w, false)
	r.settled(t)
	before := r.store.sessions.Load()
	for range 3 {
		_, _, err := r.Bearer(t.Context(), r.token)
		must(t, err)
	}
	if n := r.store.sessions.Load() - before; n != 3 {
		t.Errorf("three calls asked %d times", n)
	}
}

// However many tokens there are, a bounded number is remembered, the last among them.
func TestFewTokensAreRemembered(t *testing.T) {
	w := newWorld(t)
	r := newRememberer(t, w, true)
	r.settled(t)
	for i := range 3 * identity.MaxTokens {
		identity.Keep(r.Service, fmt.Sprint("token ", i))
	}
	if n := identity.Kept(r.Service); n > 2*identity.MaxTokens {
		t.Errorf("%d tokens are remembered", n)
	}
	r.settled(t)
}
