package market

import (
	"context"
	"slices"
	"testing"
)

// sellerStore has the bookings of one seller, and no ledger.
type sellerStore struct {
	Store
	bookings []Booking
}

func (s sellerStore) BookingsOfSeller(context.Context, string, Page) ([]Booking, error) {
	return s.bookings, nil
}

func (s sellerStore) LedgerOfSeller(context.Context, string) ([]LedgerEntry, error) { return nil, nil }

// A seller may have any number of bookings that were never paid.
func TestEarningsKeepOnlyPaidBookings(t *testing.T) {
	m := &Market{store: sellerStore{bookings: []Booking{
		{ID: "held", Status: BookingHeld},
		{ID: "expired", Status: BookingExpired},
		{ID: "cancelled", Status: BookingCancelled},
		{ID: "paid", Status: BookingPaid, Fulfilment: &Fulfilment{State: FulfilmentWaiting}},
		{ID: "paid before there were fulfilments", Status: BookingPaid},
		{ID: "refunded", Status: BookingRefunded, Fulfilment: &Fulfilment{State: FulfilmentSettled}},
		{ID: "refunded without a phone", Status: BookingRefunded},
	}}}
	_, bookings, err := m.earningsOf(t.Context(), "seller")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range bookings {
		got = append(got, b.ID)
	}
	if want := []string{"paid", "paid before there were fulfilments", "refunded", "refunded without a phone"}; !slices.Equal(got, want) {
		t.Errorf("the bookings are %q, want %q", got, want)
	}
}
