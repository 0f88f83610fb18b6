package market_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

// A moderator decides about phones and people.
func TestModeratorsDecideAboutPhonesAndPeople(t *testing.T) {
	e := newEnv(t)
	moderator, seller, buyer := e.moderator(), e.seller(), e.buyer()
	p, other := e.phone(seller), e.phone(seller)
	r, err := e.AddReport(e.ctx, buyer, market.ReportRequest{ProductID: p.ID, Reason: "Not a 3310"})
	e.must(err)
	reports, err := e.Reports(e.ctx, moderator, market.Page{Limit: 9})
	if e.must(err); len(reports.Items) != 1 {
		t.Errorf("a moderator sees %d reports, want one", len(reports.Items))
	}
	for name, act := range map[string]func() (int, error){
		"verify a seller": func() (int, error) {
			return e.VerifySeller(e.ctx, moderator, seller.User.ID, market.VerifyRequest{})
		},
		"close a report": func() (int, error) { return e.RemoveReport(e.ctx, moderator, r.ID) },
		"remove a phone": func() (int, error) { return e.RemoveProduct(e.ctx, moderator, other.ID, market.RemovalReason{}) },
		"remove a buyer": func() (int, error) { return e.RemoveUser(e.ctx, moderator, buyer.User.ID, market.RemovalReason{}) },
	} {
		if n, err := act(); err != nil || n != 1 {
			t.Errorf("to %s: %d, %v", name, n, err)
		}
	}
	_, err = e.RemoveUser(e.ctx, e.admin(), moderator.User.ID, market.RemovalReason{})
	e.wantCode(err, market.CodeForbidden)
}

// What an admin decides and records about money is refused to a moderator, and changes nothing.
func TestModeratorsDoNotHandleMoney(t *testing.T) {
	e, _, _, _, b := paidOrder(t)
	moderator, admin := e.moderator(), e.admin()
	settle := func(outcome string) func(market.Actor) (int, error) {
		return func(who market.Actor) (int, error) {
			return e.Fulfil(e.ctx, who, b.ID, market.FulfilmentRequest{Action: "settle", Outcome: outcome, Reason: "The photos show no damage."})
		}
	}
	payOut := func(who market.Actor) (int, error) { return e.PayOut(e.ctx, who, b.ID, "transfer 1", nil) }
	refused := map[string]func(market.Actor) (int, error){
		"refund":  func(who market.Actor) (int, error) { return e.RefundOrder(e.ctx, who, b.ID, "Stolen.", nil) },
		"release": settle("release"), "settle by a refund": settle("refund"), "return": settle("return"),
		"pay out": payOut,
		"pay out many": func(who market.Actor) (int, error) {
			return e.PayOutOrders(e.ctx, who, []string{b.ID}, "transfer 1", nil)
		},
		"record a repayment": func(who market.Actor) (int, error) {
			return e.RecordRepayment(e.ctx, who, b.ID, "bank 7", nil)
		},
	}
	before := e.storedBooking(b).Version
	for name, act := range refused {
		if _, err := act(moderator); market.CodeOf(err) != market.CodeForbidden || !strings.Contains(err.Error(), "Moderators") {
			t.Errorf("to %s: %v, want forbidden", name, err)
		}
	}
	if got := e.storedBooking(b).Version; got != before {
		t.Errorf("the order has version %d, want %d", got, before)
	}
	e.fulfil(admin, b, release)
	if n, err := payOut(admin); err != nil || n != 1 {
		t.Errorf("an admin pays out %d, %v", n, err)
	}
}

// A moderator sees no order of other people: no list, no order, no photograph, and nothing that a person
// has entered with a booking.
func TestModeratorsDoNotSeeOrders(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	moderator, admin := e.moderator(), e.admin()
	photo, err := e.AddEvidence(e.ctx, buyer, b.ID)
	e.must(err)
	page := market.Page{Limit: 9}
	for name, c := range map[string]struct {
		read func(market.Actor) error
		code market.Code
	}{
		"the orders": {func(who market.Actor) error { _, err := e.Orders(e.ctx, who, market.OrderQuery{}, page); return err }, market.CodeForbidden},
		"the order":  {func(who market.Actor) error { _, err := e.Booking(e.ctx, who, b.ID); return err }, market.CodeForbidden},
		"what the buyer has booked": {func(who market.Actor) error {
			_, err := e.Bookings(e.ctx, who, buyer.User.Email, market.SideBuyer, page)
			return err
		}, market.CodeForbidden},
		"what the seller has sold": {func(who market.Actor) error {
			_, err := e.Bookings(e.ctx, who, seller.User.Email, market.SideSeller, page)
			return err
		}, market.CodeForbidden},
		"a photograph": {func(who market.Actor) error { _, err := e.Evidence(e.ctx, who, photo.ID); return err }, market.CodeNotFound},
	} {
		if err := c.read(moderator); market.CodeOf(err) != c.code {
			t.Errorf("a moderator reads %s: %v, want code %s", name, err, c.code)
		}
		if err := c.read(admin); err != nil {
			t.Errorf("an admin reads %s: %v", name, err)
		}
	}
	if got := e.summary(moderator, buyer).Contact; got != (market.PersonContact{Name: buyer.User.Name, Email: buyer.User.Email}) {
		t.Errorf("a moderator sees the contact data %+v of a buyer", got)
	}
	if got := e.summary(admin, buyer).Contact; got.Phone != b.Phone {
		t.Errorf("an admin sees the contact data %+v of a buyer", got)
	}
}

// Notifications of orders and disputes are for admins who handle money. Every admin gets those of reports.
func TestModeratorsAreNotNotifiedOfOrders(t *testing.T) {
	e, _, buyer, p, b := paidOrder(t)
	moderator, admin := e.moderator(), e.admin()
	e.fulfil(buyer, b, problem)
	_, err := e.AddReport(e.ctx, buyer, market.ReportRequest{ProductID: p.ID, Reason: "Not a 3310"})
	e.must(err)
	for _, c := range []struct {
		who  market.Actor
		want []market.NotificationKind
	}{
		{moderator, []market.NotificationKind{market.NotifyReport}},
		{admin, []market.NotificationKind{market.NotifyOrder, market.NotifyReport}},
	} {
		list, err := e.Notifications(e.ctx, c.who, market.Page{Limit: 9})
		e.must(err)
		var got []market.NotificationKind
		for _, n := range list.Items {
			got = append(got, n.Kind)
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("the notifications are of %q, want %q", got, c.want)
		}
	}
}

// published collects what a relay publishes.
type published []market.Event

func (p *published) Publish(_ context.Context, events []market.Event) error {
	*p = append(*p, events...)
	return nil
}

// Moderators get the events of the admins, but none of an order.
func TestModeratorsGetNoEventsOfOrders(t *testing.T) {
	e, seller, buyer, p, b := paidOrder(t)
	var all published
	e.fulfil(buyer, b, problem)
	r, err := e.AddReport(e.ctx, buyer, market.ReportRequest{ProductID: p.ID, Reason: "Not a 3310"})
	e.must(err)
	_, err = e.RemoveReport(e.ctx, e.moderator(), r.ID)
	e.must(err)
	_, err = e.VerifySeller(e.ctx, e.admin(), seller.User.ID, market.VerifyRequest{})
	e.must(err)
	_, err = e.RemoveProduct(e.ctx, seller, e.phone(seller).ID, market.RemovalReason{})
	e.must(err)
	e.refund(b)
	e.must(market.NewRelay(e.Market, &all).Flush(e.ctx))

	of := map[string][]string{}
	for _, event := range all {
		of[event.Topic] = append(of[event.Topic], event.Type+" "+event.Entity)
	}
	admins := of[market.TopicAdmin]
	isOrder := func(event string) bool { return strings.HasPrefix(event, market.TypeOrderChanged) }
	if !slices.ContainsFunc(admins, isOrder) {
		t.Fatalf("the admins get %q, want events of orders, too", admins)
	}
	want := slices.DeleteFunc(admins, isOrder)
	if got := of[market.TopicModerators]; !slices.Equal(got, want) {
		t.Errorf("the moderators get %q, want %q", got, want)
	}
}

// A role begins and ends with the command. The person's own screens and the audit log show it.
func TestRolesOfAdmins(t *testing.T) {
	e := newEnv(t)
	admin, who := e.admin(), e.seller()
	me := market.TopicMe(who.User.UID) + " user.changed"
	for _, c := range []struct {
		role   market.AdminRole
		action market.AuditAction
		want   market.Roles
	}{
		{market.Moderator, market.ActionMakeModerator, market.Roles{Admin: true, Moderator: true}},
		{market.FullAdmin, market.ActionMakeAdmin, market.Roles{Admin: true}},
		{market.Moderator, market.ActionMakeModerator, market.Roles{Admin: true, Moderator: true}},
	} {
		e.drain()
		e.setRole(who, c.role)
		e.wantEvents(me, "control access.changed", "admin audit.added")
		roles, err := e.RolesOf(e.ctx, who, who.User.Email)
		if e.must(err); roles != c.want {
			t.Errorf("as %q the roles are %+v, want %+v", c.role, roles, c.want)
		}
		if got := e.reload(who).User; got.HandlesMoney() != (c.role == market.FullAdmin) || got.AdminRole() != c.role {
			t.Errorf("as %q the user is %+v", c.role, got)
		}
		newest := e.auditEntries(admin)
		if !slices.ContainsFunc(newest, func(a market.AuditEntry) bool { return a.Action == c.action && a.TargetID == who.User.ID }) {
			t.Errorf("the audit log has no %s: %+v", c.action, newest)
		}
		e.setRole(who, c.role)
		if again := e.publishedEvents(); len(again) != 0 {
			t.Errorf("the same role again published %q", again)
		}
	}
	e.must(e.RevokeAdmin(e.ctx, who.User.Email))
	if got := e.reload(who).User; got.Admin || got.Moderator || !got.IsSeller() {
		t.Errorf("after the revocation the user is %+v", got)
	}
}

// Many moderators do not take the place of the admins who decide about orders.
func TestManyModeratorsDoNotHideAdmins(t *testing.T) {
	e, _, buyer, _, b := paidOrder(t)
	older := e.admin()
	e.clock.Pass(time.Second)
	for range 51 {
		e.moderator()
	}
	e.clock.Pass(time.Second)
	newer := e.admin()
	e.fulfil(buyer, b, problem)
	for _, admin := range []market.Actor{older, newer} {
		list, err := e.Notifications(e.ctx, admin, market.Page{Limit: 9})
		if e.must(err); len(list.Items) != 1 {
			t.Errorf("an admin has %d notifications, want one", len(list.Items))
		}
	}
}
