package market_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"secondring/market"
)

// paidAtOnce is a market with two orders whose money is due to one seller, and one of another seller.
type paidAtOnce struct {
	*env
	admin, seller market.Actor
	ids           []string
	other         string
}

func newPaidAtOnce(t *testing.T) paidAtOnce {
	t.Helper()
	rules := stripeRules
	rules.Payouts = market.PayoutsManual
	e := newEnvWith(t, rules)
	p := paidAtOnce{env: e, admin: e.admin(), seller: e.seller()}
	for range 2 {
		p.ids = append(p.ids, e.addSettledOrder(p.seller, e.buyer()).ID)
	}
	p.other = e.addSettledOrder(e.seller(), e.buyer()).ID
	return p
}

// wantPaidOut fails the test unless each order has been paid out so many times with the reference.
func (p paidAtOnce) wantPaidOut(times int, reference string) {
	p.t.Helper()
	for _, id := range p.ids {
		entries, err := p.store.LedgerOfOrder(p.ctx, id)
		p.must(err)
		payouts := slices.DeleteFunc(entries, func(entry market.LedgerEntry) bool {
			return entry.Kind != market.LedgerPayout || entry.Reference != reference
		})
		if len(payouts) != times {
			p.t.Errorf("the order %s has the payouts %+v, want %d", id, payouts, times)
		}
	}
}

func TestManyOrdersArePaidOutWithOneReference(t *testing.T) {
	p := newPaidAtOnce(t)
	for range 2 { // the same again is the same answer
		n, err := p.PayOutOrders(p.ctx, p.admin, append(p.ids, p.ids[0]), "bank 7", nil)
		if p.must(err); n != 2 {
			t.Errorf("%d orders have the reference, want 2", n)
		}
	}
	p.wantPaidOut(1, "bank 7")
	audited := slices.DeleteFunc(p.auditEntries(p.admin), func(entry market.AuditEntry) bool { return entry.Action != market.ActionPayOut })
	if len(audited) != 2 || audited[0].ConcernID != p.seller.User.ID {
		t.Errorf("the audit log has %+v", audited)
	}
	if n := p.countNotified(p.seller, "was paid out. Reference: bank 7"); n != 2 {
		t.Errorf("the seller was notified %d times", n)
	}
}

func TestPayoutOfManyOrdersThatWasKilledIsFinishedByItsRepetition(t *testing.T) {
	p := newPaidAtOnce(t)
	killed := market.New(&failingStore{Store: p.store, saveBooking: func(b market.Booking) error {
		if b.ID == p.ids[1] {
			return errCrash
		}
		return nil
	}}, p.clock, p.rules, p.bank)
	if _, err := killed.PayOutOrders(p.ctx, p.admin, p.ids, "bank 7", nil); !errors.Is(err, errCrash) {
		t.Fatalf("the error is %v", err)
	}
	if !p.storedBooking(market.Booking{ID: p.ids[0]}).IsPaidOut() {
		t.Fatal("the kill came before the first payout")
	}
	n, err := p.PayOutOrders(p.ctx, p.admin, p.ids, "bank 7", nil)
	if p.must(err); n != 2 {
		t.Errorf("%d orders have the reference, want 2", n)
	}
	p.wantPaidOut(1, "bank 7")
}

func TestPayoutOfManyOrdersIsRefusedAsAWhole(t *testing.T) {
	p := newPaidAtOnce(t)
	unsettled := p.mustBook(p.buyer(), p.phone(p.seller))
	for name, c := range map[string]struct {
		who   market.Actor
		ids   []string
		code  market.Code
		field string
	}{
		"a seller":         {who: p.seller, ids: p.ids, code: market.CodeForbidden},
		"an unknown order": {who: p.admin, ids: append(slices.Clone(p.ids), "nowhere"), code: market.CodeNotFound},
		"no order":         {who: p.admin, code: market.CodeInvalid, field: "ids"},
		"too many orders":  {who: p.admin, ids: slices.Repeat(p.ids, 101), code: market.CodeInvalid, field: "ids"},
		"two sellers":      {who: p.admin, ids: append(slices.Clone(p.ids), p.other), code: market.CodeInvalid, field: "ids"},
		"no money due":     {who: p.admin, ids: append(slices.Clone(p.ids), unsettled.ID), code: market.CodeConflict},
	} {
		_, err := p.PayOutOrders(p.ctx, c.who, c.ids, "bank 7", nil)
		p.wantCode(err, c.code)
		if c.field != "" {
			p.wantInvalid(err, c.field)
		}
		if name == "no money due" && !strings.Contains(err.Error(), unsettled.ID) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	_, err := p.PayOutOrders(p.ctx, p.admin, p.ids, "", nil)
	p.wantInvalid(err, "reference")
	p.wantPaidOut(0, "bank 7")
	_, err = p.PayOut(p.ctx, p.admin, p.ids[0], "bank 6", nil)
	p.must(err)
	_, err = p.PayOutOrders(p.ctx, p.admin, p.ids, "bank 7", nil)
	p.wantCode(err, market.CodePaid)
	p.wantPaidOut(0, "bank 7")
	p.rules.Payouts = market.PayoutsOff
	p.restart()
	_, err = p.PayOutOrders(p.ctx, p.admin, p.ids, "bank 7", nil)
	p.wantCode(err, market.CodeClosed)
}
