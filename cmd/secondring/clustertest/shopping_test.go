package clustertest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"secondring/cmd/secondring/nodetest"
)

// shopping has a seller and buyers who use the nodes through one URL while nodes restart.
type shopping struct {
	t           *testing.T
	url         string
	brand       string
	sellerEmail string
	sellerToken string            // an access token
	buyers      map[string]string // access tokens by email

	mu        sync.Mutex
	booked    map[string]string // phones of acknowledged bookings, by booking
	cancelled map[string]bool   // bookings whose cancellation was acknowledged
	failures  []string          // unexpected responses
	calls     int
	longest   time.Duration // the longest call
}

func newShopping(t *testing.T, url string, buyers, phones int) *shopping {
	t.Helper()
	s := &shopping{t: t, url: url, buyers: map[string]string{}, booked: map[string]string{}, cancelled: map[string]bool{}}
	s.sellerEmail, s.sellerToken = s.signUp("sela", "Seller")
	for i := range buyers {
		email, token := s.signUp(fmt.Sprint("buyer", i), "User")
		s.buyers[email] = token
	}
	var brands []brand
	s.must(http.MethodGet, "/allCategories", "", nil, &brands)
	s.brand = brands[0].ID
	for range phones {
		s.must(http.MethodPost, "/products", s.sellerToken, newPhone("Phone", brands[0], "sela", s.sellerEmail), nil)
	}
	return s
}

// signUp signs up a user and returns the email address and an access token.
func (s *shopping) signUp(name, accountType string) (email, token string) {
	s.t.Helper()
	email = name + "@example.com"
	var cookie string
	s.must(http.MethodPost, "/identity/sign-up", "", map[string]string{"email": email, "password": "secret-ring", "displayName": name}, &cookie)
	s.must(http.MethodPost, "/users", cookie, map[string]string{"name": name, "email": email, "accountType": accountType}, nil)
	var answer struct{ AccessToken string }
	s.must(http.MethodGet, "/jwt?email="+email, cookie, nil, &answer)
	return email, answer.AccessToken
}

// call makes a call with a bearer token, or with a cookie if the token starts with its
// name.
func (s *shopping) call(method, path, token string, body, into any) (http.Header, int, error) {
	answer, text, err := nodetest.Do(context.Background(), http.DefaultClient, method, s.url+path, token, body)
	if err != nil {
		return nil, 0, err
	}
	switch into := into.(type) {
	case nil:
	case *string:
		*into, _, _ = strings.Cut(answer.Header.Get("Set-Cookie"), ";")
	default:
		err = json.Unmarshal(text, into)
	}
	return answer.Header, answer.StatusCode, err
}

func (s *shopping) must(method, path, token string, body, into any) http.Header {
	s.t.Helper()
	header, status, err := s.call(method, path, token, body, into)
	if err != nil || status/100 != 2 {
		s.t.Fatalf("%s %s: %d, %v", method, path, status, err)
	}
	return header
}

// list returns the brand's phones with the list's position.
func (s *shopping) list() (phones map[string]phoneState, topic, position string) {
	s.t.Helper()
	var list []struct {
		ID string `json:"_id"`
		phoneState
	}
	header := s.must(http.MethodGet, "/categories/"+s.brand+"?limit=200", s.sellerToken, nil, &list)
	topic, position, _ = strings.Cut(header.Get("Live-Position"), "=")
	phones = map[string]phoneState{}
	for _, p := range list {
		phones[p.ID] = p.phoneState
	}
	return phones, topic, position
}

// thinkTime is the pause between two calls of a buyer.
const thinkTime = 10 * time.Millisecond

// startBuyers starts all buyers, who book and cancel. The returned function stops them and
// waits for running calls.
func (s *shopping) startBuyers() (end func()) {
	s.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	phones, _, _ := s.list()
	var all sync.WaitGroup
	for _, token := range s.buyers {
		all.Go(func() {
			for ctx.Err() == nil {
				for id := range phones { // in random order
					select {
					case <-time.After(thinkTime):
					case <-ctx.Done():
						return
					}
					s.buy(token, id)
				}
			}
		})
	}
	end = sync.OnceFunc(func() {
		stop()
		all.Wait()
	})
	s.t.Cleanup(end)
	return end
}

// buy tries to book a phone and cancels every second booking.
func (s *shopping) buy(token, phone string) {
	var booking struct{ InsertedID string }
	status := s.callAndRecord(http.MethodPut, "/bookings", token, map[string]string{"productID": phone, "phone": "01700000"}, &booking)
	if status != http.StatusOK {
		return
	}
	s.mu.Lock()
	s.booked[booking.InsertedID] = phone
	s.mu.Unlock()
	if rand.IntN(2) == 0 && s.callAndRecord(http.MethodDelete, "/bookings/"+booking.InsertedID, token, nil, nil) == http.StatusOK {
		s.mu.Lock()
		s.cancelled[booking.InsertedID] = true
		s.mu.Unlock()
	}
}

// callAndRecord makes a call, and records every response except success and conflict.
func (s *shopping) callAndRecord(method, path, token string, body, into any) int {
	startedAt := time.Now()
	_, status, err := s.call(method, path, token, body, into)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	s.longest = max(s.longest, time.Since(startedAt))
	if err != nil || (status != http.StatusOK && status != http.StatusConflict) {
		s.failures = append(s.failures, fmt.Sprintf("%s %s: %d, %v", method, path, status, err))
	}
	return status
}

func (s *shopping) callCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

// checkBookings compares the market with the acknowledged bookings: none is lost, none
// exists without a request, and no phone has two.
func (s *shopping) checkBookings() {
	s.t.Helper()
	for _, line := range s.failures {
		s.t.Error(line)
	}
	heldBy, orders := map[string]string{}, 0
	for email, token := range s.buyers {
		var list []struct {
			ID        string `json:"_id"`
			ProductID string
			Status    string
		}
		s.must(http.MethodGet, "/bookings?limit=200&email="+email, token, nil, &list)
		orders += len(list)
		for _, o := range list {
			want := "held"
			if s.cancelled[o.ID] {
				want = "cancelled"
			}
			if s.booked[o.ID] != o.ProductID || o.Status != want {
				s.t.Errorf("booking %s of phone %s is %s; acknowledged was phone %q, %s", o.ID, o.ProductID, o.Status, s.booked[o.ID], want)
			}
			if o.Status == "held" && heldBy[o.ProductID] != "" {
				s.t.Errorf("phone %s is held by %s and by %s", o.ProductID, heldBy[o.ProductID], o.ID)
			} else if o.Status == "held" {
				heldBy[o.ProductID] = o.ID
			}
		}
	}
	if orders != len(s.booked) {
		s.t.Errorf("there are %d bookings, want the %d that were acknowledged", orders, len(s.booked))
	}
	phones, _, _ := s.list()
	for id, p := range phones {
		if p.Booked != (heldBy[id] != "") {
			s.t.Errorf("phone %s: booked is %v, its booking %q", id, p.Booked, heldBy[id])
		}
	}
}
