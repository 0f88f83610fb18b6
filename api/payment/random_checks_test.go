package payment_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"

	"pgregory.net/rapid"

	"secondring/market"
	stripesandbox "secondring/sandbox/stripe"
)

// checkConsistency compares bookings, phones and charges.
func (s *marketRun) checkConsistency(r *rapid.T) {
	paidBooking := map[string]string{} // by phone
	for _, buyer := range s.buyers {
		list, err := s.store.BookingsOf(s.ctx, buyer.User.UID, market.Page{Limit: 1000})
		must(s.t, err)
		for _, b := range list.Items {
			s.checkBooking(r, b)
			if b.Status == market.BookingPaid {
				if other := paidBooking[b.ProductID]; other != "" {
					r.Fatalf("phone %s is sold to %s and to %s", b.ProductID, other, b.ID)
				}
				paidBooking[b.ProductID] = b.ID
			}
		}
	}
	for _, p := range s.phones {
		now, err := s.store.Product(s.ctx, p.ID)
		if errors.Is(err, market.ErrNotFound) {
			continue
		}
		must(s.t, err)
		if id := paidBooking[p.ID]; id != "" && (!now.Sold || !now.HeldBy(id)) {
			r.Fatalf("phone %+v, sold %v, is paid for by %s", now.Hold, now.Sold, id)
		}
		if now.Booked() && !now.Sold {
			r.Fatalf("phone %+v is still held after all deadlines", now.Hold)
		}
	}
}

// checkBooking compares a booking with its charges and transfers.
func (s *marketRun) checkBooking(r *rapid.T, b market.Booking) {
	isCharged := false
	for _, id := range []string{b.Intent, intentIn(s.secrets[b.ID])} {
		in, err := s.gateway.Intent(s.ctx, id)
		if errors.Is(err, market.ErrNoIntent) {
			continue
		}
		must(s.t, err)
		charged := in.Status == market.IntentSucceeded && !in.Returned
		if charged && (in.Cents != int64(b.Price)*100 || id != b.Intent) {
			r.Fatalf("booking %+v is charged by %+v", b, in)
		}
		isCharged = isCharged || charged
	}
	if isCharged != (b.Status == market.BookingPaid) {
		r.Fatalf("charged: %v; booking %+v", isCharged, b)
	}
	if b.Status == market.BookingHeld {
		r.Fatalf("still held after all deadlines: %+v", b)
	}
	s.checkTransfers(r, b)
}

// checkTransfers compares the transfers of a booking with its ledger and its state.
func (s *marketRun) checkTransfers(r *rapid.T, b market.Booking) {
	secretKey, _, _ := stripesandbox.Keys([]byte("random test"))
	request := httptest.NewRequestWithContext(s.ctx, http.MethodGet, stripesandbox.Path+"/v1/transfers?transfer_group=secondring-"+b.ID, http.NoBody)
	request.Header.Set("Authorization", "Bearer "+secretKey)
	response := httptest.NewRecorder()
	s.sandbox.ServeHTTP(response, request)
	var list struct {
		Data []struct {
			Amount         int64
			AmountReversed int64 `json:"amount_reversed"`
		}
	}
	must(s.t, json.Unmarshal(response.Body.Bytes(), &list))
	var cents int64
	for _, t := range list.Data {
		cents += t.Amount - t.AmountReversed
	}
	entries, err := s.store.LedgerOfOrder(s.ctx, b.ID)
	must(s.t, err)
	balance := market.BalanceOf(entries)
	if balance.PaidOut != cents {
		r.Fatalf("the balance in the ledger is %+v, the provider has transferred %d: %+v", balance, cents, list.Data)
	}
	seller, err := s.store.User(s.ctx, s.seller.User.UID)
	if !errors.Is(err, market.ErrNotFound) { // the seller was removed
		must(s.t, err)
	}
	isReleased := b.Status == market.BookingPaid && b.Fulfilment.Outcome == market.OutcomeRelease && b.Dispute == nil
	isReady := seller.PayoutAccount != nil && seller.PayoutAccount.IsReady
	want := int64(0)
	if isReleased {
		want = int64(b.Price) * 90
	}
	if cents != want && (isReady || !isReleased) {
		r.Fatalf("%s, %+v: %d cents are transferred, want %d", b.Status, b.Fulfilment, cents, want)
	}
}
