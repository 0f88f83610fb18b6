package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/mongo"

	"secondring/market"
)

// addCarried copies the audit log entries, ledger entries, notifications and records of
// stored events into their collections, each once. Until then they are stored only with
// their event. If a process is killed before it copies them, the relay copies them.
func (s *Store) addCarried(ctx context.Context, events []market.Event) error {
	entries, err := market.AuditEntriesOf(events)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if _, err := addOnce(ctx, s, auditEntries, entry); err != nil {
			return err
		}
	}
	ledgerEntries, err := market.LedgerEntriesIn(events)
	if err != nil {
		return err
	}
	for _, e := range ledgerEntries {
		if _, err := addOnce(ctx, s, ledger, e); err != nil {
			return err
		}
	}
	if err := s.addCarriedNotifications(ctx, events); err != nil {
		return err
	}
	carried, err := market.RecordsIn(events)
	if err != nil {
		return err
	}
	for _, r := range carried {
		if _, err := addOnce(ctx, s, records, r); err != nil {
			return err
		}
	}
	return nil
}

// addOnce adds an entity. It does nothing and returns false if its key is taken.
func addOnce[T any](ctx context.Context, s *Store, k kind[T], v T) (added bool, err error) {
	doc := k.document(v, s.clock.next(), nil)
	err = s.retry(ctx, "add "+k.singular, func(ctx context.Context) error {
		_, err := s.db.Collection(k.name).InsertOne(ctx, doc)
		if added = err == nil; mongo.IsDuplicateKeyError(err) {
			return nil
		}
		return err
	})
	return added, err
}
