package storetest

import (
	"errors"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"secondring/market"
)

// This file has the model's payments and records, and the lists of due entities.

var (
	transactions = []string{"pi_1", "pi_2", "pi_3", "pi_4"}
	recordKinds  = []string{"hook", "intent"}
	recordIDs    = []string{"1", "2", "3"}
)

func (w *modelRun) addPayment() {
	p := payment("b")
	p.Transaction = rapid.SampledFrom(transactions).Draw(w.r, "transaction")
	if slices.ContainsFunc(w.payments, func(o market.Payment) bool { return o.Transaction == p.Transaction }) {
		w.expect(w.store.AddPayment(w.ctx, p, w.newEvents(p.ID, 1, false)), market.ErrExists)
		return
	}
	w.expect(w.store.AddPayment(w.ctx, p, w.newEvents(p.ID, 1, true)), nil)
	w.payments = append(w.payments, p)
}

func (w *modelRun) savePayment() {
	i, valid, ok := pick(w, w.payments)
	if !ok {
		return
	}
	p := w.payments[i]
	p.RefundedAt = w.drawTimeOrZero("refunded")
	var want error
	p.Version, want = versionToWrite(p.Version, valid)
	w.expect(w.store.SavePayment(w.ctx, p, w.newEvents(p.ID, p.Version, valid)), want)
	if valid {
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
		w.equal(got, w.payments[i])
	}
}

// recordIndex returns the index of a record in the model, or -1.
func (w *modelRun) recordIndex(kind, id string) int {
	return slices.IndexFunc(w.records, func(r market.Record) bool { return r.Kind == kind && r.ID == id })
}

// putRecord adds or saves one of a few records. The write may be invalid.
func (w *modelRun) putRecord() {
	r := record(rapid.SampledFrom(recordKinds).Draw(w.r, "kind"), rapid.SampledFrom(recordIDs).Draw(w.r, "id"))
	r.Data = rapid.SliceOfN(rapid.Byte(), 0, 4).Draw(w.r, "data")
	r.Due, r.Expires = w.drawTimeOrZero("due"), w.drawTimeOrZero("expires")
	i := w.recordIndex(r.Kind, r.ID)
	switch save := w.drawBool("save"); {
	case !save && i >= 0:
		w.expect(w.store.AddRecord(w.ctx, r, nil), market.ErrExists)
	case !save:
		w.expect(w.store.AddRecord(w.ctx, r, nil), nil)
		w.records = append(w.records, r)
	case i < 0:
		w.expect(w.store.SaveRecord(w.ctx, r), market.ErrNotFound)
	default:
		valid := w.drawBool("version")
		var want error
		r.Version, want = versionToWrite(w.records[i].Version, valid)
		w.expect(w.store.SaveRecord(w.ctx, r), want)
		if valid {
			w.records[i] = r
		}
	}
}

// purgeRecords lets the store delete expired records, and deletes the same ones in the model.
func (w *modelRun) purgeRecords() {
	before, limit := w.drawTime("before"), rapid.IntRange(1, 3).Draw(w.r, "limit")
	expired := filter(w.records, func(r market.Record) bool { return !r.Expires.IsZero() && r.Expires.Before(before) })
	n, err := w.store.PurgeRecords(w.ctx, before, limit)
	w.expect(err, nil)
	w.equal(n, min(limit, len(expired)))
	for _, r := range expired {
		if _, err := w.store.Record(w.ctx, r.Kind, r.ID); errors.Is(err, market.ErrNotFound) {
			i := w.recordIndex(r.Kind, r.ID)
			w.records = slices.Delete(w.records, i, i+1)
			n--
		}
	}
	w.equal(n, 0)
}

func (w *modelRun) compareRecords() {
	for _, kind := range recordKinds {
		for _, id := range recordIDs {
			got, err := w.store.Record(w.ctx, kind, id)
			i := w.recordIndex(kind, id)
			if i < 0 {
				w.expect(err, market.ErrNotFound)
				continue
			}
			w.expect(err, nil)
			w.equal(got, w.records[i])
		}
	}
}

// compareDue compares the lists of due entities.
func (w *modelRun) compareDue() {
	now := noon.Add(2 * time.Minute)
	isDue := func(due time.Time) bool { return !due.IsZero() && !due.After(now) }
	bookingDue := func(b market.Booking) time.Time { return b.Due }
	compareOldestFirst(w, func(limit int) ([]market.Booking, error) { return w.store.BookingsDue(w.ctx, now, limit) },
		filter(w.bookings, func(b market.Booking) bool { return b.Intent == "" && isDue(b.Due) }), bookingID, bookingDue)
	compareOldestFirst(w, func(limit int) ([]market.Booking, error) { return w.store.IntentsDue(w.ctx, now, limit) },
		filter(w.bookings, func(b market.Booking) bool { return b.Intent != "" && isDue(b.Due) }), bookingID, bookingDue)
	for _, kind := range recordKinds {
		compareOldestFirst(w, func(limit int) ([]market.Record, error) { return w.store.RecordsDue(w.ctx, kind, now, limit) },
			filter(w.records, func(r market.Record) bool { return r.Kind == kind && isDue(r.Due) }),
			func(r market.Record) string { return r.ID }, func(r market.Record) time.Time { return r.Due })
	}
}

// compareOldestFirst compares a list that is sorted by time, with equal times in any order,
// and its first items up to a limit.
func compareOldestFirst[T any](w *modelRun, list func(limit int) ([]T, error), want []T, id func(T) string, at func(T) time.Time) {
	w.r.Helper()
	all, err := list(1000)
	w.expect(err, nil)
	if !slices.IsSortedFunc(all, func(a, b T) int { return at(a).Compare(at(b)) }) {
		w.r.Fatalf("the list is not oldest first: %+v", all)
	}
	byID := func(a, b T) int { return strings.Compare(id(a), id(b)) }
	w.equal(slices.SortedFunc(slices.Values(all), byID), slices.SortedFunc(slices.Values(want), byID))
	first, err := list(2)
	w.expect(err, nil)
	w.equal(len(first), min(2, len(all)))
	for i, v := range first {
		w.equal(at(v), at(all[i]))
	}
}
