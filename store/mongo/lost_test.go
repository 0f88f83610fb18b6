package mongo_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
	"secondring/store/mongo"
)

// lossy makes connections of which some end, or hang, after the server has executed a
// command and before its response is read.
type lossy struct {
	net.Dialer
	silent  bool                   // they say nothing, instead of ending
	command atomic.Pointer[string] // whose next answer is lost
	lost    atomic.Int64
}

func (l *lossy) lose(command string) { l.command.Store(&command) }

// DialContext is what the driver connects by.
func (l *lossy) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := l.Dialer.DialContext(ctx, network, address)
	return &lossyConn{Conn: conn, lossy: l}, err
}

type lossyConn struct {
	net.Conn
	lossy *lossy
	armed atomic.Bool
}

func (c *lossyConn) Write(b []byte) (int, error) {
	if command := c.lossy.command.Load(); command != nil && bytes.Contains(b, []byte("\x02"+*command+"\x00")) &&
		c.lossy.command.CompareAndSwap(command, nil) {
		c.armed.Store(true)
	}
	return c.Conn.Write(b)
}

func (c *lossyConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b) // the server has answered
	if c.armed.Load() {
		c.lossy.lost.Add(1)
		if c.lossy.silent {
			for err == nil { // until the waiting call gives up
				_, err = c.Conn.Read(b)
			}
			return 0, err
		}
		return 0, errors.Join(net.ErrClosed, c.Close())
	}
	return n, err
}

// The write is retried and reports success; its events are stored once.
func TestWriteWithLostResponseIsRetriedOnce(t *testing.T) {
	l := &lossy{}
	s, err := mongo.OpenWith(t.Context(), database(t), options.Client().SetDialer(l).SetRetryWrites(false))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	ctx, at := t.Context(), time.UnixMilli(1_800_000_000_000).UTC()
	p := market.Product{ID: "p", BrandID: "b", Version: 1}
	p2 := market.Product{ID: "p", BrandID: "b", Version: 2, Name: "Two"}
	p3 := market.Product{ID: "p", BrandID: "b", Version: 3}
	b := market.Booking{ID: "o", BuyerUID: "ann", Status: market.BookingHeld, Version: 1}
	ann := market.Account{UID: "ann", Version: 1}
	if err := s.AddAccount(ctx, ann, nil); err != nil {
		t.Fatal(err)
	}
	ann.Version++
	entry := market.NewAuditEntry(at, nil, market.ActionSetPassword).OfPerson("ann", "Ann")
	oneEvent := func(id string, version int64) []market.Event {
		return []market.Event{{Topic: "t", Type: "x", At: at, Entity: id, Version: version}}
	}
	for _, step := range []struct {
		what, command string
		do            func() error
	}{
		{"a brand is added", "insert", func() error { return s.AddBrand(ctx, market.Brand{ID: "b", Name: "Nokia", Version: 1}) }},
		{"a phone is added", "insert", func() error { return s.AddProduct(ctx, p, oneEvent("p", 1)) }},
		{"a phone is saved", "update", func() error { return s.SaveProduct(ctx, p2, oneEvent("p", 2)) }},
		{"a phone is removed", "update", func() error { return s.RemoveProduct(ctx, p3, oneEvent("p", 3)) }},
		{"a booking is added", "insert", func() error { return s.AddBooking(ctx, b, 1, oneEvent("o", 1)) }},
		{"a session is added", "insert", func() error { return s.AddSession(ctx, market.Session{ID: "s", UID: "ann"}) }},
		{"sessions end, the notice", "insert", func() error { return s.EndSessions(ctx, "ann", "", oneEvent("ann", 1)) }},
		{"sessions end, audit entry", "delete", func() error { return s.EndSession(ctx, "s", oneEvent("ann", 2)) }},
		{"sessions end, the rest", "update", func() error { return s.EndSession(ctx, "s", oneEvent("ann", 3)) }},
		{"an audit entry is added", "insert", func() error { return s.SaveAccount(ctx, ann, []market.Event{entry.Event()}) }},
		{"a record is added", "insert", func() error {
			return s.AddRecord(ctx, market.Record{Kind: "k", ID: "1", Version: 1}, oneEvent("record", 1))
		}},
		{"a record is saved", "update", func() error { return s.SaveRecord(ctx, market.Record{Kind: "k", ID: "1", Version: 2}) }},
		{"a setting is set", "insert", func() error { return s.SetMeta(ctx, "n", "v") }},
		{"a read", "find", func() error { _, err := s.Booking(ctx, "o"); return err }},
	} {
		before := l.lost.Load()
		l.lose(step.command)
		if err := step.do(); err != nil {
			t.Errorf("%s: %v", step.what, err)
		}
		if l.lost.Load() != before+1 {
			t.Errorf("%s: no answer was lost", step.what)
		}
	}
	var got []string
	pending, err := s.PendingEvents(ctx, 99)
	for _, e := range pending {
		got = append(got, e.Entity)
	}
	if diff := cmp.Diff([]string{"p", "p", "p", "o", "ann", "ann", "ann", entry.ID, "record"}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	if log, err := s.AuditEntries(ctx, market.Page{Limit: 9}); err != nil || log.Total != 1 {
		t.Errorf("the log: %v, %v", log, err)
	}
	l.lose("update")
	if err := s.EventsPublished(ctx, pending); err != nil {
		t.Error(err)
	}
	if pending, err := s.PendingEvents(ctx, 99); len(pending) != 0 || err != nil {
		t.Errorf("left: %v, %v", pending, err)
	}
}

// The first attempt leaves time for a second, which detects what the first has done.
func TestStuckCallIsRetriedOnAnotherConnection(t *testing.T) {
	l := &lossy{silent: true}
	s, err := mongo.OpenWith(t.Context(), database(t), options.Client().SetDialer(l).SetRetryWrites(false))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	l.lose("insert")
	if err := s.AddBrand(t.Context(), market.Brand{ID: "b", Name: "Nokia", Version: 1}); err != nil || l.lost.Load() != 1 {
		t.Error(err, l.lost.Load())
	}
	if b, err := s.Brand(t.Context(), "b"); err != nil || b.Name != "Nokia" {
		t.Error(b, err)
	}
}

// A broken connection ends all of its pool, and callers that wait for a connection get
// an error.
func TestCallWaitingForConnectionIsRetried(t *testing.T) {
	l := &lossy{}
	how := options.Client().SetDialer(l).SetMaxPoolSize(1).SetRetryReads(false)
	s, err := mongo.OpenWith(t.Context(), database(t), how)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	s.WaitLong()
	if err := s.AddBrand(t.Context(), market.Brand{ID: "b", Name: "Nokia", Version: 1}); err != nil {
		t.Fatal(err)
	}
	l.lose("find")
	var all sync.WaitGroup
	for range 30 {
		all.Go(func() {
			if _, err := s.Brand(t.Context(), "b"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if l.lost.Load() != 1 {
		t.Error("no answer was lost")
	}
}
