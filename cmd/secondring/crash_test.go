package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"secondring/cmd/secondring/nodetest"
)

// acknowledged has the calls to which the server responded before it was killed.
type acknowledged struct {
	mu        sync.Mutex
	booked    map[string]string // booking ID: the buyer's token
	cancelled map[string]bool   // by booking ID
}

func newAcknowledged() *acknowledged {
	return &acknowledged{booked: map[string]string{}, cancelled: map[string]bool{}}
}

// waitForBooking waits until a booking is acknowledged.
func (a *acknowledged) waitForBooking(t *testing.T) {
	t.Helper()
	deadline := time.After(3 * time.Minute)
	for {
		a.mu.Lock()
		n := len(a.booked)
		a.mu.Unlock()
		if n > 0 {
			return
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-deadline:
			t.Fatal("no booking succeeded")
		}
	}
}

// The process is killed repeatedly while buyers book and cancel. Acknowledged bookings are
// not lost, and in the end phones and bookings agree.
func TestServerKilledUnderLoad(t *testing.T) {
	s, rounds := newTestServer(t), nodetest.KillCount(t, 5)
	sellerMail, seller := s.signUp("sela", "Seller")
	phones := s.phones(sellerMail, seller, 20*rounds) // enough, because a buyer may book a phone once an hour
	buyers := s.buyers(5 + rounds)
	acked, slowest := newAcknowledged(), time.Duration(0)
	for round := range rounds {
		var all sync.WaitGroup
		for _, token := range buyers {
			all.Go(func() { s.bookAndCancel(acked, token, phones) })
		}
		if round == 0 {
			acked.waitForBooking(t) // which may take long on a slow machine
		}
		<-time.After(time.Duration(150+rand.IntN(200)) * time.Millisecond) // a random moment of the load
		s.kill()
		all.Wait()
		began := time.Now()
		s.open()
		slowest = max(slowest, time.Since(began))
	}
	t.Logf("the server was ready again after %v at most; %d bookings were acknowledged", slowest.Round(time.Millisecond), len(acked.booked))
	s.checkBookings(acked, sellerMail, seller, buyers)
	s.checkIntegrity()
}

// bookAndCancel books and cancels at random until the server has stopped.
func (s *testServer) bookAndCancel(acked *acknowledged, token string, phones []string) {
	for {
		var booking written
		phone := phones[rand.IntN(len(phones))]
		status, err := s.call(http.MethodPut, "/bookings", token, map[string]string{"productID": phone, "phone": "01700000"}, &booking)
		if err != nil {
			return
		}
		if status != http.StatusOK {
			continue
		}
		acked.mu.Lock()
		acked.booked[booking.InsertedID] = token
		acked.mu.Unlock()
		if rand.IntN(2) == 0 {
			continue
		}
		status, err = s.call(http.MethodDelete, "/bookings/"+booking.InsertedID, token, nil, nil)
		if err != nil {
			return
		}
		acked.mu.Lock()
		acked.cancelled[booking.InsertedID] = acked.cancelled[booking.InsertedID] || status == http.StatusOK
		acked.mu.Unlock()
	}
}

// checkBookings fails the test unless acknowledged bookings and cancellations are in the
// store. Then it waits until phones and bookings agree, which may take a run of the janitor.
func (s *testServer) checkBookings(acked *acknowledged, sellerMail, seller string, buyers map[string]string) {
	s.t.Helper()
	for booking, token := range acked.booked {
		var order struct{ Status string }
		s.mustCall(http.MethodGet, "/booking/"+booking, token, nil, &order)
		if acked.cancelled[booking] && order.Status != "cancelled" {
			s.t.Errorf("booking %s was cancelled, and its status is %s", booking, order.Status)
		}
	}
	deadline := time.Now().Add(3 * time.Minute)
	mismatch := "unknown"
	for ; mismatch != "" && time.Now().Before(deadline); <-time.After(200 * time.Millisecond) {
		mismatch = s.findMismatch(sellerMail, seller, buyers)
	}
	if mismatch != "" {
		s.t.Error(mismatch)
	}
}

// findMismatch describes a phone that is held twice, or whose hold differs from its booking.
// It returns an empty string if there is none.
func (s *testServer) findMismatch(sellerMail, seller string, buyers map[string]string) string {
	s.t.Helper()
	holder := map[string]string{}
	for email, token := range buyers {
		var orders []struct {
			ID        string `json:"_id"`
			ProductID string
			Status    string
		}
		s.mustCall(http.MethodGet, "/bookings?limit=200&email="+email, token, nil, &orders)
		for _, o := range orders {
			if o.Status != "held" {
				continue
			}
			if other := holder[o.ProductID]; other != "" {
				return fmt.Sprintf("phone %s is held by %s and by %s", o.ProductID, other, o.ID)
			}
			holder[o.ProductID] = o.ID
		}
	}
	var phones []struct {
		ID     string `json:"_id"`
		Booked bool
	}
	s.mustCall(http.MethodGet, "/products?limit=200&email="+sellerMail, seller, nil, &phones)
	for _, p := range phones {
		if p.Booked != (holder[p.ID] != "") {
			return fmt.Sprintf("phone %s has booked=%v, and its held booking is %q", p.ID, p.Booked, holder[p.ID])
		}
	}
	return ""
}
