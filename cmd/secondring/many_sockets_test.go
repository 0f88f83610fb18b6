package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// loadSize is the size of a load test: small by default; with the variable SOAK, as many
// sockets as SOCKETS says, for as long as SOAK says.
type loadSize struct {
	sockets  int
	rate     int // calls a second
	duration time.Duration
	soak     bool
}

func readLoadSize(t *testing.T) loadSize {
	t.Helper()
	value := os.Getenv("SOAK")
	if value == "" {
		return loadSize{sockets: 300, rate: 100, duration: 3 * time.Second}
	}
	duration, err := time.ParseDuration(value)
	if err != nil {
		t.Fatal(err)
	}
	sockets, err := strconv.Atoi(os.Getenv("SOCKETS"))
	if err != nil {
		t.Fatal("SOCKETS: ", err)
	}
	return loadSize{sockets: sockets, rate: 500, duration: duration, soak: true}
}

// brandPhone is a phone, its brand, and the number of its changes.
type brandPhone struct {
	brand, phone string
	changed      atomic.Int64
}

// brandPhones lists one phone of each brand for sale.
func (s *testServer) brandPhones(email, token string) (all []*brandPhone) {
	s.t.Helper()
	var brands []struct {
		ID   string `json:"_id"`
		Name string
	}
	s.mustCall(http.MethodGet, "/allCategories", "", nil, &brands)
	for _, b := range brands {
		all = append(all, &brandPhone{brand: b.ID, phone: s.phone(email, token, b.ID, b.Name)})
	}
	return all
}

// subscriber is a socket that counts the changes of one brand's phones.
type subscriber struct {
	phone    *brandPhone
	received atomic.Int64          // changes
	err      atomic.Pointer[error] // of the socket
}

// start subscribes to the changes of the phone's brand and counts them until the socket is
// closed. The WaitGroup is done once the subscription is confirmed.
func (sub *subscriber) start(s *testServer, token string, subscribed *sync.WaitGroup) {
	s.t.Helper()
	socket := s.subscribe(token, "brand:"+sub.phone.brand, "")
	subscribed.Add(1)
	confirm := sync.OnceFunc(subscribed.Done)
	go func() {
		defer confirm()
		for {
			_, frame, err := socket.ReadMessage()
			if err != nil {
				sub.err.Store(&err)
				return
			}
			if bytes.Contains(frame, []byte(`"subscribed"`)) {
				confirm()
			}
			sub.received.Add(int64(bytes.Count(frame, []byte(`"type":"product.changed"`))))
		}
	}()
}

// callStats has the latencies of calls, measured from the time at which a call was due, in
// each third of the test's duration.
type callStats struct {
	mu        sync.Mutex
	latencies [3][]time.Duration
	failed    map[string]int
}

func (c *callStats) add(third int, due time.Time, status int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.latencies[third] = append(c.latencies[third], time.Since(due))
	if err != nil || status != http.StatusOK {
		c.failed[fmt.Sprint(status, " ", err)]++
	}
}

func (c *callStats) String() string {
	var thirds []string
	for _, l := range c.latencies {
		slices.Sort(l)
		if n := len(l); n > 0 {
			thirds = append(thirds, fmt.Sprintf("%d calls, p50 %v, p99 %v", n, l[n/2].Round(100*time.Microsecond), l[n*99/100].Round(100*time.Microsecond)))
		}
	}
	return strings.Join(thirds, "; ")
}

// call makes a random call. One of twenty calls changes the price of the phone.
func (c *callStats) call(s *testServer, phone *brandPhone, seller, token string, third int, due time.Time) {
	if rand.IntN(20) == 0 {
		var updated struct{ ModifiedCount int64 } // 0 if the price was the same
		status, err := s.call(http.MethodPatch, "/products/"+phone.phone, token, map[string]int{"resalePrice": 1 + rand.IntN(499)}, &updated)
		phone.changed.Add(updated.ModifiedCount)
		c.add(third, due, status, err)
		return
	}
	paths := []string{"/categories/" + phone.brand, "/users/seller/" + seller, "/products/advertised", "/products?email=" + seller}
	status, err := s.call(http.MethodGet, paths[rand.IntN(len(paths))], token, nil, nil)
	c.add(third, due, status, err)
}

// Many sockets stay open while calls are made at a steady rate: no call fails, every
// socket gets every change of its brand once, and memory does not grow.
func TestManySocketsBesideCalls(t *testing.T) {
	size, s := readLoadSize(t), newTestServer(t)
	seller, token := s.signUp("sela", "Seller")
	phones := s.brandPhones(seller, token)
	subscribers := make([]*subscriber, size.sockets)
	var subscribed sync.WaitGroup
	for i := range subscribers {
		subscribers[i] = &subscriber{phone: phones[i%len(phones)]}
		subscribers[i].start(s, token, &subscribed)
	}
	subscribed.Wait()

	stats := &callStats{failed: map[string]int{}}
	var calls sync.WaitGroup
	memory := []int{s.rss()}
	tick := time.NewTicker(time.Second / time.Duration(size.rate))
	defer tick.Stop()
	for began := time.Now(); ; {
		due := <-tick.C
		third := int(3 * time.Since(began) / size.duration)
		if third == len(memory) {
			memory = append(memory, s.rss())
		}
		if third >= 3 {
			break
		}
		calls.Go(func() { stats.call(s, phones[rand.IntN(len(phones))], seller, token, third, due) })
	}
	calls.Wait()
	t.Logf("%d sockets; %s; memory %v", size.sockets, stats, memory)
	if len(stats.failed) > 0 {
		t.Errorf("calls failed: %v", stats.failed)
	}
	if size.soak && memory[3] > memory[1]*5/4 {
		t.Errorf("memory grew by more than a quarter: %v", memory)
	}
	checkDeliveries(t, subscribers)
}

// checkDeliveries waits until every socket has received every change of its brand once.
func checkDeliveries(t *testing.T, subscribers []*subscriber) {
	t.Helper()
	for i, sub := range subscribers {
		want := sub.phone.changed.Load()
		for deadline := time.Now().Add(3 * time.Minute); sub.received.Load() < want && time.Now().Before(deadline); {
			<-time.After(5 * time.Millisecond)
		}
		if err := sub.err.Load(); err != nil {
			t.Fatalf("socket %d was closed: %v", i, *err)
		}
		if got := sub.received.Load(); got != want {
			t.Fatalf("socket %d received %d changes, want %d", i, got, want)
		}
	}
}
