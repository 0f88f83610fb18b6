package storetest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
	"secondring/market/search"
	"secondring/store"
)

var personalDataCases = cases{
	"one person's entities are read page by page": func(s env) {
		ctx := s.Context()
		var reports []market.Report
		var payments []market.Payment
		var entries []market.AuditEntry
		for range 3 {
			r, p, entry := report(newID(), "ann"), payment(newID()), auditEntry()
			p.BuyerUID, entry.ConcernID = "ann", "ann's"
			s.ok(s.AddReport(ctx, r, nil))
			s.ok(s.AddReport(ctx, report(r.ProductID, "bob"), nil))
			s.ok(s.AddPayment(ctx, p, nil))
			s.ok(s.AddPayment(ctx, payment(newID()), nil))
			s.ok(s.EndSession(ctx, "none", effects(entry, auditEntry())))
			reports = append([]market.Report{r}, reports...)
			payments = append([]market.Payment{p}, payments...)
			entries = append([]market.AuditEntry{entry}, entries...)
		}
		first, rest := market.Page{Limit: 2}, market.Page{Limit: 2}
		s.equal(get[[]market.Report](s)(s.ReportsBy(ctx, "ann", first)), reports[:2])
		rest.After = reports[1].ID
		s.equal(get[[]market.Report](s)(s.ReportsBy(ctx, "ann", rest)), reports[2:])
		s.equal(get[[]market.Payment](s)(s.PaymentsOf(ctx, "ann", first)), payments[:2])
		rest.After = payments[1].ID
		s.equal(get[[]market.Payment](s)(s.PaymentsOf(ctx, "ann", rest)), payments[2:])
		s.equal(get[[]market.AuditEntry](s)(s.AuditEntriesAbout(ctx, "ann's", first)), entries[:2])
		rest.After = entries[1].ID
		s.equal(get[[]market.AuditEntry](s)(s.AuditEntriesAbout(ctx, "ann's", rest)), entries[2:])
		for _, id := range []string{"1", "2"} {
			s.ok(s.AddSession(ctx, session(id, "ann")))
		}
		s.ok(s.AddSession(ctx, session("3", "bob")))
		s.equal(len(get[[]market.Session](s)(s.SessionsOf(ctx, "ann"))), 2)
	},
	"EraseFromAuditLog removes a person's name from entries": func(s env) {
		by, to, other := auditEntry(), auditEntry(), auditEntry()
		by.ActorID, to.TargetID = "ann's", "ann's"
		for _, entry := range []market.AuditEntry{by, to, other} {
			s.ok(s.EndSession(s.Context(), "none", effects(entry)))
		}
		s.ok(s.EraseFromAuditLog(s.Context(), "ann's"))
		by.Actor, to.Target = "", ""
		s.wantAuditEntries(other, to, by)
	},
}

// AccountDeletion deletes accounts in a market on the engine, and searches everything
// that is stored for their personal data.
func AccountDeletion(t *testing.T, open Open) {
	t.Run("without a crash", func(t *testing.T) {
		s := env{t, open(t)}
		s.ok(s.deleteAccounts(nil))
	})
	t.Run("with a crash at each write", func(t *testing.T) {
		s := env{t, open(t)}
		for writes := 1; ; writes++ {
			crash := &markettest.Crash{Writes: writes, Die: func() error { return errKilled }}
			if err := s.deleteAccounts(crash.Guard); !errors.Is(err, errKilled) {
				s.ok(err)
				return
			}
		}
	})
}

// markedUser is a user with a unique mark in every field of personal data.
type markedUser struct {
	mark    string
	account market.Account
	user    market.User
}

// deleteAccounts deletes the accounts of a buyer and a seller, with writes through the
// guard unless it is nil. A second process completes the deletions, and then no mark of them
// may be stored. It returns the error of the deletions.
func (s env) deleteAccounts(guard func(func() error) error) error {
	s.Helper()
	clock := markettest.NewClock(noon)
	rules := market.Rules{BookingHold: time.Hour, SendWithin: 120 * time.Hour, MaxHolds: 9, Advertise: market.AdvertiseAll}
	m := market.New(s.Store, clock, rules, market.NoPayments{})
	guarded := m
	if guard != nil {
		guarded = market.New(markettest.Guarded(s.Store, guard), clock, rules, market.NoPayments{})
	}
	buyer, seller, other := s.addMarkedUser("User"), s.addMarkedUser("Seller"), s.addMarkedUser("Seller")
	orderID := s.addPersonalData(m, buyer, seller, other)
	var deleteErr error
	for _, who := range []markedUser{buyer, seller} {
		deleteErr = errors.Join(deleteErr, guarded.DeleteAccount(s.Context(), who.account))
	}
	deleted := map[string]bool{}
	for _, who := range []markedUser{buyer, seller} {
		u, err := s.User(s.Context(), who.user.UID)
		deleted[who.mark] = errors.Is(err, market.ErrNotFound) || u.Removed
	}
	clock.Pass(time.Minute)
	s.ok(markettest.Runner(clock, m.AddTransitions, m.AddPurges).Step(s.Context()))
	s.ok(s.EventsPublished(s.Context(), get[[]market.Event](s)(s.PendingEvents(s.Context(), 999))))
	s.wantNoMarks(deleted)
	if deleted[buyer.mark] {
		b := get[market.Booking](s)(s.Booking(s.Context(), orderID))
		s.equal(b.Status, market.BookingPaid) // the order is kept
	}
	return deleteErr
}

// addMarkedUser adds a user with an account and a session.
func (s env) addMarkedUser(accountType string) markedUser {
	s.Helper()
	id := newID()
	u := markedUser{mark: "mark" + id}
	u.account = account("uid"+id, u.mark+"@example.com")
	u.account.DisplayName, u.account.PhotoURL, u.account.GoogleSub = u.mark, "/"+u.mark, u.mark
	u.account.Phone, u.account.Location = u.mark, u.mark
	u.user = user(u.account.UID, u.account.Email)
	u.user.Name, u.user.AccountType = u.mark, accountType
	s.ok(s.AddAccount(s.Context(), u.account, nil))
	s.ok(s.AddSession(s.Context(), session("s"+id, u.account.UID)))
	s.ok(s.AddUser(s.Context(), u.user, nil))
	return u
}

// addPersonalData adds a paid order, an open hold, an offer, phones, a report and an audit entry of
// the users. It returns the order's id.
func (s env) addPersonalData(m *market.Market, buyer, seller, other markedUser) string {
	s.Helper()
	ctx := s.Context()
	b := s.addBrand("Brand " + newID())
	addPhone := func(u markedUser) market.Product {
		p := phone(b, u.user.UID)
		p.SellerName, p.SellerEmail, p.Phone, p.Location = u.mark, u.account.Email, u.mark, u.mark
		s.ok(s.AddProduct(ctx, p, nil))
		return p
	}
	sold, available, watched := addPhone(other), addPhone(seller), addPhone(other)
	order := booking(buyer.user.UID, sold.ID)
	order.UserName, order.Email, order.Phone, order.Location = buyer.mark, buyer.account.Email, buyer.mark, buyer.mark
	order.Status, order.Fulfilment = market.BookingPaid, &market.Fulfilment{State: market.FulfilmentSettled, Outcome: market.OutcomeRelease}
	order.Address = order.ID + " address"
	s.ok(s.AddRecord(ctx, market.Record{Kind: "address", ID: order.Address, Data: []byte(`{"street":"` + buyer.mark + `"}`), Version: 1}, nil))
	s.ok(s.AddBooking(ctx, order, 9, nil))
	sold.Sold, sold.Version = true, 2
	sold.Hold = &market.Hold{
		BookingID: order.ID, BuyerUID: buyer.user.UID, Name: buyer.mark, Email: buyer.account.Email,
		Phone: buyer.mark, Location: buyer.mark, At: noon, Until: noon,
	}
	s.ok(s.SaveProduct(ctx, sold, nil))
	paid := payment(order.ID)
	paid.BuyerUID, paid.Email = buyer.user.UID, buyer.account.Email
	s.ok(s.AddPayment(ctx, paid, nil))
	held, err := m.Book(ctx, market.Actor{User: buyer.user}, market.BookingRequest{ProductID: available.ID, Phone: "01800000", Location: buyer.mark})
	s.ok(err)
	_, err = m.ChooseDelivery(ctx, market.Actor{User: buyer.user}, held.ID, market.DeliveryRequest{
		Delivery: market.DeliverySend, Remember: new(true),
		Address: &market.Address{Name: buyer.mark, Street: buyer.mark, Postcode: "1209", Town: buyer.mark},
	})
	s.ok(err)
	_, err = m.AddReport(ctx, market.Actor{User: buyer.user}, market.ReportRequest{ProductID: watched.ID, Reason: "It is broken"})
	s.ok(err)
	_, err = m.MakeOffer(ctx, market.Actor{User: buyer.user}, market.OfferRequest{
		ProductID: watched.ID, Price: 60, Phone: "01800000", Location: buyer.mark,
	})
	s.ok(err)
	s.ok(m.Watch(ctx, market.Actor{User: buyer.user}, watched.ID))
	_, err = m.SaveSearch(ctx, market.Actor{User: buyer.user}, market.SavedSearchRequest{Name: buyer.mark, Query: search.Query{Text: "pixel"}})
	s.ok(err)
	for _, who := range []markedUser{buyer, seller} {
		n := market.NewNotification(who.user.UID, market.NotifyMatch, who.mark, "/", "", noon)
		s.ok(s.AddNotification(ctx, n, nil))
	}
	entry := market.NewAuditEntry(noon, &buyer.user, market.ActionVerifySeller).OfPerson(seller.user.ID, seller.user.Name)
	s.ok(s.EndSession(ctx, "none", effects(entry)))
	return order.ID
}

// wantNoMarks fails the test if the store contains a mark that deleted maps to true.
func (s env) wantNoMarks(deleted map[string]bool) {
	s.Helper()
	source, ok := s.Store.(*store.Store)
	if !ok {
		s.Fatalf("the store is a %T", s.Store)
	}
	err := source.Each(s.Context(), func(kind string, doc store.Doc) error {
		for mark, isDeleted := range deleted {
			if isDeleted && strings.Contains(string(doc.Body), mark) {
				return fmt.Errorf("%s contain personal data of a deleted user: %s", kind, doc.Body)
			}
		}
		return nil
	})
	if !errors.Is(err, store.ErrNoSnapshot) {
		s.ok(err)
	}
}
