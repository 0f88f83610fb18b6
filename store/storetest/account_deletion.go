package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
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
			s.ok(s.EndSession(ctx, "none", events(entry.Event(), auditEntry().Event())))
			reports = append([]market.Report{r}, reports...)
			payments = append([]market.Payment{p}, payments...)
			entries = append([]market.AuditEntry{entry}, entries...)
		}
		first, rest := market.Page{Limit: 2}, market.Page{Limit: 2}
		s.same(get[[]market.Report](s)(s.ReportsBy(ctx, "ann", first)), reports[:2])
		rest.After = reports[1].ID
		s.same(get[[]market.Report](s)(s.ReportsBy(ctx, "ann", rest)), reports[2:])
		s.same(get[[]market.Payment](s)(s.PaymentsOf(ctx, "ann", first)), payments[:2])
		rest.After = payments[1].ID
		s.same(get[[]market.Payment](s)(s.PaymentsOf(ctx, "ann", rest)), payments[2:])
		s.same(get[[]market.AuditEntry](s)(s.AuditEntriesAbout(ctx, "ann's", first)), entries[:2])
		rest.After = entries[1].ID
		s.same(get[[]market.AuditEntry](s)(s.AuditEntriesAbout(ctx, "ann's", rest)), entries[2:])
		for _, id := range []string{"1", "2"} {
			s.ok(s.AddSession(ctx, session(id, "ann")))
		}
		s.ok(s.AddSession(ctx, session("3", "bob")))
		s.same(len(get[[]market.Session](s)(s.SessionsOf(ctx, "ann"))), 2)
	},
	"ForgetInAuditLog removes a person's name from entries": func(s env) {
		by, to, other := auditEntry(), auditEntry(), auditEntry()
		by.ActorID, to.TargetID = "ann's", "ann's"
		for _, entry := range []market.AuditEntry{by, to, other} {
			s.ok(s.EndSession(s.Context(), "none", events(entry.Event())))
		}
		s.ok(s.ForgetInAuditLog(s.Context(), "ann's"))
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
		s, died := env{t, open(t)}, errors.New("the process has died")
		for writes := 1; ; writes++ {
			crash := &markettest.Crash{Writes: writes, Die: func() error { return died }}
			if err := s.deleteAccounts(crash.Guard); !errors.Is(err, died) {
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
// guard if there is one. A second process completes the deletions; then no mark may be
// stored. It returns the error of the deletions.
func (s env) deleteAccounts(guard func(func() error) error) error {
	s.Helper()
	clock := markettest.NewClock(noon)
	rules := market.Rules{BookingHold: time.Hour, MaxHolds: 9, Advertise: market.AdvertiseAll}
	whole := market.New(s.Store, clock, rules, market.NoPayments{})
	mine := whole
	if guard != nil {
		mine = market.New(markettest.Guarded{Store: s.Store, Guard: guard}, clock, rules, market.NoPayments{})
	}
	buyer, seller, other := s.addMarkedUser("User"), s.addMarkedUser("Seller"), s.addMarkedUser("Seller")
	kept := s.furnish(whole, buyer, seller, other)
	var died error
	for _, who := range []markedUser{buyer, seller} {
		died = errors.Join(died, mine.DeleteAccount(s.Context(), who.account))
	}
	begun := map[string]bool{}
	for _, who := range []markedUser{buyer, seller} {
		u, err := s.User(s.Context(), who.user.UID)
		begun[who.mark] = errors.Is(err, market.ErrNotFound) || u.Removed
	}
	clock.Pass(time.Minute)
	janitor := market.NewJanitor(whole, slog.New(slog.DiscardHandler))
	s.ok(janitor.Step(s.Context()))
	s.ok(s.EventsPublished(s.Context(), get[[]market.Event](s)(s.PendingEvents(s.Context(), 999))))
	s.wantNoMarks(begun)
	if begun[buyer.mark] {
		b := get[market.Booking](s)(s.Booking(s.Context(), kept))
		s.same(b.Status, market.BookingPaid) // the order stays
	}
	return died
}

// addMarkedUser adds a user with an account and a session.
func (s env) addMarkedUser(accountType string) markedUser {
	s.Helper()
	id := newID()
	who := markedUser{mark: "mark" + id}
	who.account = account("uid"+id, who.mark+"@example.com")
	who.account.DisplayName, who.account.PhotoURL, who.account.GoogleSub = who.mark, "/"+who.mark, who.mark
	who.user = user(who.account.UID, who.account.Email)
	who.user.Name, who.user.AccountType = who.mark, accountType
	s.ok(s.AddAccount(s.Context(), who.account, nil))
	s.ok(s.AddSession(s.Context(), session("s"+id, who.account.UID)))
	s.ok(s.AddUser(s.Context(), who.user, nil))
	return who
}

// furnish adds a paid order, an open hold, phones, a report and an audit entry of the
// users. It returns the order's id.
func (s env) furnish(m *market.Market, buyer, seller, other markedUser) string {
	s.Helper()
	ctx := s.Context()
	b := s.stocked("Brand " + newID())
	listed := func(by markedUser) market.Product {
		p := phone(b, by.user.UID)
		p.SellerName, p.SellerEmail, p.Phone, p.Location = by.mark, by.account.Email, by.mark, by.mark
		s.ok(s.AddProduct(ctx, p, nil))
		return p
	}
	sold, free, ofOther := listed(other), listed(seller), listed(other)
	order := booking(buyer.user.UID, sold.ID)
	order.UserName, order.Email, order.Phone, order.Location = buyer.mark, buyer.account.Email, buyer.mark, buyer.mark
	order.Status = market.BookingPaid
	s.ok(s.AddBooking(ctx, order, 9, nil))
	sold.Sold, sold.Version = true, 2
	sold.Hold = &market.Hold{
		BookingID: order.ID, BuyerUID: buyer.user.UID, Name: buyer.mark, Email: buyer.account.Email,
		Phone: buyer.mark, Location: buyer.mark, At: noon, Until: noon,
	}
	s.ok(s.SaveProduct(ctx, sold, nil))
	money := payment(order.ID)
	money.BuyerUID, money.Email = buyer.user.UID, buyer.account.Email
	s.ok(s.AddPayment(ctx, money, nil))
	_, err := m.Book(ctx, market.Actor{User: buyer.user}, market.BookingRequest{ProductID: free.ID, Phone: "01800000", Location: buyer.mark})
	s.ok(err)
	_, err = m.AddReport(ctx, market.Actor{User: buyer.user}, market.ReportRequest{ProductID: ofOther.ID, Reason: buyer.mark})
	s.ok(err)
	s.ok(m.Watch(ctx, market.Actor{User: buyer.user}, ofOther.ID))
	_, err = m.SaveSearch(ctx, market.Actor{User: buyer.user}, market.SavedSearchRequest{Name: buyer.mark, Query: market.Query{Text: "pixel"}})
	s.ok(err)
	for _, who := range []markedUser{buyer, seller} {
		n := market.NewNotification(who.user.UID, market.NotifyMatch, who.mark, "/", "", noon)
		s.ok(s.AddNotification(ctx, n, nil))
	}
	by := market.NewAuditEntry(noon, &buyer.user, market.ActionVerifySeller).OfPerson(seller.user.ID, seller.user.Name)
	s.ok(s.EndSession(ctx, "none", events(by.Event())))
	return order.ID
}

// wantNoMarks fails the test if the store contains a mark of a user whose deletion has
// begun (marks maps to true).
func (s env) wantNoMarks(marks map[string]bool) {
	s.Helper()
	source, ok := s.Store.(interface {
		Each(ctx context.Context, kind market.Kind, do func([]market.Thing) error) error
	})
	if !ok {
		s.Fatal("the engine cannot be read from end to end")
	}
	for _, kind := range market.Kinds() {
		if kind == market.KindEvents {
			continue // they are published; an engine may take its time to forget them
		}
		s.ok(source.Each(s.Context(), kind, func(some []market.Thing) error {
			for _, thing := range some {
				text, err := json.Marshal(thing)
				if err != nil {
					return err
				}
				for mark, gone := range marks {
					if gone && strings.Contains(string(text), mark) {
						return fmt.Errorf("%s still tell of them: %s", kind, text)
					}
				}
			}
			return nil
		}))
	}
}
