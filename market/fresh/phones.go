package fresh

import (
	"context"
	"slices"

	"secondring/market"
)

// Bounds of what is remembered of phones.
const (
	listsMost  = 64  // brands
	listMost   = 100 // phones of each
	phonesMost = 512 // by their IDs
)

// first is the beginning of a brand's list.
type first struct {
	market.List[market.Product]
	limit int // as it was asked for
}

// ofBrand marks what a brand's list depends on.
func (w *Watch) ofBrand(id string) Mark { return w.Mark(market.TopicBrand(id), Brands) }

// ofPhone marks one phone.
func (w *Watch) ofPhone(id string) Mark { return w.Mark(phone(id)) }

// page is the list as it is for who asks for so many.
func (f first) page(limit int) market.List[market.Product] {
	page := f.List
	if len(page.Items) > limit {
		page.Items, page.More = page.Items[:limit], true
	}
	page.Items = apart(page.Items)
	return page
}

// add takes in a new phone.
func (f first) add(p market.Product) (first, bool) {
	i, there := f.find(p.ID)
	if there {
		return f, false
	}
	f.Total++
	if i == len(f.Items) && f.More {
		return f, true
	}
	f.Items = slices.Insert(slices.Clone(f.Items), i, p)
	if len(f.Items) > f.limit {
		f.Items, f.More = f.Items[:f.limit], true
	}
	return f, true
}

// change takes in a phone's next version.
func (f first) change(p market.Product) (first, bool) {
	i, there := f.find(p.ID)
	if !there {
		return f, i == len(f.Items) && f.More
	}
	if f.Items[i].Version != p.Version-1 {
		return f, false
	}
	f.Items = slices.Clone(f.Items)
	f.Items[i] = p
	return f, true
}

// remove does not take in the end of a phone: who comes up from the next page is
// not known.
func (f first) remove(market.Product) (first, bool) { return f, false }

// find is a phone's place in the list, whether it is there or not: newest first.
func (f first) find(id string) (int, bool) {
	return slices.BinarySearchFunc(f.Items, id, func(p market.Product, id string) int {
		switch {
		case p.ID > id:
			return -1
		case p.ID < id:
			return 1
		}
		return 0
	})
}

// apart is a copy that shares nothing that anybody can change.
func apart(all []market.Product) []market.Product {
	all = slices.Clone(all)
	for i, p := range all {
		all[i] = apartFrom(p)
	}
	return all
}

func apartFrom(p market.Product) market.Product {
	if p.Hold != nil {
		hold := *p.Hold
		p.Hold = &hold
	}
	p.Photos = slices.Clip(p.Photos)
	return p
}

// ProductsOfBrand implements market.Store.
func (s *alone) ProductsOfBrand(ctx context.Context, brandID string, page market.Page) (market.List[market.Product], error) {
	if page.After != "" || page.Limit > listMost {
		return s.Store.ProductsOfBrand(ctx, brandID, page)
	}
	list, ok := s.lists.get(brandID)
	if !ok || list.limit < page.Limit {
		var err error
		list, err = s.lists.read(brandID, func() (first, error) {
			list, err := s.Store.ProductsOfBrand(ctx, brandID, page)
			return first{list, page.Limit}, err
		})
		if err != nil {
			return list.List, err
		}
	}
	return list.page(page.Limit), nil
}

// Product implements market.Store.
func (s *alone) Product(ctx context.Context, id string) (market.Product, error) {
	if p, ok := s.phones.get(id); ok {
		return apartFrom(p), nil
	}
	p, err := s.phones.read(id, func() (market.Product, error) { return s.Store.Product(ctx, id) })
	return apartFrom(p), err
}

// AddProduct implements market.Store.
func (s *alone) AddProduct(ctx context.Context, p market.Product, events []market.Event) error {
	return s.write(p, events, first.add, false, func() error { return s.engine.AddProduct(ctx, p, events) })
}

// SaveProduct implements market.Store.
func (s *alone) SaveProduct(ctx context.Context, p market.Product, events []market.Event) error {
	return s.write(p, events, first.change, true, func() error { return s.engine.SaveProduct(ctx, p, events) })
}

// RemoveProduct implements market.Store.
func (s *alone) RemoveProduct(ctx context.Context, p market.Product, events []market.Event) error {
	return s.write(p, events, first.remove, false, func() error { return s.engine.RemoveProduct(ctx, p, events) })
}

// write does a write of a phone, and counts it, whatever becomes of it. Take is
// what it means for the brand's list, if that is told; lives says that the phone
// was there before and is there now.
func (s *alone) write(p market.Product, events []market.Event, take func(first, market.Product) (first, bool), lives bool, do func() error) (err error) {
	list, known, done := s.lists.before(p.BrandID), s.phones.before(p.ID), false
	defer func() { // also when do panics
		next, listed := apartFrom(p), done && tellsOf(events, p.BrandID)
		s.phones.counted(p.ID, known, func() {
			s.lists.counted(p.BrandID, list,
				func() { s.watch.wrote(&err, events, Phones, phone(p.ID)) },
				func(list first) (first, bool) {
					if !listed {
						return list, false
					}
					return take(list, next)
				})
		}, func(was market.Product) (market.Product, bool) {
			return next, done && lives && was.Version == next.Version-1
		})
	}()
	err = do()
	done = err == nil
	return err
}

// tellsOf tells whether a brand's readers hear of a write.
func tellsOf(events []market.Event, brandID string) bool {
	topic := market.TopicBrand(brandID)
	return slices.ContainsFunc(events, func(e market.Event) bool { return e.Topic == topic })
}
