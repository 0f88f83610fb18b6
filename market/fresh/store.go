package fresh

import (
	"context"
	"sync"
	"time"

	"secondring/market"
)

// Store is the store with every write counted, after it is done and before its
// caller knows. A write that nothing is kept of passes as it is.
func (w *Watch) Store(s market.Store) market.Store { return &store{Store: s, watch: w} }

type store struct {
	market.Store
	watch *Watch
}

// StoreAlone is the same of a store to which no other node writes. It remembers
// brands, which every new phone and every list of phones asks for, as long as
// their mark holds; and since the command line may remove one beside this
// process, for a quarter of a second at most. A phone that comes in that moment
// is still refused by the store. The first phones of brands it remembers too, and
// keeps up with what is written.
func (w *Watch) StoreAlone(s market.Store) market.Store {
	return &alone{
		Store: w.Store(s), engine: s, watch: w, brands: map[string]brand{},
		lists: lists{watch: w, of: map[string]*first{}},
	}
}

const brandAgain = 250 * time.Millisecond

type alone struct {
	market.Store
	engine market.Store // the same, uncounted
	watch  *Watch
	lists  lists

	mu     sync.RWMutex
	brands map[string]brand // as many as there are
}

type brand struct {
	market.Brand
	mark  Mark
	asked time.Time // by the machine's own clock
}

// Brand implements market.Store.
func (s *alone) Brand(ctx context.Context, id string) (market.Brand, error) {
	s.mu.RLock()
	b, known := s.brands[id]
	s.mu.RUnlock()
	if known && b.mark.Holds() && time.Since(b.asked) < brandAgain {
		return b.Brand, nil
	}
	b = brand{mark: s.watch.Mark(Brands), asked: time.Now()}
	var err error
	b.Brand, err = s.Store.Brand(ctx, id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if delete(s.brands, id); err == nil {
		s.brands[id] = b
	}
	return b.Brand, err
}

// AddUser implements market.Store.
func (s *store) AddUser(ctx context.Context, u market.User, events []market.Event) (err error) {
	defer s.watch.wrote(&err, events, Person(u.UID))
	return s.Store.AddUser(ctx, u, events)
}

// SaveUser implements market.Store.
func (s *store) SaveUser(ctx context.Context, u market.User, events []market.Event) (err error) {
	defer s.watch.wrote(&err, events, Person(u.UID))
	return s.Store.SaveUser(ctx, u, events)
}

// PurgeUser implements market.Store.
func (s *store) PurgeUser(ctx context.Context, uid string) (err error) {
	defer s.watch.wrote(&err, nil, Person(uid))
	return s.Store.PurgeUser(ctx, uid)
}

// EndSession implements market.Store.
func (s *store) EndSession(ctx context.Context, id string, events []market.Event) (err error) {
	defer s.watch.wrote(&err, events, session(id))
	return s.Store.EndSession(ctx, id, events)
}

// EndSessions implements market.Store.
func (s *store) EndSessions(ctx context.Context, uid, except string, events []market.Event) (err error) {
	defer s.watch.wrote(&err, events, Person(uid))
	return s.Store.EndSessions(ctx, uid, except, events)
}

// AddBrand implements market.Store.
func (s *store) AddBrand(ctx context.Context, b market.Brand) (err error) {
	defer s.watch.wrote(&err, nil, Brands)
	return s.Store.AddBrand(ctx, b)
}

// RemoveBrand implements market.Store.
func (s *store) RemoveBrand(ctx context.Context, id string) (err error) {
	defer s.watch.wrote(&err, nil, Brands, market.TopicBrand(id))
	return s.Store.RemoveBrand(ctx, id)
}

// AddProduct implements market.Store.
func (s *store) AddProduct(ctx context.Context, p market.Product, events []market.Event) (err error) {
	defer s.watch.wrote(&err, events, Phones)
	return s.Store.AddProduct(ctx, p, events)
}

// SaveProduct implements market.Store.
func (s *store) SaveProduct(ctx context.Context, p market.Product, events []market.Event) (err error) {
	defer s.watch.wrote(&err, events, Phones)
	return s.Store.SaveProduct(ctx, p, events)
}

// RemoveProduct implements market.Store.
func (s *store) RemoveProduct(ctx context.Context, p market.Product, events []market.Event) (err error) {
	defer s.watch.wrote(&err, events, Phones)
	return s.Store.RemoveProduct(ctx, p, events)
}

// Publisher is the publisher with every event counted before it goes out, so
// that nobody who was pushed a change is then given an answer without it.
func (w *Watch) Publisher(p market.Publisher) market.Publisher { return publisher{p, w} }

type publisher struct {
	market.Publisher
	watch *Watch
}

// Publish implements market.Publisher.
func (p publisher) Publish(ctx context.Context, events []market.Event) error {
	p.watch.publishing(events)
	return p.Publisher.Publish(ctx, events)
}
