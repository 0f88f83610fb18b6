package storetest

import (
	"slices"
	"strings"
	"time"

	"secondring/market"
)

func productID(p market.Product) string { return p.ID }

var productCases = cases{
	"an id is taken once": func(s env) {
		p := s.listed(s.stocked("Nokia"), "sam")
		s.refused(s.AddProduct(s.Context(), p, events(event(p.ID, 1))), market.ErrExists)
		s.wantEvents()
		missing[market.Product](s)(s.Product(s.Context(), "none"))
	},
	"save and remove are compare-and-set": func(s env) {
		b := s.stocked("Nokia")
		p := phone(b, "sam")
		s.refused(s.SaveProduct(s.Context(), raised(p), events(event(p.ID, 2))), market.ErrNotFound)
		s.refused(s.RemoveProduct(s.Context(), raised(p), events(event(p.ID, 2))), market.ErrNotFound)
		s.ok(s.AddProduct(s.Context(), p, nil))
		stale := p
		for _, version := range []int64{0, 1, 3} {
			stale.Version = version
			s.refused(s.SaveProduct(s.Context(), stale, events(event(p.ID, version))), market.ErrConflict)
			s.refused(s.RemoveProduct(s.Context(), stale, events(event(p.ID, version))), market.ErrConflict)
		}
		s.wantEvents()
		s.same(get[market.Product](s)(s.Product(s.Context(), p.ID)), p)
		s.ok(s.SaveProduct(s.Context(), raised(p), events(event(p.ID, 2))))
		s.ok(s.RemoveProduct(s.Context(), raised(raised(p)), events(event(p.ID, 3))))
		s.wantEvents(event(p.ID, 2), event(p.ID, 3))
		missing[market.Product](s)(s.Product(s.Context(), p.ID))
	},
	"phones by their ids": func(s env) {
		b := s.stocked("Nokia")
		p1, p2, p3 := s.listed(b, "sam"), s.listed(b, "tom"), s.listed(b, "sam")
		s.ok(s.RemoveProduct(s.Context(), raised(p2), nil))
		got := get[[]market.Product](s)(s.ProductsByID(s.Context(), []string{p3.ID, "none", p2.ID, p1.ID, p3.ID}))
		slices.SortFunc(got, func(a, b market.Product) int { return strings.Compare(a.ID, b.ID) })
		s.same(got, []market.Product{p1, p3})
		s.same(len(get[[]market.Product](s)(s.ProductsByID(s.Context(), nil))), 0)
	},
	"a brand's and a seller's lists are newest first": func(s env) {
		b, other := s.stocked("Nokia"), s.stocked("LG")
		brands := func(id string) func(market.Page) (market.List[market.Product], error) {
			return func(p market.Page) (market.List[market.Product], error) { return s.ProductsOfBrand(s.Context(), id, p) }
		}
		sellers := func(uid string) func(market.Page) (market.List[market.Product], error) {
			return func(p market.Page) (market.List[market.Product], error) {
				return s.ProductsOfSeller(s.Context(), uid, p)
			}
		}
		p1, p2, p3 := s.listed(b, "sam"), s.listed(b, "tom"), s.listed(b, "sam")
		p4, p5 := s.listed(other, "sam"), s.listed(b, "sam")
		pages(s, brands(b.ID), productID, p5, p3, p2, p1)
		pages(s, brands(other.ID), productID, p4)
		pages(s, brands("none"), productID)
		pages(s, sellers("sam"), productID, p5, p4, p3, p1)
		pages(s, sellers(""), productID)

		p3 = held(p3, noon) // a booked phone is still listed
		s.ok(s.SaveProduct(s.Context(), p3, nil))
		s.ok(s.RemoveProduct(s.Context(), raised(p5), nil))
		p4 = raised(p4)
		p4.BrandID, p4.SellerUID = b.ID, "tom"
		s.ok(s.SaveProduct(s.Context(), p4, nil))
		pages(s, brands(b.ID), productID, p4, p3, p2, p1)
		pages(s, brands(other.ID), productID)
		pages(s, sellers("sam"), productID, p3, p1)
		pages(s, sellers("tom"), productID, p4, p2)
	},
	"a page can start after a removed id": func(s env) {
		b := s.stocked("Nokia")
		p1, p2, p3 := s.listed(b, "sam"), s.listed(b, "sam"), s.listed(b, "sam")
		s.ok(s.RemoveProduct(s.Context(), raised(p2), nil))
		page := get[market.List[market.Product]](s)(
			s.ProductsOfBrand(s.Context(), b.ID, market.Page{Limit: 1, After: p2.ID}))
		s.same(page, market.List[market.Product]{Items: []market.Product{p1}, Total: 2})
		page = get[market.List[market.Product]](s)(
			s.ProductsOfBrand(s.Context(), b.ID, market.Page{Limit: 1}))
		s.same(page, market.List[market.Product]{Items: []market.Product{p3}, Total: 2, More: true})
	},
	"advertised phones that are not booked": func(s env) {
		list := func(p market.Page) (market.List[market.Product], error) { return s.Advertised(s.Context(), p) }
		b := s.stocked("Nokia")
		var all []market.Product
		for range 4 {
			p := phone(b, "sam")
			p.Advertised = true
			s.ok(s.AddProduct(s.Context(), p, nil))
			s.listed(b, "sam")
			all = append([]market.Product{p}, all...)
		}
		pages(s, list, productID, all...)
		booked := held(all[1], noon)
		s.ok(s.SaveProduct(s.Context(), booked, nil))
		s.ok(s.RemoveProduct(s.Context(), raised(all[3]), nil))
		pages(s, list, productID, all[0], all[2])
		booked.Hold, booked.Version = nil, 3
		s.ok(s.SaveProduct(s.Context(), booked, nil))
		pages(s, list, productID, all[0], booked, all[2])
		plain := raised(all[0])
		plain.Advertised = false
		s.ok(s.SaveProduct(s.Context(), plain, nil))
		pages(s, list, productID, booked, all[2])
	},
	"phones that a person waits for": func(s env) {
		b := s.stocked("Nokia")
		got := func(uid string) []market.Product {
			found := get[[]market.Product](s)(s.ProductsWaitedFor(s.Context(), uid))
			slices.SortFunc(found, func(a, b market.Product) int { return strings.Compare(a.ID, b.ID) })
			return found
		}
		wait := func(p market.Product, uids ...string) market.Product {
			p = held(p, noon)
			p.Waitlist = nil
			for _, uid := range uids {
				p.Waitlist = append(p.Waitlist, market.Waiter{ID: newID(), UID: uid, Phone: "01900000", At: noon})
			}
			s.ok(s.SaveProduct(s.Context(), p, nil))
			return p
		}
		s.listed(b, "sam")
		p1, p2 := wait(s.listed(b, "sam"), "ann", "bob"), wait(s.listed(b, "tom"), "bob")
		added := held(phone(b, "sam"), noon)
		added.Version, added.Waitlist = 1, []market.Waiter{{ID: newID(), UID: "ann", At: noon}}
		s.ok(s.AddProduct(s.Context(), added, nil))
		s.same(got("ann"), []market.Product{p1, added})
		s.same(got("bob"), []market.Product{p1, p2})
		s.same(got("cid"), []market.Product{})
		p1 = wait(p1, "bob", "cid")
		s.same(got("ann"), []market.Product{added})
		s.same(got("bob"), []market.Product{p1, p2})
		s.same(got("cid"), []market.Product{p1})
		wait(p1)
		s.ok(s.RemoveProduct(s.Context(), raised(added), nil))
		s.same(got("ann"), []market.Product{})
		s.same(got("bob"), []market.Product{p2})
	},
	"held phones by the time of their hold, both ends included, unsold": func(s env) {
		b := s.stocked("Nokia")
		var all []market.Product
		for i := range 5 {
			p := held(s.listed(b, "sam"), noon.Add(-time.Duration(i)*time.Minute))
			p.Sold = i == 2
			s.ok(s.SaveProduct(s.Context(), p, nil))
			all = append(all, p)
		}
		s.listed(b, "sam")
		from := func(minutes int) time.Time { return noon.Add(-time.Duration(minutes) * time.Minute) }
		got := func(from, to time.Time, limit int) []market.Product {
			return get[[]market.Product](s)(s.ProductsHeld(s.Context(), from, to, limit))
		}
		s.same(got(time.Time{}, noon, 9), []market.Product{all[4], all[3], all[1], all[0]})
		s.same(got(from(3), from(1), 9), []market.Product{all[3], all[1]})
		s.same(got(from(3), noon, 2), []market.Product{all[3], all[1]})
		s.same(got(noon.Add(time.Millisecond), noon.Add(time.Hour), 9), []market.Product{})
		free := raised(all[1])
		free.Hold = nil
		s.ok(s.SaveProduct(s.Context(), free, nil))
		s.same(got(from(3), noon, 9), []market.Product{all[3], all[0]})
	},
}
