package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

// gatedHandler is a resource with one slot. Its calls wait for a signal before they respond,
// and for another one before they return.
type gatedHandler struct {
	*concurrency

	started, respond, responded, finish chan struct{}
}

func newGatedHandler(maxWait time.Duration) *gatedHandler {
	return &gatedHandler{newConcurrency(1, maxWait), make(chan struct{}, 9), make(chan struct{}, 9), make(chan struct{}, 9), make(chan struct{}, 9)}
}

func (g *gatedHandler) call(t *testing.T, body io.Reader) <-chan error {
	t.Helper()
	done := make(chan error, 1)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPut, "/", body)
	go func() {
		done <- g.serve(httptest.NewRecorder(), r, func(w http.ResponseWriter, _ *http.Request) error {
			g.started <- struct{}{}
			<-g.respond
			w.WriteHeader(http.StatusOK)
			g.responded <- struct{}{}
			<-g.finish
			return nil
		})
	}()
	return done
}

func TestRequestsBeyondLimitGet503(t *testing.T) {
	g := newGatedHandler(time.Millisecond)
	first := g.call(t, nil)
	<-g.started
	if err := <-g.call(t, nil); market.CodeOf(err) != market.CodeUnavailable {
		t.Errorf("while another request is served: %v", err)
	}
	g.respond <- struct{}{}
	<-g.responded
	second := g.call(t, nil) // the first response is still being sent
	<-g.started
	g.respond <- struct{}{}
	g.finish <- struct{}{}
	g.finish <- struct{}{}
	for _, done := range []<-chan error{first, second} {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if !g.calls.TryAcquire(1) || g.calls.TryAcquire(1) {
		t.Error("a slot was released twice or not at all")
	}
}

func TestWaitingRequestRunsWhenSlotIsFree(t *testing.T) {
	g := newGatedHandler(time.Minute)
	first := g.call(t, nil)
	<-g.started
	second := g.call(t, nil)
	g.respond <- struct{}{}
	g.finish <- struct{}{}
	<-g.started
	g.respond <- struct{}{}
	g.finish <- struct{}{}
	for _, done := range []<-chan error{first, second} {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// A request takes a slot only after its body is complete. A truncated or too long one takes
// none.
func TestSlowBodyTakesNoSlot(t *testing.T) {
	g := newGatedHandler(time.Millisecond)
	slow, write := io.Pipe()
	first := g.call(t, slow)
	if _, err := write.Write([]byte("{")); err != nil { // returns when the server reads it
		t.Fatal(err)
	}
	second := g.call(t, nil)
	<-g.started
	g.respond <- struct{}{}
	g.finish <- struct{}{}
	if err := <-second; err != nil {
		t.Error(err)
	}
	if err := write.CloseWithError(io.ErrUnexpectedEOF); err != nil {
		t.Error(err)
	}
	if err := <-first; market.CodeOf(err) != market.CodeBadRequest {
		t.Errorf("the truncated body: %v, want code %q", err, market.CodeBadRequest)
	}
	if err := <-g.call(t, strings.NewReader(strings.Repeat(" ", rest.MaxBody+1))); market.CodeOf(err) != rest.CodeTooLarge {
		t.Errorf("the too long body: %v, want code %q", err, rest.CodeTooLarge)
	}
}

func TestPanicReleasesSlot(t *testing.T) {
	limit := newConcurrency(1, time.Millisecond)
	func() {
		defer func() { _ = recover() }()
		_ = limit.serve(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil),
			func(http.ResponseWriter, *http.Request) error { panic("a failure") })
	}()
	if !limit.calls.TryAcquire(1) {
		t.Error("the slot is not released")
	}
}

// While searches use all their slots, other calls of the same path and resource are
// served.
func TestSearchesHaveTheirOwnSlots(t *testing.T) {
	s := &server{concurrency: map[string]*concurrency{searches: newConcurrency(1, time.Millisecond), "products": newConcurrency(1, time.Millisecond)}}
	serve := s.limitConcurrency(rest.Route{Tag: "products", IsSearch: func(r *http.Request) bool { return r.URL.Query().Has("q") }, Handle: func(w http.ResponseWriter, _ *http.Request) error {
		w.WriteHeader(http.StatusOK)
		return nil
	}})
	call := func(query string) error {
		return serve(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/products/search?"+query, nil))
	}
	if err := s.concurrency[searches].acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := call("q=nokia"); market.CodeOf(err) != market.CodeUnavailable {
		t.Errorf("a search while another one is served: %v", err)
	}
	if err := call("sort=saving"); err != nil {
		t.Errorf("a list while a search is served: %v", err)
	}
	s.concurrency[searches].calls.Release(1)
	if err := s.concurrency["products"].acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := call("q=nokia"); err != nil {
		t.Errorf("a search while others have all slots of the resource: %v", err)
	}
}
