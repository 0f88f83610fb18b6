package sqlite_test

import (
	"database/sql"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pressly/goose/v3"

	"secondring/market"
	"secondring/store/sqlite"
)

// createOldSchema creates a file with an older schema, and inserts rows.
func createOldSchema(t *testing.T, path string, schema int64, rows ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	migrations, err := goose.NewProvider(goose.DialectSQLite3, db, os.DirFS("migrations"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := migrations.UpTo(t.Context(), schema); err != nil {
		t.Fatal(err)
	}
	execSQL(t, path, append(rows, `PRAGMA application_id = 844263015`)...)
}

// schema2Rows is a market of schema 2, which is from before payments. It has an available, a
// held and a sold phone, and bookings that are held, being cancelled, paid and expired.
var schema2Rows = []string{
	`INSERT INTO brands (id, name, name_key, img, version, created_at) VALUES ('b', 'Nokia', 'nokia', '/n.jpg', 1, 1000)`,
	`INSERT INTO products (id, brand_id, brand, name, img, original_price, resale_price, used_time, condition,
		description, seller_uid, seller_name, seller_email, location, phone, posted_on, verified, advertised, sold,
		version, created_at,
		hold_booking, hold_buyer, hold_name, hold_email, hold_phone, hold_location, hold_at, hold_until) VALUES
		('free', 'b', 'Nokia', 'One', '/1.jpg', 200, 100, '1 year', 'Good', 'As new', 'sam', 'Sam', 'sam@example.com',
			'Dhaka', '1', '2026-11-01', 1, 1, 0, 1, 1000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
		('held', 'b', 'Nokia', 'One', '/1.jpg', 200, 100, '1 year', 'Good', 'As new', 'sam', 'Sam', 'sam@example.com',
			'Dhaka', '1', '2026-11-01', 1, 1, 0, 2, 1000, 'open', 'ann', 'Ann', 'ann@example.com', '2', '', 2000, 9000),
		('sold', 'b', 'Nokia', 'One', '/1.jpg', 200, 100, '1 year', 'Good', 'As new', 'sam', 'Sam', 'sam@example.com',
			'Dhaka', '1', '2026-11-01', 1, 1, 1, 3, 1000, 'paid', 'ann', 'Ann', 'ann@example.com', '2', '', 2000, 9000)`,
	`INSERT INTO bookings (id, buyer_uid, user_name, email, product_id, seller_uid, product_name, brand_id, brand, img,
		price, phone, location, status, hold_until, closing, due, ended_at, version, created_at) VALUES
		('open', 'ann', 'Ann', 'ann@example.com', 'held', 'sam', 'One', 'b', 'Nokia', '/1.jpg', 100, '2', '',
			'held', 9000, '', 9000, NULL, 1, 2000),
		('closing', 'ann', 'Ann', 'ann@example.com', 'free', 'sam', 'One', 'b', 'Nokia', '/1.jpg', 100, '2', '',
			'held', 9000, 'cancelled', 5000, NULL, 2, 2000),
		('paid', 'ann', 'Ann', 'ann@example.com', 'sold', 'sam', 'One', 'b', 'Nokia', '/1.jpg', 100, '2', '',
			'paid', 9000, '', NULL, 4000, 2, 2000),
		('over', 'ann', 'Ann', 'ann@example.com', 'free', 'sam', 'One', 'b', 'Nokia', '/1.jpg', 100, '2', '',
			'expired', 9000, '', NULL, 9000, 2, 2000)`,
}

func ms(n int64) time.Time { return time.UnixMilli(n).UTC() }

// schema2Phones returns the phones of schema2Rows, newest first.
func schema2Phones() []market.Product {
	free := market.Product{
		ID: "free", BrandID: "b", Brand: "Nokia", Name: "One", Img: "/1.jpg", OriginalPrice: 200, ResalePrice: 100,
		UsedTime: "1 year", Condition: "Good", Description: "As new", SellerUID: "sam", SellerName: "Sam",
		SellerEmail: "sam@example.com", Location: "Dhaka", Phone: "1", PostedOn: "2026-11-01", Verified: true,
		Advertised: true, Version: 1, CreatedAt: ms(1000),
	}
	held := func(id, booking string, sold bool, version int64) market.Product {
		p := free
		p.ID, p.Sold, p.Version = id, sold, version
		p.Hold = &market.Hold{
			BookingID: booking, BuyerUID: "ann", Name: "Ann", Email: "ann@example.com", Phone: "2",
			At: ms(2000), Until: ms(9000),
		}
		return p
	}
	return []market.Product{held("sold", "paid", true, 3), held("held", "open", false, 2), free}
}

// schema2Bookings returns the bookings of schema2Rows, newest first.
func schema2Bookings() []market.Booking {
	open := market.Booking{
		ID: "open", BuyerUID: "ann", UserName: "Ann", Email: "ann@example.com", ProductID: "held", SellerUID: "sam",
		ProductName: "One", BrandID: "b", Brand: "Nokia", Img: "/1.jpg", Price: 100, Phone: "2",
		Status: market.BookingHeld, HoldUntil: ms(9000), Due: ms(9000), Version: 1, CreatedAt: ms(2000),
	}
	closing, paid, over := open, open, open
	closing.ID, closing.ProductID, closing.Version = "closing", "free", 2
	closing.Closing, closing.ClosingAt, closing.Due = market.BookingCancelled, ms(5000), ms(5000)
	paid.ID, paid.ProductID, paid.Version = "paid", "sold", 2
	paid.Status, paid.Due, paid.EndedAt = market.BookingPaid, time.Time{}, ms(4000)
	over.ID, over.ProductID, over.Version = "over", "free", 2
	over.Status, over.Due, over.EndedAt = market.BookingExpired, time.Time{}, ms(9000)
	return []market.Booking{paid, over, open, closing}
}

// wantResult returns a function that fails the test unless a call of the store returns this value.
func wantResult[T any](t *testing.T, value T) func(T, error) {
	return func(got T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(value, got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}

func TestSchemaBeforePaymentsIsMigrated(t *testing.T) {
	path, ctx := t.TempDir()+"/old.db", t.Context()
	createOldSchema(t, path, 2, schema2Rows...)
	s := open(t, path)

	phones, bookings := schema2Phones(), schema2Bookings()
	page := market.Page{Limit: 9}
	wantResult(t, market.List[market.Product]{Items: phones, Total: 3})(s.ProductsOfBrand(ctx, "b", page))
	wantResult(t, market.List[market.Product]{Items: phones[2:], Total: 1})(s.Advertised(ctx, page))
	wantResult(t, phones[1:2])(s.ProductsHeld(ctx, ms(0), ms(9000), 9))
	wantResult(t, market.List[market.Booking]{Items: bookings, Total: 4})(s.BookingsOf(ctx, "ann", page))
	wantResult(t, []market.Booking{bookings[3], bookings[2]})(s.BookingsDue(ctx, ms(9000), 9))
	wantResult[[]market.Booking](t, nil)(s.IntentsDue(ctx, ms(9000), 9))

	available := true
	search := func(q market.Query) (market.List[market.Product], error) { return s.SearchProducts(ctx, q, page, 9) }
	wantResult(t, market.List[market.Product]{Items: phones, Total: 3})(search(market.Query{}))
	wantResult(t, market.List[market.Product]{Items: phones, Total: 3})(search(market.Query{Text: "new one NOK*", Location: "dha"}))
	wantResult(t, market.List[market.Product]{Items: phones[2:], Total: 1})(search(market.Query{Text: "one", Available: &available}))
	wantResult(t, market.List[market.Product]{Items: phones, Total: 3})(search(market.Query{Text: "one", Brands: []string{"b"}}))

	payHeldBooking(t, s, phones[1], bookings[2])
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	checkFile(t, path)
	s = open(t, path) // the file is migrated already
	wantResult(t, phones[2])(s.Product(ctx, "free"))
}

// payHeldBooking writes a payment for a held phone and its booking.
func payHeldBooking(t *testing.T, s *sqlite.Store, p market.Product, b market.Booking) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	b.Intent, b.IntentAt, b.Attempt, b.Version = "pi_1", ms(6000), 1, 2
	must(s.SaveBooking(ctx, b, nil))
	wantResult(t, []market.Booking{b})(s.IntentsDue(ctx, ms(9000), 9))

	p.Sold, p.Hold.Transaction, p.Version = true, "pi_1", 3
	must(s.SaveProduct(ctx, p, nil))
	wantResult(t, p)(s.Product(ctx, p.ID))

	paid := market.Payment{ID: "p", Transaction: "pi_1", BookingID: b.ID, Price: 100, Version: 1}
	must(s.AddPayment(ctx, paid, nil))
	wantResult(t, paid)(s.PaymentOf(ctx, "pi_1"))
}

// VACUUM gives tables without an integer key new rowids. The full-text index must not
// refer to those.
func TestSearchIndexSurvivesVacuum(t *testing.T) {
	path, ctx := t.TempDir()+"/old.db", t.Context()
	createOldSchema(t, path, 2, schema2Rows...)
	s := open(t, path)
	phones := schema2Phones()
	removed := phones[2]
	removed.Version++
	if err := s.RemoveProduct(ctx, removed, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	execSQL(t, path, `VACUUM`)
	s = open(t, path)
	wantResult(t, market.List[market.Product]{Items: phones[:2], Total: 2})(
		s.SearchProducts(ctx, market.Query{Text: "nokia"}, market.Page{Limit: 9}, 9))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	checkFile(t, path)
}

// Before schema 21 a report did not contain the seller.
func TestReportsOfSchema20GetTheirSeller(t *testing.T) {
	path := t.TempDir() + "/old.db"
	createOldSchema(t, path, 20, slices.Concat(schema2Rows, []string{
		`INSERT INTO users (id, uid, name, email, email_key, account_type, admin, status, removed, version, created_at)
			VALUES ('u1', 'sam', 'Sam', 'sam@example.com', 'sam@example.com', 'Seller', 0, '', 0, 1, 1000)`,
		`INSERT INTO reports (id, product_id, reporter_uid, user_name, email, product_name, brand_id, brand, img, reason,
			version, created_at) VALUES
			('r1', 'free', 'ann', 'Ann', 'ann@example.com', 'One', 'b', 'Nokia', '/1.jpg', 'Broken', 1, 1000),
			('r2', 'gone', 'ann', 'Ann', 'ann@example.com', 'Two', 'b', 'Nokia', '/1.jpg', 'Broken', 1, 1000)`,
	})...)
	s := open(t, path)
	for id, seller := range map[string]string{"r1": "u1", "r2": ""} {
		r, err := s.Report(t.Context(), id)
		if err != nil || r.SellerID != seller {
			t.Errorf("%s: the seller is %q, %v; want %q", id, r.SellerID, err, seller)
		}
	}
}

// In schema 6 each event was a row, as today.
func TestPendingEventsOfSchema6AreKept(t *testing.T) {
	path := t.TempDir() + "/old.db"
	createOldSchema(t, path, 6,
		`INSERT INTO outbox (topic, type, at, entity, version, data) VALUES
			('brand:b', 'product.added', 1000, 'gone', 1, '{"_id":"gone"}'),
			('brand:b', 'product.booked', 2000, 'one', 2, '{"name":"ü"}'),
			('control', 'session.ended', NULL, '', 0, ''),
			('me:sam', 'product.booked', 0, 'one', 3, '{"name":"ü"}'),
			('admin', 'user.removed', 3000, 'last', 4, '{}')`,
		`DELETE FROM outbox WHERE entity IN ('gone', 'last')`)
	wantPendingEvents(t, open(t, path),
		market.Event{Topic: "brand:b", Type: "product.booked", At: ms(2000), Entity: "one", Version: 2, Data: []byte(`{"name":"ü"}`)},
		market.Event{Topic: "control", Type: "session.ended"},
		market.Event{Topic: "me:sam", Type: "product.booked", At: ms(0), Entity: "one", Version: 3, Data: []byte(`{"name":"ü"}`)},
	)
}

// In schema 17 the events of a transaction were a BLOB, called a bundle. The second bundle is
// one that the program of that schema wrote. The first of its four events is published.
func TestPendingEventsOfSchema17AreKept(t *testing.T) {
	path := t.TempDir() + "/old.db"
	createOldSchema(t, path, 17, fmt.Sprintf(`INSERT INTO outbox (seq, n, gone, events) VALUES (6, 2, 0, x'%x'), (7, 4, 1, x'%s')`,
		"\x01\x07brand:b\x0dproduct.added\x03one\x07{\"n\":2}\xa2\x1f\x04"+"\x02\x05admin\x0dproduct.added\x03one\xa2\x1f\x04",
		"0001066d653a73616d0d70726f647563742e6164646564036f6e65077b226e223a317da21f02"+
			"0107636f6e74726f6c0d73657373696f6e2e656e6465640000000001076272616e643a620e70726f647563742e626f6f6b6564"+
			"0374776f147b226e616d65223a22c3bc5c6e5c22785c22227d0286897a"))
	wantPendingEvents(t, open(t, path),
		market.Event{Topic: "brand:b", Type: "product.added", At: ms(2000), Entity: "one", Version: 2, Data: []byte(`{"n":2}`)},
		market.Event{Topic: "admin", Type: "product.added", At: ms(2000), Entity: "one", Version: 2, Data: []byte(`{"n":2}`)},
		market.Event{Topic: "me:sam", Type: "product.added", At: ms(2000), Entity: "one", Version: 1, Data: []byte(`{"n":1}`)},
		market.Event{Topic: "control", Type: "session.ended"},
		market.Event{Topic: "brand:b", Type: "product.booked", At: ms(0), Entity: "two", Version: 1_000_003, Data: []byte(`{"name":"ü\n\"x\""}`)},
	)
}

// The sequence number of an event in a bundle was the bundle's number followed by 20 bits. New
// numbers must be larger.
func TestOutboxNumbersIncreaseAfterBundles(t *testing.T) {
	path := t.TempDir() + "/old.db"
	createOldSchema(t, path, 17, `INSERT INTO outbox (seq, n, events) VALUES (7, 0, x'')`, `DELETE FROM outbox`)
	s := open(t, path)
	addEvents(t, s, market.Event{Entity: "new"})
	got, err := s.PendingEvents(t.Context(), 9)
	if err != nil || len(got) != 1 || got[0].Seq <= 7<<20|1<<19 {
		t.Errorf("pending events are %+v (%v), want one with a larger Seq than those of bundle 7", got, err)
	}
}

func TestInvalidBundleFailsMigration(t *testing.T) {
	path := t.TempDir() + "/old.db"
	createOldSchema(t, path, 17, `INSERT INTO outbox (n, events) VALUES (1, x'0107')`)
	if _, err := sqlite.Open(t.Context(), path); err == nil {
		t.Error("Open accepts an outbox with an invalid bundle")
	}
}

// wantPendingEvents fails the test unless the outbox has these events. It adds one more and
// publishes all.
func wantPendingEvents(t *testing.T, s *sqlite.Store, events ...market.Event) {
	t.Helper()
	addEvents(t, s, market.Event{Entity: "new"})
	events = append(events, market.Event{Entity: "new"})
	got, err := s.PendingEvents(t.Context(), 9)
	wantResult(t, events)(withoutSeq(got), err)
	if err := s.EventsPublished(t.Context(), got); err != nil {
		t.Fatal(err)
	}
	wantResult[[]market.Event](t, nil)(s.PendingEvents(t.Context(), 9))
}

// withoutSeq returns events without their Seq.
func withoutSeq(events []market.Event) []market.Event {
	events = slices.Clone(events)
	for i := range events {
		events[i].Seq = 0
	}
	return events
}

func TestMigratedPicturesAreFound(t *testing.T) {
	path := t.TempDir() + "/old.db"
	createOldSchema(t, path, 11, slices.Concat(schema2Rows, []string{
		`UPDATE products SET img = '/images/1.jpg' WHERE id = 'held'`,
		`UPDATE products SET photos = '[{"url":"/images/2.jpg"},{"url":"/3.jpg"},{"url":"/images/2.jpg"}]' WHERE id = 'free'`,
	})...)
	s := open(t, path)
	for url, shown := range map[string]bool{"/images/1.jpg": true, "/images/2.jpg": true, "/images/3.jpg": false} {
		wantResult(t, shown)(s.ShowsPicture(t.Context(), []string{url}))
	}
	p, err := s.Product(t.Context(), "free")
	p.Version++
	if err != nil || s.RemoveProduct(t.Context(), p, nil) != nil {
		t.Fatal(err)
	}
	wantResult(t, false)(s.ShowsPicture(t.Context(), []string{"/images/2.jpg"}))
}

// Accounts from before email addresses were confirmed count as confirmed, and their sessions stay
// valid.
func TestMigratedAccountsAreConfirmed(t *testing.T) {
	path := t.TempDir() + "/old.db"
	createOldSchema(t, path, 21,
		`INSERT INTO accounts (uid, email, email_key, password_hash, google_sub, display_name, photo_url, removed, version, created_at)
			VALUES ('ann', 'ann@example.com', 'ann@example.com', '', '', 'Ann', '', 0, 3, 0)`,
		`INSERT INTO sessions (id, uid, created_at, expires_at) VALUES ('s', 'ann', 1000, 2000)`)
	s := open(t, path)
	wantResult(t, market.Account{UID: "ann", Email: "ann@example.com", DisplayName: "Ann", Version: 3, CreatedAt: time.UnixMilli(0).UTC()})(s.Account(t.Context(), "ann"))
	wantResult(t, market.Session{ID: "s", UID: "ann", CreatedAt: time.UnixMilli(1000).UTC(), ExpiresAt: time.UnixMilli(2000).UTC()})(s.Session(t.Context(), "s"))
}

// Schema 34 renames the tables of the audit log and of the search index, and a column of brands.
func TestTablesOfSchema33AreRenamed(t *testing.T) {
	path, ctx, page := t.TempDir()+"/old.db", t.Context(), market.Page{Limit: 9}
	createOldSchema(t, path, 33, slices.Concat(schema2Rows, []string{
		`UPDATE products SET hold_transaction = '' WHERE hold_booking IS NOT NULL`,
		`INSERT INTO lines (id, at, actor_id, actor, deed, target, target_id, concern_id)
			VALUES ('1', 1000, 'u', 'Root', 'verify-seller', 'Sam', 'sam', 'sam')`,
	})...)
	s := open(t, path)

	entry := market.AuditEntry{ID: "1", At: ms(1000), ActorID: "u", Actor: "Root", Action: "verify-seller", Target: "Sam", TargetID: "sam", ConcernID: "sam"}
	wantResult(t, market.List[market.AuditEntry]{Items: []market.AuditEntry{entry}, Total: 1})(s.AuditEntries(ctx, page))
	brand := market.Brand{ID: "b", Name: "Nokia", Img: "/n.jpg", Version: 1, CreatedAt: ms(1000)}
	wantResult(t, []market.BrandStock{{Brand: brand, Available: 1, FromPrice: 100}})(s.TopBrands(ctx, 9))

	phones := schema2Phones()
	for _, sort := range []market.Sort{market.SortNewest, market.SortPriceUp, market.SortPriceDown, market.SortSaving} {
		for _, query := range []market.Query{{Sort: sort}, {Sort: sort, Text: "nokia"}, {Sort: sort, Brands: []string{"b"}}} {
			wantResult(t, market.List[market.Product]{Items: phones, Total: 3})(s.SearchProducts(ctx, query, page, 9))
		}
	}
	removed := phones[2]
	removed.Version++
	if err := s.RemoveProduct(ctx, removed, nil); err != nil {
		t.Fatal(err)
	}
	wantResult(t, market.List[market.Product]{Items: phones[:2], Total: 2})(s.SearchProducts(ctx, market.Query{}, page, 9))
	wantResult(t, []market.BrandStock{{Brand: brand}})(s.TopBrands(ctx, 9))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	checkFile(t, path)
}
