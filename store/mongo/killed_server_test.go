package mongo_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
	"secondring/store/mongo/mongotest"
)

// The server's processes are killed in turn while buyers book. Acknowledged writes exist
// once, with one event each; the only error is that the store is unavailable.
func TestServerIsKilledUnderLoad(t *testing.T) {
	s, kill := openKillable(t)
	if err := s.AddBrand(t.Context(), market.Brand{ID: "b", Name: "Nokia", Version: 1}); err != nil {
		t.Fatal(err)
	}
	const sellers = 8
	var wg sync.WaitGroup
	var writes, unavailable atomic.Int64
	var stop atomic.Bool
	acknowledged := make([]map[string]int64, sellers)
	for seller := range sellers {
		acknowledged[seller] = map[string]int64{}
		wg.Go(func() {
			for i := 0; !stop.Load(); i++ {
				p := market.Product{ID: fmt.Sprintf("%d-%d", seller, i), BrandID: "b", SellerUID: fmt.Sprint(seller)}
				for p.Version = 1; p.Version <= 3; p.Version++ {
					err := write(t, s, p)
					if errors.Is(err, market.ErrUnavailable) {
						unavailable.Add(1)
						break
					}
					if err != nil {
						t.Errorf("%s, version %d: %v", p.ID, p.Version, err)
						break
					}
					acknowledged[seller][p.ID] = p.Version
					writes.Add(1)
				}
			}
		})
	}
	for round, name := range []string{"ferretdb", "postgres", "ferretdb", "postgres"} {
		eventually(t, func() bool { return writes.Load() > int64(200*(round+1)) })
		if err := kill(name); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, func() bool { return writes.Load() > 1000 })
	stop.Store(true)
	wg.Wait()
	versions := map[string]int64{}
	pending, err := s.PendingEvents(t.Context(), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range pending {
		if e.Version != versions[e.Entity]+1 {
			t.Errorf("%s: the event of version %d follows that of %d", e.Entity, e.Version, versions[e.Entity])
		}
		versions[e.Entity] = e.Version
	}
	for _, phones := range acknowledged {
		for id, version := range phones {
			p, err := s.Product(t.Context(), id)
			if err != nil || p.Version < version || versions[id] != p.Version {
				t.Errorf("%s: version %d was acknowledged, version %d is stored (%v), and the last event is of version %d", id, version, p.Version, err, versions[id])
			}
		}
	}
	t.Logf("%d writes acknowledged, %d refused with ErrUnavailable", writes.Load(), unavailable.Load())
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// openKillable opens a store and returns a function that kills a process of its server. With a
// server of MONGODB_URI, the function closes all connections instead.
func openKillable(t *testing.T) (*opened, func(name string) error) {
	t.Helper()
	if os.Getenv("MONGODB_URI") != "" {
		dialer := &closableDialer{}
		s, err := openWith(t.Context(), database(t), options.Client().SetDialer(dialer))
		if err != nil {
			t.Fatal(err)
		}
		return s, func(string) error { return dialer.closeAll() }
	}
	server, err := mongotest.Own()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	return open(t, server.Database()), server.Kill
}

// closableDialer can close all connections that it has made.
type closableDialer struct {
	net.Dialer
	mu  sync.Mutex
	all []net.Conn
}

// DialContext implements options.ContextDialer.
func (d *closableDialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := d.Dialer.DialContext(ctx, network, address)
	if err == nil {
		d.mu.Lock()
		d.all = append(d.all, conn)
		d.mu.Unlock()
	}
	return conn, err
}

func (d *closableDialer) closeAll() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, conn := range d.all {
		_ = conn.Close() // it may be closed already
	}
	d.all = nil
	return nil
}

// write adds the phone if its version is 1, and saves it otherwise.
func write(t *testing.T, s *opened, p market.Product) error {
	t.Helper()
	events := []market.Effect{market.Event{Topic: "t", Entity: p.ID, Version: p.Version}}
	if p.Version == 1 {
		return s.AddProduct(t.Context(), p, events)
	}
	return s.SaveProduct(t.Context(), p, events)
}

// eventually fails the test unless the condition becomes true within ten minutes.
func eventually(t *testing.T, ok func() bool) {
	t.Helper()
	ticker, deadline := time.NewTicker(10*time.Millisecond), time.After(10*time.Minute)
	defer ticker.Stop()
	for !ok() {
		select {
		case <-ticker.C:
		case <-deadline:
			t.Fatal("the condition was not true within ten minutes")
		}
	}
}
