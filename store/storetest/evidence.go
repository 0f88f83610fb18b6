package storetest

import (
	"errors"
	"slices"

	"secondring/market"
)

func evidenceOf(order, uid string) market.Evidence {
	return market.Evidence{ID: newID(), BookingID: order, ByUID: uid, At: noon, KeptUntil: noon, Version: 1}
}

func (s env) addEvidence(order, uid string, limit int) market.Evidence {
	s.Helper()
	e := evidenceOf(order, uid)
	s.ok(s.AddEvidence(s.Context(), e, limit))
	return get[[]market.Evidence](s)(s.EvidenceByID(s.Context(), []string{e.ID}))[0]
}

var evidenceCases = cases{
	"each of a person and an order has a number, and a limit": func(s env) {
		ctx := s.Context()
		first, second := s.addEvidence("o", "ann", 2), s.addEvidence("o", "ann", 2)
		s.equal([]int{first.Number, second.Number}, []int{1, 2})
		s.wantError(s.AddEvidence(ctx, evidenceOf("o", "ann"), 2), market.ErrLimit)
		s.equal(s.addEvidence("o", "bob", 2).Number, 1)
		s.equal(s.addEvidence("p", "ann", 2).Number, 1)
		first.Version = 2
		s.ok(s.RemoveEvidence(ctx, first))
		s.equal(s.addEvidence("o", "ann", 2).Number, 1)
	},
	"concurrent calls do not exceed the limit": func(s env) {
		const limit = 5
		counts := race(s, func(int) error { return s.AddEvidence(s.Context(), evidenceOf("o", "ann"), limit) }, market.ErrLimit)
		s.equal(counts[nil], limit)
		s.equal(len(get[[]market.Evidence](s)(s.EvidenceBy(s.Context(), "ann", market.Page{Limit: 2 * limit}))), limit)
	},
	"it is changed and removed by compare-and-set": func(s env) {
		ctx := s.Context()
		e := s.addEvidence("o", "ann", 1)
		s.wantError(s.SaveEvidence(ctx, e), market.ErrConflict)
		s.wantError(s.RemoveEvidence(ctx, e), market.ErrConflict)
		e.KeptUntil, e.Version = e.KeptUntil.AddDate(0, 6, 0), 2
		s.ok(s.SaveEvidence(ctx, e))
		s.equal(get[[]market.Evidence](s)(s.EvidenceByID(ctx, []string{e.ID, "none"})), []market.Evidence{e})
		e.Version = 3
		s.ok(s.RemoveEvidence(ctx, e))
		s.wantError(s.RemoveEvidence(ctx, e), market.ErrNotFound)
		s.equal(get[[]market.Evidence](s)(s.EvidenceByID(ctx, []string{e.ID})), []market.Evidence{})
	},
	"those of a person, page by page": func(s env) {
		ctx := s.Context()
		var all []market.Evidence
		for _, order := range []string{"o", "p", "o"} {
			all = append(all, s.addEvidence(order, "ann", 9))
			s.addEvidence(order, "bob", 9)
		}
		slices.Reverse(all)
		s.equal(get[[]market.Evidence](s)(s.EvidenceBy(ctx, "ann", market.Page{Limit: 2})), all[:2])
		s.equal(get[[]market.Evidence](s)(s.EvidenceBy(ctx, "ann", market.Page{Limit: 2, After: all[1].ID})), all[2:])
		s.equal(get[[]market.Evidence](s)(s.EvidenceBy(ctx, "none", market.Page{Limit: 2})), []market.Evidence{})
	},
	"those that are due, the oldest first": func(s env) {
		ctx := s.Context()
		late, early, later := s.addEvidence("o", "ann", 9), s.addEvidence("o", "ann", 9), s.addEvidence("o", "ann", 9)
		for i, e := range []*market.Evidence{&early, &late, &later} {
			e.KeptUntil, e.Version = noon.AddDate(0, 0, i), 2
			s.ok(s.SaveEvidence(ctx, *e))
		}
		s.equal(get[[]market.Evidence](s)(s.EvidenceDue(ctx, late.KeptUntil, 9)), []market.Evidence{early, late})
		s.equal(get[[]market.Evidence](s)(s.EvidenceDue(ctx, later.KeptUntil, 1)), []market.Evidence{early})
		early.Version = 3
		s.ok(s.RemoveEvidence(ctx, early))
		s.equal(get[[]market.Evidence](s)(s.EvidenceDue(ctx, late.KeptUntil, 9)), []market.Evidence{late})
	},
	"an ID is used once": func(s env) {
		e := s.addEvidence("o", "ann", 9)
		again := evidenceOf("p", "bob")
		again.ID = e.ID
		if err := s.AddEvidence(s.Context(), again, 9); !errors.Is(err, market.ErrExists) {
			s.Errorf("an ID is used again: %v", err)
		}
	},
}
