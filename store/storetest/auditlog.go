package storetest

import (
	"time"

	"secondring/market"
)

var auditLogCases = cases{
	"a line is there with its deed, once": func(s env) {
		u := user("ann", "ann@example.com")
		l := line()
		s.ok(s.AddUser(s.Context(), u, events(event(u.ID, 1), l.Event())))
		s.lines(l)
		for range 2 { // and after it was offered to be published, as it is again and again
			s.same(len(get[[]market.Event](s)(s.PendingEvents(s.Context(), 9))), 2)
			s.lines(l)
		}
		s.wantEvents(event(u.ID, 1), l.Event())
		s.lines(l)
	},
	"a refused deed leaves no line": func(s env) {
		u := user("ann", "ann@example.com")
		s.ok(s.AddUser(s.Context(), u, nil))
		s.refused(s.SaveUser(s.Context(), u, events(line().Event())), market.ErrConflict)
		twin := user("ann", "another@example.com")
		s.refused(s.AddUser(s.Context(), twin, events(line().Event())), market.ErrExists)
		s.wantEvents()
		s.lines()
	},
	"every deed has its line": func(s env) {
		b := s.stocked("Nokia")
		p, r, a := s.listed(b, "sam"), report("p", "ann"), account("ann", "ann@example.com")
		s.ok(s.AddReport(s.Context(), r, nil))
		s.ok(s.AddAccount(s.Context(), a))
		var want []market.AuditEntry
		for _, deed := range []func(e []market.Event) error{
			func(e []market.Event) error { return s.RemoveProduct(s.Context(), one(p), e) },
			func(e []market.Event) error { r.Version++; return s.RemoveReport(s.Context(), r, e) },
			func(e []market.Event) error { a.Version++; return s.SaveAccount(s.Context(), a, e) },
			func(e []market.Event) error { return s.PurgeAccount(s.Context(), a.UID, e) },
			func(e []market.Event) error { return s.EndSessions(s.Context(), a.UID, "", e) },
			func(e []market.Event) error { return s.AddRecord(s.Context(), record("k", "1"), e) },
		} {
			l := line()
			s.ok(deed(events(l.Event())))
			want = append([]market.AuditEntry{l}, want...)
			s.lines(want...)
		}
		missing[market.Account](s)(s.Account(s.Context(), a.UID))
		s.same(len(get[[]market.Event](s)(s.PendingEvents(s.Context(), 9))), len(want))
	},
	"the list is newest first": func(s env) {
		var all []market.AuditEntry
		for range 5 {
			l := line()
			s.ok(s.EndSession(s.Context(), "none", events(l.Event())))
			all = append([]market.AuditEntry{l}, all...)
		}
		s.lines(all...)
	},
	"purging forgets the oldest, up to the limit": func(s env) {
		var all []market.AuditEntry
		for i := range 4 {
			l := line()
			l.At = noon.Add(time.Duration(i) * time.Hour)
			s.ok(s.EndSession(s.Context(), "none", events(l.Event())))
			all = append([]market.AuditEntry{l}, all...)
		}
		s.ok(s.EventsPublished(s.Context(), get[[]market.Event](s)(s.PendingEvents(s.Context(), 9))))
		before := noon.Add(3 * time.Hour) // the newest is of this very moment, and stays
		s.same(get[int](s)(s.PurgeAuditEntries(s.Context(), before, 2)), 2)
		s.lines(all[:2]...)
		s.same(get[int](s)(s.PurgeAuditEntries(s.Context(), before, 2)), 1)
		s.same(get[int](s)(s.PurgeAuditEntries(s.Context(), before, 2)), 0)
		s.lines(all[0])
	},
}

// line is one of a deed whose every field is told.
func line() market.AuditEntry { return filled[market.AuditEntry]() }

// lines fails the test unless the audit log has exactly these entries, newest first.
func (s env) lines(want ...market.AuditEntry) {
	s.Helper()
	pages(s, func(p market.Page) (market.List[market.AuditEntry], error) { return s.AuditEntries(s.Context(), p) }, lineID, want...)
}

func lineID(l market.AuditEntry) string { return l.ID }
