package hub_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"secondring/hub"
	"secondring/market"
)

// largeEvent returns an event of about 64 KB, so that a socket that is not read soon fills the kernel's
// buffers.
func largeEvent(topic string, version int64) market.Event {
	e := event(topic, market.TypeProductChanged, "p", version)
	e.Data = fmt.Appendf(nil, `{"_id":"p","version":%d,"pad":%q}`, version, strings.Repeat("x", 64<<10))
	return e
}

// publishUntil publishes large events until ok returns true. The reader must get each event before the
// next one is published.
func (h *harness) publishUntil(t *testing.T, reader *client, ok func() bool) (published int) {
	t.Helper()
	for !ok() {
		if published++; published > 5000 {
			t.Fatal("the condition is not true after 5000 events")
		}
		h.publish(largeEvent(brand, int64(published)))
		if e := reader.events(1)[0]; e.Data.Version != int64(published) {
			t.Fatalf("the other reader got %+v, want version %d", e, published)
		}
	}
	return published
}

func TestSlowSocketIsClosedWithoutDelayingOthers(t *testing.T) {
	for name, limits := range map[string]hub.Limits{
		"by bytes": {QueueBytes: 1 << 20, QueueAge: time.Hour},
		"by age":   {QueueBytes: 1 << 30, QueueAge: 50 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			h := start(t, func(c *hub.Config) { c.Limits = limits })
			token := h.token("u1")
			slow, fast := h.dial(token), h.dial(token)
			slow.subscribe(map[string]string{brand: ""})
			fast.subscribe(map[string]string{brand: ""})
			n := h.publishUntil(t, fast, func() bool { return h.hub.Stats().Drops["slow"] == 1 })

			read := int64(0)
			for {
				f, _, err := slow.tryRead()
				if err != nil {
					break
				}
				for _, e := range f.Events {
					if read++; e.Data.Version != read {
						t.Fatalf("version %d follows version %d", e.Data.Version, read-1)
					}
				}
			}
			slow.wantClosed(hub.CloseTooSlow)
			if read >= int64(n) || read == 0 {
				t.Errorf("the slow client read %d of %d events, want some but not all", read, n)
			}
			h.publish(largeEvent(brand, int64(n+1)))
			fast.events(1)
		})
	}
}

func TestSocketCatchesUpWithoutLoss(t *testing.T) {
	h := start(t, func(c *hub.Config) { c.Limits = hub.Limits{QueueBytes: 1 << 30, QueueAge: time.Hour} })
	token := h.token("u1")
	slow, fast := h.dial(token), h.dial(token)
	slow.subscribe(map[string]string{brand: ""})
	fast.subscribe(map[string]string{brand: ""})
	n := 0
	h.publishUntil(t, fast, func() bool { n++; return n > 200 }) // 13 MB, more than the kernel buffers
	for i, e := range slow.events(200) {
		if e.Data.Version != int64(i+1) {
			t.Fatalf("event %d has version %d", i, e.Data.Version)
		}
	}
	h.publish(event(brand, market.TypeProductBooked, "p", 1000)) // delivered without a queue
	if e := slow.events(1)[0]; e.Data.Version != 1000 {
		t.Errorf("got %+v", e)
	}
}

func TestCloseDrainsWith1012(t *testing.T) {
	h := start(t, nil)
	token := h.token("u1")
	var all []*client
	for range 20 {
		c := h.dial(token)
		c.subscribe(map[string]string{brand: ""})
		all = append(all, c)
	}
	done := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		done <- h.hub.Close(ctx)
	}()
	for _, c := range all {
		c.wantClosed(hub.CloseRestarting)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if s := h.hub.Stats(); s.Sockets != 0 || s.Topics != 0 || s.Drops["restarting"] != 20 {
		t.Errorf("the statistics are %+v", s)
	}
	if r := h.wantRefused(token); r.status != http.StatusServiceUnavailable {
		t.Errorf("after Close the status is %d, want 503", r.status)
	}
	if err := h.hub.Run(t.Context()); !errors.Is(err, hub.ErrClosed) {
		t.Errorf("Run after Close: %v, want ErrClosed", err)
	}
}

func TestCloseEndsUnresponsiveSockets(t *testing.T) {
	h := start(t, nil)
	c := h.dial("")
	c.ws.SetCloseHandler(func(int, string) error { return nil })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := h.hub.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	c.wantClosed(hub.CloseRestarting)
	if s := h.hub.Stats(); s.Sockets != 0 {
		t.Errorf("%d sockets are left, want none", s.Sockets)
	}
}

func TestSocketsBeforeRunAreRefused(t *testing.T) {
	b := hub.NewMemoryBroker(hub.HistoryLimits{})
	served, err := hub.New(hub.Config{Broker: b, Authorize: hub.AllowAnyTopic})
	if err != nil {
		t.Fatal(err)
	}
	h := serve(t, served, b)
	if r := h.wantRefused("any"); r.status != http.StatusServiceUnavailable {
		t.Errorf("status is %d, want 503", r.status)
	}
}
