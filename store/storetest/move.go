package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"secondring/market"
)

// source and target are engines that a market can be moved from, and to.
type (
	source interface {
		market.Store
		market.Source
	}
	target interface {
		market.Store
		market.Target
	}
)

// MovesFrom tests an engine as market.Source, which returns every entity as the other calls
// stored it.
func MovesFrom(t *testing.T, s source) {
	t.Helper()
	pending := event(newID(), 7)
	all := items(pending)
	addAll(env{t, s}, all)
	for _, kind := range market.Kinds() {
		wantItems(t, kind, allItems(t, kind, s), all[kind])
		if n, err := s.Count(t.Context(), kind); err != nil || n != len(all[kind]) {
			t.Errorf("Count(%s) = %d, %v; want %d", kind, n, err, len(all[kind]))
		}
		others := items(event(newID(), 1))[kind]
		other := others[len(others)-1:] // the first setting is the same in each
		if e, ok := other[0].(market.Event); ok {
			e.Seq = 99
			other[0] = e
		}
		found, err := s.Existing(t.Context(), kind, slices.Concat(other, allItems(t, kind, s)))
		if err != nil {
			t.Fatal(err)
		}
		wantItems(t, kind, found, all[kind])
	}
}

// MovesTo tests an engine as market.Target: the other calls read the entities that Put stored
// and write their next versions.
func MovesTo(t *testing.T, s target) {
	t.Helper()
	pending := event(newID(), 7)
	pending.Seq = 3
	all := items(pending)
	for _, kind := range market.Kinds() {
		for range 2 { // a repeated Put changes nothing
			if err := s.Put(t.Context(), kind, all[kind]); err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
		}
		wantItems(t, kind, allItems(t, kind, s), all[kind])
	}
	e := env{t, s}
	checkReads(e, all)
	continueAfterMove(e, all, pending)
	for _, kind := range market.Kinds() {
		if kind == market.KindEvents {
			continue // continueAfterMove has deleted them
		}
		before := len(allItems(t, kind, s))
		if err := s.DeleteItems(t.Context(), kind, all[kind][1:]); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		if after, want := len(allItems(t, kind, s)), before-len(all[kind])+1; after != want {
			t.Errorf("%d %s are stored after DeleteItems, want %d", after, kind, want)
		}
	}
}

// items returns entities of every kind: one with all fields, and one with only its keys.
func items(pending market.Event) map[market.Kind][]market.Item {
	b, p, k, held := brand(newID()), filled[market.Product](), filled[market.Booking](), booking("ann", "p")
	p.BrandID = b.ID
	bare := market.Product{ID: newID(), BrandID: b.ID, Version: 1}
	removed := filled[market.User]()
	removed.Removed, removed.Version = true, 5
	return map[market.Kind][]market.Item{
		market.KindBrands:        {b, market.Brand{ID: newID(), Name: "Bare", Version: 1}},
		market.KindUsers:         {removed, user(newID(), newID())},
		market.KindAccounts:      {filled[market.Account](), account(newID(), newID())},
		market.KindSessions:      {filled[market.Session](), market.Session{ID: newID()}},
		market.KindProducts:      {p, bare},
		market.KindBookings:      {k, held, booking("ann", "q"), booking("ann", "r")},
		market.KindPayments:      {filled[market.Payment](), payment(newID())},
		market.KindWatching:      {filled[market.Watching](), watching("ann")},
		market.KindReports:       {filled[market.Report](), report("p", "ann")},
		market.KindRecords:       {filled[market.Record](), market.Record{Kind: "k", ID: newID(), Version: 4}},
		market.KindAuditLog:      {auditEntry(), auditEntry()},
		market.KindLedger:        {filled[market.LedgerEntry](), market.LedgerEntry{ID: newID()}},
		market.KindNotifications: {filled[market.Notification](), market.Notification{ID: newID(), UID: newID(), Version: 1}},
		market.KindEvents:        {pending},
		market.KindSettings:      {market.Setting{Name: "begun", Value: "demo"}, market.Setting{Name: newID(), Value: "x"}},
	}
}

// addAll stores the entities with the ordinary calls.
func addAll(s env, all map[market.Kind][]market.Item) {
	s.Helper()
	for _, kind := range market.Kinds() {
		for _, item := range all[kind] {
			s.ok(addOne(s, item))
		}
	}
	var pending []market.Item // with their sequence numbers
	for _, e := range get[[]market.Event](s)(s.PendingEvents(s.Context(), 9)) {
		pending = append(pending, e)
	}
	all[market.KindEvents] = pending
}

func addOne(s env, item market.Item) error {
	ctx := s.Context()
	switch v := item.(type) {
	case market.Brand:
		return s.AddBrand(ctx, v)
	case market.User:
		return s.AddUser(ctx, v, nil)
	case market.Account:
		return s.AddAccount(ctx, v, nil)
	case market.Session:
		return s.AddSession(ctx, v)
	case market.Product:
		return s.AddProduct(ctx, v, nil)
	case market.Booking:
		return s.AddBooking(ctx, v, 9, nil)
	case market.Payment:
		return s.AddPayment(ctx, v, nil)
	case market.Watching:
		return s.AddWatching(ctx, v, nil)
	case market.Report:
		return s.AddReport(ctx, v, nil)
	case market.Record:
		return s.AddRecord(ctx, v, nil)
	case market.AuditEntry: // as an event of a write that changes nothing
		return s.EndSession(ctx, "none", events(v.Event()))
	case market.LedgerEntry:
		return s.EndSession(ctx, "none", events(v.Event()))
	case market.Notification:
		return s.AddNotification(ctx, v, nil)
	case market.Event:
		return s.EndSession(ctx, "none", events(v))
	case market.Setting:
		return s.SetMeta(ctx, v.Name, v.Value)
	}
	return fmt.Errorf("addOne does not know the type %T", item)
}

// checkReads tests that the ordinary calls read the entities.
func checkReads(s env, all map[market.Kind][]market.Item) {
	s.Helper()
	ctx := s.Context()
	for _, kind := range market.Kinds() {
		for _, item := range all[kind] {
			switch v := item.(type) {
			case market.Brand:
				s.equal(get[market.Brand](s)(s.BrandByName(ctx, v.Name)), v)
			case market.User:
				s.equal(get[market.User](s)(s.User(ctx, v.UID)), v)
			case market.Account:
				s.equal(get[market.Account](s)(s.AccountByEmail(ctx, v.Email)), v)
			case market.Session:
				s.equal(get[market.Session](s)(s.Session(ctx, v.ID)), v)
			case market.Product:
				s.equal(get[market.List[market.Product]](s)(s.ProductsOfSeller(ctx, v.SellerUID, market.Page{Limit: 9})).Items, []market.Product{v})
			case market.Booking:
				s.equal(get[market.Booking](s)(s.LastBooking(ctx, v.BuyerUID, v.ProductID)), v)
			case market.Payment:
				s.equal(get[market.Payment](s)(s.PaymentOf(ctx, v.Transaction)), v)
			case market.Watching:
				s.equal(get[market.Watching](s)(s.Watching(ctx, v.UID)), v)
			case market.Report:
				s.equal(get[market.Report](s)(s.Report(ctx, v.ID)), v)
			case market.Record:
				s.equal(get[market.Record](s)(s.Record(ctx, v.Kind, v.ID)), v)
			case market.Setting:
				s.equal(get[string](s)(s.Meta(ctx, v.Name)), v.Value)
			case market.Notification:
				s.equal(get[market.Notification](s)(s.Notification(ctx, v.ID)), v)
			case market.LedgerEntry:
				s.equal(slices.Contains(get[[]market.LedgerEntry](s)(s.Ledger(ctx, market.Page{Limit: 9})), v), true)
			case market.AuditEntry:
				all := get[market.List[market.AuditEntry]](s)(s.AuditEntries(ctx, market.Page{Limit: 9}))
				s.equal(slices.Contains(all.Items, v), true)
			}
		}
	}
}

// continueAfterMove checks a store after a move: versions continue, holds and unique keys
// are in force, and pending events are published before new ones.
func continueAfterMove(s env, all map[market.Kind][]market.Item, pending market.Event) {
	s.Helper()
	ctx := s.Context()
	s.wantError(s.AddBooking(ctx, booking("ann", "s"), 3, nil), market.ErrLimit)
	held := all[market.KindBookings][1].(market.Booking) //nolint:forcetypeassert // items returns this type
	held.Status, held.Version = market.BookingExpired, held.Version+1
	s.ok(s.SaveBooking(ctx, held, nil))
	s.ok(s.AddBooking(ctx, booking("ann", "s"), 3, nil))
	s.wantError(s.AddReport(ctx, report("p", "ann"), nil), market.ErrExists)
	s.wantError(s.SetMeta(ctx, "begun", "market"), market.ErrExists)

	p := all[market.KindProducts][0].(market.Product) //nolint:forcetypeassert // items returns this type
	next := event(p.ID, p.Version+1)
	s.wantError(s.SaveProduct(ctx, p, nil), market.ErrConflict)
	p.Version++
	s.ok(s.SaveProduct(ctx, p, events(next)))
	all[market.KindProducts][0] = p
	pending.Seq = 0
	s.wantEvents(pending, next)
	s.wantEvents()
}

// allItems returns all entities of a kind.
func allItems(t *testing.T, kind market.Kind, s interface {
	Each(ctx context.Context, kind market.Kind, do func([]market.Item) error) error
},
) (all []market.Item) {
	t.Helper()
	err := s.Each(t.Context(), kind, func(batch []market.Item) error {
		all = append(all, batch...)
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", kind, err)
	}
	return all
}

// wantItems fails the test unless got and want have the same entities in any order.
func wantItems(t *testing.T, kind market.Kind, got, want []market.Item) {
	t.Helper()
	byText := func(a, b market.Item) int { return strings.Compare(fmt.Sprintf("%+v", a), fmt.Sprintf("%+v", b)) }
	got, want = slices.SortedFunc(slices.Values(got), byText), slices.SortedFunc(slices.Values(want), byText)
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got)\n%s", kind, diff)
	}
}
