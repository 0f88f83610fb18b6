package storetest

import "secondring/market"

var brandCases = cases{
	"a name is taken without case": func(s env) {
		nokia := s.stocked("Nokia")
		s.refused(s.AddBrand(s.Context(), brand("NOKIA")), market.ErrExists)
		twin := brand("Other")
		twin.ID = nokia.ID
		s.refused(s.AddBrand(s.Context(), twin), market.ErrExists)
		s.same(get[market.Brand](s)(s.BrandByName(s.Context(), "nokia")), nokia)
		missing[market.Brand](s)(s.BrandByName(s.Context(), "nok"))
		missing[market.Brand](s)(s.Brand(s.Context(), "none"))
	},
	"the list is newest first": func(s env) {
		list := func(p market.Page) (market.List[market.BrandStock], error) { return s.Brands(s.Context(), p) }
		id := func(b market.BrandStock) string { return b.ID }
		pages(s, list, id)
		a, b, c := s.stocked("A"), s.stocked("B"), s.stocked("C")
		pages(s, list, id, none(c), none(b), none(a))
		s.ok(s.RemoveBrand(s.Context(), b.ID))
		pages(s, list, id, none(c), none(a))
	},
	"top brands have the most available phones, ties by name": func(s env) {
		zte, apple, htc, lg := s.stocked("ZTE"), s.stocked("apple"), s.stocked("HTC"), s.stocked("LG")
		top := func(n int, want ...market.Brand) {
			s.Helper()
			s.same(s.top(n), want)
		}
		top(9, apple, htc, lg, zte)
		first, second := s.listed(zte, "sam"), s.listed(zte, "sam")
		s.listed(htc, "sam")
		top(3, zte, htc, apple)

		taken := held(first, noon)
		s.ok(s.SaveProduct(s.Context(), taken, nil))
		top(2, htc, zte)
		sold := taken
		sold.Sold, sold.Version = true, 3
		s.ok(s.SaveProduct(s.Context(), sold, nil))
		s.ok(s.RemoveProduct(s.Context(), raised(second), nil))
		top(4, htc, apple, lg, zte)

		third := s.listed(lg, "sam")
		fourth := s.listed(lg, "sam")
		top(1, lg)
		moved := raised(third)
		moved.BrandID = apple.ID
		s.ok(s.SaveProduct(s.Context(), moved, nil))
		s.ok(s.SaveProduct(s.Context(), held(fourth, noon), nil))
		top(4, apple, htc, lg, zte)
	},
	"a released phone counts again": func(s env) {
		a, z := s.stocked("A"), s.stocked("Z")
		p := s.listed(z, "sam")
		taken := held(p, noon)
		s.ok(s.SaveProduct(s.Context(), taken, nil))
		s.same(s.top(2), []market.Brand{a, z})
		taken.Hold, taken.Version = nil, 3
		s.ok(s.SaveProduct(s.Context(), taken, nil))
		s.same(s.top(2), []market.Brand{z, a})
	},
	"a brand with phones cannot be removed": func(s env) {
		b := s.stocked("Nokia")
		p := s.listed(b, "sam")
		s.refused(s.RemoveBrand(s.Context(), b.ID), market.ErrInUse)
		get[market.Brand](s)(s.Brand(s.Context(), b.ID))
		s.ok(s.RemoveProduct(s.Context(), raised(p), nil))
		s.ok(s.RemoveBrand(s.Context(), b.ID))
		s.refused(s.RemoveBrand(s.Context(), b.ID), market.ErrNotFound)
		missing[market.Brand](s)(s.Brand(s.Context(), b.ID))
		s.stocked("nokia")
	},
}

// raised returns the phone with its version raised by one.
func raised(p market.Product) market.Product {
	p.Version++
	return p
}
