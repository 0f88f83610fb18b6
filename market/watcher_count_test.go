package market_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"secondring/market"
	"secondring/market/markettest"
)

func (e *env) countWatchers() {
	e.t.Helper()
	e.must(markettest.Runner(e.clock, e.AddWatcherCounts).Step(e.ctx))
}

func (e *env) wantWatchers(p market.Product, want int) {
	e.t.Helper()
	e.countWatchers()
	if got := e.stored(p).Watchers; got != want {
		e.t.Errorf("the phone has %d watchers, want %d", got, want)
	}
}

// It is a part of the phone, so its next event has it, too.
func TestSellerSeesHowManyPeopleWatchAPhone(t *testing.T) {
	e := newEnv(t)
	seller, ann, bob := e.seller(), e.buyer(), e.buyer()
	p, other := e.phone(seller), e.phone(seller)
	e.must(e.Watch(e.ctx, ann, p.ID))
	e.must(e.Watch(e.ctx, ann, p.ID))
	e.must(e.Watch(e.ctx, bob, p.ID))
	e.must(e.Watch(e.ctx, bob, other.ID))
	e.wantWatchers(p, 2)
	e.wantWatchers(other, 1)
	v := e.stored(p).ViewForSeller()
	if v.Watchers == nil || *v.Watchers != 2 || v.ListedAt == nil || !v.ListedAt.Equal(p.CreatedAt) {
		t.Errorf("the seller sees %v watchers, listed at %v", v.Watchers, v.ListedAt)
	}
	for _, v := range []market.ProductView{e.stored(p).ViewWithContact(), e.stored(p).ViewForVisitor()} {
		if v.Watchers != nil || v.ListedAt != nil {
			t.Errorf("another reader sees %v and %v", v.Watchers, v.ListedAt)
		}
	}
	_, err := e.Unwatch(e.ctx, ann, p.ID)
	e.must(err)
	e.wantWatchers(p, 1)
	_, err = e.RemoveUser(e.ctx, e.admin(), bob.User.ID, market.RemovalReason{})
	e.must(err)
	e.wantWatchers(p, 0)
	e.wantWatchers(other, 0)
}

func TestOnlyTheSellerHearsOfWatchers(t *testing.T) {
	e := newEnv(t)
	seller, ann := e.seller(), e.buyer()
	p := e.phone(seller)
	e.must(e.Watch(e.ctx, ann, p.ID))
	e.drain()
	e.countWatchers()
	e.countWatchers() // nothing is left to do
	events := e.drain()
	if len(events) != 1 || events[0].Topic != market.TopicMe(seller.User.UID) || events[0].Type != market.TypeProductChanged || events[0].Version != p.Version+1 {
		t.Fatalf("the events are %+v, want one for the seller", events)
	}
	var data map[string]any
	e.must(json.Unmarshal(events[0].Data, &data))
	if data["watchers"] != 1.0 || strings.Contains(string(events[0].Data), ann.User.UID) {
		t.Errorf("the event has %s", events[0].Data)
	}
	_, err := e.ChangeProduct(e.ctx, seller, p.ID, market.ProductChange{ResalePrice: new(39)})
	e.must(err)
	for _, event := range e.drain() {
		if has, toSeller := strings.Contains(string(event.Data), `"watchers":1`), event.Topic == market.TopicMe(seller.User.UID); has != toSeller {
			t.Errorf("the event on %s has the number: %v", event.Topic, has)
		}
	}
}

func TestWatchersAreCountedAfterACrash(t *testing.T) {
	for writes := 0; ; writes++ {
		e := newEnv(t)
		seller, ann := e.seller(), e.buyer()
		p := e.phone(seller)
		crash := &markettest.Crash{Writes: writes, Die: func() error { return errCrash }}
		killed := market.New(markettest.Guarded(e.store, crash.Guard), e.clock, e.rules, e.bank)
		err := killed.Watch(e.ctx, ann, p.ID)
		if err == nil {
			err = markettest.Runner(e.clock, killed.AddWatcherCounts).Step(e.ctx)
		}
		e.pass(hour) // the lease of the killed process ends
		w, readErr := e.Watching(e.ctx, ann)
		e.must(readErr)
		e.wantWatchers(p, len(w.Phones))
		if err == nil {
			return
		}
		if !errors.Is(err, errCrash) {
			t.Fatal(err)
		}
	}
}
