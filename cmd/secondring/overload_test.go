package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The overload of a server that has one processor, so that it is too much for any machine:
// a password takes some 20 ms, 128 calls of a kind run at once, and a call that waits
// longer than two seconds is refused.
const (
	searchCallers = 200 // callers, each of which calls again after each response
	signInCallers = 400 // the last would wait for some 5 s
	overloadTime  = 4 * time.Second
	// maxMemory bounds what the overload may add: 600 callers at 256 KB (two buffers of a
	// connection, its goroutines, a call and its answer), a hash's 19 MB, and as much
	// again that the collector has not seen yet: 340 MB, and twice that for the race
	// detector, which has memory of its own beside it. It is 85 MB without (350 with).
	maxMemory = 680 << 20
	// maxHealthTime is how long half of the calls of /healthz may take meanwhile. make soak
	// checks it. maxRecovery is how long calls may be refused after the overload.
	maxHealthTime, maxRecovery = 2 * time.Second, 5 * time.Second
)

// overload has the results of the calls.
type overload struct {
	server *testServer
	client *http.Client
	mu     sync.Mutex
	counts map[string]int // by kind and status
	wrong  map[string]int // what may not be
}

// call makes a call and takes its answer.
func (r *overload) call(ctx context.Context, method, path, body string) (status int, retry string, err error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://"+r.server.addr+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := r.client.Do(request)
	if err != nil {
		return 0, "", err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	_ = answer.Body.Close() // read to its end
	return answer.StatusCode, answer.Header.Get("Retry-After"), err
}

// note counts a call. Refusals say when to come back; faults and broken
// connections may not be.
func (r *overload) note(kind string, status int, retry string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts[fmt.Sprint(kind, " ", status)]++
	switch {
	case err != nil:
		r.wrong[fmt.Sprint(kind, ": ", err)]++
	case status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests:
		if retry == "" {
			r.wrong[fmt.Sprint(kind, ": ", status, " without Retry-After")]++
		}
	case status != http.StatusOK && status != http.StatusUnauthorized:
		r.wrong[fmt.Sprint(kind, ": ", status)]++
	}
}

// search is different each time, so that no kept answer serves it.
func (r *overload) search(n int64) (status int, retry string, err error) {
	return r.call(context.Background(), http.MethodGet, fmt.Sprintf("/products/search?q=ring&sort=price-up&maxPrice=%d", 1000+n), "")
}

// signIn signs in with an unknown address, which costs a hash too.
func (r *overload) signIn(n int64) (status int, retry string, err error) {
	return r.call(context.Background(), http.MethodPost, "/identity/sign-in", fmt.Sprintf(`{"email":"n%d@example.com","password":"secret-ring"}`, n))
}

// come has so many callers make calls, each one after the other, until ctx ends.
func (r *overload) come(ctx context.Context, all *sync.WaitGroup, kind string, callers int, call func(int64) (int, string, error)) {
	var n atomic.Int64
	for range callers {
		all.Go(func() {
			for ctx.Err() == nil {
				status, retry, err := call(n.Add(1))
				r.note(kind, status, retry, err)
			}
		})
	}
}

// watch asks how the server is until ctx ends. It returns the median of how long
// that took, and the most memory it saw.
func (r *overload) watch(ctx context.Context) (median time.Duration, memory int) {
	var took []time.Duration
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for ctx.Err() == nil {
		began := time.Now()
		status, retry, err := r.call(context.Background(), http.MethodGet, "/healthz", "")
		took, memory = append(took, time.Since(began)), max(memory, r.server.rss())
		r.note("healthz", status, retry, err)
		<-tick.C
	}
	slices.Sort(took)
	return took[len(took)/2], memory
}

// With more calls than a server can carry some are answered and the others get 503 with
// Retry-After. There is no internal error or broken connection, health checks are
// answered, memory is bounded, and the server recovers.
func TestOverload(t *testing.T) {
	s := newTestServer(t, "GOMAXPROCS=1")
	email, seller := s.person("sela", "Seller")
	s.phones(email, seller, 200)
	r := &overload{
		server: s, counts: map[string]int{}, wrong: map[string]int{},
		client: &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: searchCallers + signInCallers + 10}},
	}
	before := s.rss()
	ctx, cancel := context.WithTimeout(t.Context(), overloadTime)
	defer cancel()
	var all sync.WaitGroup
	r.come(ctx, &all, "search", searchCallers, r.search)
	r.come(ctx, &all, "sign-in", signInCallers, r.signIn)
	median, memory := r.watch(ctx)
	ended := time.Now()
	all.Wait() // what it has taken on it ends
	over := time.Now()
	calm := r.calm(t, over, email)
	t.Logf("%v; half of healthz took %v at most; memory %d MB after %d MB; the last was answered %v after the end, and all is calm %v later",
		r.counts, median, memory>>20, before>>20, over.Sub(ended).Round(time.Millisecond), calm)
	if len(r.wrong) > 0 {
		t.Errorf("not as it should be: %v", r.wrong)
	}
	if r.counts["search 200"] == 0 || r.counts["sign-in 401"] == 0 || r.counts["sign-in 503"] == 0 {
		t.Errorf("some are to be answered, and others refused: %v", r.counts)
	}
	if r.counts["healthz 503"]+r.counts["healthz 429"] > 0 {
		t.Errorf("the health check was refused: %v", r.counts)
	}
	if os.Getenv("SOAK") != "" && median > maxHealthTime { // on a machine without other work
		t.Errorf("half of healthz took longer than %v", maxHealthTime)
	}
	if memory-before > maxMemory {
		t.Errorf("memory went from %d MB to %d MB", before>>20, memory>>20)
	}
}

// calm waits until calls are answered as before, three in a row, and tells how long
// that took.
func (r *overload) calm(t *testing.T, over time.Time, email string) time.Duration {
	t.Helper()
	for row := int64(0); row < 3; row++ {
		searched, _, err := r.search(-row)
		signed, _, wrong := r.call(t.Context(), http.MethodPost, "/identity/sign-in", `{"email":"`+email+`","password":"secret-ring"}`)
		if searched != http.StatusOK || signed != http.StatusOK {
			row = -1
		}
		if time.Since(over) > maxRecovery {
			t.Fatalf("%v after the overload: search %d, %v; sign-in %d, %v", maxRecovery, searched, err, signed, wrong)
		}
	}
	return time.Since(over).Round(time.Millisecond)
}
