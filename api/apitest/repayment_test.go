package apitest_test

import (
	"net/http"
	"strings"
	"testing"

	"secondring/market"
)

func (p *person) leave() response {
	p.t.Helper()
	return p.withCookie(http.MethodPost, "/identity/leave", fields{"confirm": p.user.Email})
}

func TestDebtIsRepaidBeforeTheSellerLeaves(t *testing.T) {
	e := newOrdersEnv(t)
	id := e.debt(e.seller, e.buyer)
	refused := e.seller.leave()
	refused.wantError(http.StatusConflict, market.CodeOpenOrders)
	if !strings.Contains(string(refused.body), "114.00 USD") {
		t.Errorf("the message does not name the debt: %s", refused.body)
	}
	repay := func(body any) response { return e.admin.do(http.MethodPut, "/orders/"+id+"/repayment", body) }
	repay(fields{"reference": ""}).wantInvalid("reference")
	repay(fields{"reference": 7}).wantInvalid("reference")
	repay(fields{"reference": "bank 7"}).wantCount("modifiedCount", 1)
	repay(fields{"reference": "bank 7"}).wantCount("modifiedCount", 0)
	repay(fields{"reference": "bank 8"}).wantError(http.StatusConflict, market.CodePaid)

	order := e.orderInList(id)
	if want := (market.MoneyView{Charged: 12000, Refunded: 12000}); *order.Money != want {
		t.Errorf("the order has the money %+v, want %+v", *order.Money, want)
	}
	if p := order.Payout; p == nil || p.State != market.EarningRepaid || p.Cents != 11400 || p.Reference != "bank 7" {
		t.Errorf("the payout is %+v", p)
	}
	var earnings market.EarningsView
	e.seller.get("/earnings").wantStatus(http.StatusOK).decode(&earnings)
	if line := earnings.Lines[0]; earnings.Waiting != 0 || line.State != market.EarningRepaid || line.Reference != "bank 7" {
		t.Errorf("the earnings are %+v", earnings)
	}
	e.seller.leave().wantStatus(http.StatusNoContent)
}
