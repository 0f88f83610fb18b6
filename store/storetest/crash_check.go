package storetest

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"secondring/market"
)

// checkAfterCrash tests that each entity is stored with its events, or neither is. A server
// may still execute requests of the killed process. Therefore checkAfterCrash reads the
// store again until nothing changes meanwhile.
func checkAfterCrash(s env, acknowledged map[string]int64) {
	s.Helper()
	versions, stored, failures := pendingVersions(s), map[string]int64{}, []string{}
	for changed := true; changed; {
		before := versions
		clear(stored)
		failures = readVersions(s, stored)
		versions = pendingVersions(s)
		changed = !maps.Equal(before, versions)
	}
	for _, failure := range failures {
		s.Error(failure)
	}
	for id, version := range stored {
		if strings.HasPrefix(id, crashKind) && versions[id] > 0 { // a record's save has no events
			versions[id] = version
		}
	}
	const removal = 3
	for id, version := range versions {
		if got, found := stored[id]; found && got != version || found == (version == removal) {
			s.Errorf("%s: version %d is stored (found: %v), but the last event is of version %d", id, got, found, version)
		}
	}
	for id := range stored {
		if versions[id] == 0 {
			s.Errorf("%s is stored without its event", id)
		}
	}
	for id, version := range acknowledged {
		if versions[id] < version {
			s.Errorf("%s: version %d was acknowledged, but version %d is stored", id, version, versions[id])
		}
	}
	s.Logf("%d entities stored, %d acknowledged", len(stored), len(acknowledged))
	if len(stored) == 0 {
		s.Fatal("no entity is stored after the crash")
	}
}

// pendingVersions returns the last version of each entity in the outbox.
func pendingVersions(s env) map[string]int64 {
	s.Helper()
	versions := map[string]int64{}
	for _, e := range get[[]market.Event](s)(s.PendingEvents(s.Context(), 1<<30)) {
		if e.Version != versions[e.Entity]+1 {
			s.Fatalf("%s: the event of version %d follows that of %d", e.Entity, e.Version, versions[e.Entity])
		}
		versions[e.Entity] = e.Version
	}
	return versions
}

// readVersions reads the versions of all entities into stored. It returns the wrong totals
// of lists. A total can also differ because the list changed between two pages.
func readVersions(s env, stored map[string]int64) (failures []string) {
	s.Helper()
	for worker := range crashWorkers {
		uid := fmt.Sprint("worker", worker)
		phones := readAll(s, &failures, func(page market.Page) (market.List[market.Product], error) {
			return s.ProductsOfSeller(s.Context(), uid, page)
		}, productID)
		for _, p := range phones {
			stored[p.ID] = p.Version
		}
		orders := readAll(s, &failures, func(page market.Page) (market.List[market.Booking], error) {
			return s.BookingsOf(s.Context(), uid, page)
		}, bookingID)
		for _, b := range orders {
			stored[b.ID] = b.Version
			readPaymentAndRecord(s, b, stored)
		}
	}
	entries := readAll(s, &failures, func(page market.Page) (market.List[market.AuditEntry], error) {
		return s.AuditEntries(s.Context(), page)
	}, auditEntryID)
	for _, entry := range entries { // its event has version 1
		stored[entry.ID] = 1
	}
	return failures
}

// readPaymentAndRecord reads the versions of a booking's payment and record into stored.
func readPaymentAndRecord(s env, b market.Booking, stored map[string]int64) {
	s.Helper()
	if m, err := s.PaymentOf(s.Context(), payment(b.ID).Transaction); !errors.Is(err, market.ErrNotFound) {
		s.ok(err)
		stored[m.ID] = m.Version
	}
	if r, err := s.Record(s.Context(), crashKind, b.ID); !errors.Is(err, market.ErrNotFound) {
		s.ok(err)
		stored[recordName(r)] = r.Version
	}
}

// recordName distinguishes a record from the booking with the same id.
func recordName(r market.Record) string { return r.Kind + "/" + r.ID }

// readAll reads all pages of a list. It adds a wrong total to failures.
func readAll[T any](s env, failures *[]string, list func(market.Page) (market.List[T], error), id func(T) string) (all []T) {
	s.Helper()
	page := market.Page{Limit: 100}
	for {
		part := get[market.List[T]](s)(list(page))
		all = append(all, part.Items...)
		if !part.More {
			if part.Total != len(all) {
				*failures = append(*failures, fmt.Sprintf("the total is %d, want %d", part.Total, len(all)))
			}
			return all
		}
		page.After = id(all[len(all)-1])
	}
}
