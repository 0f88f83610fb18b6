package storetest

import "secondring/market"

var brandStockCases = cases{
	"a brand is listed with the number of its available phones, and their lowest price": func(s env) {
		a, b := s.addBrand("A"), s.addBrand("B")
		want := func(n, from int) {
			s.Helper()
			stock := market.BrandStock{Brand: a, Available: n, FromPrice: from}
			s.equal(get[market.List[market.BrandStock]](s)(s.Brands(s.Context(), market.Page{Limit: 9})).Items,
				[]market.BrandStock{withoutPhones(b), stock})
			top := get[[]market.BrandStock](s)(s.TopBrands(s.Context(), 9))
			s.equal(top, []market.BrandStock{stock, withoutPhones(b)})
		}
		want(0, 0)
		cheap, expensive := s.addPhonePriced(a, 200, 90), s.addPhonePriced(a, 200, 120)
		want(2, 90)

		s.savePhone(&cheap, func(p *market.Product) { p.ResalePrice = 150 })
		want(2, 120)
		s.savePhone(&cheap, func(p *market.Product) { p.ResalePrice = 80 })
		want(2, 80)

		s.savePhone(&cheap, func(p *market.Product) { p.Hold = held(*p, noon).Hold })
		want(1, 120)
		s.savePhone(&cheap, func(p *market.Product) { p.Hold = nil })
		want(2, 80)
		s.savePhone(&cheap, func(p *market.Product) { p.Hold = held(*p, noon).Hold })
		s.savePhone(&cheap, func(p *market.Product) { p.Sold = true })
		want(1, 120)

		s.ok(s.RemoveProduct(s.Context(), nextVersion(expensive), nil))
		want(0, 0)
		s.ok(s.RemoveProduct(s.Context(), nextVersion(cheap), nil))
		want(0, 0)
	},
	"phones of the same price count one by one": func(s env) {
		a := s.addBrand("A")
		first, second := s.addPhonePriced(a, 200, 70), s.addPhonePriced(a, 200, 70)
		want := func(n, from int) {
			s.Helper()
			s.equal(get[[]market.BrandStock](s)(s.TopBrands(s.Context(), 1)),
				[]market.BrandStock{{Brand: a, Available: n, FromPrice: from}})
		}
		want(2, 70)
		s.ok(s.RemoveProduct(s.Context(), nextVersion(first), nil))
		want(1, 70)
		s.ok(s.RemoveProduct(s.Context(), nextVersion(second), nil))
		want(0, 0)
	},
	"a phone that changes its brand counts for the new brand": func(s env) {
		a, b := s.addBrand("A"), s.addBrand("B")
		p := s.addPhonePriced(a, 200, 70)
		s.savePhone(&p, func(p *market.Product) { p.BrandID = b.ID })
		s.equal(get[[]market.BrandStock](s)(s.TopBrands(s.Context(), 2)),
			[]market.BrandStock{{Brand: b, Available: 1, FromPrice: 70}, withoutPhones(a)})
	},
	"a page of brands has their numbers": func(s env) {
		a, b := s.addBrand("A"), s.addBrand("B")
		s.addPhonePriced(a, 200, 70)
		s.addPhonePriced(b, 200, 50)
		second := get[market.List[market.BrandStock]](s)(s.Brands(s.Context(), market.Page{Limit: 1, After: b.ID}))
		s.equal(second.Items, []market.BrandStock{{Brand: a, Available: 1, FromPrice: 70}})
	},
}

// withoutPhones returns the stock of a brand without available phones.
func withoutPhones(b market.Brand) market.BrandStock { return market.BrandStock{Brand: b} }

// topBrands returns the top brands without their numbers.
func (s env) topBrands(n int) (brands []market.Brand) {
	s.Helper()
	for _, b := range get[[]market.BrandStock](s)(s.TopBrands(s.Context(), n)) {
		brands = append(brands, b.Brand)
	}
	return brands
}

// savePhone changes a phone in the store.
func (s env) savePhone(p *market.Product, change func(*market.Product)) {
	s.Helper()
	change(p)
	p.Version++
	s.ok(s.SaveProduct(s.Context(), *p, nil))
}
