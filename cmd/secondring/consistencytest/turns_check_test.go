package consistencytest_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// turnsRecord is what a round has left behind, as its users see it.
type turnsRecord struct {
	*turns
	sum    turnsSum
	wrong  []string
	orders map[*waitingBuyer][]order
	want   map[string]int // notifications by person and text
	spare  map[string]int // how many more there may be
}

// place is a buyer's entry on a waitlist. It ended between two times.
type place struct {
	buyer          *waitingBuyer
	at             int64 // of joining
	endFrom, endTo int64
}

// hold is a booking and its buyer.
type hold struct {
	order
	buyer *waitingBuyer
}

func (r *turnsRecord) fail(format string, args ...any) {
	r.wrong = append(r.wrong, fmt.Sprintf(format, args...))
}

// record reads and checks everything.
func (w *turns) record() *turnsRecord {
	r := &turnsRecord{turns: w, sum: w.sum, orders: map[*waitingBuyer][]order{}, want: map[string]int{}, spare: map[string]int{}}
	for _, b := range w.buyers {
		b.look()
		all, ok := b.orders()
		missing, hasNotes := b.notified.read(b.browser)
		if !ok || !hasNotes {
			r.fail("%s's lists cannot be read", b.person.name)
		}
		r.orders[b], r.wrong = all, append(r.wrong, missing...)
		r.sum.lost += len(b.tried)
		r.sum.left += len(b.left)
	}
	sold := map[string]bool{}
	for i, s := range w.sellers {
		missing, _ := w.notified[i].read(s.browser)
		r.wrong = append(r.wrong, missing...)
		r.readPhones(s, sold)
	}
	for _, p := range w.phones {
		r.checkPhone(p, sold[p.ID])
	}
	r.checkNotes()
	return r
}

// readPhones records which phones are sold. None may be held any more.
func (r *turnsRecord) readPhones(s *trader, sold map[string]bool) {
	_, text := s.ask(http.MethodGet, "/products?limit=200&email="+url.QueryEscape(s.person.email), nil)
	var all []struct {
		ID           string `json:"_id"`
		Booked, Sold bool
	}
	if json.Unmarshal(text, &all) != nil {
		r.fail("%s's phones cannot be read", s.person.name)
	}
	for _, p := range all {
		sold[p.ID] = p.Sold
		if p.Booked && !p.Sold {
			r.fail("%s is still held", p.ID)
		}
	}
}

func (r *turnsRecord) checkPhone(p turnsPhone, isSold bool) {
	var holds []hold
	for b, all := range r.orders {
		for _, o := range all {
			if o.ProductID == p.ID {
				holds = append(holds, hold{o, b})
			}
		}
	}
	slices.SortFunc(holds, func(a, b hold) int { return cmp.Compare(a.from(), b.from()) })
	paid := slices.IndexFunc(holds, func(h hold) bool { return h.Status == "paid" })
	if isSold != (paid >= 0) || paid >= 0 && paid != len(holds)-1 {
		r.fail("%s is sold: %v, and %d of its %d bookings was paid", p.title, isSold, paid+1, len(holds))
	}
	for i := 1; i < len(holds); i++ {
		before, h := holds[i-1], holds[i]
		if h.from() < before.earliestEnd() {
			r.fail("%s has two holders: %s from %d on, and %s until %d or later", p.title, h.buyer.person.name, h.from(), before.buyer.person.name, before.earliestEnd())
		}
	}
	var places []place
	for _, b := range r.buyers {
		places = append(places, r.placesOf(b, p)...)
	}
	for _, h := range holds {
		r.checkOrder(p, h, places)
	}
	for _, b := range r.buyers {
		r.checkPassed(p, b, holds, places)
	}
	r.expectNotes(p, holds)
}

// earliestEnd returns when the phone was free again at the earliest.
func (h hold) earliestEnd() int64 {
	if h.Status == "paid" {
		return math.MaxInt64
	}
	until := h.HoldUntil.UnixMilli()
	if sent, isCancelled := h.buyer.cancelled[h.ID]; isCancelled && h.Status != "expired" {
		return min(until, sent)
	}
	return until
}

// placesOf returns a buyer's entries on the waitlist of a phone. Each has ended exactly
// once: by a turn, by leaving, or with a notification.
func (r *turnsRecord) placesOf(b *waitingBuyer, p turnsPhone) (all []place) {
	name := b.person.name
	ends, unsure := r.endsOf(b, p)
	for id, phone := range b.waits {
		if phone == p.ID {
			all = append(all, place{buyer: b, at: idTime(id)})
		}
	}
	slices.SortFunc(all, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	for i := range all {
		e := &all[i]
		k := slices.IndexFunc(ends, func(end place) bool { return end.endFrom >= e.at })
		isBeforeNext := k >= 0 && (i+1 == len(all) || ends[k].endFrom <= all[i+1].at)
		switch {
		case isBeforeNext:
			e.endFrom, e.endTo = ends[k].endFrom, ends[k].endTo
			ends = slices.Delete(ends, k, k+1)
		case unsure > e.at:
			e.endFrom, e.endTo = unsure, math.MaxInt64
		default:
			r.fail("%s waited for %s from %d on, and was told of no end", name, p.title, e.at)
		}
	}
	for _, end := range ends { // of entries whose join was not answered
		sent, isTried := b.tried[p.ID]
		if !isTried || sent > end.endTo {
			r.fail("%s did not wait for %s when a place ended at %d", name, p.title, end.endFrom)
		}
		end.at = sent
		all = append(all, end)
	}
	return all
}

// endsOf returns the times at which places of a buyer ended, and when the buyer first left in
// a call that was not answered.
func (r *turnsRecord) endsOf(b *waitingBuyer, p turnsPhone) (ends []place, unsure int64) {
	for _, o := range r.orders[b] {
		if o.ProductID == p.ID && o.Turn {
			ends = append(ends, place{buyer: b, endFrom: o.from(), endTo: o.from()})
		}
	}
	for _, n := range b.notified {
		if n.Link != "/phone/"+p.ID || strings.HasSuffix(n.Text, "you keep your place in line.") {
			continue
		}
		switch n.Kind {
		case "sold":
			r.sum.sold++
		case "available":
			r.sum.everybody++
		case "turn":
			r.sum.refused++
		}
		ends = append(ends, place{buyer: b, endFrom: n.At, endTo: n.At})
	}
	for _, d := range b.left {
		switch {
		case d.phone == p.ID && d.isSure:
			ends = append(ends, place{buyer: b, endFrom: d.sent, endTo: d.answered})
		case d.phone == p.ID && unsure == 0:
			unsure = d.sent
		}
	}
	slices.SortFunc(ends, func(a, b place) int { return cmp.Compare(a.endFrom, b.endFrom) })
	return ends, unsure
}

// checkOrder checks that nobody who joined earlier, or at all for a booking without a turn,
// still waited when the hold began, unless they were notified why they were passed over.
func (r *turnsRecord) checkOrder(p turnsPhone, h hold, places []place) {
	joined := h.from()
	for _, e := range places {
		if h.Turn && e.buyer == h.buyer && e.endFrom == h.from() {
			joined = e.at
		}
	}
	for _, e := range places {
		if e.at >= joined || e.endFrom <= h.from() || e.buyer == h.buyer {
			continue
		}
		if h.Turn && len(passedAt(e.buyer, p, h.from())) == 1 {
			continue
		}
		r.fail("%s got %s at %d (a turn: %v), joined at %d; %s had joined at %d and waited until %d",
			h.buyer.person.name, p.title, h.from(), h.Turn, joined, e.buyer.person.name, e.at, e.endFrom)
	}
}

// passedAt returns the notifications of a buyer that they were passed over at a time.
func passedAt(b *waitingBuyer, p turnsPhone, at int64) (all []note) {
	for _, n := range b.notified {
		if n.At == at && n.Link == "/phone/"+p.ID && strings.HasPrefix(n.Text, "It was your turn for "+p.title+", but") {
			all = append(all, n)
		}
	}
	return all
}

// checkPassed checks that each person who was passed over had waited, and could not hold the phone,
// and was notified once.
func (r *turnsRecord) checkPassed(p turnsPhone, b *waitingBuyer, holds []hold, places []place) {
	for _, n := range b.notified {
		all := passedAt(b, p, n.At)
		if !slices.Contains(all, n) || strings.Contains(n.Text, "You are no longer in line") {
			continue
		}
		r.sum.passed++
		isReason := false
		switch {
		case strings.Contains(n.Text, "less than an hour ago"):
			isReason = slices.ContainsFunc(holds, func(h hold) bool { return h.buyer == b && h.from() < n.At })
		case strings.Contains(n.Text, "the limit of unpaid bookings"):
			isReason = r.heldAt(b, n.At) >= turnsMaxHolds
		}
		waited := slices.ContainsFunc(places, func(e place) bool { return e.buyer == b && e.at <= n.At && n.At <= e.endTo })
		if len(all) != 1 || !isReason || !waited {
			r.fail("%s was told %d times at %d: %s (a reason: %v, waited: %v)", b.person.name, len(all), n.At, n.Text, isReason, waited)
		}
	}
}

// heldAt counts the unpaid bookings that a buyer may have had at a time.
func (r *turnsRecord) heldAt(b *waitingBuyer, at int64) (n int) {
	for _, o := range r.orders[b] {
		isOver := o.BookAgainAt != nil && o.BookAgainAt.Add(-time.Hour).UnixMilli() < at
		if o.from() <= at && !isOver {
			n++
		}
	}
	return n
}

// expectNotes adds the notifications that the bookings of a phone cause.
func (r *turnsRecord) expectNotes(p turnsPhone, holds []hold) {
	seller := r.sellers[p.seller].person.name
	ended, taken := 0, 0 // how often everybody could book the phone again, and how often it went to the next
	for i, h := range holds {
		name, order := h.buyer.person.name, " /dashboard/order/"+h.ID
		booked := "Your " + p.title + " was booked."
		if h.Turn {
			r.sum.turns++
			booked = "Your " + p.title + " was booked by the next person in line."
			r.want[name+": It is your turn: "+p.title+" is held for you for 1 second. Pay in time to keep it. /dashboard/payment/"+h.ID]++
		}
		r.want[seller+": "+booked+" /dashboard/myProducts"]++
		switch h.Status {
		case "expired":
			r.sum.expired++
			r.want[name+": Your booking of "+p.title+" has expired. /dashboard/myOrders"]++
		case "cancelled":
			r.sum.cancelled++
		case "paid":
			r.sum.paid++
			r.want[name+": Your payment for "+p.title+" has arrived. The phone is yours."+order]++
			r.want[seller+": Your "+p.title+" is sold: the buyer has paid."+order]++
		default:
			r.fail("%s's booking of %s is %s", name, p.title, h.Status)
		}
		switch {
		case h.Status == "paid":
		case i+1 < len(holds) && holds[i+1].Turn:
			taken++
		default:
			ended++
		}
	}
	released := seller + ": The booking of your " + p.title + " has ended without a payment. The phone is available again. /dashboard/myProducts"
	r.want[released] = ended
	// A hold whose booking was refused is not listed. Somebody may have waited for its end.
	if slices.ContainsFunc(r.buyers, func(b *waitingBuyer) bool { return b.refused[p.ID] > 0 }) {
		r.spare[released] = taken
	}
}

// checkNotes compares the notifications of the round with those that are expected. Those of
// the ends of places are checked with the places.
func (r *turnsRecord) checkNotes() {
	got := map[string]int{}
	add := func(name string, notified notes) {
		for _, n := range notified {
			if n.At >= r.began.UnixMilli() && n.Kind != "sold" && !strings.HasPrefix(n.Text, "It was your turn for ") {
				got[name+": "+n.Text+" "+n.Link]++
			}
		}
	}
	for _, b := range r.buyers {
		add(b.person.name, b.notified)
	}
	for i, notified := range r.notified {
		add(r.sellers[i].person.name, notified)
	}
	for text, n := range r.want {
		if got[text] < n || got[text] > n+r.spare[text] {
			r.fail("notified %d times, want %d: %s", got[text], n, text)
		}
	}
	for text, n := range got {
		if _, known := r.want[text]; !known {
			r.fail("notified %d times without a cause: %s", n, text)
		}
	}
}
