package mongo_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"secondring/market"
	"secondring/store/storetest"
)

func TestMigrationTarget(t *testing.T) {
	storetest.MovesTo(t, open(t, database(t)))
}

// Each hold that Put stores takes a slot of its buyer, also in concurrent calls.
func TestConcurrentPutOfHolds(t *testing.T) {
	s := open(t, database(t))
	const batches, each = 8, 5
	var wg sync.WaitGroup
	for batch := range batches {
		wg.Go(func() {
			var items []market.Item
			for i := range each {
				items = append(items, market.Booking{
					ID: fmt.Sprintf("%d-%d", batch, i), BuyerUID: "ann", Status: market.BookingHeld, Version: 1,
				})
			}
			if err := s.Put(t.Context(), market.KindBookings, items); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	held, err := s.HeldBookings(t.Context(), "ann", 100)
	if err != nil || len(held) != batches*each {
		t.Errorf("%d bookings are held (%v), want %d", len(held), err, batches*each)
	}
	more := market.Booking{ID: "more", BuyerUID: "ann", Status: market.BookingHeld, Version: 1}
	if err := s.AddBooking(t.Context(), more, batches*each, nil); !errors.Is(err, market.ErrLimit) {
		t.Errorf("adding a booking above the limit: %v, want ErrLimit", err)
	}
	if err := s.AddBooking(t.Context(), more, batches*each+1, nil); err != nil {
		t.Errorf("adding a booking below the limit: %v", err)
	}
}

// Put returns an error if another entity has the same unique value.
func TestPutKeepsUniqueness(t *testing.T) {
	s := open(t, database(t))
	put := func(id string) error {
		return s.Put(t.Context(), market.KindBrands, []market.Item{
			market.Brand{ID: id, Name: "Nokia", Version: 1}, market.Brand{ID: "other " + id, Name: id, Version: 1},
		})
	}
	if err := put("a"); err != nil {
		t.Fatal(err)
	}
	if err := put("b"); !errors.Is(err, market.ErrExists) {
		t.Errorf("a duplicate name: %v, want ErrExists", err)
	}
	if _, err := s.Brand(t.Context(), "other b"); err != nil {
		t.Errorf("reading the brand without a conflict: %v", err)
	}
}

// PutImage replaces a complete image, and one of which only a part was stored.
func TestPutImageReplacesImage(t *testing.T) {
	s := open(t, database(t))
	for _, content := range []string{"first", "second", string(make([]byte, 600_000)), ""} {
		if err := s.PutImage(t.Context(), "a.jpg", "image/jpeg", []byte(content)); err != nil {
			t.Fatal(err)
		}
		got, err := s.Images().ReadAll(t.Context(), "a.jpg")
		if err != nil || string(got) != content {
			t.Errorf("the image has %d bytes (%v), want %d", len(got), err, len(content))
		}
	}
	// The file document is missing, as after a process that was killed: only the chunks
	// exist.
	partial := []byte("partial image")
	if err := s.PutImage(t.Context(), "b.jpg", "image/jpeg", partial); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Database().Collection("images.files").DeleteOne(t.Context(), map[string]string{"_id": "b.jpg"}); err != nil {
		t.Fatal(err)
	}
	if err := s.PutImage(t.Context(), "b.jpg", "image/jpeg", []byte("whole")); err != nil {
		t.Fatal(err)
	}
	attributes, err := s.Images().Attributes(t.Context(), "b.jpg")
	if err != nil || attributes.Size != 5 || attributes.ContentType != "image/jpeg" {
		t.Errorf("the attributes are %+v (%v), want 5 bytes of image/jpeg", attributes, err)
	}
}
