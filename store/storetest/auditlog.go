package storetest

import (
	"time"

	"secondring/market"
)

var auditLogCases = cases{
	"an entry is stored once with its write": func(s env) {
		u := user("ann", "ann@example.com")
		entry := auditEntry()
		s.ok(s.AddUser(s.Context(), u, effects(event(u.ID, 1), entry)))
		s.wantAuditEntries(entry)
		for range 2 { // also while its event waits to be published
			s.equal(len(get[[]market.Event](s)(s.PendingEvents(s.Context(), 9))), 2)
			s.wantAuditEntries(entry)
		}
		s.wantEvents(event(u.ID, 1), entry.Event())
		s.wantAuditEntries(entry)
	},
	"a refused write adds no entry": func(s env) {
		u := user("ann", "ann@example.com")
		s.ok(s.AddUser(s.Context(), u, nil))
		s.wantError(s.SaveUser(s.Context(), u, effects(auditEntry())), market.ErrConflict)
		duplicate := user("ann", "another@example.com")
		s.wantError(s.AddUser(s.Context(), duplicate, effects(auditEntry())), market.ErrExists)
		s.wantEvents()
		s.wantAuditEntries()
	},
	"every write can carry an entry": func(s env) {
		b := s.addBrand("Nokia")
		p, r, a := s.addPhone(b, "sam"), report("p", "ann"), account("ann", "ann@example.com")
		s.ok(s.AddReport(s.Context(), r, nil))
		s.ok(s.AddAccount(s.Context(), a, nil))
		var want []market.AuditEntry
		for _, write := range []func(e []market.Effect) error{
			func(e []market.Effect) error { return s.RemoveProduct(s.Context(), nextVersion(p), e) },
			func(e []market.Effect) error { r.Version++; return s.RemoveReport(s.Context(), r, e) },
			func(e []market.Effect) error { a.Version++; return s.SaveAccount(s.Context(), a, e) },
			func(e []market.Effect) error { return s.PurgeAccount(s.Context(), a.UID, e) },
			func(e []market.Effect) error { return s.EndSessions(s.Context(), a.UID, e) },
			func(e []market.Effect) error { return s.AddRecord(s.Context(), record("k", "1"), e) },
		} {
			entry := auditEntry()
			s.ok(write(effects(entry)))
			want = append([]market.AuditEntry{entry}, want...)
			s.wantAuditEntries(want...)
		}
		wantNotFound[market.Account](s)(s.Account(s.Context(), a.UID))
		s.equal(len(get[[]market.Event](s)(s.PendingEvents(s.Context(), 9))), len(want))
	},
	"the list is newest first": func(s env) {
		var all []market.AuditEntry
		for range 5 {
			entry := auditEntry()
			s.ok(s.EndSession(s.Context(), "none", effects(entry)))
			all = append([]market.AuditEntry{entry}, all...)
		}
		s.wantAuditEntries(all...)
	},
	"purging deletes the oldest entries, up to the limit": func(s env) {
		var all []market.AuditEntry
		for i := range 4 {
			entry := auditEntry()
			entry.At = noon.Add(time.Duration(i) * time.Hour)
			s.ok(s.EndSession(s.Context(), "none", effects(entry)))
			all = append([]market.AuditEntry{entry}, all...)
		}
		s.ok(s.EventsPublished(s.Context(), get[[]market.Event](s)(s.PendingEvents(s.Context(), 9))))
		before := noon.Add(3 * time.Hour) // the time of the newest entry, which is kept
		s.equal(get[int](s)(s.PurgeAuditEntries(s.Context(), before, 2)), 2)
		s.wantAuditEntries(all[:2]...)
		s.equal(get[int](s)(s.PurgeAuditEntries(s.Context(), before, 2)), 1)
		s.equal(get[int](s)(s.PurgeAuditEntries(s.Context(), before, 2)), 0)
		s.wantAuditEntries(all[0])
	},
}

// auditEntry returns an entry with a value in every field.
func auditEntry() market.AuditEntry { return filled[market.AuditEntry]() }

// wantAuditEntries fails the test unless the audit log has exactly these entries, newest
// first.
func (s env) wantAuditEntries(want ...market.AuditEntry) {
	s.Helper()
	wantPages(s, func(p market.Page) (market.List[market.AuditEntry], error) { return s.AuditEntries(s.Context(), p) }, auditEntryID, want...)
}

func auditEntryID(entry market.AuditEntry) string { return entry.ID }
