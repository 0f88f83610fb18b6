package storetest

import (
	"time"

	"secondring/market"
)

// thread returns a buyer's thread with a seller about a phone. Its last message has a new ID.
func thread(buyer, seller, phone string) market.Thread {
	t := market.Thread{ID: newID(), ProductID: phone, BuyerUID: buyer, SellerUID: seller, Version: 1, CreatedAt: noon}
	t.Last = market.LastMessage{ID: newID(), At: noon}
	return t
}

func message(t market.Thread, key string) market.Message {
	return market.Message{ID: newID(), ThreadID: t.ID, Kind: market.MessageText, ByUID: t.BuyerUID, Text: "Hello", Key: key, At: noon, Version: 1}
}

func offer(t market.Thread, status market.OfferStatus) market.Offer {
	return market.Offer{
		ID: newID(), ThreadID: t.ID, ProductID: t.ProductID, BuyerUID: t.BuyerUID, SellerUID: t.SellerUID, Price: 30,
		Status: status, ExpiresAt: noon.Add(time.Hour), Version: 1, CreatedAt: noon,
	}
}

// addThread adds a thread to the store, with what follows from it.
func (s env) addThread(t market.Thread, e ...market.Effect) market.Thread {
	s.Helper()
	s.ok(s.AddThread(s.Context(), t, e))
	return t
}

// saveThread changes a thread in the store.
func (s env) saveThread(t market.Thread, change func(*market.Thread), e ...market.Effect) market.Thread {
	s.Helper()
	t.Version++
	change(&t)
	s.ok(s.SaveThread(s.Context(), t, e))
	return t
}

func (s env) saveOffer(o market.Offer, status market.OfferStatus) {
	s.Helper()
	o.Version++
	o.Status = status
	s.ok(s.SaveOffer(s.Context(), o, nil))
}

// wantThreads fails the test unless a person has these threads, read page by page.
func (s env) wantThreads(uid, phone string, want ...market.Thread) {
	s.Helper()
	for limit := 1; limit <= len(want)+1; limit++ {
		var all []market.Thread
		page := market.Page{Limit: limit}
		for more := true; more && len(all) <= len(want); {
			list := get[market.List[market.Thread]](s)(s.ThreadsOf(s.Context(), uid, phone, page))
			if list.Total != len(want) || len(list.Items) > limit || list.More && len(list.Items) < limit {
				s.Fatalf("a page of %d has %d threads, the total is %d, want %d", limit, len(list.Items), list.Total, len(want))
			}
			if all, more = append(all, list.Items...), list.More; more {
				page.After = all[len(all)-1].Last.ID
			}
		}
		s.equal(all, want)
	}
}

var threadCases = cases{
	"a buyer has one thread about a phone": func(s env) {
		ctx := s.Context()
		t := s.addThread(thread("ann", "sam", "p"), event("t", 1))
		s.wantError(s.AddThread(ctx, thread("ann", "sam", "p"), effects(message(t, "k"))), market.ErrExists)
		other := s.addThread(thread("bob", "sam", "p"))
		s.equal(get[market.Thread](s)(s.ThreadOf(ctx, "p", "ann")), t)
		s.equal(get[market.Thread](s)(s.ThreadOf(ctx, "p", "bob")), other)
		wantNotFound[market.Thread](s)(s.ThreadOf(ctx, "q", "ann"))
		wantNotFound[market.Thread](s)(s.Thread(ctx, "none"))
		wantNotFound[market.Message](s)(s.MessageOfKey(ctx, t.ID, "k")) // its thread was refused
		s.wantError(s.SaveThread(ctx, t, nil), market.ErrConflict)
		t = s.saveThread(t, func(t *market.Thread) { t.Unread.Seller.Count = 1 }, event("t", 2))
		s.wantError(s.RemoveThread(ctx, t, nil), market.ErrConflict)
		t.Version++
		s.ok(s.RemoveThread(ctx, t, effects(event("t", 3))))
		wantNotFound[market.Thread](s)(s.ThreadOf(ctx, "p", "ann"))
		s.wantError(s.RemoveThread(ctx, t, nil), market.ErrNotFound)
		s.wantEvents(event("t", 1), event("t", 2), event("t", 3))
		s.addThread(thread("ann", "sam", "p"))
	},
	"a person's threads are those of both sides, by their last messages": func(s env) {
		a := s.addThread(thread("ann", "sam", "p"))
		b := s.addThread(thread("bob", "ann", "q"))
		c := s.addThread(thread("ann", "sue", "r"))
		d := s.addThread(thread("cid", "ann", "q"))
		s.addThread(thread("bob", "sam", "p"))
		s.wantThreads("ann", "", d, c, b, a)
		s.wantThreads("ann", "q", d, b)
		s.wantThreads("ann", "p", a)
		s.wantThreads("sue", "", c)
		s.wantThreads("sue", "p")
		s.wantThreads("none", "")

		a = s.saveThread(a, func(t *market.Thread) { t.Last.ID = newID() })
		d.Version++
		s.ok(s.RemoveThread(s.Context(), d, nil))
		s.wantThreads("ann", "", a, c, b)
		s.wantThreads("ann", "q", b)
	},
	"threads of a phone and of two people, from the oldest last message on": func(s env) {
		ctx := s.Context()
		a, b, c := s.addThread(thread("ann", "sam", "p")), s.addThread(thread("bob", "sam", "p")), s.addThread(thread("cid", "sam", "p"))
		d := s.addThread(thread("sam", "ann", "q")) // the other way round
		first := market.Page{Limit: 2}
		s.equal(get[[]market.Thread](s)(s.ThreadsOfPhone(ctx, "p", first)), []market.Thread{a, b})
		// A thread that moves while the list is read is on a later page.
		a = s.saveThread(a, func(t *market.Thread) { t.Last.ID = newID() })
		s.equal(get[[]market.Thread](s)(s.ThreadsOfPhone(ctx, "p", market.Page{Limit: 2, After: b.Last.ID})), []market.Thread{c, a})
		s.equal(get[[]market.Thread](s)(s.ThreadsOfPhone(ctx, "none", first)), []market.Thread{})
		s.equal(a.Pair(), d.Pair())
		s.equal(get[[]market.Thread](s)(s.ThreadsOfPair(ctx, a.Pair(), first)), []market.Thread{d, a})
		s.equal(get[[]market.Thread](s)(s.ThreadsOfPair(ctx, b.Pair(), first)), []market.Thread{b})
	},
	"unread threads are counted on both sides": func(s env) {
		count := func(uid string) int { return get[int](s)(s.CountUnreadThreads(s.Context(), uid)) }
		unread := func(t market.Thread, buyer, seller int) market.Thread {
			t.Unread.Buyer.Count, t.Unread.Seller.Count = buyer, seller
			return t
		}
		a := s.addThread(unread(thread("ann", "sam", "p"), 2, 0))
		b := s.addThread(unread(thread("bob", "ann", "q"), 0, 3))
		s.addThread(unread(thread("cid", "ann", "q"), 1, 0))
		s.equal([]int{count("ann"), count("sam"), count("bob"), count("cid"), count("none")}, []int{2, 0, 0, 1, 0})
		s.saveThread(a, func(t *market.Thread) { t.Unread.Buyer.Count, t.Unread.Seller.Count = 0, 1 })
		b.Version++
		s.ok(s.RemoveThread(s.Context(), b, nil))
		s.equal([]int{count("ann"), count("sam")}, []int{0, 1})
	},
	"threads are due when they close, then a year after their last message": func(s env) {
		due := func(after time.Duration) []market.Thread {
			return get[[]market.Thread](s)(s.ThreadsDue(s.Context(), noon.Add(after), 9))
		}
		const day = 24 * time.Hour
		a, b := s.addThread(thread("ann", "sam", "p")), thread("bob", "sam", "p")
		b.ClosesAt = noon.Add(14 * day)
		b = s.addThread(b)
		s.equal(due(14*day-time.Millisecond), []market.Thread{})
		s.equal(due(14*day), []market.Thread{b})
		b = s.saveThread(b, func(t *market.Thread) { t.Closed, t.Last.At = true, noon.Add(day) })
		s.equal(due(364*day), []market.Thread{})
		s.equal(due(365*day), []market.Thread{a})
		s.equal(due(366*day), []market.Thread{a, b})
		s.equal(get[[]market.Thread](s)(s.ThreadsDue(s.Context(), noon.Add(366*day), 1)), []market.Thread{a})
	},
	"messages follow from their thread, and are found by its key": func(s env) {
		ctx := s.Context()
		t, other := thread("ann", "sam", "p"), s.addThread(thread("bob", "sam", "p"))
		a, b, c := message(t, "k"), message(t, ""), message(t, "l")
		theirs := message(other, "k")
		s.addThread(t, a)
		t = s.saveThread(t, func(*market.Thread) {}, b)
		t = s.saveThread(t, func(*market.Thread) {}, c)
		s.saveThread(other, func(*market.Thread) {}, theirs)
		list := func(page market.Page) market.List[market.Message] {
			return get[market.List[market.Message]](s)(s.Messages(ctx, t.ID, page))
		}
		s.equal(list(market.Page{Limit: 2}), market.List[market.Message]{Items: []market.Message{c, b}, Total: 3, More: true})
		s.equal(list(market.Page{Limit: 2, After: b.ID}), market.List[market.Message]{Items: []market.Message{a}, Total: 3})
		s.equal(get[market.Message](s)(s.MessageOfKey(ctx, t.ID, "k")), a)
		s.equal(get[market.Message](s)(s.MessageOfKey(ctx, other.ID, "k")), theirs)
		wantNotFound[market.Message](s)(s.MessageOfKey(ctx, other.ID, "l"))
		s.wantError(s.SaveThread(ctx, t, effects(message(t, "m"))), market.ErrConflict)
		wantNotFound[market.Message](s)(s.MessageOfKey(ctx, t.ID, "m"))

		for range 2 { // again, as after a kill
			s.ok(s.RemoveMessages(ctx, []string{a.ID, c.ID}))
			s.equal(list(market.Page{Limit: 2}), market.List[market.Message]{Items: []market.Message{b}, Total: 1})
		}
		wantNotFound[market.Message](s)(s.MessageOfKey(ctx, t.ID, "k"))
	},
	"offers follow from their thread, and are in the lists of both sides": func(s env) {
		ctx := s.Context()
		p, q := thread("ann", "sam", "p"), thread("ann", "sue", "q")
		a, b, c := offer(p, market.OfferOpen), offer(p, market.OfferDeclined), offer(q, market.OfferCountered)
		s.addThread(p, a, b)
		s.addThread(q, c)
		s.equal(get[market.Offer](s)(s.Offer(ctx, a.ID)), a)
		wantNotFound[market.Offer](s)(s.Offer(ctx, "none"))
		s.equal(len(get[[]market.Offer](s)(s.OffersByID(ctx, []string{a.ID, c.ID, "none"}))), 2)
		s.equal(get[[]market.Offer](s)(s.OffersOfThread(ctx, p.ID)), []market.Offer{b, a})
		list := func(uid string, side market.OrderSide, phone string, page market.Page) market.List[market.Offer] {
			s.Helper()
			return get[market.List[market.Offer]](s)(s.OffersOf(ctx, uid, side, phone, page))
		}
		first := market.Page{Limit: 2}
		s.equal(list("ann", market.SideBuyer, "", first), market.List[market.Offer]{Items: []market.Offer{c, b}, Total: 3, More: true})
		s.equal(list("ann", market.SideBuyer, "", market.Page{Limit: 2, After: b.ID}), market.List[market.Offer]{Items: []market.Offer{a}, Total: 3})
		s.equal(list("ann", market.SideBuyer, "q", first), market.List[market.Offer]{Items: []market.Offer{c}, Total: 1})
		s.equal(list("sam", market.SideSeller, "", first), market.List[market.Offer]{Items: []market.Offer{b, a}, Total: 2})
		s.equal(list("sam", market.SideSeller, "q", first), market.List[market.Offer]{})
		s.equal(list("ann", market.SideSeller, "", first), market.List[market.Offer]{})

		s.wantError(s.SaveOffer(ctx, a, nil), market.ErrConflict)
		for range 2 {
			s.ok(s.RemoveOffers(ctx, []string{a.ID, b.ID}))
			s.equal(list("ann", market.SideBuyer, "", first), market.List[market.Offer]{Items: []market.Offer{c}, Total: 1})
		}
		s.wantError(s.SaveOffer(ctx, a, nil), market.ErrNotFound)
	},
	"open offers are counted and due until they end": func(s env) {
		ctx := s.Context()
		p, q := thread("ann", "sam", "p"), thread("bob", "sam", "p")
		a, b, c := offer(p, market.OfferOpen), offer(q, market.OfferOpen), offer(p, market.OfferCountered)
		c.ExpiresAt = noon.Add(30 * time.Minute)
		s.addThread(p, a, c, offer(p, market.OfferAccepted))
		s.addThread(q, b)
		open := func(page market.Page) []market.Offer { return get[[]market.Offer](s)(s.OpenOffersFor(ctx, "p", page)) }
		due := func(after time.Duration, limit int) []market.Offer {
			return get[[]market.Offer](s)(s.OffersDue(ctx, noon.Add(after), limit))
		}
		count := func(uid string) int { return get[int](s)(s.CountOpenOffers(ctx, uid)) }
		s.equal(open(market.Page{Limit: 2}), []market.Offer{c, b})
		s.equal(open(market.Page{Limit: 2, After: b.ID}), []market.Offer{a})
		s.equal([]int{count("ann"), count("bob"), count("sam")}, []int{2, 1, 0})
		s.equal(due(time.Hour-time.Millisecond, 9), []market.Offer{c})
		s.equal(due(time.Hour, 2), []market.Offer{c, a})

		s.saveOffer(a, market.OfferWithdrawn)
		s.saveOffer(c, market.OfferExpired)
		s.equal(open(market.Page{Limit: 2}), []market.Offer{b})
		s.equal([]int{count("ann"), count("bob")}, []int{0, 1})
		s.equal(due(time.Hour, 9), []market.Offer{b})
	},
}
