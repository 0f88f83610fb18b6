package store

import (
	"context"
	"time"

	"secondring/market"
)

// AddCase stores a new case. It returns ErrExists if its target has an open one.
func (s *Store) AddCase(ctx context.Context, c market.Case, effects []market.Effect) error {
	return cases.add(ctx, s, c, effects)
}

// SaveCase replaces a case.
func (s *Store) SaveCase(ctx context.Context, c market.Case, effects []market.Effect) error {
	return cases.save(ctx, s, c, effects)
}

// Case returns the case with an ID.
func (s *Store) Case(ctx context.Context, id string) (market.Case, error) {
	return cases.get(ctx, s, id)
}

// OpenCase returns the open case of a target.
func (s *Store) OpenCase(ctx context.Context, kind market.CaseKind, targetID string) (market.Case, error) {
	return cases.newest(ctx, s, Keys{"target": targetKey(kind, targetID), "open": "yes"})
}

// Cases lists the cases in a state, "" for all, the oldest first.
func (s *Store) Cases(ctx context.Context, state market.CaseState, page market.Page) (market.List[market.Case], error) {
	where := Keys{}
	if state != "" {
		where["state"] = string(state)
	}
	found, err := s.engine.Find(ctx, &cases.Info, Find{Where: where, After: page.After, Limit: max(page.Limit, 1), CountTo: CountAll, Ascending: true})
	items, err := cases.decodeAll(found.Docs, err)
	return market.List[market.Case]{Items: items, Total: found.Total, More: found.More}, err
}

// CasesAbout returns a page of the cases that concern a person.
func (s *Store) CasesAbout(ctx context.Context, uid string, page market.Page) ([]market.Case, error) {
	return cases.page(ctx, s, Keys{"about": uid}, page)
}

// DecisionsAgainst lists the decided cases against a person.
func (s *Store) DecisionsAgainst(ctx context.Context, uid string, page market.Page) (market.List[market.Case], error) {
	return cases.list(ctx, s, Keys{"against": uid}, page, CountAll)
}

// CasesReportedBy returns a page of the cases with a report of a person.
func (s *Store) CasesReportedBy(ctx context.Context, uid string, page market.Page) ([]market.Case, error) {
	return cases.page(ctx, s, Keys{"reporters": uid}, page)
}

// CasesDue returns up to limit cases that are due, the oldest first.
func (s *Store) CasesDue(ctx context.Context, now time.Time, limit int) ([]market.Case, error) {
	return cases.until(ctx, s, market.CaseQueue, now, limit)
}

// PurgeCases deletes up to limit cases that are not open and were opened before that time.
func (s *Store) PurgeCases(ctx context.Context, before time.Time, limit int) (int, error) {
	return cases.purge(ctx, s, before, limit)
}

// HiddenPhone returns the newest copy of a hidden phone.
func (s *Store) HiddenPhone(ctx context.Context, productID string) (market.HiddenPhone, error) {
	return hiddenPhones.newest(ctx, s, Keys{"phone": productID})
}

// HiddenPhonesOf returns a page of the hidden phones of a seller.
func (s *Store) HiddenPhonesOf(ctx context.Context, sellerUID string, page market.Page) ([]market.HiddenPhone, error) {
	return hiddenPhones.page(ctx, s, Keys{"seller": sellerUID}, page)
}

// SaveHiddenPhone replaces the copy of a hidden phone with the same ID.
func (s *Store) SaveHiddenPhone(ctx context.Context, h market.HiddenPhone) error {
	return hiddenPhones.change(ctx, s, h.ID(), func(stored *market.HiddenPhone) bool {
		*stored = h
		return true
	})
}

// RemoveHiddenPhone removes a copy of a hidden phone.
func (s *Store) RemoveHiddenPhone(ctx context.Context, h market.HiddenPhone) error {
	return hiddenPhones.drop(ctx, s, h, nil)
}
