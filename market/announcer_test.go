package market_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/search"
)

// addWatchers adds n people who watch a phone, and returns their UIDs.
func (e *env) addWatchers(p market.Product, n int) []string {
	e.t.Helper()
	uids := make([]string, n)
	for i := range uids {
		uids[i] = fmt.Sprint("watcher", i)
		e.must(e.store.AddWatching(e.ctx, market.Watching{
			ID: market.NewID(e.clock.Now()), UID: uids[i], Version: 1,
			Phones: []market.Watch{{ID: "watch", ProductID: p.ID, At: e.clock.Now()}},
		}, nil))
	}
	return uids
}

func (e *env) mustWatch(who market.Actor, p market.Product) {
	e.t.Helper()
	e.must(e.Watch(e.ctx, who, p.ID))
}

func (e *env) mustSaveSearch(who market.Actor, q search.Query) market.SavedSearch {
	e.t.Helper()
	s, err := e.SaveSearch(e.ctx, who, market.SavedSearchRequest{Name: "Mine", Query: q})
	e.must(err)
	return s
}

// stepAnnouncer processes the announcements that are due.
func (e *env) stepAnnouncer() {
	e.t.Helper()
	e.clock.Pass(time.Millisecond)
	e.must(e.announcerOf(e.Market).Step(e.ctx))
}

func TestInvalidAnnouncementIsGivenUp(t *testing.T) {
	e := newEnv(t)
	invalid := market.Record{Kind: "announcement", ID: "invalid", Data: []byte(`{"ProductID":1}`), Due: e.clock.Now(), Version: 1}
	e.must(e.store.AddRecord(e.ctx, invalid, nil))
	e.stepAnnouncer()
	r, err := e.store.Record(e.ctx, invalid.Kind, invalid.ID)
	e.must(err)
	if !r.Due.IsZero() || r.Expires.IsZero() {
		t.Errorf("the record is still due, or is kept for ever: %+v", r)
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

// wantNotificationKinds fails the test unless a person's notifications have these kinds,
// newest first.
func (e *env) wantNotificationKinds(who market.Actor, want ...market.NotificationKind) {
	e.t.Helper()
	if got := e.notificationKinds(who); !slices.Equal(got, want) {
		e.t.Errorf("the notifications are %v, want %v", got, want)
	}
}

func TestWatchersAreNotifiedOfPriceAvailabilityAndSale(t *testing.T) {
	e := newEnv(t)
	seller, watcher, buyer := e.seller(), e.buyer(), e.buyer()
	p := e.phone(seller)
	for _, who := range []market.Actor{seller, watcher, buyer} {
		e.mustWatch(who, p)
	}
	e.stepAnnouncer()
	e.wantNotificationKinds(watcher)

	e.must(e.changePrice(p, 45))
	e.stepAnnouncer()
	e.wantNotificationKinds(watcher)
	e.must(e.changePrice(p, 30))
	e.stepAnnouncer()
	e.stepAnnouncer()
	e.wantNotificationKinds(watcher, market.NotifyPrice)
	list, err := e.store.NotificationsOf(e.ctx, watcher.User.UID, market.Page{Limit: 1})
	e.must(err)
	if n := list.Items[0]; n.Text != "Nokia 3310, which you watch, became cheaper: $30 instead of $45." || n.Link != "/phone/"+p.ID {
		t.Errorf("the notification is %+v", n)
	}

	b := e.mustBook(buyer, p)
	e.stepAnnouncer()
	e.wantNotificationKinds(watcher, market.NotifyPrice)
	e.must(e.cancelAsBuyer(b))
	e.stepAnnouncer()
	e.wantNotificationKinds(watcher, market.NotifyAvailable, market.NotifyPrice)
	if slices.Contains(e.notificationKinds(buyer), market.NotifyAvailable) || slices.Contains(e.notificationKinds(seller), market.NotifyAvailable) {
		t.Error("the buyer or the seller was notified")
	}

	e.clock.Pass(2 * time.Hour)
	e.mustPay(buyer, e.mustBook(buyer, p))
	e.stepAnnouncer()
	e.wantNotificationKinds(watcher, market.NotifySold, market.NotifyAvailable, market.NotifyPrice)
	if slices.Contains(e.notificationKinds(buyer), market.NotifySold) || slices.Contains(e.notificationKinds(seller), market.NotifySold) {
		t.Error("the buyer or the seller was notified")
	}
}

func TestSavedSearchIsNotifiedOfAPhoneOnce(t *testing.T) {
	e := newEnv(t)
	seller, searcher := e.seller(), e.buyer()
	old := e.phone(seller)
	e.stepAnnouncer()
	all := e.mustSaveSearch(searcher, search.Query{Text: "3310", MaxPrice: 50})
	cheap := e.mustSaveSearch(searcher, search.Query{Brands: []string{e.brand.ID}, MaxPrice: 20})
	e.mustSaveSearch(searcher, search.Query{Text: "pixel"})
	e.mustSaveSearch(seller, search.Query{Text: "3310"})
	e.stepAnnouncer()
	e.wantNotificationKinds(searcher)

	p := e.phone(seller)
	e.stepAnnouncer()
	e.wantNotificationKinds(searcher, market.NotifyMatch)
	e.must(e.changePrice(p, 35)) // the phone matched before
	e.must(e.changePrice(old, 35))
	e.stepAnnouncer()
	e.wantNotificationKinds(searcher, market.NotifyMatch)
	for _, price := range []int{15, 25, 16} {
		e.must(e.changePrice(p, price))
		e.stepAnnouncer()
	}
	e.wantNotificationKinds(searcher, market.NotifyMatch)
	list, err := e.store.NotificationsOf(e.ctx, searcher.User.UID, market.Page{Limit: 1})
	e.must(err)
	n := list.Items[0]
	if n.Subject != "Mine" || n.Text != "New for your search “Mine”: Nokia 3310 for $15." || n.Link != "/phone/"+p.ID {
		t.Errorf("the notification is %+v", n)
	}
	if want := []string{all.ID + ":" + p.ID, cheap.ID + ":" + p.ID}; !slices.Equal(n.Matches.Pairs, want) || n.Version != 2 {
		t.Errorf("the notification has the matches %q and the version %d, want %q and 2", n.Matches.Pairs, n.Version, want)
	}
	e.wantNotificationKinds(seller)
}

// A held phone whose seller is verified matches a search for verified phones from then on. A
// search for available phones has it once the hold has ended. A booking alone needs no
// announcement.
func TestSavedSearchIsNotifiedOfAHeldPhoneThatChanges(t *testing.T) {
	e := newEnv(t)
	seller, verified, available := e.seller(), e.buyer(), e.buyer()
	p := e.phone(seller)
	e.mustSaveSearch(verified, search.Query{Verified: new(true)})
	e.mustSaveSearch(available, search.Query{Verified: new(true), Available: new(true)})
	e.stepAnnouncer()
	booking := e.mustBook(e.buyer(), p)
	due, err := e.store.RecordsDue(e.ctx, "announcement", e.clock.Now(), 10)
	e.must(err)
	if len(due) != 0 {
		t.Errorf("after a booking the announcements are %v, want none", due)
	}
	_, err = e.VerifySeller(e.ctx, e.admin(), seller.User.ID, market.VerifyRequest{})
	e.must(err)
	e.stepAnnouncer()
	e.wantNotificationKinds(verified, market.NotifyMatch)
	e.wantNotificationKinds(available)
	e.must(e.cancelAsBuyer(booking))
	e.stepAnnouncer()
	e.wantNotificationKinds(verified, market.NotifyMatch)
	e.wantNotificationKinds(available, market.NotifyMatch)
}

func TestOutdatedAnnouncementIsNotSent(t *testing.T) {
	e := newEnv(t)
	seller, watcher := e.seller(), e.buyer()
	p, removed := e.phone(seller), e.phone(seller)
	e.mustWatch(watcher, p)
	e.mustWatch(watcher, removed)
	e.must(e.changePrice(p, 30))
	e.must(e.changePrice(p, 50))
	e.must(e.changePrice(removed, 30))
	_, err := e.RemoveProduct(e.ctx, seller, removed.ID, market.RemovalReason{})
	e.must(err)
	e.stepAnnouncer()
	e.wantNotificationKinds(watcher)
}

// An announcement that always fails is retried after longer and longer pauses. Others are
// not delayed by it. It is processed once it no longer fails.
func TestFailingAnnouncementIsRetriedLater(t *testing.T) {
	e := newEnv(t)
	seller, failing, watcher := e.seller(), e.buyer(), e.buyer()
	first, second := e.phone(seller), e.phone(seller)
	e.mustWatch(failing, first)
	e.mustWatch(watcher, second)
	attempts, isBroken := 0, true
	store := e.store.Hooked(func(_ context.Context, call market.StoreCall, do func() error) error {
		n, ok := call.Entity.(market.Notification)
		if !ok || n.UID != failing.User.UID || !isBroken {
			return do()
		}
		attempts++
		return errors.New("the write failed")
	})
	var logged bytes.Buffer
	announcer := market.NewRunner(e.clock, slog.New(slog.NewTextHandler(&logged, nil)), nil)
	market.New(store, e.clock, e.rules, market.NoPayments{}).AddAnnouncements(announcer)
	e.must(e.changePrice(first, 30))
	e.clock.Pass(time.Millisecond)
	e.must(e.changePrice(second, 30))
	e.must(announcer.Step(e.ctx))
	e.wantNotificationKinds(watcher, market.NotifyPrice)
	for range 3600 {
		e.clock.Pass(time.Second)
		e.must(announcer.Step(e.ctx))
	}
	if attempts < 5 || attempts > 30 {
		t.Errorf("%d attempts within an hour, want 5 to 30", attempts)
	}
	if n := strings.Count(logged.String(), first.ID); n != attempts {
		t.Errorf("%d of %d failures are logged: %s", n, attempts, &logged)
	}
	e.wantNotificationKinds(failing)
	isBroken = false
	e.clock.Pass(15 * time.Minute)
	e.must(announcer.Step(e.ctx))
	e.wantNotificationKinds(failing, market.NotifyPrice)
}

// Two nodes process announcements at the same time, and one is killed after each write in
// turn. In the end everybody has one notification.
func TestAnnouncementIsSentOnceDespiteKillsAndSeveralNodes(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	p := e.phone(seller)
	e.stepAnnouncer()
	uids := e.addWatchers(p, 250)
	e.must(e.changePrice(p, 31))
	e.must(e.changePrice(p, 30)) // merged with the first
	for writes := 1; ; writes += 37 {
		killed := market.New(crashAfter(e.store, writes), e.clock, e.rules, market.NoPayments{})
		other := make(chan error)
		go func() { other <- e.announcerOf(e.Market).Step(e.ctx) }()
		err := e.announcerOf(killed).Step(e.ctx)
		e.must(<-other)
		if err != nil && !errors.Is(err, errCrash) {
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
			t.Fatalf("%s has %d notifications, want 1", uid, len(list.Items))
		}
	}
}

// openAnnouncements returns how many announcements are not processed yet.
func (e *env) openAnnouncements() int {
	e.t.Helper()
	open, err := e.store.RecordsDue(e.ctx, "announcement", e.clock.Now().Add(time.Hour), 1000)
	e.must(err)
	return len(open)
}

// The text of a notification of a lower price does not change, because open screens show it. An
// email may be sent a day later: it tells the price of now.
func TestEmailsOfLowerPricesTellThePriceOfNow(t *testing.T) {
	for happened, c := range map[string]struct {
		prices []int
		sold   bool
		want   string
	}{
		"nothing":               {nil, false, "Nokia 3310, which you watch, became cheaper: $30 instead of $40."},
		"dearer":                {[]int{35}, false, "Nokia 3310, which you watch, costs $35 now."},
		"dearer than before":    {[]int{99}, false, "Nokia 3310, which you watch, costs $99 now."},
		"up and down again":     {[]int{50, 30}, false, "Nokia 3310, which you watch, became cheaper: $30 instead of $40."},
		"cheaper, not yet told": {[]int{20}, false, "Nokia 3310, which you watch, costs $20 now."},
		"sold":                  {nil, true, "Nokia 3310, which you watch, is sold."},
	} {
		t.Run(happened, func(t *testing.T) {
			e := newEnv(t)
			watcher := e.buyer()
			p := e.phone(e.seller())
			e.mustWatch(watcher, p)
			e.must(e.changePrice(p, 30))
			e.stepAnnouncer()
			for _, price := range c.prices {
				e.must(e.changePrice(p, price))
			}
			if c.sold {
				buyer := e.buyer()
				e.mustPay(buyer, e.mustBook(buyer, e.stored(p)))
			}
			list, err := e.Notifications(e.ctx, watcher, market.Page{Limit: 10})
			e.must(err)
			first := list.Items[len(list.Items)-1:]
			if want := "Nokia 3310, which you watch, became cheaper: $30 instead of $40."; first[0].Text != want {
				t.Errorf("the notification tells %q, want %q", first[0].Text, want)
			}
			e.must(market.TellPricesOfNow(e.ctx, e.store, first))
			if first[0].Text != c.want {
				t.Errorf("the email tells %q, want %q", first[0].Text, c.want)
			}
		})
	}
}
