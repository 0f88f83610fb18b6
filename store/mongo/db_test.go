package mongo_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
	"secondring/store"
	"secondring/store/mongo"
)

func TestConcurrentOpenOfNewDatabase(t *testing.T) {
	uri := database(t)
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			e, err := mongo.Open(t.Context(), uri)
			if err != nil {
				t.Error(err)
				return
			}
			s := store.New(e)
			if err := s.AddAccount(t.Context(), market.Account{UID: "a", Version: 1}, nil); err != nil && !errors.Is(err, market.ErrExists) {
				t.Error(err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestForeignDatabaseIsRefusedUnchanged(t *testing.T) {
	uri := database(t)
	s := open(t, uri)
	if err := s.engine.SetFormat(t.Context(), store.Format+1); err != nil {
		t.Fatal(err)
	}
	if _, err := mongo.Open(t.Context(), uri); err == nil {
		t.Error("Open accepts a database with a newer format")
	}
	if err := s.engine.Database().Drop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.engine.Database().Collection("foreign").InsertOne(t.Context(), bson.D{{Key: "x", Value: 1}}); err != nil {
		t.Fatal(err)
	}
	if _, err := mongo.Open(t.Context(), uri); err == nil {
		t.Error("Open accepts a database of another program")
	}
	names, err := s.engine.Database().ListCollectionNames(t.Context(), bson.D{})
	if err != nil || len(names) != 1 {
		t.Errorf("after Open the collections of the other program are %v (%v), want one", names, err)
	}
	if err := s.engine.Database().Drop(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestOpenWithoutServer(t *testing.T) {
	start := time.Now()
	_, err := mongo.Open(t.Context(), "mongodb://127.0.0.1:1")
	if !errors.Is(err, market.ErrUnavailable) {
		t.Errorf("got error %v, want ErrUnavailable", err)
	}
	if elapsed := time.Since(start); elapsed > 4*time.Second {
		t.Errorf("Open returned after %v, want at most 4 s", elapsed)
	}
}

func TestInvalidURIIsNotInTheError(t *testing.T) {
	for _, uri := range []string{
		"", "localhost", "http://localhost", "mongodb://", "mongodb://ann:secret@secret@host/", "mongodb://ann:secret%@host/",
		"mongodb://ann:secret@host:secret/", "mongodb://ann:secret@host/?tls=secret",
	} {
		_, err := mongo.Open(t.Context(), uri)
		if err == nil || errors.Is(err, market.ErrUnavailable) || strings.Contains(err.Error(), "secret") {
			t.Errorf("Open(%q) returns %v, want an error without the secret", uri, err)
		}
	}
}

// kindOf returns the kind with a name.
func kindOf(name string) *store.Info {
	return store.Kinds()[slices.IndexFunc(store.Kinds(), func(k *store.Info) bool { return k.Name == name })]
}

// reportWithRecord returns the write of a report from which a record follows.
func reportWithRecord() store.Write {
	return store.Write{
		Kind: kindOf("reports"), Doc: store.Doc{ID: "r", Version: 1, Body: []byte(`{"ID":"r"}`)},
		Follow: []store.Write{{Kind: kindOf("records"), Doc: store.Doc{ID: "letter/1", Version: 1, Body: []byte(`{"Kind":"letter","ID":"1"}`)}}},
	}
}

// A process died between a write and adding the documents that follow from it. The next read of the
// outbox adds them, once, also if the write has no events.
func TestFollowersOfDeadProcessAreStored(t *testing.T) {
	s := open(t, database(t))
	must(t, s.engine.AddUnfollowed(t.Context(), reportWithRecord()))
	if _, err := s.Record(t.Context(), "letter", "1"); !errors.Is(err, market.ErrNotFound) {
		t.Fatalf("before PendingEvents, reading the record returns %v, want ErrNotFound", err)
	}
	for range 2 {
		if events, err := s.PendingEvents(t.Context(), 9); err != nil || len(events) > 0 {
			t.Fatalf("pending events are %+v (%v), want none", events, err)
		}
		if _, err := s.Record(t.Context(), "letter", "1"); err != nil {
			t.Error(err)
		}
	}
	r, err := s.Record(t.Context(), "letter", "1")
	must(t, err)
	r.Version, r.Expires = 2, time.Now().Add(-time.Hour)
	must(t, s.SaveRecord(t.Context(), r))
	if n, err := s.PurgeRecords(t.Context(), time.Now(), 9); n != 1 || err != nil {
		t.Errorf("purged %d records (%v), want 1", n, err)
	}
}

// Removed entities are purged completely, but not before their events are published.
func TestRemovedEntitiesArePurgedAfterTheirEvents(t *testing.T) {
	s, ctx := open(t, database(t)), t.Context()
	removeThread := func(id string) {
		t.Helper()
		must(t, s.AddThread(ctx, market.Thread{ID: id, ProductID: id, BuyerUID: "b", Version: 1}, nil))
		must(t, s.RemoveThread(ctx, market.Thread{ID: id, ProductID: id, BuyerUID: "b", Version: 2}, []market.Effect{market.Event{Topic: "t", Entity: id, Version: 2}}))
	}
	publish := func() {
		t.Helper()
		pending, err := s.PendingEvents(ctx, 9)
		must(t, err)
		if len(pending) != 1 {
			t.Fatalf("pending events are %+v, want one", pending)
		}
		must(t, s.EventsPublished(ctx, pending))
	}
	removeThread("first")
	publish()
	wantDocuments(t, s, "threads", 1, "after the event was published, while the removal may be retried")
	must(t, s.engine.DeleteTombstones(ctx))
	wantDocuments(t, s, "threads", 0, "after the tombstones were deleted")
	removeThread("second")
	must(t, s.engine.DeleteTombstones(ctx))
	wantDocuments(t, s, "threads", 1, "while the event is pending")
	publish()
}

// A notification that was deleted does not return while the event that carries it is not
// published, also if later events are published.
func TestDeletedNotificationDoesNotReturnWithItsEvent(t *testing.T) {
	s, ctx := open(t, database(t)), t.Context()
	publish := func(id string) {
		t.Helper()
		pending, err := s.PendingEvents(ctx, 99)
		must(t, err)
		must(t, s.EventsPublished(ctx, slices.DeleteFunc(pending, func(e market.Event) bool { return e.Entity != id })))
	}
	n := market.NewNotification("ann", market.NotifyOrder, "Paid", "/", "", time.Now())
	must(t, s.AddRecord(ctx, market.Record{Kind: "k", ID: "1", Version: 1}, []market.Effect{n}))
	must(t, s.DeleteNotifications(ctx, "ann"))
	for i := range 2 {
		s.engine.Pass(2 * time.Minute)
		other := fmt.Sprint("other", i)
		must(t, s.AddRecord(ctx, market.Record{Kind: "k", ID: other, Version: 1}, []market.Effect{market.Event{Topic: "t", Entity: other, Version: 1}}))
		publish(other)
	}
	if list, err := s.NotificationsOf(ctx, "ann", market.Page{Limit: 9}); err != nil || len(list.Items) > 0 {
		t.Errorf("the notifications are %+v (%v), want none", list.Items, err)
	}
	wantDocuments(t, s, "notifications", 1, "while the event is pending")
	s.engine.Pass(2 * time.Minute)
	publish(n.ID)
	wantDocuments(t, s, "notifications", 0, "after the event was published")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantDocuments checks the number of documents of a collection, tombstones included.
func wantDocuments(t *testing.T, s *opened, collection string, want int64, step string) {
	t.Helper()
	n, err := s.engine.Database().Collection(collection).CountDocuments(t.Context(), bson.D{})
	must(t, err)
	if n != want {
		t.Errorf("%s: %d documents are stored, want %d", step, n, want)
	}
}

// A brand that is being removed accepts no phones as long as the removal may take. After a
// crash it accepts phones again.
func TestBrandBeingRemovedAcceptsNoPhones(t *testing.T) {
	s, ctx := open(t, database(t)), t.Context()
	if err := s.AddBrand(ctx, market.Brand{ID: "b", Name: "Nokia", Version: 1}); err != nil {
		t.Fatal(err)
	}
	for id, step := range map[string]struct {
		closed time.Duration // ago
		want   error
	}{"now": {0, market.ErrNotFound}, "long ago": {2 * time.Minute, nil}} {
		change := bson.D{{Key: "$set", Value: bson.D{{Key: "keys.closing", Value: time.Now().Add(-step.closed).UnixMilli()}}}}
		if _, err := s.engine.Database().Collection("brands").UpdateOne(ctx, bson.D{}, change); err != nil {
			t.Fatal(err)
		}
		if err := s.AddProduct(ctx, market.Product{ID: id, BrandID: "b", Version: 1}, nil); !errors.Is(err, step.want) {
			t.Errorf("adding a phone to a brand whose removal began %v ago: %v, want %v", step.closed, err, step.want)
		}
	}
	if err := s.RemoveBrand(ctx, "b"); !errors.Is(err, market.ErrInUse) {
		t.Errorf("removing a brand with a phone: %v, want ErrInUse", err)
	}
	if err := s.AddProduct(ctx, market.Product{ID: "more", BrandID: "b", Version: 1}, nil); err != nil {
		t.Errorf("adding a phone after the removal was refused: %v", err)
	}
}

// Slots that were taken when the limit was higher still count.
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
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() { _ = add(string(rune('a'+i)), 5) })
	}
	wg.Wait()
	if held, err := s.HeldBookings(t.Context(), "ann", 99); len(held) != 5 || err != nil {
		t.Errorf("%d bookings are held (%v), want 5", len(held), err)
	}
}
