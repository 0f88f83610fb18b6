package market_test

import (
	"encoding/json"
	"errors"
	"strings"

	"pgregory.net/rapid"

	"secondring/market"
)

// notifiedChanges has the statuses of each booking, and how often each phone was released,
// by their IDs. They are read from the events.
type notifiedChanges map[string][]string

func (c notifiedChanges) add(r *rapid.T, e market.Event) {
	var v struct{ Status string }
	if err := json.Unmarshal(e.Data, &v); err != nil {
		r.Fatal(err)
	}
	switch {
	case e.Type == market.TypeBookingChanged:
		if last := len(c[e.Entity]) - 1; last < 0 || c[e.Entity][last] != v.Status {
			c[e.Entity] = append(c[e.Entity], v.Status)
		}
	case e.Type == market.TypeProductReleased && strings.HasPrefix(e.Topic, "me:"):
		c[e.Entity] = append(c[e.Entity], "released")
	}
}

func (c notifiedChanges) count(id string, status market.BookingStatus) (n int) {
	for _, s := range c[id] {
		if s == string(status) {
			n++
		}
	}
	return n
}

// checkNotifications checks that there is exactly one notification of each booking, turn,
// end of a booking and payment. The notifications of removed people are deleted.
func (run *randomRun) checkNotifications(r *rapid.T) {
	booked := map[string]int{} // bookings by seller
	for _, buyer := range run.buyers {
		list, err := run.store.BookingsOf(run.ctx, buyer.User.UID, market.Page{Limit: 1000})
		run.must(err)
		notified := run.notifiedKinds(r, buyer)
		expired, cancelled, paid := 0, 0, 0
		for _, b := range list.Items {
			booked[b.SellerUID]++
			expired += run.changes.count(b.ID, market.BookingExpired)
			cancelled += run.changes.count(b.ID, market.BookingCancelled)
			paid += run.changes.count(b.ID, market.BookingPaid) + run.changes.count(b.ID, market.BookingRefunded)
			want := 0
			if b.HoldUntil.Sub(b.CreatedAt) == turnHold {
				want = 1
			}
			if got := notified["turn /dashboard/payment/"+b.ID]; notified != nil && got != want {
				r.Fatalf("%s was notified %d times of the turn of booking %s, want %d", buyer.User.Name, got, b.ID, want)
			}
		}
		// A cancelled booking has a notification only if its phone was removed.
		if n := notified["released"]; notified != nil && (n < expired || n > expired+cancelled || notified["order"] != paid) {
			r.Fatalf("%s was notified: %v of %d expired bookings and %d payments", buyer.User.Name, notified, expired, paid)
		}
	}
	for _, seller := range run.sellers {
		notified, released := run.notifiedKinds(r, seller), 0
		for _, p := range run.phones {
			if p.SellerUID == seller.User.UID {
				released += len(run.changes[p.ID])
			}
		}
		// A release without a booking has no notification: its booking was refused.
		if notified != nil && (notified["booked"] != booked[seller.User.UID] || notified["released"] > released) {
			r.Fatalf("%s was notified: %v of %d bookings and %d releases", seller.User.Name, notified, booked[seller.User.UID], released)
		}
	}
}

// notifiedKinds counts a person's notifications by kind, and by kind and link; nil for a
// removed person. The store keeps the latest 200 of each, which is more than a run makes.
func (run *randomRun) notifiedKinds(r *rapid.T, who market.Actor) map[string]int {
	u, err := run.store.User(run.ctx, who.User.UID)
	if !errors.Is(err, market.ErrNotFound) {
		run.must(err)
	}
	removed := err != nil || u.Removed
	list, err := run.store.NotificationsOf(run.ctx, who.User.UID, market.Page{Limit: market.MaxNotifications})
	run.must(err)
	if removed {
		if list.Total > 0 {
			r.Fatalf("%s is removed and has %d notifications", who.User.Name, list.Total)
		}
		return nil
	}
	notified := map[string]int{}
	for _, n := range list.Items {
		notified[string(n.Kind)]++
		notified[string(n.Kind)+" "+n.Link]++
	}
	return notified
}
