package market_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/search"
)

// matchTexts returns the texts and links of a person's matches, oldest first.
func (e *env) matchTexts(who market.Actor) (all []string) {
	e.t.Helper()
	list, err := e.Notifications(e.ctx, who, market.Page{Limit: 200})
	e.must(err)
	for _, n := range slices.Backward(list.Items) {
		if n.Kind == market.NotifyMatch {
			all = append(all, n.Text+" "+n.Link)
		}
	}
	return all
}

func (e *env) wantMatches(who market.Actor, want ...string) {
	e.t.Helper()
	if got := e.matchTexts(who); !slices.Equal(got, want) {
		e.t.Errorf("the matches are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func (e *env) readAll(who market.Actor) {
	e.t.Helper()
	list, err := e.Notifications(e.ctx, who, market.Page{Limit: 1})
	e.must(err)
	_, err = e.ReadNotifications(e.ctx, who, list.Items[0].ID, nil)
	e.must(err)
}

func TestMatchesOfASellerAreOneNotificationForAnHour(t *testing.T) {
	e := newEnv(t)
	seller, other, searcher := e.seller(), e.seller(), e.buyer()
	e.mustSaveSearch(searcher, search.Query{Text: "3310", MaxPrice: 500})
	list := func(who market.Actor) market.Product {
		t.Helper()
		p := e.phone(who)
		e.stepAnnouncer()
		return p
	}
	single := func(p market.Product) string {
		return "New for your search “Mine”: Nokia 3310 for $40. /phone/" + p.ID
	}
	first := list(seller)
	e.wantMatches(searcher, single(first))
	for range 5 {
		e.clock.Pass(9 * time.Minute)
		list(seller)
	}
	six := "6 new phones for your search “Mine”. /search?q=3310&maxPrice=500"
	e.wantMatches(searcher, six)
	byOther := list(other)
	e.wantMatches(searcher, six, single(byOther))
	e.clock.Pass(15 * time.Minute) // an hour after the first one
	next := list(seller)
	e.wantMatches(searcher, six, single(byOther), single(next))
	e.readAll(searcher)
	afterRead := list(seller)
	e.wantMatches(searcher, six, single(byOther), single(next), single(afterRead))
	e.must(e.changePrice(first, 1000))
	e.must(e.changePrice(first, 40)) // the person was notified of this phone
	e.stepAnnouncer()
	e.wantMatches(searcher, six, single(byOther), single(next), single(afterRead))
}

func TestMatchesOfSeveralSearchesAreOneNotification(t *testing.T) {
	e := newEnv(t)
	seller, searcher := e.seller(), e.buyer()
	for name, q := range map[string]search.Query{"Mine": {Text: "3310"}, "Brand": {Brands: []string{e.brand.ID}}} {
		_, err := e.SaveSearch(e.ctx, searcher, market.SavedSearchRequest{Name: name, Query: q})
		e.must(err)
	}
	p := e.phone(seller)
	e.stepAnnouncer()
	if got := e.matchTexts(searcher); len(got) != 1 || !strings.HasSuffix(got[0], ": Nokia 3310 for $40. /phone/"+p.ID) {
		t.Errorf("the matches are %q", got)
	}
	e.drain()
	e.phone(seller)
	e.stepAnnouncer()
	e.wantMatches(searcher, "2 new phones for your searches. /dashboard/watching")
	if got := e.publishedEvents(); !slices.Contains(got, market.TopicMe(searcher.User.UID)+" notification.changed") {
		t.Errorf("published %q", got)
	}
}

// Each node is killed after some writes, and another repeats its work.
func TestMatchesAreCountedOnceDespiteKills(t *testing.T) {
	e := newEnv(t)
	seller, searcher := e.seller(), e.buyer()
	e.mustSaveSearch(searcher, search.Query{Text: "3310"})
	const n = 12
	for i := range n {
		if i == n/2 {
			e.clock.Pass(2 * time.Hour)
		}
		e.phone(seller)
		for writes := range 6 {
			killed := e.announcerOf(market.New(crashAfter(e.store, writes), e.clock, e.rules, market.NoPayments{}))
			if err := killed.Step(e.ctx); err != nil && !errors.Is(err, errCrash) {
				t.Fatal(err)
			}
			e.clock.Pass(30 * time.Second)
		}
	}
	e.stepAnnouncer()
	want := fmt.Sprintf("%d new phones for your search “Mine”. /search?q=3310", n/2)
	e.wantMatches(searcher, want, want)
}

// A match that is added to a notification is emailed, too.
func TestAddedMatchIsEmailed(t *testing.T) {
	p := newEmailerEnv(t)
	seller, searcher := p.seller(), p.buyer()
	p.mustSaveSearch(searcher, search.Query{Text: "3310"})
	p.choose(searcher, market.EmailNow)
	p.phone(seller)
	p.stepAnnouncer()
	p.stepAfter(time.Minute)
	for range 3 {
		p.phone(seller)
		p.stepAnnouncer()
		p.stepAfter(time.Minute)
	}
	list, err := p.Notifications(p.ctx, searcher, market.Page{Limit: 9})
	p.must(err)
	if sent := p.sentTo(searcher); len(list.Items) != 1 || sent[list.Items[0].ID] != 1 {
		t.Errorf("%d notifications, emails %v, want one with one email", len(list.Items), sent)
	}
	p.stepAfter(time.Hour)
	if sent := p.sentTo(searcher); sent[list.Items[0].ID] != 2 {
		t.Errorf("emails %v, want a second one after an hour", sent)
	}
	p.wantNothingDue()
}

// A person who was there at the first match, and has left, gets an email about the next.
func TestAddedMatchIsEmailedToAPersonWhoHasLeft(t *testing.T) {
	p := newEmailerEnv(t)
	seller, searcher := p.seller(), p.buyer()
	p.mustSaveSearch(searcher, search.Query{Text: "3310"})
	p.choose(searcher, market.EmailNow)
	p.presence.last[searcher.User.UID] = p.clock.Now().Add(time.Minute)
	p.phone(seller)
	p.stepAnnouncer()
	p.stepAfter(2 * time.Minute)
	p.wantSent(searcher)
	p.clock.Pass(20 * time.Minute)
	p.phone(seller)
	p.stepAnnouncer()
	p.stepAfter(time.Minute)
	if sent := p.sentTo(searcher); len(sent) != 1 {
		t.Errorf("emails %v, want one", sent)
	}
}
