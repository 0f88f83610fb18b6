package storetest

import "secondring/market"

var brandCases = cases{
	"a name is taken without case": func(s env) {
		nokia := s.addBrand("Nokia")
		s.wantError(s.AddBrand(s.Context(), brand("NOKIA")), market.ErrExists)
		duplicate := brand("Other")
		duplicate.ID = nokia.ID
		s.wantError(s.AddBrand(s.Context(), duplicate), market.ErrExists)
		s.equal(get[market.Brand](s)(s.BrandByName(s.Context(), "nokia")), nokia)
		wantNotFound[market.Brand](s)(s.BrandByName(s.Context(), "nok"))
		wantNotFound[market.Brand](s)(s.Brand(s.Context(), "none"))
	},
	"the list is newest first": func(s env) {
		list := func(p market.Page) (market.List[market.BrandStock], error) { return s.Brands(s.Context(), p) }
		id := func(b market.BrandStock) string { return b.ID }
		wantPages(s, list, id)
		a, b, c := s.addBrand("A"), s.addBrand("B"), s.addBrand("C")
		wantPages(s, list, id, withoutPhones(c), withoutPhones(b), withoutPhones(a))
		s.ok(s.RemoveBrand(s.Context(), b.ID))
		wantPages(s, list, id, withoutPhones(c), withoutPhones(a))
	},
	"top brands have the most available phones, ties by name": func(s env) {
		zte, apple, htc, lg := s.addBrand("ZTE"), s.addBrand("apple"), s.addBrand("HTC"), s.addBrand("LG")
		top := func(n int, want ...market.Brand) {
			s.Helper()
			s.equal(s.topBrands(n), want)
		}
		top(9, apple, htc, lg, zte)
		first, second := s.addPhone(zte, "sam"), s.addPhone(zte, "sam")
		s.addPhone(htc, "sam")
		top(3, zte, htc, apple)

		taken := held(first, noon)
		s.ok(s.SaveProduct(s.Context(), taken, nil))
		top(2, htc, zte)
		sold := taken
		sold.Sold, sold.Version = true, 3
		s.ok(s.SaveProduct(s.Context(), sold, nil))
		s.ok(s.RemoveProduct(s.Context(), nextVersion(second), nil))
		top(4, htc, apple, lg, zte)

		third := s.addPhone(lg, "sam")
		fourth := s.addPhone(lg, "sam")
		top(1, lg)
		rebranded := nextVersion(third)
		rebranded.BrandID = apple.ID
		s.ok(s.SaveProduct(s.Context(), rebranded, nil))
		s.ok(s.SaveProduct(s.Context(), held(fourth, noon), nil))
		top(4, apple, htc, lg, zte)
	},
	"a released phone counts again": func(s env) {
		a, z := s.addBrand("A"), s.addBrand("Z")
		p := s.addPhone(z, "sam")
		taken := held(p, noon)
		s.ok(s.SaveProduct(s.Context(), taken, nil))
		s.equal(s.topBrands(2), []market.Brand{a, z})
		taken.Hold, taken.Version = nil, 3
		s.ok(s.SaveProduct(s.Context(), taken, nil))
		s.equal(s.topBrands(2), []market.Brand{z, a})
	},
	"a brand with phones cannot be removed": func(s env) {
		b := s.addBrand("Nokia")
		p := s.addPhone(b, "sam")
		s.wantError(s.RemoveBrand(s.Context(), b.ID), market.ErrInUse)
		get[market.Brand](s)(s.Brand(s.Context(), b.ID))
		s.ok(s.RemoveProduct(s.Context(), nextVersion(p), nil))
		s.ok(s.RemoveBrand(s.Context(), b.ID))
		s.wantError(s.RemoveBrand(s.Context(), b.ID), market.ErrNotFound)
		wantNotFound[market.Brand](s)(s.Brand(s.Context(), b.ID))
		s.addBrand("nokia")
	},
}

// nextVersion returns the phone with its version raised by one.
func nextVersion(p market.Product) market.Product {
	p.Version++
	return p
}
