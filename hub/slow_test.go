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

// bulky makes an event of about 64 KB, so that a socket nobody reads soon
// fills the buffers of the kernel on both sides.
func bulky(topic string, version int64) market.Event {
	e := event(topic, market.TypeProductChanged, "p", version)
	e.Data = fmt.Appendf(nil, `{"_id":"p","version":%d,"pad":%q}`, version, strings.Repeat("x", 64<<10))
	return e
}

// drown publishes bulky events until ok; the caller's readers must keep up, so
// it waits for one of them each time.
func (r *rig) drown(t *testing.T, reader *client, ok func() bool) (published int) {
	t.Helper()
	for !ok() {
		if published++; published > 5000 {
			t.Fatal("it never came")
		}
		r.publish(bulky(brand, int64(published)))
		if e := reader.events(1)[0]; e.Data.Version != int64(published) {
			t.Fatalf("the other reader got %+v, want version %d", e, published)
		}
	}
	return published
}

func TestSlowSocketIsCutAndNobodyElseIsHeldUp(t *testing.T) {
	for name, limits := range map[string]hub.Limits{
		"by bytes": {QueueBytes: 1 << 20, QueueAge: time.Hour},
		"by age":   {QueueBytes: 1 << 30, QueueAge: 50 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, func(c *hub.Config) { c.Limits = limits })
			token := r.person("u1")
			slow, quick := r.dial(token), r.dial(token)
			slow.subscribe(map[string]string{brand: ""})
			quick.subscribe(map[string]string{brand: ""})
			n := r.drown(t, quick, func() bool { return r.hub.Stats().Drops["slow"] == 1 })

			read := int64(0)
			for {
				f, _, err := slow.tryRead()
				if err != nil {
					break
				}
				for _, e := range f.Events {
					if read++; e.Data.Version != read {
						t.Fatalf("version %d after %d", e.Data.Version, read-1)
					}
				}
			}
			if code := slow.closes(); code != hub.CloseTooSlow {
				t.Errorf("%d", code)
			}
			if read >= int64(n) || read == 0 {
				t.Errorf("the slow one read %d of %d events", read, n)
			}
			r.publish(bulky(brand, int64(n+1)))
			quick.events(1)
		})
	}
}

func TestSocketThatCatchesUpLosesNothing(t *testing.T) {
	r := start(t, func(c *hub.Config) { c.Limits = hub.Limits{QueueBytes: 1 << 30, QueueAge: time.Hour} })
	token := r.person("u1")
	late, quick := r.dial(token), r.dial(token)
	late.subscribe(map[string]string{brand: ""})
	quick.subscribe(map[string]string{brand: ""})
	n := 0
	r.drown(t, quick, func() bool { n++; return n > 200 }) // 13 MB: more than the kernel keeps
	for i, e := range late.events(200) {
		if e.Data.Version != int64(i+1) {
			t.Fatalf("event %d has version %d", i, e.Data.Version)
		}
	}
	r.publish(event(brand, market.TypeProductBooked, "p", 1000)) // straight through again
	if e := late.events(1)[0]; e.Data.Version != 1000 {
		t.Errorf("got %+v", e)
	}
}

func TestCloseDrainsWith1012(t *testing.T) {
	r := start(t, nil)
	token := r.person("u1")
	var all []*client
	for range 20 {
		c := r.dial(token)
		c.subscribe(map[string]string{brand: ""})
		all = append(all, c)
	}
	done := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		done <- r.hub.Close(ctx)
	}()
	for _, c := range all {
		if code := c.closes(); code != hub.CloseRestarting {
			t.Errorf("%d", code)
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if s := r.hub.Stats(); s.Sockets != 0 || s.Topics != 0 || s.Drops["restarting"] != 20 {
		t.Errorf("%+v", s)
	}
	if h := r.refused(token); h.status != http.StatusServiceUnavailable {
		t.Errorf("after the close: %d", h.status)
	}
	if err := r.hub.Run(t.Context()); !errors.Is(err, hub.ErrClosed) {
		t.Errorf("run after close: %v", err)
	}
}

func TestCloseCutsWhoDoesNotAnswerInTime(t *testing.T) {
	r := start(t, nil)
	c := r.dial("")
	c.ws.SetCloseHandler(func(int, string) error { return nil })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := r.hub.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if code := c.closes(); code != hub.CloseRestarting {
		t.Errorf("%d", code)
	}
	if s := r.hub.Stats(); s.Sockets != 0 {
		t.Errorf("%d sockets left", s.Sockets)
	}
}

func TestSocketsBeforeRunAreRefused(t *testing.T) {
	b := hub.NewMemoryBroker(hub.HistoryLimits{})
	h, err := hub.New(hub.Config{Broker: b, Authorize: hub.AllowAnyTopic})
	if err != nil {
		t.Fatal(err)
	}
	r := serve(t, h, b)
	if h := r.refused("any"); h.status != http.StatusServiceUnavailable {
		t.Errorf("%d", h.status)
	}
}
