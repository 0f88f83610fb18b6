package storetest

import "secondring/market"

var brandStockCases = cases{
	"a brand is listed with the number of its available phones, and their lowest price": func(s env) {
		a, b := s.stocked("A"), s.stocked("B")
		is := func(n, from int) {
			s.Helper()
			want := market.BrandStock{Brand: a, Available: n, FromPrice: from}
			s.same(get[market.List[market.BrandStock]](s)(s.Brands(s.Context(), market.Page{Limit: 9})).Items,
				[]market.BrandStock{none(b), want})
			top := get[[]market.BrandStock](s)(s.TopBrands(s.Context(), 9))
			s.same(top, []market.BrandStock{want, none(b)})
		}
		is(0, 0)
		cheap, dear := s.priced(a, 200, 90), s.priced(a, 200, 120)
		is(2, 90)

		s.save(&cheap, func(p *market.Product) { p.ResalePrice = 150 })
		is(2, 120)
		s.save(&cheap, func(p *market.Product) { p.ResalePrice = 80 })
		is(2, 80)

		s.save(&cheap, func(p *market.Product) { p.Hold = held(*p, noon).Hold })
		is(1, 120)
		s.save(&cheap, func(p *market.Product) { p.Hold = nil })
		is(2, 80)
		s.save(&cheap, func(p *market.Product) { p.Hold = held(*p, noon).Hold })
		s.save(&cheap, func(p *market.Product) { p.Sold = true })
		is(1, 120)

		s.ok(s.RemoveProduct(s.Context(), raised(dear), nil))
		is(0, 0)
		s.ok(s.RemoveProduct(s.Context(), raised(cheap), nil))
		is(0, 0)
	},
	"phones of the same price count one by one": func(s env) {
		a := s.stocked("A")
		first, second := s.priced(a, 200, 70), s.priced(a, 200, 70)
		is := func(n, from int) {
			s.Helper()
			s.same(get[[]market.BrandStock](s)(s.TopBrands(s.Context(), 1)),
				[]market.BrandStock{{Brand: a, Available: n, FromPrice: from}})
		}
		is(2, 70)
		s.ok(s.RemoveProduct(s.Context(), raised(first), nil))
		is(1, 70)
		s.ok(s.RemoveProduct(s.Context(), raised(second), nil))
		is(0, 0)
	},
	"a phone that changes its brand takes its price along": func(s env) {
		a, b := s.stocked("A"), s.stocked("B")
		p := s.priced(a, 200, 70)
		s.save(&p, func(p *market.Product) { p.BrandID = b.ID })
		s.same(get[[]market.BrandStock](s)(s.TopBrands(s.Context(), 2)),
			[]market.BrandStock{{Brand: b, Available: 1, FromPrice: 70}, none(a)})
	},
	"a page of brands has their numbers": func(s env) {
		a, b := s.stocked("A"), s.stocked("B")
		s.priced(a, 200, 70)
		s.priced(b, 200, 50)
		second := get[market.List[market.BrandStock]](s)(s.Brands(s.Context(), market.Page{Limit: 1, After: b.ID}))
		s.same(second.Items, []market.BrandStock{{Brand: a, Available: 1, FromPrice: 70}})
	},
}

// none is a brand without available phones.
func none(b market.Brand) market.BrandStock { return market.BrandStock{Brand: b} }

// top returns the top brands without their numbers.
func (s env) top(n int) (brands []market.Brand) {
	s.Helper()
	for _, b := range get[[]market.BrandStock](s)(s.TopBrands(s.Context(), n)) {
		brands = append(brands, b.Brand)
	}
	return brands
}

// save changes a phone in the store.
func (s env) save(p *market.Product, change func(*market.Product)) {
	s.Helper()
	change(p)
	p.Version++
	s.ok(s.SaveProduct(s.Context(), *p, nil))
}
