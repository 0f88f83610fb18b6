package fresh

import (
	"context"
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
// brands, which every new phone and every list of phones asks for, and phones,
// which all look at who want the same one, as long as their marks hold; and since
// the command line may change one beside this process, for a quarter of a second
// at most after the Watch was last Sure. A phone that comes when its brand has
// gone is still refused by the store, and so is a change of what has changed. The
// first phones of brands it remembers too. It keeps up with what is written.
func (w *Watch) StoreAlone(s market.Store) market.Store {
	return &alone{
		Store: w.Store(s), engine: s, watch: w,
		brands: newMemory[market.Brand](w, brandsMost, again, func(string) Mark { return w.Mark(Brands) }),
		lists:  newMemory[first](w, listsMost, 0, w.ofBrand),
		phones: newMemory[market.Product](w, phonesMost, again, w.ofPhone),
	}
}

// Bounds of what is remembered of single things.
const (
	brandsMost = 1024
	again      = 250 * time.Millisecond
)

type alone struct {
	market.Store
	engine market.Store // the same, uncounted
	watch  *Watch

	brands *memory[market.Brand]
	lists  *memory[first]
	phones *memory[market.Product]
}

// Brand implements market.Store.
func (s *alone) Brand(ctx context.Context, id string) (market.Brand, error) {
	if b, ok := s.brands.get(id); ok {
		return b, nil
	}
	return s.brands.read(id, func() (market.Brand, error) { return s.Store.Brand(ctx, id) })
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
	defer s.watch.wrote(&err, events, Phones, phone(p.ID))
	return s.Store.AddProduct(ctx, p, events)
}

// SaveProduct implements market.Store.
func (s *store) SaveProduct(ctx context.Context, p market.Product, events []market.Event) (err error) {
	defer s.watch.wrote(&err, events, Phones, phone(p.ID))
	return s.Store.SaveProduct(ctx, p, events)
}

// RemoveProduct implements market.Store.
func (s *store) RemoveProduct(ctx context.Context, p market.Product, events []market.Event) (err error) {
	defer s.watch.wrote(&err, events, Phones, phone(p.ID))
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
