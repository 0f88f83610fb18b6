package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"secondring/market"
)

// AddEvidence stores a new photograph, with the lowest number that the person has free in the order. A
// unique key allows each number once, so concurrent calls cannot exceed the limit.
func (s *Store) AddEvidence(ctx context.Context, e market.Evidence, limit int) error {
	for {
		own, err := evidence.page(ctx, s, Keys{"order": e.BookingID, "by": e.ByUID}, market.Page{Limit: limit})
		if err != nil {
			return err
		}
		if len(own) >= limit {
			return fmt.Errorf("add evidence: %w", market.ErrLimit)
		}
		e.Number = freeNumber(own)
		err = evidence.add(ctx, s, e, nil)
		if _, taken := errors.AsType[*TakenError](err); !taken { // otherwise a concurrent call took the number
			return err
		}
	}
}

// freeNumber returns the lowest number from 1 that no photograph has.
func freeNumber(all []market.Evidence) int {
	taken := map[int]bool{}
	for _, e := range all {
		taken[e.Number] = true
	}
	number := 1
	for taken[number] {
		number++
	}
	return number
}

// SaveEvidence replaces a photograph.
func (s *Store) SaveEvidence(ctx context.Context, e market.Evidence) error {
	return evidence.save(ctx, s, e, nil)
}

// RemoveEvidence removes a photograph.
func (s *Store) RemoveEvidence(ctx context.Context, e market.Evidence) error {
	return evidence.remove(ctx, s, e, nil)
}

// EvidenceByID returns the photographs that exist, in any order.
func (s *Store) EvidenceByID(ctx context.Context, ids []string) ([]market.Evidence, error) {
	return evidence.several(ctx, s, ids...)
}

// EvidenceBy returns a page of the photographs that a person has added, by ID, descending.
func (s *Store) EvidenceBy(ctx context.Context, uid string, page market.Page) ([]market.Evidence, error) {
	return evidence.page(ctx, s, Keys{"by": uid}, page)
}

// EvidenceDue returns up to limit photographs that are due, the oldest first.
func (s *Store) EvidenceDue(ctx context.Context, now time.Time, limit int) ([]market.Evidence, error) {
	return evidence.until(ctx, s, market.EvidenceQueue, now, limit)
}
