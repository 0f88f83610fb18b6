package apitest_test

import (
	"net/http"
	"slices"
	"testing"

	"secondring/market"
)

func (p *person) putPayouts(body fields) response {
	p.t.Helper()
	return p.do(http.MethodPut, "/orders/payouts", body)
}

func TestManyOrdersArePaidOut(t *testing.T) {
	e := newOrdersEnv(t)
	ids := []string{e.settledOrder(e.seller, e.buyer), e.settledOrder(e.seller, e.otherBuyer)}
	other, unsettled := e.settledOrder(e.otherSeller, e.buyer), e.paidOrder(e.seller, e.buyer)
	body := func(ids ...string) fields { return fields{"ids": ids, "reference": "transfer 1"} }
	e.seller.putPayouts(body(ids...)).wantError(http.StatusForbidden, market.CodeForbidden)
	e.admin.putPayouts(body(ids[0], "nowhere")).wantStatus(http.StatusNotFound)
	e.admin.putPayouts(fields{}).wantInvalid("ids", "reference")
	e.admin.putPayouts(fields{"ids": "all", "reference": "r"}).wantInvalid("ids")
	e.admin.putPayouts(body(slices.Repeat(ids, 101)...)).wantInvalid("ids")
	e.admin.putPayouts(body(ids[0], other)).wantInvalid("ids")
	e.admin.putPayouts(body(ids[0], unsettled)).wantError(http.StatusConflict, market.CodeConflict)
	if got := e.admin.get("/orders?payout=paidOut").ids(); len(got) != 0 {
		t.Errorf("refused calls have paid out %v", got)
	}
	for range 2 {
		e.admin.putPayouts(body(ids...)).wantCount("modifiedCount", 2)
	}
	for _, id := range ids {
		if payout := e.orderInList(id).Payout; payout.State != "paidOut" || payout.Reference != "transfer 1" {
			t.Errorf("the payout is %+v", payout)
		}
	}
	e.admin.putPayouts(body(ids...).with("reference", "transfer 2")).wantError(http.StatusConflict, market.CodePaid)
}
