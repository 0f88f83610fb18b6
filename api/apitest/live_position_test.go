package apitest_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestLivePosition(t *testing.T) {
	e := newEnv(t)
	brand := e.brand("Nokia")
	seller, buyer, admin := e.verified("Vera"), e.buyer("Bob"), e.admin("Root")
	phone := seller.addPhone(brand)
	e.runDueWork()

	position := func(p *person, path string) string {
		t.Helper()
		return p.get(path).wantStatus(http.StatusOK).Header.Get("Live-Position")
	}
	brandList := "/categories/" + brand.ID
	own := "/products?email=" + seller.user.Email
	orders := "/bookings?email=" + buyer.user.Email

	t.Run("the header names the topic that the reader may subscribe to", func(t *testing.T) {
		for _, list := range []struct {
			reader      *person
			path, topic string
		}{
			{e.visitor(), "/products/advertised", "advertised"},
			{buyer, "/products/advertised", "advertised"},
			{buyer, brandList, "brand:" + brand.ID},
			{e.visitor(), brandList, "brand:" + brand.ID},
			{buyer, "/products/" + phone, "brand:" + brand.ID},
			{e.visitor(), "/products/" + phone, "brand:" + brand.ID},
			{seller, own, "me"},
			{buyer, orders, "me"},
			{admin, "/users/buyers", "admin"},
			{admin, "/users/sellers", "admin"},
			{admin, "/reportedItems", "admin"},
			{admin, "/bookings?email=" + admin.user.Email, "me"},
		} {
			topic, at, found := strings.Cut(position(list.reader, list.path), "=")
			if !found || topic != list.topic || at == "" {
				t.Errorf("%s: Live-Position is %q", list.path, position(list.reader, list.path))
			}
		}
	})
	t.Run("lists of other users and lists without a topic have no header", func(t *testing.T) {
		for _, path := range []string{own, orders, "/allCategories", "/productCategory", "/categories"} {
			if at := position(admin, path); at != "" {
				t.Errorf("%s: Live-Position is %q", path, at)
			}
		}
	})
	t.Run("errors have no header", func(t *testing.T) {
		for _, path := range []string{"/users/buyers", "/reportedItems", "/categories/" + strings.Repeat("0", 24), own} {
			if at := buyer.get(path).Header.Get("Live-Position"); at != "" {
				t.Errorf("%s: Live-Position is %q", path, at)
			}
		}
	})
	t.Run("the header changes with each event of its topic, and only then", func(t *testing.T) {
		before := map[string]string{}
		lists := map[string]*person{brandList: buyer, own: seller, orders: buyer, "/products/advertised": buyer, "/reportedItems": admin}
		for path, reader := range lists {
			before[path] = position(reader, path)
		}
		wantChanged := func(after string, paths ...string) {
			t.Helper()
			e.runDueWork()
			for path, reader := range lists {
				want := strings.Contains(strings.Join(paths, " "), path)
				now := position(reader, path)
				if (now != before[path]) != want {
					t.Errorf("after %s the position of %s is %q, before it was %q", after, path, now, before[path])
				}
				before[path] = now
			}
		}
		wantChanged("no change")
		seller.advertise(phone).wantStatus(http.StatusOK)
		wantChanged("an advertisement", brandList, own, "/products/advertised")
		buyer.book(phone)
		wantChanged("a booking", brandList, own, orders, "/products/advertised", "/reportedItems") // the admins get the order
		buyer.do(http.MethodPost, "/reportedItems", fields{"productID": phone, "reason": "Stolen"}).insertedID()
		wantChanged("a report", "/reportedItems")
	})
}
