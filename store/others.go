package store

import (
	"context"
	"time"

	"secondring/market"
)

// AddWatching stores what a person watches.
func (s *Store) AddWatching(ctx context.Context, w market.Watching, effects []market.Effect) error {
	return watching.add(ctx, s, w, effects)
}

// SaveWatching replaces what a person watches.
func (s *Store) SaveWatching(ctx context.Context, w market.Watching, effects []market.Effect) error {
	return watching.save(ctx, s, w, effects)
}

// RemoveWatching removes what a person watches.
func (s *Store) RemoveWatching(ctx context.Context, w market.Watching, effects []market.Effect) error {
	return watching.remove(ctx, s, w, effects)
}

// Watching returns what the person with a UID watches.
func (s *Store) Watching(ctx context.Context, uid string) (market.Watching, error) {
	return watching.newest(ctx, s, Keys{"uid": uid})
}

// WatchingOfPhone returns a page of the people who watch a phone.
func (s *Store) WatchingOfPhone(ctx context.Context, productID string, page market.Page) ([]market.Watching, error) {
	return watching.page(ctx, s, Keys{"phones": productID}, page)
}

// CountWatchers returns how many people watch a phone.
func (s *Store) CountWatchers(ctx context.Context, productID string) (int, error) {
	return watching.count(ctx, s, Keys{"phones": productID})
}

// WatchingOfSearches returns a page of the people with a saved search that has a key.
func (s *Store) WatchingOfSearches(ctx context.Context, key string, page market.Page) ([]market.Watching, error) {
	return watching.page(ctx, s, Keys{"searches": key}, page)
}

// SaveReport replaces a report.
func (s *Store) SaveReport(ctx context.Context, r market.Report, effects []market.Effect) error {
	return reports.save(ctx, s, r, effects)
}

// Report returns the report with an ID.
func (s *Store) Report(ctx context.Context, id string) (market.Report, error) {
	return reports.get(ctx, s, id)
}

// Reports lists all reports.
func (s *Store) Reports(ctx context.Context, page market.Page) (market.List[market.Report], error) {
	return reports.list(ctx, s, nil, page, CountAll)
}

// ReportsBy returns a page of one person's reports.
func (s *Store) ReportsBy(ctx context.Context, reporterUID string, page market.Page) ([]market.Report, error) {
	return reports.page(ctx, s, Keys{"reporter": reporterUID}, page)
}

// CountReportsBy counts one person's reports.
func (s *Store) CountReportsBy(ctx context.Context, reporterUID string) (int, error) {
	return reports.count(ctx, s, Keys{"reporter": reporterUID})
}

// CountReportsAbout counts the reports about one seller's phones.
func (s *Store) CountReportsAbout(ctx context.Context, sellerID string) (int, error) {
	return reports.count(ctx, s, Keys{"about": sellerID})
}

// RemoveReport removes a report.
func (s *Store) RemoveReport(ctx context.Context, r market.Report, effects []market.Effect) error {
	return reports.remove(ctx, s, r, effects)
}

// ShowsPicture returns whether a phone, an order, a report, a brand or an account has a picture at
// one of these addresses.
func (s *Store) ShowsPicture(ctx context.Context, urls []string) (bool, error) {
	for _, kind := range Kinds() {
		for _, key := range kind.Many {
			if key != "pictures" {
				continue
			}
			found, err := s.engine.Find(ctx, kind, Find{Where: Keys{key: urls}, Limit: 1})
			if err != nil || len(found.Docs) > 0 {
				return err == nil, err
			}
		}
	}
	return false, nil
}

// AddAuditEntry adds an entry in a write of its own.
func (s *Store) AddAuditEntry(ctx context.Context, entry market.AuditEntry) error {
	return auditEntries.add(ctx, s, entry, []market.Effect{entry.Event()})
}

// AuditEntries lists the audit log.
func (s *Store) AuditEntries(ctx context.Context, page market.Page) (market.List[market.AuditEntry], error) {
	return auditEntries.list(ctx, s, nil, page, CountAll)
}

// AuditEntriesAbout returns a page of the entries about a person.
func (s *Store) AuditEntriesAbout(ctx context.Context, personID string, page market.Page) ([]market.AuditEntry, error) {
	return auditEntries.page(ctx, s, Keys{"concern": personID}, page)
}

// EraseFromAuditLog removes a person's name from all entries, as the actor and as the target.
func (s *Store) EraseFromAuditLog(ctx context.Context, personID string) error {
	for _, key := range []string{"actor", "target"} {
		entries, err := auditEntries.all(ctx, s, Keys{key: personID})
		if err != nil {
			return err
		}
		err = atOnce(ctx, entries, func(ctx context.Context, entry market.AuditEntry) error {
			return ignoreNotFound(auditEntries.change(ctx, s, entry.ID, func(e *market.AuditEntry) bool {
				before := *e
				if e.ActorID == personID {
					e.Actor = ""
				}
				if e.TargetID == personID {
					e.Target = ""
				}
				return *e != before
			}))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// PurgeAuditEntries removes up to limit entries from before that time.
func (s *Store) PurgeAuditEntries(ctx context.Context, before time.Time, limit int) (int, error) {
	return auditEntries.purge(ctx, s, before, limit)
}

// AddRecord stores a new record.
func (s *Store) AddRecord(ctx context.Context, r market.Record, effects []market.Effect) error {
	return records.add(ctx, s, r, effects)
}

// SaveRecord replaces a record.
func (s *Store) SaveRecord(ctx context.Context, r market.Record) error {
	return records.save(ctx, s, r, nil)
}

// Record returns the record with a kind and an ID.
func (s *Store) Record(ctx context.Context, kind, id string) (market.Record, error) {
	return records.get(ctx, s, recordID(kind, id))
}

// RecordsByID returns the records of a kind that exist, in any order.
func (s *Store) RecordsByID(ctx context.Context, kind string, ids []string) ([]market.Record, error) {
	var all []string
	for _, id := range ids {
		all = append(all, recordID(kind, id))
	}
	return records.several(ctx, s, all...)
}

// RecordsOf returns a page of the records of a kind, by ID, descending.
func (s *Store) RecordsOf(ctx context.Context, kind string, page market.Page) ([]market.Record, error) {
	if page.After != "" {
		page.After = recordID(kind, page.After)
	}
	return records.page(ctx, s, Keys{"kind": kind}, page)
}

// RecordsDue returns up to limit records of a kind that are due, the oldest first.
func (s *Store) RecordsDue(ctx context.Context, kind string, now time.Time, limit int) ([]market.Record, error) {
	return records.until(ctx, s, kind, now, limit)
}

// RemoveRecords removes several records, whatever their versions are.
func (s *Store) RemoveRecords(ctx context.Context, kind string, ids []string) error {
	return atOnce(ctx, ids, func(ctx context.Context, id string) error {
		return records.drop(ctx, s, market.Record{Kind: kind, ID: id}, nil)
	})
}

// PurgeRecords removes up to limit records that expired before that time.
func (s *Store) PurgeRecords(ctx context.Context, before time.Time, limit int) (int, error) {
	return records.purge(ctx, s, before, limit)
}
