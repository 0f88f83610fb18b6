package storetest

import (
	"bytes"
	"strings"

	"secondring/market"
)

// fieldCases check that an entity is read as it was written, with all fields set and
// with the key only.
var fieldCases = cases{
	"user": func(s env) {
		for _, u := range []market.User{filled[market.User](), {ID: newID(), UID: "bare", Version: 1}} {
			s.ok(s.AddUser(s.Context(), u, nil))
			s.equal(get[market.User](s)(s.UserByID(s.Context(), u.ID)), u)
			again := filled[market.User]()
			again.ID, again.Version = u.ID, 2
			s.ok(s.SaveUser(s.Context(), again, nil))
			s.equal(get[market.User](s)(s.User(s.Context(), again.UID)), again)
		}
	},
	"account": func(s env) {
		for _, a := range []market.Account{filled[market.Account](), {UID: "bare", Version: 1}} {
			s.ok(s.AddAccount(s.Context(), a, nil))
			s.equal(get[market.Account](s)(s.Account(s.Context(), a.UID)), a)
			again := filled[market.Account]()
			again.UID, again.Version = a.UID, 2
			s.ok(s.SaveAccount(s.Context(), again, nil))
			s.equal(get[market.Account](s)(s.Account(s.Context(), a.UID)), again)
		}
	},
	"session": func(s env) {
		for _, v := range []market.Session{filled[market.Session](), {ID: "bare"}} {
			s.ok(s.AddSession(s.Context(), v))
			s.equal(get[market.Session](s)(s.Session(s.Context(), v.ID)), v)
		}
	},
	"brand": func(s env) {
		for _, b := range []market.Brand{filled[market.Brand](), {ID: "bare", Version: 1}} {
			s.ok(s.AddBrand(s.Context(), b))
			s.equal(get[market.Brand](s)(s.Brand(s.Context(), b.ID)), b)
		}
	},
	"product": func(s env) {
		b := s.addBrand("Nokia")
		for _, p := range []market.Product{filled[market.Product](), {ID: "bare", Version: 1}} {
			p.BrandID = b.ID
			s.ok(s.AddProduct(s.Context(), p, nil))
			s.equal(get[market.Product](s)(s.Product(s.Context(), p.ID)), p)
			again := filled[market.Product]()
			again.ID, again.BrandID, again.Version = p.ID, b.ID, 2
			s.ok(s.SaveProduct(s.Context(), again, nil))
			s.equal(get[market.Product](s)(s.Product(s.Context(), p.ID)), again)
			again.Hold, again.Version = nil, 3
			s.ok(s.SaveProduct(s.Context(), again, nil))
			s.equal(get[market.Product](s)(s.Product(s.Context(), p.ID)), again)
		}
	},
	"booking": func(s env) {
		for _, b := range []market.Booking{filled[market.Booking](), {ID: "bare", Version: 1}} {
			s.ok(s.AddBooking(s.Context(), b, 9, nil))
			s.equal(get[market.Booking](s)(s.Booking(s.Context(), b.ID)), b)
			again := filled[market.Booking]()
			again.ID, again.Version = b.ID, 2
			s.ok(s.SaveBooking(s.Context(), again, nil))
			s.equal(get[market.Booking](s)(s.Booking(s.Context(), b.ID)), again)
		}
	},
	"evidence": func(s env) {
		for _, e := range []market.Evidence{filled[market.Evidence](), {ID: "bare", BookingID: "bare", ByUID: "bare", Version: 1}} {
			e.Number = 1
			s.ok(s.AddEvidence(s.Context(), e, 1))
			s.equal(get[[]market.Evidence](s)(s.EvidenceByID(s.Context(), []string{e.ID})), []market.Evidence{e})
			again := filled[market.Evidence]()
			again.ID, again.Version = e.ID, 2
			s.ok(s.SaveEvidence(s.Context(), again))
			s.equal(get[[]market.Evidence](s)(s.EvidenceByID(s.Context(), []string{e.ID})), []market.Evidence{again})
		}
	},
	"thread": func(s env) {
		for _, v := range []market.Thread{filled[market.Thread](), {ID: "bare", ProductID: "bare", BuyerUID: "bare", Version: 1}} {
			v.Last.ID = newID()
			message, offer := filled[market.Message](), filled[market.Offer]()
			message.ThreadID = v.ID
			s.ok(s.AddThread(s.Context(), v, effects(message, offer)))
			s.equal(get[market.Thread](s)(s.Thread(s.Context(), v.ID)), v)
			s.equal(get[market.Message](s)(s.MessageOfKey(s.Context(), v.ID, message.Key)), message)
			s.equal(get[market.Offer](s)(s.Offer(s.Context(), offer.ID)), offer)
			again, changed := filled[market.Thread](), filled[market.Offer]()
			again.ID, again.Version = v.ID, 2
			changed.ID, changed.Version = offer.ID, 2
			s.ok(s.SaveThread(s.Context(), again, nil))
			s.ok(s.SaveOffer(s.Context(), changed, nil))
			s.equal(get[market.Thread](s)(s.Thread(s.Context(), v.ID)), again)
			s.equal(get[market.Offer](s)(s.Offer(s.Context(), offer.ID)), changed)
		}
	},
	"watching": func(s env) {
		for _, w := range []market.Watching{filled[market.Watching](), {ID: "bare", UID: "bare", Version: 1}} {
			s.ok(s.AddWatching(s.Context(), w, nil))
			s.equal(get[market.Watching](s)(s.Watching(s.Context(), w.UID)), w)
			again := filled[market.Watching]()
			again.ID, again.Version = w.ID, 2
			s.ok(s.SaveWatching(s.Context(), again, nil))
			s.equal(get[market.Watching](s)(s.Watching(s.Context(), again.UID)), again)
		}
	},
	"report": func(s env) {
		for _, r := range []market.Report{filled[market.Report](), {ID: "bare", Version: 1}} {
			s.ok(s.AddReport(s.Context(), r, nil))
			s.equal(get[market.Report](s)(s.Report(s.Context(), r.ID)), r)
		}
	},
	"case": func(s env) {
		for _, c := range []market.Case{filled[market.Case](), {ID: "bare", Version: 1}} {
			s.ok(s.AddCase(s.Context(), c, nil))
			s.equal(get[market.Case](s)(s.Case(s.Context(), c.ID)), c)
			again := filled[market.Case]()
			again.ID, again.Version = c.ID, 2
			s.ok(s.SaveCase(s.Context(), again, nil))
			s.equal(get[market.Case](s)(s.Case(s.Context(), c.ID)), again)
		}
	},
	"hidden phone": func(s env) {
		h := filled[market.HiddenPhone]()
		s.hide(h)
		s.equal(get[market.HiddenPhone](s)(s.HiddenPhone(s.Context(), h.Phone.ID)), h)
	},
	"payment": func(s env) {
		for _, p := range []market.Payment{filled[market.Payment](), {ID: "bare", Transaction: "bare", Version: 1}} {
			s.ok(s.AddPayment(s.Context(), p, nil))
			s.equal(get[market.Payment](s)(s.PaymentOf(s.Context(), p.Transaction)), p)
			again := filled[market.Payment]()
			again.ID, again.Version = p.ID, 2
			s.ok(s.SavePayment(s.Context(), again, nil))
			s.equal(get[market.Payment](s)(s.PaymentOf(s.Context(), again.Transaction)), again)
		}
	},
	"notification": func(s env) {
		for _, n := range []market.Notification{filled[market.Notification](), {ID: "bare", UID: "bare", Version: 1}} {
			s.ok(s.AddNotification(s.Context(), n, nil))
			s.equal(get[market.Notification](s)(s.Notification(s.Context(), n.ID)), n)
			again := filled[market.Notification]()
			again.ID, again.Version = n.ID, 2
			s.ok(s.SaveNotification(s.Context(), again, nil))
			s.equal(get[market.Notification](s)(s.Notification(s.Context(), n.ID)), again)
		}
	},
	"record": func(s env) {
		for _, r := range []market.Record{filled[market.Record](), {Kind: "k", ID: "bare", Version: 1}} {
			bare := market.Record{Kind: r.Kind, ID: r.ID, Version: 3}
			s.addRecord(r)
			s.equal(get[market.Record](s)(s.Record(s.Context(), r.Kind, r.ID)), r)
			again := filled[market.Record]()
			again.Kind, again.ID, again.Version = r.Kind, r.ID, 2
			s.ok(s.SaveRecord(s.Context(), again))
			s.equal(get[market.Record](s)(s.Record(s.Context(), r.Kind, r.ID)), again)
			s.ok(s.SaveRecord(s.Context(), bare))
			s.equal(get[market.Record](s)(s.Record(s.Context(), r.Kind, r.ID)), bare)
		}
	},
	"any bytes": func(s env) {
		var allBytes []byte
		for i := range 256 {
			allBytes = append(allBytes, byte(i))
		}
		for _, data := range []string{
			"", "\x00", "a\x00b\x00", "\xff\xfe\xc3", "{}", "null", "12", string(allBytes),
			strings.Repeat(string(allBytes), 256),
		} {
			r := record("k", newID())
			r.Data = []byte(data)
			s.addRecord(r)
			s.wantRecord(r)
			r.Data, r.Version = []byte("more "+data), 2
			s.ok(s.SaveRecord(s.Context(), r))
			s.wantRecord(r)
			r.Data, r.Version = []byte(data), 3
			s.ok(s.SaveRecord(s.Context(), r))
			s.wantRecord(r)
		}
	},
	"any text": func(s env) {
		for _, text := range append(texts(), strings.Repeat("long ", 20_000)) {
			u := user(newID(), text)
			u.Name, u.Status = text, text
			s.ok(s.AddUser(s.Context(), u, nil))
			s.equal(get[market.User](s)(s.UserByEmail(s.Context(), text)), u)
		}
	},
	"any key": func(s env) { // callers choose idempotency keys
		for _, text := range append(texts(), strings.Repeat("k", 255)) {
			r := s.addRecord(record(text, text))
			s.equal(get[market.Record](s)(s.Record(s.Context(), text, text)), r)
			s.wantError(s.AddRecord(s.Context(), r, nil), market.ErrExists)
			p := payment(text)
			s.ok(s.AddPayment(s.Context(), p, nil))
			s.equal(get[market.Payment](s)(s.PaymentOf(s.Context(), p.Transaction)), p)
		}
	},
	"event": func(s env) {
		e := filled[market.User]()
		full := event(e.ID, 7)
		full.At = e.CreatedAt
		bare := market.Event{Topic: "t"}
		s.ok(s.AddUser(s.Context(), e, effects(full, bare)))
		s.wantEvents(full, bare)
	},
}

// texts returns texts with characters that are special in some engines.
func texts() []string {
	return []string{
		"'; DROP TABLE users; --", `"quoted" \back`, "100 %_?", "$set", "a.b", "{}", "null", "0x1", "1e3",
		"two\nlines\tand\x00nothing", "Åsa 📱 \u202e",
	}
}

// wantRecord compares the stored data with the record's, without a diff, because a diff of
// long data takes minutes.
func (s env) wantRecord(r market.Record) {
	s.Helper()
	if got := get[market.Record](s)(s.Record(s.Context(), r.Kind, r.ID)); !bytes.Equal(got.Data, r.Data) {
		s.Fatalf("stored data has %d bytes (%.20q), want %d (%.20q)", len(got.Data), got.Data, len(r.Data), r.Data)
	}
}
