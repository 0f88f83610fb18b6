package storetest

import (
	"strings"

	"secondring/market"
)

// fieldCases: an entity comes back as it went in, whether all of its fields are
// set or none but the key.
var fieldCases = cases{
	"user": func(s shop) {
		for _, u := range []market.User{filled[market.User](), {ID: newID(), UID: "bare", Version: 1}} {
			s.ok(s.AddUser(s.Context(), u, nil))
			s.same(get[market.User](s)(s.UserByID(s.Context(), u.ID)), u)
			again := filled[market.User]()
			again.ID, again.Version = u.ID, 2
			s.ok(s.SaveUser(s.Context(), again, nil))
			s.same(get[market.User](s)(s.User(s.Context(), again.UID)), again)
		}
	},
	"account": func(s shop) {
		for _, a := range []market.Account{filled[market.Account](), {UID: "bare", Version: 1}} {
			s.ok(s.AddAccount(s.Context(), a))
			s.same(get[market.Account](s)(s.Account(s.Context(), a.UID)), a)
			again := filled[market.Account]()
			again.UID, again.Version = a.UID, 2
			s.ok(s.SaveAccount(s.Context(), again))
			s.same(get[market.Account](s)(s.Account(s.Context(), a.UID)), again)
		}
	},
	"session": func(s shop) {
		for _, v := range []market.Session{filled[market.Session](), {ID: "bare"}} {
			s.ok(s.AddSession(s.Context(), v))
			s.same(get[market.Session](s)(s.Session(s.Context(), v.ID)), v)
		}
	},
	"brand": func(s shop) {
		for _, b := range []market.Brand{filled[market.Brand](), {ID: "bare", Version: 1}} {
			s.ok(s.AddBrand(s.Context(), b))
			s.same(get[market.Brand](s)(s.Brand(s.Context(), b.ID)), b)
		}
	},
	"product": func(s shop) {
		b := s.stocked("Nokia")
		for _, p := range []market.Product{filled[market.Product](), {ID: "bare", Version: 1}} {
			p.BrandID = b.ID
			s.ok(s.AddProduct(s.Context(), p, nil))
			s.same(get[market.Product](s)(s.Product(s.Context(), p.ID)), p)
			again := filled[market.Product]()
			again.ID, again.BrandID, again.Version = p.ID, b.ID, 2
			s.ok(s.SaveProduct(s.Context(), again, nil))
			s.same(get[market.Product](s)(s.Product(s.Context(), p.ID)), again)
			again.Hold, again.Version = nil, 3
			s.ok(s.SaveProduct(s.Context(), again, nil))
			s.same(get[market.Product](s)(s.Product(s.Context(), p.ID)), again)
		}
	},
	"booking": func(s shop) {
		for _, b := range []market.Booking{filled[market.Booking](), {ID: "bare", Version: 1}} {
			s.ok(s.AddBooking(s.Context(), b, 9, nil))
			s.same(get[market.Booking](s)(s.Booking(s.Context(), b.ID)), b)
			again := filled[market.Booking]()
			again.ID, again.Version = b.ID, 2
			s.ok(s.SaveBooking(s.Context(), again, nil))
			s.same(get[market.Booking](s)(s.Booking(s.Context(), b.ID)), again)
		}
	},
	"report": func(s shop) {
		for _, r := range []market.Report{filled[market.Report](), {ID: "bare", Version: 1}} {
			s.ok(s.AddReport(s.Context(), r, nil))
			s.same(get[market.Report](s)(s.Report(s.Context(), r.ID)), r)
		}
	},
	"any text": func(s shop) {
		for _, text := range []string{
			"'; DROP TABLE users; --", `"quoted" \back`, "100 %_?", "$set", "a.b", "{}", "null", "0x1", "1e3",
			"two\nlines\tand\x00nothing", "Åsa 📱 \u202e", strings.Repeat("long ", 20_000),
		} {
			u := user(newID(), text)
			u.Name, u.Status = text, text
			s.ok(s.AddUser(s.Context(), u, nil))
			s.same(get[market.User](s)(s.UserByEmail(s.Context(), text)), u)
		}
	},
	"event": func(s shop) {
		e := filled[market.User]()
		full := event(e.ID, 7)
		full.At = e.CreatedAt
		bare := market.Event{Topic: "t"}
		s.ok(s.AddUser(s.Context(), e, events(full, bare)))
		s.told(full, bare)
	},
}
