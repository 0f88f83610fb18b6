package market_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"secondring/market"
)

func (e *env) watches(who market.Actor, p market.Product) {
	e.t.Helper()
	e.must(e.Watch(e.ctx, who, p.ID))
}

func (e *env) searches(who market.Actor, q market.Query) market.SavedSearch {
	e.t.Helper()
	s, err := e.SaveSearch(e.ctx, who, market.SavedSearchRequest{Name: "Mine", Query: q})
	e.must(err)
	return s
}

func (e *env) announce() {
	e.t.Helper()
	e.clock.Pass(time.Millisecond)
	e.must(market.NewAnnouncer(e.Market, discard).Step(e.ctx))
}

func TestUnreadableAnnouncementIsDropped(t *testing.T) {
	e := newEnv(t)
	broken := market.Record{Kind: "announcement", ID: "broken", Data: []byte(`{"ProductID":1}`), Due: e.clock.Now(), Version: 1}
	e.must(e.store.AddRecord(e.ctx, broken, nil))
	e.announce()
	if r, err := e.store.Record(e.ctx, broken.Kind, broken.ID); err != nil || !r.Due.IsZero() || r.Expires.IsZero() {
		t.Errorf("the record is %+v, %v", r, err)
	}
}

// notificationKinds returns the kinds of a person's notifications, newest first.
func (e *env) notificationKinds(who market.Actor) []market.NotificationKind {
	e.t.Helper()
	list, err := e.store.NotificationsOf(e.ctx, who.User.UID, market.Page{Limit: 200})
	e.must(err)
	var kinds []market.NotificationKind
	for _, n := range list.Items {
		kinds = append(kinds, n.Kind)
	}
	return kinds
}

func (e *env) wantHeard(who market.Actor, want ...market.NotificationKind) {
	e.t.Helper()
	if got := e.notificationKinds(who); !slices.Equal(got, want) {
		e.t.Errorf("received %v, want %v", got, want)
	}
}

func TestWatchersAreNotifiedOfPriceAvailabilityAndSale(t *testing.T) {
	e := newEnv(t)
	seller, watcher, buyer := e.seller(), e.buyer(), e.buyer()
	p := e.phone(seller)
	for _, who := range []market.Actor{seller, watcher, buyer} {
		e.watches(who, p)
	}
	e.announce()
	e.wantHeard(watcher)

	e.must(e.reprice(p, 45))
	e.announce()
	e.wantHeard(watcher)
	e.must(e.reprice(p, 30))
	e.announce()
	e.announce()
	e.wantHeard(watcher, market.NotifyPrice)
	list, err := e.store.NotificationsOf(e.ctx, watcher.User.UID, market.Page{Limit: 1})
	e.must(err)
	if n := list.Items[0]; n.Text != "Nokia 3310, which you watch, is cheaper now: $30 instead of $45." || n.Link != "/phone/"+p.ID {
		t.Errorf("notified: %+v", n)
	}

	b := e.booked(buyer, p)
	e.announce()
	e.wantHeard(watcher, market.NotifyPrice)
	e.must(e.release(b))
	e.announce()
	e.wantHeard(watcher, market.NotifyAvailable, market.NotifyPrice)
	if slices.Contains(e.notificationKinds(buyer), market.NotifyAvailable) || slices.Contains(e.notificationKinds(seller), market.NotifyAvailable) {
		t.Error("people who know already were notified")
	}

	e.clock.Pass(2 * time.Hour)
	e.payFor(buyer, e.booked(buyer, p))
	e.announce()
	e.wantHeard(watcher, market.NotifySold, market.NotifyAvailable, market.NotifyPrice)
	if slices.Contains(e.notificationKinds(buyer), market.NotifySold) || slices.Contains(e.notificationKinds(seller), market.NotifySold) {
		t.Error("people who know already were notified")
	}
}

func TestSavedSearchIsNotifiedOfAPhoneOnce(t *testing.T) {
	e := newEnv(t)
	seller, searcher := e.seller(), e.buyer()
	old := e.phone(seller)
	e.announce()
	e.searches(searcher, market.Query{Text: "3310", MaxPrice: 50})
	cheap := e.searches(searcher, market.Query{Brands: []string{e.brand.ID}, MaxPrice: 20})
	e.searches(searcher, market.Query{Text: "pixel"})
	e.searches(seller, market.Query{Text: "3310"})
	e.announce()
	e.wantHeard(searcher)

	p := e.phone(seller)
	e.announce()
	e.wantHeard(searcher, market.NotifyMatch)
	e.must(e.reprice(p, 35)) // the phone matched before
	e.must(e.reprice(old, 35))
	e.announce()
	e.wantHeard(searcher, market.NotifyMatch)
	for _, price := range []int{15, 25, 16} {
		e.must(e.reprice(p, price))
		e.announce()
	}
	e.wantHeard(searcher, market.NotifyMatch, market.NotifyMatch)
	list, err := e.store.NotificationsOf(e.ctx, searcher.User.UID, market.Page{Limit: 1})
	e.must(err)
	if n := list.Items[0]; n.Cause != "match:"+cheap.ID+":"+p.ID || n.Subject != "Mine" || n.Text != "New for your search “Mine”: Nokia 3310 for $15." {
		t.Errorf("notified: %+v", n)
	}
	e.wantHeard(seller)
}

func TestOutdatedAnnouncementIsNotSent(t *testing.T) {
	e := newEnv(t)
	seller, watcher := e.seller(), e.buyer()
	p, gone := e.phone(seller), e.phone(seller)
	e.watches(watcher, p)
	e.watches(watcher, gone)
	e.must(e.reprice(p, 30))
	e.must(e.reprice(p, 50))
	e.must(e.reprice(gone, 30))
	_, err := e.RemoveProduct(e.ctx, seller, gone.ID)
	e.must(err)
	e.announce()
	e.wantHeard(watcher)
}

// An announcement that always fails is retried after longer and longer pauses. Others are
// not delayed by it. It is processed once it no longer fails.
func TestFailingAnnouncementIsRetriedLater(t *testing.T) {
	e := newEnv(t)
	seller, unlucky, watcher := e.seller(), e.buyer(), e.buyer()
	first, second := e.phone(seller), e.phone(seller)
	e.watches(unlucky, first)
	e.watches(watcher, second)
	tries, isBroken := 0, true
	store := market.HookStore(e.store, func(_ context.Context, call market.StoreCall, do func() error) error {
		n, ok := call.Entity.(market.Notification)
		if !ok || n.UID != unlucky.User.UID || !isBroken {
			return do()
		}
		tries++
		return errors.New("the row is broken")
	})
	var logged bytes.Buffer
	announcer := market.NewAnnouncer(market.New(store, e.clock, e.rules, market.NoPayments{}), slog.New(slog.NewTextHandler(&logged, nil)))
	e.must(e.reprice(first, 30))
	e.clock.Pass(time.Millisecond)
	e.must(e.reprice(second, 30))
	e.must(announcer.Step(e.ctx))
	e.wantHeard(watcher, market.NotifyPrice)
	for range 3600 {
		e.clock.Pass(time.Second)
		e.must(announcer.Step(e.ctx))
	}
	if tries < 5 || tries > 30 {
		t.Errorf("tried %d times within an hour", tries)
	}
	if n := strings.Count(logged.String(), first.ID); n != tries {
		t.Errorf("%d of %d failures are logged: %s", n, tries, &logged)
	}
	e.wantHeard(unlucky)
	isBroken = false
	e.clock.Pass(15 * time.Minute)
	e.must(announcer.Step(e.ctx))
	e.wantHeard(unlucky, market.NotifyPrice)
}

// Two nodes process announcements at the same time, and one is killed after each write in
// turn. In the end everybody has one notification.
func TestAnnouncementIsSentOnceDespiteKillsAndSeveralNodes(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	p := e.phone(seller)
	e.announce()
	var uids []string
	for i := range 250 {
		uid := fmt.Sprint("watcher", i)
		uids = append(uids, uid)
		e.must(e.store.AddWatching(e.ctx, market.Watching{
			ID: market.NewID(e.clock.Now()), UID: uid, Version: 1,
			Phones: []market.Watch{{ID: "w", ProductID: p.ID, At: e.clock.Now()}},
		}, nil))
	}
	e.must(e.reprice(p, 30))
	died := errors.New("the process has died")
	for writes := int64(1); ; writes += 37 {
		var left atomic.Int64
		left.Store(writes)
		dying := market.HookStore(e.store, func(_ context.Context, call market.StoreCall, do func() error) error {
			if call.Read {
				return do()
			}
			if left.Add(-1) < 0 {
				return died
			}
			return do()
		})
		node := market.New(dying, e.clock, e.rules, market.NoPayments{})
		other := make(chan error)
		go func() { other <- market.NewAnnouncer(e.Market, discard).Step(e.ctx) }()
		err := market.NewAnnouncer(node, discard).Step(e.ctx)
		e.must(<-other)
		if err != nil && !errors.Is(err, died) {
			t.Fatal(err)
		}
		e.clock.Pass(time.Minute)
		due, err := e.store.RecordsDue(e.ctx, "announcement", e.clock.Now(), 9)
		e.must(err)
		if len(due) == 0 {
			break
		}
	}
	for _, uid := range uids {
		list, err := e.store.NotificationsOf(e.ctx, uid, market.Page{Limit: 9})
		e.must(err)
		if len(list.Items) != 1 {
			t.Fatalf("%s heard %d times", uid, len(list.Items))
		}
	}
	later := e.clock.Now().Add(time.Minute)
	if n, err := e.store.PurgeRecords(e.ctx, later, 9); err != nil || n == 0 {
		t.Errorf("%d records were forgotten, %v", n, err)
	}
}
