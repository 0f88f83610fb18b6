package mongo_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
)

// lossyDialer makes connections that close, or hang, after the server has executed a chosen
// command and before its response is read.
type lossyDialer struct {
	net.Dialer
	hangs   bool                   // the connections hang instead of closing
	command atomic.Pointer[string] // the command whose next response is lost
	lost    atomic.Int64           // number of lost responses
}

func (l *lossyDialer) loseNext(command string) { l.command.Store(&command) }

// DialContext implements options.ContextDialer.
func (l *lossyDialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := l.Dialer.DialContext(ctx, network, address)
	return &lossyConn{Conn: conn, dialer: l}, err
}

type lossyConn struct {
	net.Conn
	dialer *lossyDialer
	armed  atomic.Bool // the next response is lost
}

func (c *lossyConn) Write(b []byte) (int, error) {
	if command := c.dialer.command.Load(); command != nil && bytes.Contains(b, []byte("\x02"+*command+"\x00")) &&
		c.dialer.command.CompareAndSwap(command, nil) {
		c.armed.Store(true)
	}
	return c.Conn.Write(b)
}

func (c *lossyConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b) // the server has executed the command
	if c.armed.Load() {
		c.dialer.lost.Add(1)
		if c.dialer.hangs {
			for err == nil { // until the caller's deadline
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
	l := &lossyDialer{}
	s, err := openWith(t.Context(), database(t), options.Client().SetDialer(l).SetRetryWrites(false))
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
	oneEvent := func(id string, version int64) []market.Effect {
		return []market.Effect{market.Event{Topic: "t", Type: "x", At: at, Entity: id, Version: version}}
	}
	for _, step := range []struct {
		name, command string
		do            func() error
	}{
		{"a brand is added", "insert", func() error { return s.AddBrand(ctx, market.Brand{ID: "b", Name: "Nokia", Version: 1}) }},
		{"a phone is added", "insert", func() error { return s.AddProduct(ctx, p, oneEvent("p", 1)) }},
		{"a phone is saved", "update", func() error { return s.SaveProduct(ctx, p2, oneEvent("p", 2)) }},
		{"a phone is removed", "update", func() error { return s.RemoveProduct(ctx, p3, oneEvent("p", 3)) }},
		{"a booking is added", "insert", func() error { return s.AddBooking(ctx, b, 1, oneEvent("o", 1)) }},
		{"a session is added", "insert", func() error { return s.AddSession(ctx, market.Session{ID: "s", UID: "ann"}) }},
		{"sessions end", "update", func() error { return s.EndSessions(ctx, "ann", oneEvent("ann", 1)) }},
		{"a session ends", "update", func() error { return s.EndSession(ctx, "s", oneEvent("ann", 2)) }},
		{"a session that does not exist ends", "update", func() error { return s.EndSession(ctx, "none", oneEvent("ann", 3)) }},
		{"an audit entry is added", "insert", func() error { return s.SaveAccount(ctx, ann, []market.Effect{entry}) }},
		{"a record is added", "insert", func() error {
			return s.AddRecord(ctx, market.Record{Kind: "k", ID: "1", Version: 1}, oneEvent("record", 1))
		}},
		{"a record is saved", "update", func() error { return s.SaveRecord(ctx, market.Record{Kind: "k", ID: "1", Version: 2}) }},
		{"a setting is set", "insert", func() error { return s.SetMeta(ctx, "n", "v") }},
		{"a read", "find", func() error { _, err := s.Booking(ctx, "o"); return err }},
	} {
		before := l.lost.Load()
		l.loseNext(step.command)
		if err := step.do(); err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
		if l.lost.Load() != before+1 {
			t.Errorf("%s: no response was lost", step.name)
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
		t.Errorf("the audit log is %+v (%v), want one entry", log, err)
	}
	l.loseNext("update")
	if err := s.EventsPublished(ctx, pending); err != nil {
		t.Error(err)
	}
	if pending, err := s.PendingEvents(ctx, 99); len(pending) != 0 || err != nil {
		t.Errorf("pending events are %+v (%v), want none", pending, err)
	}
}

// The first attempt leaves time for a second, which finds that the first has succeeded.
func TestStuckCallIsRetriedOnAnotherConnection(t *testing.T) {
	l := &lossyDialer{hangs: true}
	uri := strings.Replace(database(t), callLimit, "timeoutMS=10000", 1)
	s, err := openWith(t.Context(), uri, options.Client().SetDialer(l).SetRetryWrites(false))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	l.loseNext("insert")
	if err := s.AddBrand(t.Context(), market.Brand{ID: "b", Name: "Nokia", Version: 1}); err != nil || l.lost.Load() != 1 {
		t.Errorf("adding a brand: %v, with %d lost responses, want 1", err, l.lost.Load())
	}
	if b, err := s.Brand(t.Context(), "b"); err != nil || b.Name != "Nokia" {
		t.Errorf("the brand is %+v (%v), want Nokia", b, err)
	}
}

// A broken connection closes its whole pool, and the driver returns an error to callers that
// wait for a connection. The store retries these calls.
func TestCallWaitingForConnectionIsRetried(t *testing.T) {
	l := &lossyDialer{}
	opts := options.Client().SetDialer(l).SetMaxPoolSize(1).SetRetryReads(false)
	s, err := openWith(t.Context(), database(t), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.AddBrand(t.Context(), market.Brand{ID: "b", Name: "Nokia", Version: 1}); err != nil {
		t.Fatal(err)
	}
	l.loseNext("find")
	var wg sync.WaitGroup
	for range 30 {
		wg.Go(func() {
			if _, err := s.Brand(t.Context(), "b"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if l.lost.Load() != 1 {
		t.Error("no response was lost")
	}
}
