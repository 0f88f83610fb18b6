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
)

// roundCheck compares the state after a round with the recorded calls, as the users see it.
type roundCheck struct {
	*waitlistEnv
	counts   waitlistCounts
	problems []string
	orders   map[*waitingBuyer][]order
	want     map[string]int // notifications by person and text
	optional map[string]int // how many more are allowed
}

// waitlistEntry is a buyer's entry on a waitlist. The buyer joined between joinFrom and
// joinTo, and the entry ended between endFrom and endTo. All times are Unix milliseconds.
type waitlistEntry struct {
	buyer            *waitingBuyer
	joinFrom, joinTo int64
	endFrom, endTo   int64
}

// hold is a booking and its buyer.
type hold struct {
	order
	buyer *waitingBuyer
}

func (r *roundCheck) fail(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// checkWaitlists reads and checks all orders, phones, waitlist entries and notifications.
func (w *waitlistEnv) checkWaitlists() *roundCheck {
	r := &roundCheck{waitlistEnv: w, counts: w.counts, orders: map[*waitingBuyer][]order{}, want: map[string]int{}, optional: map[string]int{}}
	for _, b := range w.buyers {
		b.readLists()
		all, ok := b.orders()
		missing, hasNotes := b.notifications.read(b.browser)
		if !ok || !hasNotes {
			r.fail("the lists of %s cannot be read", b.person.name)
		}
		r.orders[b], r.problems = all, append(r.problems, missing...)
		r.counts.unanswered += len(b.unansweredJoins)
		r.counts.left += len(b.departures)
	}
	sold := map[string]bool{}
	for i, s := range w.sellers {
		missing, _ := w.notifications[i].read(s.browser)
		r.problems = append(r.problems, missing...)
		r.readPhones(s, sold)
	}
	for _, p := range w.phones {
		r.checkPhone(p, sold[p.ID])
	}
	r.compareNotifications()
	return r
}

// readPhones records which phones are sold. None may be held any more.
func (r *roundCheck) readPhones(s *apiSeller, sold map[string]bool) {
	_, text := s.call(http.MethodGet, "/products?limit=200&email="+url.QueryEscape(s.person.email), nil)
	var all []struct {
		ID           string `json:"_id"`
		Booked, Sold bool
	}
	if json.Unmarshal(text, &all) != nil {
		r.fail("the phones of %s cannot be read", s.person.name)
	}
	for _, p := range all {
		sold[p.ID] = p.Sold
		if p.Booked && !p.Sold {
			r.fail("%s is still held", p.ID)
		}
	}
}

func (r *roundCheck) checkPhone(p waitlistPhone, isSold bool) {
	var holds []hold
	for b, all := range r.orders {
		for _, o := range all {
			if o.ProductID == p.ID {
				holds = append(holds, hold{o, b})
			}
		}
	}
	slices.SortFunc(holds, func(a, b hold) int { return cmp.Compare(a.heldFrom(), b.heldFrom()) })
	paid := slices.IndexFunc(holds, func(h hold) bool { return h.Status == "paid" })
	if isSold != (paid >= 0) || paid >= 0 && paid != len(holds)-1 {
		r.fail("%s: sold is %v; the paid booking is number %d of %d (0 for none), want the last if sold", p.title, isSold, paid+1, len(holds))
	}
	for i := 1; i < len(holds); i++ {
		before, h := holds[i-1], holds[i]
		if h.heldFrom() < before.earliestEnd() {
			r.fail("%s has two holders: %s from %d on, and %s until %d or later", p.title, h.buyer.person.name, h.heldFrom(), before.buyer.person.name, before.earliestEnd())
		}
	}
	var entries []waitlistEntry
	for _, b := range r.buyers {
		entries = append(entries, r.entriesOf(b, p)...)
	}
	for _, h := range holds {
		r.checkOrder(p, h, entries)
	}
	for _, b := range r.buyers {
		r.checkPassed(p, b, holds, entries)
	}
	r.expectNotifications(p, holds)
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

// entriesOf returns a buyer's entries on the waitlist of a phone. Each has ended exactly
// once: by a turn, by leaving, or with a notification.
func (r *roundCheck) entriesOf(b *waitingBuyer, p waitlistPhone) (all []waitlistEntry) {
	name := b.person.name
	ends, unsure := r.endsOf(b, p)
	for id, phone := range b.entries {
		if phone == p.ID {
			all = append(all, waitlistEntry{buyer: b, joinFrom: idTime(id), joinTo: idTime(id)})
		}
	}
	slices.SortFunc(all, func(a, b waitlistEntry) int { return cmp.Compare(a.joinFrom, b.joinFrom) })
	for i := range all {
		e := &all[i]
		k := slices.IndexFunc(ends, func(end waitlistEntry) bool { return end.endFrom >= e.joinFrom })
		isBeforeNext := k >= 0 && (i+1 == len(all) || ends[k].endFrom <= all[i+1].joinFrom)
		switch {
		case isBeforeNext:
			e.endFrom, e.endTo = ends[k].endFrom, ends[k].endTo
			ends = slices.Delete(ends, k, k+1)
		case unsure > e.joinFrom:
			e.endFrom, e.endTo = unsure, math.MaxInt64
		default:
			r.fail("the entry of %s for %s, joined at %d, has no end", name, p.title, e.joinFrom)
		}
	}
	for _, end := range ends { // the joins of these entries had no response
		joins := b.unansweredJoins[p.ID]
		if i := slices.IndexFunc(joins, func(join callTimes) bool { return join.sent > end.endTo }); i >= 0 {
			joins = joins[:i]
		}
		if len(joins) == 0 {
			r.fail("%s did not wait for %s when an entry ended at %d", name, p.title, end.endFrom)
		} else {
			end.joinFrom, end.joinTo = joins[0].sent, joins[len(joins)-1].ended
		}
		all = append(all, end)
	}
	return all
}

// endsOf returns the times at which entries of a buyer ended, and when the buyer first tried
// to leave in a call without a response.
func (r *roundCheck) endsOf(b *waitingBuyer, p waitlistPhone) (ends []waitlistEntry, unsure int64) {
	for _, o := range r.orders[b] {
		if o.ProductID == p.ID && o.Turn {
			ends = append(ends, waitlistEntry{buyer: b, endFrom: o.heldFrom(), endTo: o.heldFrom()})
		}
	}
	for _, n := range b.notifications {
		if n.Link != "/phone/"+p.ID || strings.HasSuffix(n.Text, "you keep your place in line.") {
			continue
		}
		switch n.Kind {
		case "sold":
			r.counts.sold++
		case "available":
			r.counts.available++
		case "turn":
			r.counts.refused++
		}
		ends = append(ends, waitlistEntry{buyer: b, endFrom: n.At, endTo: n.At})
	}
	for _, departed := range b.departures {
		switch {
		case departed.phone == p.ID && departed.isAcknowledged:
			ends = append(ends, waitlistEntry{buyer: b, endFrom: departed.sent, endTo: departed.ended})
		case departed.phone == p.ID && unsure == 0:
			unsure = departed.sent
		}
	}
	slices.SortFunc(ends, func(a, b waitlistEntry) int { return cmp.Compare(a.endFrom, b.endFrom) })
	return ends, unsure
}

// checkOrder checks that no other buyer still waited when the hold began who had joined
// earlier, unless that buyer was notified why they were passed over. A booking without a
// turn counts as joined when its hold began.
func (r *roundCheck) checkOrder(p waitlistPhone, h hold, entries []waitlistEntry) {
	joined := h.heldFrom()
	for _, e := range entries {
		if h.Turn && e.buyer == h.buyer && e.endFrom == h.heldFrom() {
			joined = e.joinFrom
		}
	}
	for _, e := range entries {
		if e.joinTo >= joined || e.endFrom <= h.heldFrom() || e.buyer == h.buyer {
			continue
		}
		if h.Turn && len(passedAt(e.buyer, p, h.heldFrom())) == 1 {
			continue
		}
		r.fail("%s got %s at %d (a turn: %v), joined at %d; %s had joined by %d and waited until %d",
			h.buyer.person.name, p.title, h.heldFrom(), h.Turn, joined, e.buyer.person.name, e.joinTo, e.endFrom)
	}
}

// passedAt returns the notifications that a buyer was passed over at a time.
func passedAt(b *waitingBuyer, p waitlistPhone, at int64) (all []notification) {
	for _, n := range b.notifications {
		if n.At == at && n.Link == "/phone/"+p.ID && strings.HasPrefix(n.Text, "It was your turn for "+p.title+", but") {
			all = append(all, n)
		}
	}
	return all
}

// checkPassed checks that a buyer who was passed over had waited, could not hold the phone,
// and was notified once.
func (r *roundCheck) checkPassed(p waitlistPhone, b *waitingBuyer, holds []hold, entries []waitlistEntry) {
	for _, n := range b.notifications {
		all := passedAt(b, p, n.At)
		if !slices.Contains(all, n) || strings.Contains(n.Text, "You are no longer in line") {
			continue
		}
		r.counts.passedOver++
		isReason := false
		switch {
		case strings.Contains(n.Text, "less than an hour ago"):
			isReason = slices.ContainsFunc(holds, func(h hold) bool { return h.buyer == b && h.heldFrom() < n.At })
		case strings.Contains(n.Text, "the limit of unpaid bookings"):
			isReason = r.heldAt(b, n.At) >= waitlistMaxHolds
		}
		waited := slices.ContainsFunc(entries, func(e waitlistEntry) bool { return e.buyer == b && e.joinFrom <= n.At && n.At <= e.endTo })
		if len(all) != 1 || !isReason || !waited {
			r.fail("%s was notified %d times at %d, want once: %s (the reason is correct: %v, waited: %v). Bookings at that time:%s",
				b.person.name, len(all), n.At, n.Text, isReason, waited, r.bookingsAround(b, n.At))
		}
	}
}

// bookingsAround describes the bookings of a buyer in the seconds around a time.
func (r *roundCheck) bookingsAround(b *waitingBuyer, at int64) (text string) {
	for _, o := range r.orders[b] {
		if from, until := o.heldFrom()-at, o.heldUntil()-at; from < 5000 && until > -5000 {
			text += fmt.Sprintf("\n\t%s is %s, held from %+d to %+d ms", o.title(), o.Status, from, until)
		}
	}
	return text
}

// maxWriteDelay is the longest time, in milliseconds, between the time that a change has and
// its write. Until then the other calls read the state before it.
const maxWriteDelay = 500

// heldAt counts the unpaid bookings that the store may have had of a buyer at a time.
func (r *roundCheck) heldAt(b *waitingBuyer, at int64) (n int) {
	for _, o := range r.orders[b] {
		if o.heldFrom()-maxWriteDelay <= at && at <= o.heldUntil()+maxWriteDelay {
			n++
		}
	}
	return n
}

// expectNotifications adds the notifications that the bookings of a phone cause.
func (r *roundCheck) expectNotifications(p waitlistPhone, holds []hold) {
	seller := r.sellers[p.seller].person.name
	released, passedOn := 0, 0 // holds after which the phone was available to everybody, and to the next buyer
	for i, h := range holds {
		name, order := h.buyer.person.name, " /dashboard/order/"+h.ID
		booked := "Your " + p.title + " was booked."
		if h.Turn {
			r.counts.turns++
			booked = "Your " + p.title + " was booked by the next person in line."
			r.want[name+": It is your turn: "+p.title+" is held for you for 1 second. Pay in time to keep it. /dashboard/payment/"+h.ID]++
		}
		r.want[seller+": "+booked+" /dashboard/myProducts"]++
		switch h.Status {
		case "expired":
			r.counts.expired++
			r.want[name+": Your booking of "+p.title+" has expired. /dashboard/myOrders"]++
		case "cancelled":
			r.counts.cancelled++
		case "paid":
			r.counts.paid++
			r.want[name+": Your payment for "+p.title+" has arrived. The phone is yours."+order]++
			r.want[seller+": Your "+p.title+" is sold: the buyer has paid."+order]++
		default:
			r.fail("the booking by %s of %s is %s, want it ended", name, p.title, h.Status)
		}
		switch {
		case h.Status == "paid":
		case i+1 < len(holds) && holds[i+1].Turn:
			passedOn++
		default:
			released++
		}
	}
	releaseText := seller + ": The booking of your " + p.title + " has ended without a payment. The phone is available again. /dashboard/myProducts"
	r.want[releaseText] = released
	// A hold whose booking was refused is not listed, but buyers may have waited for its end.
	if slices.ContainsFunc(r.buyers, func(b *waitingBuyer) bool { return b.refused[p.ID] > 0 }) {
		r.optional[releaseText] = passedOn
	}
}

// compareNotifications compares the notifications of the round with those that are expected.
// Those about the end of a waitlist entry are checked with the entries.
func (r *roundCheck) compareNotifications() {
	got := map[string]int{}
	add := func(name string, notified notificationSet) {
		for _, n := range notified {
			if n.At >= r.roundStart.UnixMilli() && n.Kind != "sold" && !strings.HasPrefix(n.Text, "It was your turn for ") {
				got[name+": "+n.Text+" "+n.Link]++
			}
		}
	}
	for _, b := range r.buyers {
		add(b.person.name, b.notifications)
	}
	for i, notified := range r.notifications {
		add(r.sellers[i].person.name, notified)
	}
	for text, n := range r.want {
		if got[text] < n || got[text] > n+r.optional[text] {
			r.fail("notified %d times, want %d: %s", got[text], n, text)
		}
	}
	for text, n := range got {
		if _, known := r.want[text]; !known {
			r.fail("notified %d times without a cause: %s", n, text)
		}
	}
}
