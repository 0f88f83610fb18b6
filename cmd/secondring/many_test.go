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

	"github.com/gorilla/websocket"
)

// soak is how much of it there is: a little in every test run; as many SOCKETS for
// as long as SOAK says.
type soak struct {
	sockets int
	rate    int // calls a second
	time    time.Duration
	long    bool
}

func readSoak(t *testing.T) soak {
	t.Helper()
	wish := os.Getenv("SOAK")
	if wish == "" {
		return soak{sockets: 300, rate: 100, time: 3 * time.Second}
	}
	lasts, err := time.ParseDuration(wish)
	if err != nil {
		t.Fatal(err)
	}
	sockets, err := strconv.Atoi(os.Getenv("SOCKETS"))
	if err != nil {
		t.Fatal("SOCKETS: ", err)
	}
	return soak{sockets: sockets, rate: 500, time: lasts, long: true}
}

// brandPhone is a phone, its brand, and the number of its changes.
type brandPhone struct {
	brand, phone string
	changed      atomic.Int64
}

// brandPhones lists one phone in each brand.
func (s *testServer) brandPhones(email, token string) (all []*brandPhone) {
	s.t.Helper()
	var brands []struct {
		ID   string `json:"_id"`
		Name string
	}
	s.must(http.MethodGet, "/allCategories", "", nil, &brands)
	for _, b := range brands {
		all = append(all, &brandPhone{brand: b.ID, phone: s.phone(email, token, b.ID, b.Name)})
	}
	return all
}

// subscriber is a socket that counts the changes of one brand's phones.
type subscriber struct {
	of     *brandPhone
	heard  atomic.Int64
	broken atomic.Pointer[error]
}

// subscribe opens a socket. The WaitGroup is done once the subscription is confirmed.
func (s *testServer) subscribe(sub *subscriber, token string, in *sync.WaitGroup) {
	s.t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{"secondring.v1", "bearer." + token}, ReadBufferSize: 1 << 10, HandshakeTimeout: 30 * time.Second}
	c, answer, err := dialer.DialContext(s.t.Context(), "ws://"+s.addr+"/live", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	_ = answer.Body.Close()
	s.t.Cleanup(func() { _ = c.Close() })
	if err := c.WriteJSON(map[string]any{"subscribe": map[string]string{"brand:" + sub.of.brand: ""}}); err != nil {
		s.t.Fatal(err)
	}
	in.Add(1)
	entered := sync.OnceFunc(in.Done)
	go func() {
		defer entered()
		for {
			_, frame, err := c.ReadMessage()
			if err != nil {
				sub.broken.Store(&err)
				return
			}
			if bytes.Contains(frame, []byte(`"subscribed"`)) {
				entered()
			}
			sub.heard.Add(int64(bytes.Count(frame, []byte(`"type":"product.changed"`))))
		}
	}()
}

// pace is how calls went: how long each took from when it was due, in three parts
// of the time.
type pace struct {
	mu     sync.Mutex
	took   [3][]time.Duration
	failed map[string]int
}

func (p *pace) note(part int, due time.Time, status int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.took[min(part, 2)] = append(p.took[min(part, 2)], time.Since(due))
	if err != nil || status != http.StatusOK {
		p.failed[fmt.Sprint(status, " ", err)]++
	}
}

func (p *pace) String() string {
	var parts []string
	for _, took := range p.took {
		slices.Sort(took)
		if n := len(took); n > 0 {
			parts = append(parts, fmt.Sprintf("%d calls, p50 %v, p99 %v", n, took[n/2].Round(100*time.Microsecond), took[n*99/100].Round(100*time.Microsecond)))
		}
	}
	return strings.Join(parts, "; ")
}

// call makes one of the calls that people make, one in twenty a change.
func (p *pace) call(s *testServer, of *brandPhone, seller, token string, part int, due time.Time) {
	if rand.IntN(20) == 0 {
		var done struct{ ModifiedCount int64 } // none where the price was the same
		status, err := s.call(http.MethodPatch, "/products/"+of.phone, token, map[string]int{"resalePrice": 1 + rand.IntN(499)}, &done)
		of.changed.Add(done.ModifiedCount)
		p.note(part, due, status, err)
		return
	}
	paths := []string{"/categories/" + of.brand, "/users/seller/" + seller, "/products/advertised", "/products?email=" + seller}
	status, err := s.call(http.MethodGet, paths[rand.IntN(len(paths))], token, nil, nil)
	p.note(part, due, status, err)
}

// rss is the memory of the process, in bytes.
func (s *testServer) rss() int {
	s.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", s.cmd.Process.Pid))
	if err != nil {
		s.t.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		s.t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// Many sockets stay open while calls are made at a steady rate: no call fails, every
// socket gets every change of its brand once, and memory does not grow.
func TestManySocketsBesideCalls(t *testing.T) {
	plan, s := readSoak(t), newTestServer(t)
	seller, token := s.person("sela", "Seller")
	phones := s.brandPhones(seller, token)
	subscribers := make([]*subscriber, plan.sockets)
	var in sync.WaitGroup
	for i := range subscribers {
		subscribers[i] = &subscriber{of: phones[i%len(phones)]}
		s.subscribe(subscribers[i], token, &in)
	}
	in.Wait()

	p := &pace{failed: map[string]int{}}
	var calls sync.WaitGroup
	memory := []int{s.rss()}
	tick := time.NewTicker(time.Second / time.Duration(plan.rate))
	defer tick.Stop()
	for began := time.Now(); ; {
		due := <-tick.C
		part := int(3 * time.Since(began) / plan.time)
		if part == len(memory) {
			memory = append(memory, s.rss())
		}
		if part >= 3 {
			break
		}
		calls.Go(func() { p.call(s, phones[rand.IntN(len(phones))], seller, token, part, due) })
	}
	calls.Wait()
	t.Logf("%d sockets; %s; memory %v", plan.sockets, p, memory)
	if len(p.failed) > 0 {
		t.Errorf("calls failed: %v", p.failed)
	}
	if plan.long && memory[3] > memory[1]*5/4 {
		t.Errorf("memory grew: %v", memory)
	}
	allHeard(t, subscribers)
}

// allHeard waits until every socket has received every change exactly once.
func allHeard(t *testing.T, subscribers []*subscriber) {
	t.Helper()
	for i, sub := range subscribers {
		want := sub.of.changed.Load()
		for deadline := time.Now().Add(20 * time.Second); sub.heard.Load() < want && time.Now().Before(deadline); {
			<-time.After(5 * time.Millisecond)
		}
		if broken := sub.broken.Load(); broken != nil {
			t.Fatalf("socket %d ended: %v", i, *broken)
		}
		if heard := sub.heard.Load(); heard != want {
			t.Fatalf("socket %d heard of %d changes, and there were %d", i, heard, want)
		}
	}
}
