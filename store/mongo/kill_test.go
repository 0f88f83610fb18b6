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
	"secondring/store/mongo"
	"secondring/store/mongo/mongotest"
)

// The server's processes are killed in turn while buyers book. Acknowledged writes exist
// once, with one event each; the only error is that the store is unavailable.
func TestServerIsKilledUnderLoad(t *testing.T) {
	s, kill := mortal(t)
	if err := s.AddBrand(t.Context(), market.Brand{ID: "b", Name: "Nokia", Version: 1}); err != nil {
		t.Fatal(err)
	}
	const sellers = 8
	var all sync.WaitGroup
	var writes, away atomic.Int64
	var over atomic.Bool
	sold := make([]map[string]int64, sellers)
	for seller := range sellers {
		sold[seller] = map[string]int64{}
		all.Go(func() {
			for i := 0; !over.Load(); i++ {
				p := market.Product{ID: fmt.Sprintf("%d-%d", seller, i), BrandID: "b", SellerUID: fmt.Sprint(seller)}
				for p.Version = 1; p.Version <= 3; p.Version++ {
					err := write(t, s, p)
					if errors.Is(err, market.ErrUnavailable) {
						away.Add(1)
						break
					}
					if err != nil {
						t.Errorf("%s, version %d: %v", p.ID, p.Version, err)
						break
					}
					sold[seller][p.ID] = p.Version
					writes.Add(1)
				}
			}
		})
	}
	for round, name := range []string{"ferretdb", "postgres", "ferretdb", "postgres"} {
		await(t, func() bool { return writes.Load() > int64(200*(round+1)) })
		if err := kill(name); err != nil {
			t.Fatal(err)
		}
	}
	await(t, func() bool { return writes.Load() > 1000 })
	over.Store(true)
	all.Wait()
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
	for _, phones := range sold {
		for id, version := range phones {
			p, err := s.Product(t.Context(), id)
			if err != nil || p.Version < version || versions[id] != p.Version {
				t.Errorf("%s: version %d was acknowledged, %d is stored, %d is in events, %v", id, version, p.Version, versions[id], err)
			}
		}
	}
	t.Logf("%d writes, %d of them told that the server is away", writes.Load(), away.Load())
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// mortal opens a store and returns a function that kills its server. Where
// MONGODB_URI names a server, the function cuts all connections to it instead.
func mortal(t *testing.T) (*mongo.Store, func(name string) error) {
	t.Helper()
	if os.Getenv("MONGODB_URI") != "" {
		l := &connections{}
		s, err := mongo.OpenWith(t.Context(), database(t), options.Client().SetDialer(l))
		if err != nil {
			t.Fatal(err)
		}
		return s, func(string) error { return l.cut() }
	}
	server, err := mongotest.Own()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	return open(t, server.Database()), server.Kill
}

// connections are connections that can be cut.
type connections struct {
	net.Dialer
	mu  sync.Mutex
	all []net.Conn
}

// DialContext is how the driver connects.
func (l *connections) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := l.Dialer.DialContext(ctx, network, address)
	if err == nil {
		l.mu.Lock()
		l.all = append(l.all, conn)
		l.mu.Unlock()
	}
	return conn, err
}

func (l *connections) cut() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, conn := range l.all {
		_ = conn.Close() // it may be closed already
	}
	l.all = nil
	return nil
}

// write adds the phone or saves it, by its version.
func write(t *testing.T, s *mongo.Store, p market.Product) error {
	t.Helper()
	events := []market.Event{{Topic: "t", Entity: p.ID, Version: p.Version}}
	if p.Version == 1 {
		return s.AddProduct(t.Context(), p, events)
	}
	return s.SaveProduct(t.Context(), p, events)
}

// await fails the test unless the condition becomes true soon.
func await(t *testing.T, is func() bool) {
	t.Helper()
	tick, late := time.NewTicker(10*time.Millisecond), time.After(time.Minute)
	defer tick.Stop()
	for !is() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatal("it did not happen within a minute")
		}
	}
}
