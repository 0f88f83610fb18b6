package market_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"secondring/market"
	"secondring/store"
	"secondring/store/sqlite"
)

// countedEngine counts the calls of an engine, and the documents that it returns.
type countedEngine struct {
	store.Engine

	reads, docs, writes int
}

func (e *countedEngine) Write(ctx context.Context, w store.Write) error {
	e.writes++
	return e.Engine.Write(ctx, w)
}

func (e *countedEngine) Get(ctx context.Context, kind *store.Info, ids ...string) ([]store.Doc, error) {
	docs, err := e.Engine.Get(ctx, kind, ids...)
	e.reads, e.docs = e.reads+1, e.docs+len(docs)
	return docs, err
}

func (e *countedEngine) Find(ctx context.Context, kind *store.Info, f store.Find) (store.Found, error) {
	found, err := e.Engine.Find(ctx, kind, f)
	e.reads, e.docs = e.reads+1, e.docs+len(found.Docs)
	return found, err
}

func (e *countedEngine) Totals(ctx context.Context, kind *store.Info, where store.Keys, by string, of ...string) (map[string][]int64, error) {
	e.reads++
	return e.Engine.Totals(ctx, kind, where, by, of...)
}

// Each part of the money that the market has is in one of the sums.
func TestSumsOfEarningsAddUp(t *testing.T) {
	e, seller, admin, _ := addDebt(t, market.PayoutsManual)
	paid := func() market.Booking {
		buyer := e.buyer()
		b := e.mustBook(buyer, e.phone(seller))
		e.mustPay(buyer, b)
		return b
	}
	paid()
	e.addSettledOrder(seller, e.buyer())
	paidOut := e.addSettledOrder(seller, e.buyer())
	_, err := e.PayOut(e.ctx, admin, paidOut.ID, "transfer 2", nil)
	e.must(err)
	e.fulfil(admin, paid(), refund)
	got, err := e.Earnings(e.ctx, seller, market.Page{Limit: 200})
	e.must(err)
	const price = 40_00
	if got.Handover != price || got.Due != netOf40 || got.PaidOut != 2*netOf40 || got.Earned != 2*netOf40 {
		t.Errorf("the sums are %+v", got)
	}
	if toRefund, debt := int64(price), int64(netOf40); got.Waiting != got.Handover+got.Due+toRefund-debt {
		t.Errorf("%d cents wait, of the sums %+v", got.Waiting, got)
	}
	e.stepEvery(time.Second, 3) // the refund is made
	after, err := e.Earnings(e.ctx, seller, market.Page{Limit: 200})
	e.must(err)
	if after.Waiting != after.Handover+after.Due-netOf40 {
		t.Errorf("after the refund the sums are %+v", after)
	}
}

func TestEarningsOfManySalesReadOnePage(t *testing.T) {
	engine, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "market.db"))
	if err != nil {
		t.Fatal(err)
	}
	counted := &countedEngine{Engine: engine}
	s := store.New(counted)
	t.Cleanup(func() { _ = s.Close() })
	e := newEnvWithStore(t, s, stripeRules)
	seller := e.seller()
	account := e.onboard(seller)
	e.must(e.RefreshPayoutAccount(e.ctx, account))
	const sales, pageSize = 500, 20
	for i := range sales {
		e.must(e.store.AddBooking(e.ctx, market.Booking{
			ID: fmt.Sprint(i), BuyerUID: "buyer", SellerUID: seller.User.UID, Price: 40, Commission: 7, Status: market.BookingPaid, Version: 1,
			Fulfilment: &market.Fulfilment{State: market.FulfilmentSettled, Outcome: market.OutcomeRelease},
		}, 1, nil))
	}
	*counted = countedEngine{Engine: engine}
	earnings, err := e.Earnings(e.ctx, seller, market.Page{Limit: pageSize})
	e.must(err)
	if earnings.Due != sales*netOf40 || earnings.Earned != earnings.Due || len(earnings.Lines.Items) != pageSize || earnings.Lines.Total != sales || !earnings.Lines.More {
		t.Errorf("due are %d cents, and %d of %d sales are listed", earnings.Due, len(earnings.Lines.Items), earnings.Lines.Total)
	}
	if counted.writes > 0 || counted.reads > 4 || counted.docs > 2*pageSize {
		t.Errorf("the earnings made %d reads of %d documents and %d writes", counted.reads, counted.docs, counted.writes)
	}
}
