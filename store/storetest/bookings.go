package storetest

import (
	"context"
	"strings"
	"time"

	"secondring/market"
)

func bookingID(b market.Booking) string { return b.ID }

var bookingCases = cases{
	"a buyer's holds are limited": func(s env) {
		s.wantError(s.AddBooking(s.Context(), booking("ann", "p"), 0, nil), market.ErrLimit)
		first := booking("ann", "p1")
		s.ok(s.AddBooking(s.Context(), first, 2, effects(event(first.ID, 1))))
		s.ok(s.AddBooking(s.Context(), booking("ann", "p2"), 2, nil))
		third := booking("ann", "p3")
		s.wantError(s.AddBooking(s.Context(), third, 2, effects(event(third.ID, 1))), market.ErrLimit)
		s.ok(s.AddBooking(s.Context(), booking("bob", "p3"), 2, nil))
		s.wantEvents(event(first.ID, 1))
		wantNotFound[market.Booking](s)(s.Booking(s.Context(), third.ID))

		first.Status, first.Version = market.BookingExpired, 2
		s.ok(s.SaveBooking(s.Context(), first, nil))
		s.ok(s.AddBooking(s.Context(), third, 2, nil))
	},
	"a duplicate id is refused before the limit": func(s env) {
		b := booking("ann", "p1")
		s.ok(s.AddBooking(s.Context(), b, 9, nil))
		s.wantError(s.AddBooking(s.Context(), b, 9, effects(event(b.ID, 1))), market.ErrExists)
		s.wantError(s.AddBooking(s.Context(), b, 1, effects(event(b.ID, 1))), market.ErrExists)
		s.wantEvents()
	},
	"save is compare-and-set": func(s env) {
		b := booking("ann", "p1")
		s.wantError(s.SaveBooking(s.Context(), b, nil), market.ErrNotFound)
		s.ok(s.AddBooking(s.Context(), b, 9, nil))
		for _, version := range []int64{0, 1, 3} {
			b.Version = version
			s.wantError(s.SaveBooking(s.Context(), b, effects(event(b.ID, version))), market.ErrConflict)
		}
		s.wantEvents()
		b.Version, b.Status = 2, market.BookingPaid
		s.ok(s.SaveBooking(s.Context(), b, effects(event(b.ID, 2))))
		s.wantEvents(event(b.ID, 2))
		s.equal(get[market.Booking](s)(s.Booking(s.Context(), b.ID)), b)
	},
	"the last booking of a phone by a buyer": func(s env) {
		first, second := booking("ann", "p1"), booking("ann", "p1")
		for _, b := range []market.Booking{second, first, booking("ann", "p2"), booking("bob", "p1")} {
			s.ok(s.AddBooking(s.Context(), b, 9, nil))
		}
		s.equal(get[market.Booking](s)(s.LastBooking(s.Context(), "ann", "p1")), second)
		wantNotFound[market.Booking](s)(s.LastBooking(s.Context(), "ann", "p3"))
		wantNotFound[market.Booking](s)(s.Booking(s.Context(), "none"))
	},
	"orders of a status, a state, a payout, a seller and a buyer": func(s env) {
		orders := map[string]market.Booking{}
		add := func(name, buyer, seller string, status market.BookingStatus, f *market.Fulfilment) {
			b := booking(buyer, name)
			b.SellerUID, b.Status, b.Fulfilment, b.UserName = seller, status, f, buyer+" Smith"
			s.ok(s.AddBooking(s.Context(), b, 9, nil))
			orders[name] = b
		}
		add("held", "ann", "sam", market.BookingHeld, nil)
		add("waiting", "ann", "sam", market.BookingPaid, &market.Fulfilment{State: market.FulfilmentWaiting, PaidAt: noon})
		add("sent", "bob", "sam", market.BookingPaid, &market.Fulfilment{State: market.FulfilmentSent, SentAt: noon, Handover: &market.Handover{Code: "123456", Expires: noon, Tries: 1}})
		add("settled", "ann", "sue", market.BookingPaid, &market.Fulfilment{State: market.FulfilmentSettled, Outcome: market.OutcomeRelease})
		add("refunded", "ann", "sue", market.BookingRefunded, &market.Fulfilment{State: market.FulfilmentSettled, Outcome: market.OutcomeRefund})
		paid := orders["settled"]
		paid.ID, paid.Payout = booking("ann", "paid").ID, &market.Payout{Cents: 900, Reference: "transfer 1", At: noon}
		s.ok(s.AddBooking(s.Context(), paid, 9, nil))
		owed := paid
		owed.ID = booking("ann", "owed").ID
		s.ok(s.AddBooking(s.Context(), owed, 9, nil))
		owed.Status, owed.Version = market.BookingRefunded, 2
		s.ok(s.SaveBooking(s.Context(), owed, nil))
		orders["paid"], orders["owed"] = paid, owed
		for _, c := range []struct {
			filter market.OrderFilter
			want   string // newest first
		}{
			{market.OrderFilter{}, "owed paid refunded settled sent waiting held"},
			{market.OrderFilter{Status: market.BookingPaid}, "paid settled sent waiting"},
			{market.OrderFilter{State: market.FulfilmentSent}, "sent"},
			{market.OrderFilter{State: market.FulfilmentSettled}, "owed paid refunded settled"},
			{market.OrderFilter{State: market.FulfilmentSettled, Status: market.BookingPaid}, "paid settled"},
			{market.OrderFilter{Payout: market.EarningDue}, "settled"},
			{market.OrderFilter{Payout: market.EarningPaidOut}, "paid"},
			{market.OrderFilter{Payout: market.EarningDebt}, "owed"},
			{market.OrderFilter{Payout: market.EarningDebt, SellerUID: "sue", BuyerUID: "ann"}, "owed"},
			{market.OrderFilter{Payout: market.EarningDue, SellerUID: "sam"}, ""},
			{market.OrderFilter{State: market.FulfilmentProblem}, ""},
			{market.OrderFilter{Tab: market.TabPayout}, "settled"},
			{market.OrderFilter{Tab: market.TabPayout, SellerUID: "sam"}, ""},
			{market.OrderFilter{Tab: market.TabProblem}, ""},
			{market.OrderFilter{Terms: []string{"bob s", "nobody"}}, "sent"},
			{market.OrderFilter{Terms: []string{"smith", orders["held"].ID}}, "owed paid refunded settled sent waiting held"},
			{market.OrderFilter{Terms: []string{"an"}, Tab: market.TabPayout, Status: market.BookingPaid}, "settled"},
			{market.OrderFilter{Terms: []string{"mith"}}, ""},
			{market.OrderFilter{SellerUID: "sam"}, "sent waiting held"},
			{market.OrderFilter{BuyerUID: "bob"}, "sent"},
			{market.OrderFilter{SellerUID: "sue", BuyerUID: "ann", Status: market.BookingRefunded}, "owed refunded"},
		} {
			var want []market.Booking
			for name := range strings.FieldsSeq(c.want) {
				want = append(want, orders[name])
			}
			wantPages(s, func(p market.Page) (market.List[market.Booking], error) { return s.Orders(s.Context(), c.filter, p) }, bookingID, want...)
		}
	},
	"a seller's cancelled sales are counted": func(s env) {
		for _, reason := range []string{market.ReasonSellerCancelled, market.ReasonNotSent, market.ReasonSellerCancelled, ""} {
			b := booking("ann", "p"+newID())
			b.SellerUID, b.Status = "sam", market.BookingPaid
			b.Fulfilment = &market.Fulfilment{State: market.FulfilmentSettled, Outcome: market.OutcomeRefund, Reason: reason}
			s.ok(s.AddBooking(s.Context(), b, 9, nil))
		}
		s.equal(get[int](s)(s.CountCancelledSales(s.Context(), "sam")), 2)
		s.equal(get[int](s)(s.CountCancelledSales(s.Context(), "sue")), 0)
	},
	"the bookings of a seller's phones are newest first": func(s env) {
		var all []market.Booking
		for _, seller := range []string{"sam", "sue", "sam", "sam"} {
			b := booking("ann", "p")
			b.SellerUID = seller
			s.ok(s.AddBooking(s.Context(), b, 9, nil))
			if seller == "sam" {
				all = append([]market.Booking{b}, all...)
			}
		}
		of := func(p market.Page) []market.Booking {
			return get[[]market.Booking](s)(s.BookingsOfSeller(s.Context(), "sam", p))
		}
		s.equal(of(market.Page{Limit: 2}), all[:2])
		s.equal(of(market.Page{Limit: 2, After: all[1].ID}), all[2:])
		s.equal(len(of(market.Page{Limit: 2, After: all[2].ID})), 0)
	},
	"a seller's sales are listed and added up": func(s env) {
		sale := func(b market.Booking, state market.FulfilmentState, outcome market.FulfilmentOutcome) market.Booking {
			b.SellerUID, b.Status, b.Price, b.Commission = "sam", market.BookingPaid, 100, 5
			b.Fulfilment = &market.Fulfilment{State: state, Outcome: outcome}
			return b
		}
		sums := func(want map[market.EarningState]market.SalesSum) {
			s.Helper()
			s.equal(get[map[market.EarningState]market.SalesSum](s)(s.SalesSums(s.Context(), "sam")), want)
		}
		sums(map[market.EarningState]market.SalesSum{})
		held, other := booking("ann", "p0"), sale(booking("ann", "p1"), market.FulfilmentSent, "")
		held.SellerUID, other.SellerUID = "sam", "sue"
		waiting, due := sale(booking("ann", "p2"), market.FulfilmentSent, ""), sale(booking("ann", "p3"), market.FulfilmentSettled, market.OutcomeRelease)
		debt := sale(booking("ann", "p4"), market.FulfilmentSettled, market.OutcomeRelease)
		debt.Status, debt.Payout = market.BookingRefunded, &market.Payout{Cents: 9500, Reference: "r"}
		for _, b := range []market.Booking{held, other, waiting, due, debt} {
			s.ok(s.AddBooking(s.Context(), b, 9, nil))
		}
		list := func(p market.Page) (market.List[market.Booking], error) { return s.SalesOf(s.Context(), "sam", p) }
		wantPages(s, list, bookingID, debt, due, waiting)
		sums(map[market.EarningState]market.SalesSum{
			market.EarningWaiting: {Waiting: 10000}, market.EarningDue: {Waiting: 9500}, market.EarningDebt: {Waiting: -9500, PaidOut: 9500},
		})
		paid := due
		paid.Payout, paid.Version = &market.Payout{Cents: 9500, Reference: "r"}, 2
		s.ok(s.SaveBooking(s.Context(), paid, nil))
		held = sale(held, market.FulfilmentWaiting, "")
		held.Version = 2
		s.ok(s.SaveBooking(s.Context(), held, nil))
		wantPages(s, list, bookingID, debt, paid, waiting, held)
		sums(map[market.EarningState]market.SalesSum{
			market.EarningWaiting: {Waiting: 20000}, market.EarningPaidOut: {PaidOut: 9500}, market.EarningDebt: {Waiting: -9500, PaidOut: 9500},
		})
	},
	"a buyer's list is newest first, in every status": func(s env) {
		list := func(p market.Page) (market.List[market.Booking], error) { return s.BookingsOf(s.Context(), "ann", p) }
		wantPages(s, list, bookingID)
		var all []market.Booking
		for _, status := range []market.BookingStatus{market.BookingPaid, market.BookingHeld, market.BookingExpired} {
			b := booking("ann", "p1")
			b.Status = status
			s.ok(s.AddBooking(s.Context(), b, 9, nil))
			s.ok(s.AddBooking(s.Context(), booking("bob", "p1"), 9, nil))
			all = append([]market.Booking{b}, all...)
		}
		wantPages(s, list, bookingID, all...)
	},
	"held bookings of a network": func(s env) {
		from := func(network string, limit int) int {
			return get[int](s)(s.HeldFrom(s.Context(), network, limit))
		}
		var all []market.Booking
		for n, buyer := range []string{"ann", "bob", "cy", "dot"} {
			b := booking(buyer, "p"+buyer)
			b.Network = "office"
			if n == 3 {
				b.Network = ""
			}
			s.ok(s.AddBooking(s.Context(), b, 9, nil))
			all = append(all, b)
		}
		s.equal(from("office", 9), 3)
		s.equal(from("office", 2), 2)
		s.equal(from("home", 9), 0)
		s.equal(from("", 9), 0)
		s.equal(get[market.Booking](s)(s.Booking(s.Context(), all[0].ID)), all[0])
		all[0].Status, all[0].Version = market.BookingPaid, 2
		s.ok(s.SaveBooking(s.Context(), all[0], nil))
		s.equal(from("office", 9), 2)
	},
	"a buyer's held bookings": func(s env) {
		want := map[string]bool{}
		for i := range 6 {
			b := booking("ann", "p1")
			if i%2 == 0 {
				b.Status = market.BookingCancelled
			} else {
				want[b.ID] = true
			}
			s.ok(s.AddBooking(s.Context(), b, 9, nil))
		}
		got := map[string]bool{}
		for _, b := range get[[]market.Booking](s)(s.HeldBookings(s.Context(), "ann", 9)) {
			got[b.ID] = true
		}
		s.equal(got, want)
		s.equal(len(get[[]market.Booking](s)(s.HeldBookings(s.Context(), "ann", 2))), 2)
		s.equal(get[[]market.Booking](s)(s.HeldBookings(s.Context(), "bob", 2)), []market.Booking{})
	},
	"bookings due, oldest first, now included": func(s env) { bookingsDue(s, "", s.BookingsDue) },
	"intents due, oldest first, now included":  func(s env) { bookingsDue(s, "pi_1", s.IntentsDue) },
	"a booking is in one due list: with an intent among the intents": func(s env) {
		b := booking("ann", "p1")
		b.Due = noon
		s.ok(s.AddBooking(s.Context(), b, 9, nil))
		for _, intent := range []string{"", "pi_1", "pi_2", "", "pi_3"} {
			b.Intent = intent
			b.Version++
			s.ok(s.SaveBooking(s.Context(), b, nil))
			plain, withIntent := []market.Booking{b}, []market.Booking{}
			if intent != "" {
				plain, withIntent = withIntent, plain
			}
			s.equal(get[[]market.Booking](s)(s.BookingsDue(s.Context(), noon, 9)), plain)
			s.equal(get[[]market.Booking](s)(s.IntentsDue(s.Context(), noon, 9)), withIntent)
		}
	},
	"the limits of the two lists are separate": func(s env) {
		var all []market.Booking
		for i, intent := range []string{"", "", "pi_1", "pi_2", "", ""} {
			b := booking("ann", "p1")
			b.Intent, b.Due = intent, noon.Add(time.Duration(i)*time.Minute)
			s.ok(s.AddBooking(s.Context(), b, 9, nil))
			all = append(all, b)
		}
		now := all[len(all)-1].Due
		s.equal(get[[]market.Booking](s)(s.BookingsDue(s.Context(), now, 3)), []market.Booking{all[0], all[1], all[4]})
		s.equal(get[[]market.Booking](s)(s.IntentsDue(s.Context(), now, 1)), all[2:3])
		s.equal(get[[]market.Booking](s)(s.IntentsDue(s.Context(), now, 3)), all[2:4])
	},
	"purging deletes unpaid bookings that ended long ago, oldest first, up to the limit": func(s env) {
		ended := func(status market.BookingStatus, at time.Time) market.Booking {
			b := booking("ann", "p1")
			b.Status, b.EndedAt = status, at
			s.ok(s.AddBooking(s.Context(), b, 99, nil))
			return b
		}
		old := noon.Add(-time.Hour)
		var kept []market.Booking
		kept = append(kept,
			ended(market.BookingPaid, old), ended(market.BookingRefunded, old), ended(market.BookingHeld, time.Time{}),
			ended(market.BookingExpired, noon), ended(market.BookingCancelled, noon), ended(market.BookingCancelled, time.Time{}))
		undecided := booking("ann", "p1") // its payment may still succeed
		undecided.Status, undecided.EndedAt, undecided.Intent, undecided.Due = market.BookingCancelled, old, "pi", noon
		s.ok(s.AddBooking(s.Context(), undecided, 99, nil))
		kept = append(kept, undecided)
		first, second := ended(market.BookingExpired, old.Add(-time.Hour)), ended(market.BookingExpired, old)
		third := ended(market.BookingCancelled, old)
		other := ended(market.BookingExpired, old)
		other.Version++ // paid since
		other.Status = market.BookingPaid
		s.ok(s.SaveBooking(s.Context(), other, nil))
		kept = append(kept, other)

		s.equal(get[int](s)(s.PurgeBookings(s.Context(), noon, 1)), 1)
		wantNotFound[market.Booking](s)(s.Booking(s.Context(), first.ID))
		s.equal(get[int](s)(s.PurgeBookings(s.Context(), noon, 9)), 2)
		wantNotFound[market.Booking](s)(s.Booking(s.Context(), second.ID))
		wantNotFound[market.Booking](s)(s.Booking(s.Context(), third.ID))
		s.equal(get[int](s)(s.PurgeBookings(s.Context(), noon, 9)), 0)
		for _, b := range kept {
			s.equal(get[market.Booking](s)(s.Booking(s.Context(), b.ID)), b)
		}
		s.equal(get[market.List[market.Booking]](s)(s.BookingsOf(s.Context(), "ann", market.Page{Limit: 2})).Total, len(kept))
	},
}

// bookingsDue tests the order and the limits of one of the two lists of due bookings.
func bookingsDue(s env, intent string, list func(context.Context, time.Time, int) ([]market.Booking, error)) {
	s.Helper()
	var all []market.Booking
	for i := range 5 {
		b := booking("ann", "p1")
		b.Intent = intent
		if i > 0 { // the first is never due
			b.Due = noon.Add(-time.Duration(i) * time.Minute)
		}
		s.ok(s.AddBooking(s.Context(), b, 9, nil))
		all = append(all, b)
	}
	due := func(now time.Time, limit int) []market.Booking {
		return get[[]market.Booking](s)(list(s.Context(), now, limit))
	}
	s.equal(due(noon, 9), []market.Booking{all[4], all[3], all[2], all[1]})
	s.equal(due(noon.AddDate(100, 0, 0), 9), []market.Booking{all[4], all[3], all[2], all[1]})
	s.equal(due(noon, 2), []market.Booking{all[4], all[3]})
	s.equal(due(all[3].Due, 9), []market.Booking{all[4], all[3]})
	s.equal(due(all[3].Due.Add(-time.Millisecond), 9), []market.Booking{all[4]})
	done := all[4]
	done.Due, done.Version = time.Time{}, 2
	s.ok(s.SaveBooking(s.Context(), done, nil))
	s.equal(due(all[3].Due, 9), []market.Booking{all[3]})
}
