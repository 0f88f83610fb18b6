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

// Several goroutines move a buyer's holds in: each gets a slot, and the limit is reached
// exactly.
func TestConcurrentMoveOfHolds(t *testing.T) {
	s := open(t, database(t))
	const batches, each = 8, 5
	var all sync.WaitGroup
	for batch := range batches {
		all.Go(func() {
			var some []market.Thing
			for i := range each {
				some = append(some, market.Booking{
					ID: fmt.Sprintf("%d-%d", batch, i), BuyerUID: "ann", Status: market.BookingHeld, Version: 1,
				})
			}
			if err := s.Put(t.Context(), market.KindBookings, some); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	held, err := s.HeldBookings(t.Context(), "ann", 100)
	if err != nil || len(held) != batches*each {
		t.Errorf("%d are held, %v", len(held), err)
	}
	more := market.Booking{ID: "more", BuyerUID: "ann", Status: market.BookingHeld, Version: 1}
	if err := s.AddBooking(t.Context(), more, batches*each, nil); !errors.Is(err, market.ErrLimit) {
		t.Errorf("one more: %v", err)
	}
	if err := s.AddBooking(t.Context(), more, batches*each+1, nil); err != nil {
		t.Errorf("one more, where it is allowed: %v", err)
	}
}

// Put returns an error if another thing has a unique value.
func TestPutKeepsUniqueness(t *testing.T) {
	s := open(t, database(t))
	put := func(id string) error {
		return s.Put(t.Context(), market.KindBrands, []market.Thing{
			market.Brand{ID: id, Name: "Nokia", Version: 1}, market.Brand{ID: "other " + id, Name: id, Version: 1},
		})
	}
	if err := put("a"); err != nil {
		t.Fatal(err)
	}
	if err := put("b"); !errors.Is(err, market.ErrExists) {
		t.Errorf("got %v", err)
	}
	if _, err := s.Brand(t.Context(), "other b"); err != nil {
		t.Errorf("a thing without conflict: %v", err)
	}
}

// A partial image and a complete one are replaced.
func TestPutReplacesPartialImage(t *testing.T) {
	s := open(t, database(t))
	for _, content := range []string{"first", "second", string(make([]byte, 600_000)), ""} {
		if err := s.PutImage(t.Context(), "a.jpg", "image/jpeg", []byte(content)); err != nil {
			t.Fatal(err)
		}
		got, err := s.Images().ReadAll(t.Context(), "a.jpg")
		if err != nil || string(got) != content {
			t.Errorf("%d bytes of %d, %v", len(got), len(content), err)
		}
	}
	// The file document is missing, as after a process that was killed: only the chunks
	// exist.
	half := []byte("half an image")
	if err := s.PutImage(t.Context(), "b.jpg", "image/jpeg", half); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Database().Collection("images.files").DeleteOne(t.Context(), map[string]string{"_id": "b.jpg"}); err != nil {
		t.Fatal(err)
	}
	if err := s.PutImage(t.Context(), "b.jpg", "image/jpeg", []byte("whole")); err != nil {
		t.Fatal(err)
	}
	about, err := s.Images().Attributes(t.Context(), "b.jpg")
	if err != nil || about.Size != 5 || about.ContentType != "image/jpeg" {
		t.Errorf("%+v, %v", about, err)
	}
}
