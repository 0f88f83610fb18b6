package mongo_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
	"secondring/store/mongo"
)

func TestConcurrentOpenOfNewDatabase(t *testing.T) {
	uri := database(t)
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			s, err := mongo.Open(t.Context(), uri)
			if err != nil {
				t.Error(err)
				return
			}
			if err := s.AddAccount(t.Context(), market.Account{UID: "a", Version: 1}, nil); err != nil && !errors.Is(err, market.ErrExists) {
				t.Error(err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func TestForeignDatabaseIsRefusedUnchanged(t *testing.T) {
	uri := database(t)
	s := open(t, uri)
	if err := s.SetSchema(t.Context(), mongo.Schema+1); err != nil {
		t.Fatal(err)
	}
	if _, err := mongo.Open(t.Context(), uri); err == nil {
		t.Error("a newer one was opened")
	}
	if err := s.Database().Drop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Database().Collection("theirs").InsertOne(t.Context(), bson.D{{Key: "x", Value: 1}}); err != nil {
		t.Fatal(err)
	}
	if _, err := mongo.Open(t.Context(), uri); err == nil {
		t.Error("another program's was opened")
	}
	names, err := s.Database().ListCollectionNames(t.Context(), bson.D{})
	if err != nil || len(names) != 1 {
		t.Errorf("%v, %v", names, err)
	}
	if err := s.Database().Drop(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestOpenWithoutServer(t *testing.T) {
	began := time.Now()
	_, err := mongo.Open(t.Context(), "mongodb://127.0.0.1:1")
	if !errors.Is(err, market.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("it took %v to say so", took)
	}
}

func TestInvalidURIIsNotInTheError(t *testing.T) {
	for _, uri := range []string{
		"", "localhost", "http://localhost", "mongodb://", "mongodb://ann:hush@hush@host/", "mongodb://ann:hush%@host/",
		"mongodb://ann:hush@host:hush/", "mongodb://ann:hush@host/?tls=hush",
	} {
		_, err := mongo.Open(t.Context(), uri)
		if err == nil || errors.Is(err, market.ErrUnavailable) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%q: %v", uri, err)
		}
	}
}

// A process died between storing the operation "sessions end" and ending them. The next
// read of the outbox ends them, and only then returns the event.
func TestPendingOperationsOfDeadProcessAreCompleted(t *testing.T) {
	s := open(t, database(t))
	for _, id := range []string{"s1", "s2", "later"} {
		if err := s.AddSession(t.Context(), market.Session{ID: id, UID: "ann"}); err != nil {
			t.Fatal(err)
		}
	}
	event := market.Event{Topic: market.TopicControl, Type: market.TypeSessionEnded}
	if err := s.AddNotice(t.Context(), []string{"s1", "s2"}, []market.Event{event}); err != nil {
		t.Fatal(err)
	}
	pending, err := s.PendingEvents(t.Context(), 9)
	if err != nil || len(pending) != 1 || pending[0].Type != event.Type {
		t.Fatalf("%+v, %v", pending, err)
	}
	for id, want := range map[string]error{"s1": market.ErrNotFound, "s2": market.ErrNotFound, "later": nil} {
		if _, err := s.Session(t.Context(), id); !errors.Is(err, want) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// A process died between storing an event and copying the record, the audit entry and the
// notification that it carries. The next read of the outbox copies them.
func TestCarriedRecordsOfDeadProcessAreStored(t *testing.T) {
	s := open(t, database(t))
	r := market.Record{Kind: "letter", ID: "1", Data: []byte("{}"), Version: 1}
	entry := market.NewAuditEntry(time.UnixMilli(1_800_000_000_000).UTC(), nil, market.ActionSetPassword).OfPerson("ann", "Ann")
	n := market.NewNotification("ann", market.NotifyOrder, "Paid", "/", "", entry.At)
	if err := s.AddNotice(t.Context(), []string{"s1"}, []market.Event{r.Event(entry.At), entry.Event(), n.Event()}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Record(t.Context(), r.Kind, r.ID); !errors.Is(err, market.ErrNotFound) {
		t.Fatalf("before: %v", err)
	}
	if _, err := s.PendingEvents(t.Context(), 9); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Record(t.Context(), r.Kind, r.ID); err != nil || string(got.Data) != "{}" {
		t.Errorf("the record is %+v, %v", got, err)
	}
	if log, err := s.AuditEntries(t.Context(), market.Page{Limit: 9}); err != nil || log.Total != 1 {
		t.Errorf("the audit log: %+v, %v", log, err)
	}
	if got, err := s.Notification(t.Context(), n.ID); err != nil || got != n {
		t.Errorf("the notification: %+v, %v; want %+v", got, err, n)
	}
}

// Removed entities are purged completely, but not before their events are published.
func TestRemovedEntitiesArePurgedAfterTheirEvents(t *testing.T) {
	s, ctx := open(t, database(t)), t.Context()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	removed := func(id string) {
		t.Helper()
		check(s.AddReport(ctx, market.Report{ID: id, ProductID: id, Version: 1}, nil))
		check(s.RemoveReport(ctx, market.Report{ID: id, Version: 2}, []market.Event{{Topic: "t", Entity: id, Version: 2}}))
	}
	publish := func() {
		t.Helper()
		pending, err := s.PendingEvents(ctx, 9)
		check(err)
		if len(pending) != 1 {
			t.Fatalf("%+v wait", pending)
		}
		check(s.EventsPublished(ctx, pending))
	}
	left := func(want int64, complaint string) {
		t.Helper()
		n, err := s.Database().Collection("reports").CountDocuments(ctx, bson.D{})
		check(err)
		if n != want {
			t.Error(complaint)
		}
	}
	removed("first")
	publish()
	left(1, "it was forgotten before a second try of its removal could come")
	check(s.Reap(ctx))
	left(0, "it was not forgotten")
	removed("second")
	check(s.Reap(ctx))
	left(1, "it was forgotten with its event")
	publish()
}

// A brand that is being removed takes no phones for as long as the removal may take;
// after a crash it takes phones again.
func TestBrandBeingRemovedTakesNoPhones(t *testing.T) {
	s, ctx := open(t, database(t)), t.Context()
	if err := s.AddBrand(ctx, market.Brand{ID: "b", Name: "Nokia", Version: 1}); err != nil {
		t.Fatal(err)
	}
	for id, step := range map[string]struct {
		closed time.Duration // ago
		want   error
	}{"now": {0, market.ErrNotFound}, "long ago": {2 * time.Minute, nil}} {
		change := bson.D{{Key: "$set", Value: bson.D{{Key: "closing", Value: time.Now().Add(-step.closed)}}}}
		if _, err := s.Database().Collection("brands").UpdateOne(ctx, bson.D{}, change); err != nil {
			t.Fatal(err)
		}
		if err := s.AddProduct(ctx, market.Product{ID: id, BrandID: "b", Version: 1}, nil); !errors.Is(err, step.want) {
			t.Errorf("closed %v ago: %v", step.closed, err)
		}
	}
	if err := s.RemoveBrand(ctx, "b"); !errors.Is(err, market.ErrInUse) {
		t.Errorf("removed with a phone: %v", err)
	}
	if err := s.AddProduct(ctx, market.Product{ID: "more", BrandID: "b", Version: 1}, nil); err != nil {
		t.Errorf("a brand that stayed is open again: %v", err)
	}
}

// Slots that were taken under a higher limit still count.
func TestLoweredHoldLimit(t *testing.T) {
	s := open(t, database(t))
	add := func(id string, limit int) error {
		b := market.Booking{ID: id, BuyerUID: "ann", Status: market.BookingHeld, Version: 1}
		return s.AddBooking(context.Background(), b, limit, nil)
	}
	for _, id := range []string{"1", "2", "3"} {
		if err := add(id, 100); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() { _ = add(string(rune('a'+i)), 5) })
	}
	all.Wait()
	if held, err := s.HeldBookings(t.Context(), "ann", 99); len(held) != 5 || err != nil {
		t.Errorf("%d held, %v", len(held), err)
	}
}
