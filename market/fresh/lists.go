package fresh

import (
	"context"
	"slices"
	"sync"

	"secondring/market"
)

// Bounds of the lists that are remembered.
const (
	listsMost = 64  // brands
	listMost  = 100 // phones of each
)

// lists remembers the first phones of brands, and takes in what is written
// through this process as it is counted: a list that is asked for again after a
// write costs no read.
//
// A write is taken in only where it is all that was counted of the brand since
// the list was true, and only into a list that was there, and true, before the
// write began. So the list was read without it, and whatever else has become of
// the phone meanwhile (another change, its end, another process's) has been
// counted too, or will be: then the list is read anew.
type lists struct {
	watch *Watch

	mu sync.Mutex
	of map[string]*first // by brand
}

// first is the beginning of a brand's list. Lists.mu guards it.
type first struct {
	market.List[market.Product]
	limit int // as it was asked for
	mark  Mark
}

// mark is of what a brand's list depends on.
func (l *lists) mark(brandID string) Mark { return l.watch.Mark(market.TopicBrand(brandID), Brands) }

// get returns a page, if it is remembered and true.
func (l *lists) get(brandID string, limit int) (page market.List[market.Product], ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.of[brandID]
	if list == nil || list.limit < limit || !list.mark.Holds() {
		return page, false
	}
	page = list.List
	if len(page.Items) > limit {
		page.Items, page.More = page.Items[:limit], true
	}
	page.Items = apart(page.Items)
	return page, true
}

// keep remembers a page that was read after the mark.
func (l *lists) keep(brandID string, limit int, page market.List[market.Product], mark Mark) {
	page.Items = apart(page.Items)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of[brandID] == nil && len(l.of) >= listsMost {
		for other := range l.of { // any: they are cheap to read again
			delete(l.of, other)
			break
		}
	}
	l.of[brandID] = &first{page, limit, mark}
}

// before is the brand's list at the beginning of a write, nil where none is true.
func (l *lists) before(brandID string) *first {
	l.mu.Lock()
	defer l.mu.Unlock()
	if list := l.of[brandID]; list != nil && list.mark.Holds() {
		return list
	}
	return nil
}

// counted counts a write by what count does, and has the list that was true
// before it take it in; where it cannot, the list is forgotten.
func (l *lists) counted(brandID string, before *first, count func(), take func(*first) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.of[brandID]
	held := list != nil && list == before && list.mark.Holds()
	count()
	if !held || !list.mark.step() || !take(list) {
		delete(l.of, brandID)
	}
}

// step has the mark hold again, if its first subject alone has been counted
// since it held, and once.
func (m *Mark) step() bool {
	m.at[0]++
	return m.Holds()
}

// add takes in a new phone.
func (f *first) add(p market.Product) bool {
	i, there := f.find(p.ID)
	if there {
		return false
	}
	f.Total++
	if i == len(f.Items) && f.More {
		return true
	}
	f.Items = slices.Insert(f.Items, i, apartFrom(p))
	if len(f.Items) > f.limit {
		f.Items, f.More = slices.Delete(f.Items, f.limit, len(f.Items)), true
	}
	return true
}

// change takes in a phone's next version.
func (f *first) change(p market.Product) bool {
	i, there := f.find(p.ID)
	if !there {
		return i == len(f.Items) && f.More
	}
	if f.Items[i].Version != p.Version-1 {
		return false
	}
	f.Items[i] = apartFrom(p)
	return true
}

// find is a phone's place in the list, whether it is there or not: newest first.
func (f *first) find(id string) (int, bool) {
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
	if list, ok := s.lists.get(brandID, page.Limit); ok {
		return list, nil
	}
	mark := s.lists.mark(brandID)
	list, err := s.Store.ProductsOfBrand(ctx, brandID, page)
	if err == nil {
		s.lists.keep(brandID, page.Limit, list, mark)
	}
	return list, err
}

// AddProduct implements market.Store.
func (s *alone) AddProduct(ctx context.Context, p market.Product, events []market.Event) error {
	return s.write(p, events, (*first).add, func() error { return s.engine.AddProduct(ctx, p, events) })
}

// SaveProduct implements market.Store.
func (s *alone) SaveProduct(ctx context.Context, p market.Product, events []market.Event) error {
	return s.write(p, events, (*first).change, func() error { return s.engine.SaveProduct(ctx, p, events) })
}

// RemoveProduct implements market.Store.
func (s *alone) RemoveProduct(ctx context.Context, p market.Product, events []market.Event) error {
	gone := func(*first, market.Product) bool { return false } // who comes up from the next page is not known
	return s.write(p, events, gone, func() error { return s.engine.RemoveProduct(ctx, p, events) })
}

// write does a write of a phone, and counts it, whatever becomes of it.
func (s *alone) write(p market.Product, events []market.Event, take func(*first, market.Product) bool, do func() error) (err error) {
	before, done := s.lists.before(p.BrandID), false
	defer func() { // also when do panics
		s.lists.counted(p.BrandID, before,
			func() { s.watch.wrote(&err, events, Phones) },
			func(list *first) bool { return done && tellsOf(events, p.BrandID) && take(list, p) })
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
