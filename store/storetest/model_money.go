package storetest

import (
	"errors"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"secondring/market"
)

// What the model does with the money, with records, and with what is due.

var (
	transactions = []string{"pi_1", "pi_2", "pi_3", "pi_4"}
	recordKinds  = []string{"hook", "intent"}
	recordIDs    = []string{"1", "2", "3"}
)

func (w *modelRun) addPayment() {
	p := payment("b")
	p.Transaction = rapid.SampledFrom(transactions).Draw(w.r, "transaction")
	if slices.ContainsFunc(w.payments, func(o market.Payment) bool { return o.Transaction == p.Transaction }) {
		w.expect(w.store.AddPayment(w.ctx, p, w.news(p.ID, 1, false)), market.ErrExists)
		return
	}
	w.expect(w.store.AddPayment(w.ctx, p, w.news(p.ID, 1, true)), nil)
	w.payments = append(w.payments, p)
}

func (w *modelRun) savePayment() {
	i, right, there := pick(w, w.payments)
	if !there {
		return
	}
	p := w.payments[i]
	p.RefundedAt = w.mostly("refunded")
	var want error
	p.Version, want = aim(p.Version, right)
	w.expect(w.store.SavePayment(w.ctx, p, w.news(p.ID, p.Version, right)), want)
	if right {
		w.payments[i] = p
	}
}

func (w *modelRun) comparePayments() {
	for _, transaction := range transactions {
		got, err := w.store.PaymentOf(w.ctx, transaction)
		i := slices.IndexFunc(w.payments, func(p market.Payment) bool { return p.Transaction == transaction })
		if i < 0 {
			w.expect(err, market.ErrNotFound)
			continue
		}
		w.expect(err, nil)
		w.same(got, w.payments[i])
	}
}

// place finds a record in the model, -1 where there is none.
func (w *modelRun) place(kind, id string) int {
	return slices.IndexFunc(w.records, func(r market.Record) bool { return r.Kind == kind && r.ID == id })
}

// putRecord adds or saves one of a few records, whether that is right or not.
func (w *modelRun) putRecord() {
	r := record(rapid.SampledFrom(recordKinds).Draw(w.r, "kind"), rapid.SampledFrom(recordIDs).Draw(w.r, "id"))
	r.Data = rapid.SliceOfN(rapid.Byte(), 0, 4).Draw(w.r, "data")
	r.Due, r.Expires = w.mostly("due"), w.mostly("expires")
	i := w.place(r.Kind, r.ID)
	switch save := w.flag("save"); {
	case !save && i >= 0:
		w.expect(w.store.AddRecord(w.ctx, r, nil), market.ErrExists)
	case !save:
		w.expect(w.store.AddRecord(w.ctx, r, nil), nil)
		w.records = append(w.records, r)
	case i < 0:
		w.expect(w.store.SaveRecord(w.ctx, r), market.ErrNotFound)
	default:
		right := w.flag("version")
		var want error
		r.Version, want = aim(w.records[i].Version, right)
		w.expect(w.store.SaveRecord(w.ctx, r), want)
		if right {
			w.records[i] = r
		}
	}
}

// purge lets the store delete expired ones, and then deletes the same ones in the model.
func (w *modelRun) purge() {
	before, limit := w.moment("before"), rapid.IntRange(1, 3).Draw(w.r, "limit")
	expired := keep(w.records, func(r market.Record) bool { return !r.Expires.IsZero() && r.Expires.Before(before) })
	n, err := w.store.PurgeRecords(w.ctx, before, limit)
	w.expect(err, nil)
	w.same(n, min(limit, len(expired)))
	for _, r := range expired {
		if _, err := w.store.Record(w.ctx, r.Kind, r.ID); errors.Is(err, market.ErrNotFound) {
			i := w.place(r.Kind, r.ID)
			w.records = slices.Delete(w.records, i, i+1)
			n--
		}
	}
	w.same(n, 0)
}

func (w *modelRun) compareRecords() {
	for _, kind := range recordKinds {
		for _, id := range recordIDs {
			got, err := w.store.Record(w.ctx, kind, id)
			i := w.place(kind, id)
			if i < 0 {
				w.expect(err, market.ErrNotFound)
				continue
			}
			w.expect(err, nil)
			w.same(got, w.records[i])
		}
	}
}

// compareDue compares the lists of due entities.
func (w *modelRun) compareDue() {
	now := noon.Add(2 * time.Minute)
	isDue := func(due time.Time) bool { return !due.IsZero() && !due.After(now) }
	bookingDue := func(b market.Booking) time.Time { return b.Due }
	oldest(w, func(limit int) ([]market.Booking, error) { return w.store.BookingsDue(w.ctx, now, limit) },
		keep(w.bookings, func(b market.Booking) bool { return b.Intent == "" && isDue(b.Due) }), bookingID, bookingDue)
	oldest(w, func(limit int) ([]market.Booking, error) { return w.store.IntentsDue(w.ctx, now, limit) },
		keep(w.bookings, func(b market.Booking) bool { return b.Intent != "" && isDue(b.Due) }), bookingID, bookingDue)
	for _, kind := range recordKinds {
		oldest(w, func(limit int) ([]market.Record, error) { return w.store.RecordsDue(w.ctx, kind, now, limit) },
			keep(w.records, func(r market.Record) bool { return r.Kind == kind && isDue(r.Due) }),
			func(r market.Record) string { return r.ID }, func(r market.Record) time.Time { return r.Due })
	}
}

// oldest compares a list that is oldest first, with equal times in any order, and its
// first items up to the limit.
func oldest[T any](w *modelRun, list func(limit int) ([]T, error), want []T, id func(T) string, at func(T) time.Time) {
	w.r.Helper()
	all, err := list(1000)
	w.expect(err, nil)
	if !slices.IsSortedFunc(all, func(a, b T) int { return at(a).Compare(at(b)) }) {
		w.r.Fatalf("not oldest first: %+v", all)
	}
	byID := func(a, b T) int { return strings.Compare(id(a), id(b)) }
	w.same(slices.SortedFunc(slices.Values(all), byID), slices.SortedFunc(slices.Values(want), byID))
	first, err := list(2)
	w.expect(err, nil)
	w.same(len(first), min(2, len(all)))
	for i, v := range first {
		w.same(at(v), at(all[i]))
	}
}
