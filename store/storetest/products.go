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
		p := s.addPhone(s.addBrand("Nokia"), "sam")
		s.wantError(s.AddProduct(s.Context(), p, effects(event(p.ID, 1))), market.ErrExists)
		s.wantEvents()
		wantNotFound[market.Product](s)(s.Product(s.Context(), "none"))
	},
	"save and remove are compare-and-set": func(s env) {
		b := s.addBrand("Nokia")
		p := phone(b, "sam")
		s.wantError(s.SaveProduct(s.Context(), nextVersion(p), effects(event(p.ID, 2))), market.ErrNotFound)
		s.wantError(s.RemoveProduct(s.Context(), nextVersion(p), effects(event(p.ID, 2))), market.ErrNotFound)
		s.ok(s.AddProduct(s.Context(), p, nil))
		stale := p
		for _, version := range []int64{0, 1, 3} {
			stale.Version = version
			s.wantError(s.SaveProduct(s.Context(), stale, effects(event(p.ID, version))), market.ErrConflict)
			s.wantError(s.RemoveProduct(s.Context(), stale, effects(event(p.ID, version))), market.ErrConflict)
		}
		s.wantEvents()
		s.equal(get[market.Product](s)(s.Product(s.Context(), p.ID)), p)
		s.ok(s.SaveProduct(s.Context(), nextVersion(p), effects(event(p.ID, 2))))
		s.ok(s.RemoveProduct(s.Context(), nextVersion(nextVersion(p)), effects(event(p.ID, 3))))
		s.wantEvents(event(p.ID, 2), event(p.ID, 3))
		wantNotFound[market.Product](s)(s.Product(s.Context(), p.ID))
	},
	"phones by their ids": func(s env) {
		b := s.addBrand("Nokia")
		p1, p2, p3 := s.addPhone(b, "sam"), s.addPhone(b, "tom"), s.addPhone(b, "sam")
		s.ok(s.RemoveProduct(s.Context(), nextVersion(p2), nil))
		got := get[[]market.Product](s)(s.ProductsByID(s.Context(), []string{p3.ID, "none", p2.ID, p1.ID, p3.ID}))
		slices.SortFunc(got, func(a, b market.Product) int { return strings.Compare(a.ID, b.ID) })
		s.equal(got, []market.Product{p1, p3})
		s.equal(len(get[[]market.Product](s)(s.ProductsByID(s.Context(), nil))), 0)
	},
	"a brand's and a seller's lists are newest first": func(s env) {
		b, other := s.addBrand("Nokia"), s.addBrand("LG")
		ofBrand := func(id string) func(market.Page) (market.List[market.Product], error) {
			return func(p market.Page) (market.List[market.Product], error) { return s.ProductsOfBrand(s.Context(), id, p) }
		}
		ofSeller := func(uid string) func(market.Page) (market.List[market.Product], error) {
			return func(p market.Page) (market.List[market.Product], error) {
				return s.ProductsOfSeller(s.Context(), uid, p)
			}
		}
		p1, p2, p3 := s.addPhone(b, "sam"), s.addPhone(b, "tom"), s.addPhone(b, "sam")
		p4, p5 := s.addPhone(other, "sam"), s.addPhone(b, "sam")
		wantPages(s, ofBrand(b.ID), productID, p5, p3, p2, p1)
		wantPages(s, ofBrand(other.ID), productID, p4)
		wantPages(s, ofBrand("none"), productID)
		wantPages(s, ofSeller("sam"), productID, p5, p4, p3, p1)
		wantPages(s, ofSeller(""), productID)

		p3 = held(p3, noon) // a booked phone is still listed
		s.ok(s.SaveProduct(s.Context(), p3, nil))
		s.ok(s.RemoveProduct(s.Context(), nextVersion(p5), nil))
		p4 = nextVersion(p4)
		p4.BrandID, p4.SellerUID = b.ID, "tom"
		s.ok(s.SaveProduct(s.Context(), p4, nil))
		wantPages(s, ofBrand(b.ID), productID, p4, p3, p2, p1)
		wantPages(s, ofBrand(other.ID), productID)
		wantPages(s, ofSeller("sam"), productID, p3, p1)
		wantPages(s, ofSeller("tom"), productID, p4, p2)
	},
	"a page can start after a removed id": func(s env) {
		b := s.addBrand("Nokia")
		p1, p2, p3 := s.addPhone(b, "sam"), s.addPhone(b, "sam"), s.addPhone(b, "sam")
		s.ok(s.RemoveProduct(s.Context(), nextVersion(p2), nil))
		page := get[market.List[market.Product]](s)(
			s.ProductsOfBrand(s.Context(), b.ID, market.Page{Limit: 1, After: p2.ID}))
		s.equal(page, market.List[market.Product]{Items: []market.Product{p1}, Total: 2})
		page = get[market.List[market.Product]](s)(
			s.ProductsOfBrand(s.Context(), b.ID, market.Page{Limit: 1}))
		s.equal(page, market.List[market.Product]{Items: []market.Product{p3}, Total: 2, More: true})
	},
	"advertised phones that are not booked": func(s env) {
		list := func(p market.Page) (market.List[market.Product], error) { return s.Advertised(s.Context(), p) }
		b := s.addBrand("Nokia")
		var all []market.Product
		for range 4 {
			p := phone(b, "sam")
			p.Advertised = true
			s.ok(s.AddProduct(s.Context(), p, nil))
			s.addPhone(b, "sam")
			all = append([]market.Product{p}, all...)
		}
		wantPages(s, list, productID, all...)
		booked := held(all[1], noon)
		s.ok(s.SaveProduct(s.Context(), booked, nil))
		s.ok(s.RemoveProduct(s.Context(), nextVersion(all[3]), nil))
		wantPages(s, list, productID, all[0], all[2])
		booked.Hold, booked.Version = nil, 3
		s.ok(s.SaveProduct(s.Context(), booked, nil))
		wantPages(s, list, productID, all[0], booked, all[2])
		withdrawn := nextVersion(all[0])
		withdrawn.Advertised = false
		s.ok(s.SaveProduct(s.Context(), withdrawn, nil))
		wantPages(s, list, productID, booked, all[2])
	},
	"phones that a person waits for": func(s env) {
		b := s.addBrand("Nokia")
		got := func(uid string) []market.Product {
			found := get[[]market.Product](s)(s.ProductsWaitedFor(s.Context(), uid))
			slices.SortFunc(found, func(a, b market.Product) int { return strings.Compare(a.ID, b.ID) })
			return found
		}
		setWaitlist := func(p market.Product, uids ...string) market.Product {
			p = held(p, noon)
			p.Waitlist = nil
			for _, uid := range uids {
				p.Waitlist = append(p.Waitlist, market.Waiter{ID: newID(), UID: uid, Phone: "01900000", At: noon, Network: "home"})
			}
			s.ok(s.SaveProduct(s.Context(), p, nil))
			return p
		}
		s.addPhone(b, "sam")
		p1, p2 := setWaitlist(s.addPhone(b, "sam"), "ann", "bob"), setWaitlist(s.addPhone(b, "tom"), "bob")
		added := held(phone(b, "sam"), noon)
		added.Version, added.Waitlist = 1, []market.Waiter{{ID: newID(), UID: "ann", At: noon}}
		s.ok(s.AddProduct(s.Context(), added, nil))
		s.equal(got("ann"), []market.Product{p1, added})
		s.equal(got("bob"), []market.Product{p1, p2})
		s.equal(got("cid"), []market.Product{})
		p1 = setWaitlist(p1, "bob", "cid")
		s.equal(got("ann"), []market.Product{added})
		s.equal(got("bob"), []market.Product{p1, p2})
		s.equal(got("cid"), []market.Product{p1})
		setWaitlist(p1)
		s.ok(s.RemoveProduct(s.Context(), nextVersion(added), nil))
		s.equal(got("ann"), []market.Product{})
		s.equal(got("bob"), []market.Product{p2})
	},
	"held phones by the time of their hold, both ends included, unsold": func(s env) {
		b := s.addBrand("Nokia")
		var all []market.Product
		for i := range 5 {
			p := held(s.addPhone(b, "sam"), noon.Add(-time.Duration(i)*time.Minute))
			p.Sold = i == 2
			s.ok(s.SaveProduct(s.Context(), p, nil))
			all = append(all, p)
		}
		s.addPhone(b, "sam")
		before := func(minutes int) time.Time { return noon.Add(-time.Duration(minutes) * time.Minute) }
		got := func(from, to time.Time, limit int) []market.Product {
			return get[[]market.Product](s)(s.ProductsHeld(s.Context(), from, to, limit))
		}
		s.equal(got(time.Time{}, noon, 9), []market.Product{all[4], all[3], all[1], all[0]})
		s.equal(got(before(3), before(1), 9), []market.Product{all[3], all[1]})
		s.equal(got(before(3), noon, 2), []market.Product{all[3], all[1]})
		s.equal(got(noon.Add(time.Millisecond), noon.Add(time.Hour), 9), []market.Product{})
		available := nextVersion(all[1])
		available.Hold = nil
		s.ok(s.SaveProduct(s.Context(), available, nil))
		s.equal(got(before(3), noon, 9), []market.Product{all[3], all[0]})
	},
}
