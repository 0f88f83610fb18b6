package market_test

import (
	"testing"
	"time"

	"secondring/market"
)

func (e *env) summary(admin, of market.Actor) market.PersonSummary {
	e.t.Helper()
	v, err := e.PersonSummary(e.ctx, admin, of.User.ID)
	e.must(err)
	return v
}

func TestAdminsSeeASummaryOfAPerson(t *testing.T) {
	e, seller, buyer, p, b := paidOrder(t)
	admin := e.admin()
	_, err := e.PersonSummary(e.ctx, admin, "nobody")
	e.wantCode(err, market.CodeNotFound)
	_, err = e.PersonSummary(e.ctx, seller, buyer.User.ID)
	e.wantCode(err, market.CodeForbidden)

	other := e.phone(seller)
	_, err = e.AddReport(e.ctx, buyer, market.ReportRequest{ProductID: p.ID, Reason: "Not a 3310"})
	e.must(err)
	_, err = e.VerifySeller(e.ctx, admin, seller.User.ID, market.VerifyRequest{})
	e.must(err)
	e.clock.Pass(time.Second)
	_, err = e.RemoveProduct(e.ctx, admin, other.ID, market.RemovalReason{})
	e.must(err)

	got := e.summary(admin, seller)
	if got.Contact != (market.PersonContact{Name: seller.User.Name, Email: seller.User.Email, Phone: p.Phone, Location: p.Location}) {
		t.Errorf("the seller's contact data are %+v", got.Contact)
	}
	if !got.Confirmed || !got.Verified || got.Removed || got.Admin || got.AccountType != market.AccountSeller || !got.Since.Equal(seller.User.CreatedAt) {
		t.Errorf("the seller is %+v", got)
	}
	if got.Phones != 1 || got.Orders != (market.PersonOrders{Sold: 1}) || got.Reports != (market.PersonReports{About: 1}) {
		t.Errorf("the seller has %d phones, %+v, %+v", got.Phones, got.Orders, got.Reports)
	}
	if d := got.Decisions; len(d) != 2 || d[0].Action != market.ActionRemovePhone || d[1].Action != market.ActionVerifySeller {
		t.Errorf("the decisions are %+v, want the newest first", d)
	}
	got = e.summary(admin, buyer)
	if got.Contact.Phone != b.Phone || got.Contact.Location != b.Location || got.Orders != (market.PersonOrders{Bought: 1}) || got.Reports != (market.PersonReports{By: 1}) {
		t.Errorf("the buyer is %+v", got)
	}

	e.fulfil(seller, b, market.FulfilmentRequest{Action: "cancel", Reason: "It fell into the sea."})
	e.stepEvery(time.Minute, 3)
	if got := e.summary(admin, seller).Orders; got != (market.PersonOrders{Cancelled: 1}) {
		t.Errorf("after the seller has cancelled: %+v", got)
	}
	if got := e.summary(admin, buyer).Orders; got != (market.PersonOrders{}) {
		t.Errorf("the buyer of the cancelled order has %+v", got)
	}
	_, err = e.RemoveUser(e.ctx, admin, buyer.User.ID, market.RemovalReason{})
	e.must(err)
	if got := e.summary(admin, buyer); !got.Removed || got.Decisions[0].Action != market.ActionRemoveBuyer {
		t.Errorf("the removed buyer is %+v", got)
	}
}

// What an account remembers for its owner's forms is theirs alone.
func TestSummaryHasNothingThatIsOnlyForThePerson(t *testing.T) {
	e := newEnv(t)
	admin, buyer := e.admin(), e.buyer()
	a, err := e.store.Account(e.ctx, buyer.User.UID)
	e.must(err)
	a.Phone, a.Location, a.Unconfirmed, a.Version = "+880 1700 123456", "Uttara", true, a.Version+1
	e.must(e.store.SaveAccount(e.ctx, a, nil))
	if got := e.summary(admin, buyer); got.Contact.Phone != "" || got.Contact.Location != "" || got.Confirmed {
		t.Errorf("the person is %+v", got)
	}
}
