package storetest

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"secondring/market"
)

// left checks the data after a crash: each entity is there with its events, or neither is. A
// server may still be carrying out requests of the killed process, so left repeats the check
// until nothing changes during it.
func left(s env, acknowledged map[string]int64) {
	s.Helper()
	versions, stored, wrong := waiting(s), map[string]int64{}, []string{}
	for moved := true; moved; {
		before := versions
		clear(stored)
		wrong = entities(s, stored)
		versions = waiting(s)
		moved = !maps.Equal(before, versions)
	}
	for _, total := range wrong {
		s.Error(total)
	}
	for id, version := range stored {
		if strings.HasPrefix(id, crashKind) && versions[id] > 0 { // a record's save has no events
			versions[id] = version
		}
	}
	const removal = 3
	for id, version := range versions {
		if got, there := stored[id]; there && got != version || there == (version == removal) {
			s.Errorf("%s: version %d is stored (%v), events tell of %d", id, got, there, version)
		}
	}
	for id := range stored {
		if versions[id] == 0 {
			s.Errorf("%s is stored without its event", id)
		}
	}
	for id, version := range acknowledged {
		if versions[id] < version {
			s.Errorf("%s: version %d was acknowledged, %d is left", id, version, versions[id])
		}
	}
	s.Logf("%d entities stored, %d acknowledged", len(stored), len(acknowledged))
	if len(stored) == 0 {
		s.Fatal("the crash left nothing to look at")
	}
}

// waiting are the last versions of entities in the outbox.
func waiting(s env) map[string]int64 {
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

// entities are the versions of what is stored. It returns what is wrong with the
// lists' totals, which may be nothing but a move.
func entities(s env, stored map[string]int64) (wrong []string) {
	s.Helper()
	for worker := range crashWorkers {
		who := fmt.Sprint("worker", worker)
		phones := whole(s, &wrong, func(page market.Page) (market.List[market.Product], error) {
			return s.ProductsOfSeller(s.Context(), who, page)
		}, productID)
		for _, p := range phones {
			stored[p.ID] = p.Version
		}
		orders := whole(s, &wrong, func(page market.Page) (market.List[market.Booking], error) {
			return s.BookingsOf(s.Context(), who, page)
		}, bookingID)
		for _, b := range orders {
			stored[b.ID] = b.Version
			belongings(s, b, stored)
		}
	}
	entries := whole(s, &wrong, func(page market.Page) (market.List[market.AuditEntry], error) {
		return s.AuditEntries(s.Context(), page)
	}, auditEntryID)
	for _, entry := range entries { // whose events tell of a first version, as of any other entity
		stored[entry.ID] = 1
	}
	return wrong
}

// belongings reads what is stored under a booking's id.
func belongings(s env, b market.Booking, stored map[string]int64) {
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

// whole reads a list to its end and checks the total.
func whole[T any](s env, wrong *[]string, list func(market.Page) (market.List[T], error), id func(T) string) (all []T) {
	s.Helper()
	page := market.Page{Limit: 100}
	for {
		part := get[market.List[T]](s)(list(page))
		all = append(all, part.Items...)
		if !part.More {
			if part.Total != len(all) {
				*wrong = append(*wrong, fmt.Sprintf("total %d of %d", part.Total, len(all)))
			}
			return all
		}
		page.After = id(all[len(all)-1])
	}
}
