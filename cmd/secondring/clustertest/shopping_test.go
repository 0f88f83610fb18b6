package clustertest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// shopping has users who list and book through a balancer while its nodes restart.
type shopping struct {
	t          *testing.T
	url        string
	brand      string
	sellerMail string
	seller     string            // the token
	buyers     map[string]string // email: token

	mu        sync.Mutex
	booked    map[string]string // phones of acknowledged bookings, by booking
	cancelled map[string]bool   // bookings whose cancellation was acknowledged
	failed    []string          // unexpected responses
	calls     int
	worst     time.Duration // the longest call
}

func newShopping(t *testing.T, url string, buyers, phones int) *shopping {
	t.Helper()
	s := &shopping{t: t, url: url, buyers: map[string]string{}, booked: map[string]string{}, cancelled: map[string]bool{}}
	s.sellerMail, s.seller = s.person("sela", "Seller")
	for i := range buyers {
		email, token := s.person(fmt.Sprint("buyer", i), "User")
		s.buyers[email] = token
	}
	var brands []struct {
		ID   string `json:"_id"`
		Name string
	}
	s.must(http.MethodGet, "/allCategories", "", nil, &brands)
	s.brand = brands[0].ID
	for range phones {
		s.must(http.MethodPost, "/products", s.seller, map[string]any{
			"name": "Phone", "brand": brands[0].Name, "id": s.brand, "img": "/images/a.jpg",
			"originalPrice": 500, "resalePrice": 100, "productCondition": "Good", "usedTime": "1 year",
			"description": "Rings.", "sellerName": "sela", "email": s.sellerMail, "location": "Dhaka", "phone": "01700000",
			"selling_post_date": "2026-11-01",
		}, nil)
	}
	return s
}

// person signs up and returns email and token.
func (s *shopping) person(name, accountType string) (email, token string) {
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
	sent, err := json.Marshal(body)
	if err != nil {
		return nil, 0, err
	}
	request, err := http.NewRequestWithContext(context.Background(), method, s.url+path, bytes.NewReader(sent))
	if err != nil {
		return nil, 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(token, "sr_session=") {
		request.Header.Set("Cookie", token)
	} else if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = answer.Body.Close() }()
	switch into := into.(type) {
	case nil:
	case *string:
		*into, _, _ = strings.Cut(answer.Header.Get("Set-Cookie"), ";")
	default:
		err = json.NewDecoder(answer.Body).Decode(into)
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
func (s *shopping) list() (phones map[string]known, topic, position string) {
	s.t.Helper()
	var list []struct {
		ID string `json:"_id"`
		known
	}
	header := s.must(http.MethodGet, "/categories/"+s.brand+"?limit=200", s.seller, nil, &list)
	topic, position, _ = strings.Cut(header.Get("Live-Position"), "=")
	phones = map[string]known{}
	for _, p := range list {
		phones[p.ID] = p.known
	}
	return phones, topic, position
}

// thinkTime is the pause between two calls of a buyer.
const thinkTime = 10 * time.Millisecond

// begin starts all buyers, who book and cancel. The returned function stops them and
// waits for running calls.
func (s *shopping) begin() (end func()) {
	s.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	phones, _, _ := s.list()
	var all sync.WaitGroup
	for _, token := range s.buyers {
		all.Go(func() {
			for ctx.Err() == nil {
				for id := range phones { // in no order
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
	status := s.note(http.MethodPut, "/bookings", token, map[string]string{"productID": phone, "phone": "01700000"}, &booking)
	if status != http.StatusOK {
		return
	}
	s.mu.Lock()
	s.booked[booking.InsertedID] = phone
	s.mu.Unlock()
	if rand.IntN(2) == 0 && s.note(http.MethodDelete, "/bookings/"+booking.InsertedID, token, nil, nil) == http.StatusOK {
		s.mu.Lock()
		s.cancelled[booking.InsertedID] = true
		s.mu.Unlock()
	}
}

// note makes a call and records every response except success and conflict.
func (s *shopping) note(method, path, token string, body, into any) int {
	began := time.Now()
	_, status, err := s.call(method, path, token, body, into)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	s.worst = max(s.worst, time.Since(began))
	if err != nil || (status != http.StatusOK && status != http.StatusConflict) {
		s.failed = append(s.failed, fmt.Sprintf("%s %s: %d, %v", method, path, status, err))
	}
	return status
}

func (s *shopping) callCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

// hold compares the market with the acknowledged bookings: none is lost, none was made
// without a request, and no phone has two.
func (s *shopping) hold() {
	s.t.Helper()
	for _, line := range s.failed {
		s.t.Error(line)
	}
	holder, orders := map[string]string{}, 0
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
				s.t.Errorf("booking %s of %s is %s; its buyer got phone %q, %s", o.ID, o.ProductID, o.Status, s.booked[o.ID], want)
			}
			if o.Status == "held" && holder[o.ProductID] != "" {
				s.t.Errorf("phone %s is held by %s and by %s", o.ProductID, holder[o.ProductID], o.ID)
			} else if o.Status == "held" {
				holder[o.ProductID] = o.ID
			}
		}
	}
	if orders != len(s.booked) {
		s.t.Errorf("there are %d bookings, %d were acknowledged", orders, len(s.booked))
	}
	phones, _, _ := s.list()
	for id, p := range phones {
		if p.Booked != (holder[id] != "") {
			s.t.Errorf("phone %s: booked is %v, its booking %q", id, p.Booked, holder[id])
		}
	}
}
