package market_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

// problemOrder returns a paid order that was sent, and about which the buyer has reported a problem.
func problemOrder(t *testing.T) (e *env, seller, buyer market.Actor, b market.Booking) {
	t.Helper()
	e, seller, buyer, _, b = paidOrder(t)
	e.fulfil(seller, b, sent)
	e.fulfil(buyer, b, problem)
	return e, seller, buyer, b
}

// returningOrder returns an order whose phone the buyer has to return.
func returningOrder(t *testing.T) (e *env, seller, buyer market.Actor, b market.Booking) {
	t.Helper()
	e, seller, buyer, b = problemOrder(t)
	e.fulfil(e.admin(), b, returnFirst)
	return e, seller, buyer, b
}

// wantNoticeWith fails the test unless a person was notified of this.
func (e *env) wantNoticeWith(who market.Actor, want string) {
	e.t.Helper()
	all := e.notificationTexts(who)
	if !slices.ContainsFunc(all, func(text string) bool { return strings.Contains(text, want) }) {
		e.t.Errorf("%s was notified %q, want %q", who.User.Name, all, want)
	}
}

func (e *env) wantRefused(who market.Actor, b market.Booking, in market.FulfilmentRequest, code market.Code) {
	e.t.Helper()
	n, err := e.Fulfil(e.ctx, who, b.ID, in)
	e.wantCode(err, code)
	if n != 0 {
		e.t.Errorf("%s changed the order", in.Action)
	}
}

// wantRefunded runs the background jobs, and fails the test unless the buyer has the money back.
func (e *env) wantRefunded(b market.Booking) {
	e.t.Helper()
	e.wantState(b, market.FulfilmentSettled, market.OutcomeRefund)
	e.stepEvery(time.Minute, 3)
	if got := e.storedBooking(b); got.Status != market.BookingRefunded || e.bank.Refunds(got.Intent) != 1 {
		e.t.Errorf("the order is %s, refunded %d times", got.Status, e.bank.Refunds(got.Intent))
	}
}

func TestProblemHasACategory(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	e.wantRefused(buyer, b, market.FulfilmentRequest{Action: "problem", Reason: "Broken", Category: "ugly"}, market.CodeInvalid)
	notArrived := market.FulfilmentRequest{Action: "problem", Reason: "Nothing came", Category: "not_arrived"}
	e.wantRefused(buyer, b, notArrived, market.CodeConflict) // the seller may still send it
	e.fulfil(seller, b, sent)
	e.fulfil(buyer, b, notArrived)
	if f := e.storedBooking(b).View().Fulfilment; f.Category != market.ProblemNotArrived {
		t.Errorf("the problem is shown as %+v", f)
	}
	e, _, _, b = problemOrder(t)
	if f := e.storedBooking(b).View().Fulfilment; f.Category != market.ProblemOther {
		t.Errorf("a problem without a category is shown as %+v", f)
	}
}

// Each side shows photographs that they have added to this order, and no others.
func TestStatementsHavePhotographs(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	add := func(who market.Actor) string {
		photo, err := e.AddEvidence(e.ctx, who, b.ID)
		e.must(err)
		return photo.Address()
	}
	with := func(in market.FulfilmentRequest, photos ...string) market.FulfilmentRequest {
		in.Photos = photos
		return in
	}
	buyers, sellers := []string{add(buyer), add(buyer)}, add(seller)
	e.fulfil(seller, b, sent)
	e.wantRefused(buyer, b, with(problem, sellers), market.CodeInvalid)
	e.wantRefused(buyer, b, with(problem, "/images/a.jpg"), market.CodeInvalid)
	e.fulfil(buyer, b, with(problem, buyers...))
	e.wantRefused(seller, b, with(answer, buyers...), market.CodeInvalid)
	e.fulfil(seller, b, with(answer, sellers))
	e.fulfil(e.admin(), b, returnFirst)
	e.fulfil(buyer, b, sentBack)
	opened := add(seller)
	e.fulfil(seller, b, with(object, opened))
	v := e.storedBooking(b).View().Fulfilment
	if !slices.Equal(v.Photos, buyers) || !slices.Equal(v.Answer.Photos, []string{sellers}) || !slices.Equal(v.Objection.Photos, []string{opened}) {
		t.Errorf("the photographs are shown as %+v, %+v, %+v", v.Photos, v.Answer, v.Objection)
	}
}

func TestSellerAnswersAProblemOnce(t *testing.T) {
	e, seller, buyer, b := problemOrder(t)
	admin := e.admin()
	v := e.storedBooking(b).View().Fulfilment
	if v.AnswerBy == nil || !v.AnswerBy.Equal(v.ProblemAt.Add(e.rules.SettleAfter)) || v.Late {
		t.Fatalf("the problem is shown as %+v", v)
	}
	e.wantRefused(buyer, b, answer, market.CodeForbidden)
	e.wantRefused(seller, b, market.FulfilmentRequest{Action: "answer"}, market.CodeInvalid)
	e.fulfil(seller, b, answer)
	e.wantRefused(seller, b, answer, market.CodeConflict)
	e.wantNoticeWith(buyer, "The seller has answered the problem with your Nokia 3310.")
	e.wantNoticeWith(admin, "The seller of Nokia 3310 has answered the problem. Please decide.")
	e.clock.Pass(e.rules.SettleAfter)
	e.step()
	v = e.storedBooking(b).View().Fulfilment
	if v.AnswerBy != nil || v.Late || v.Answer == nil || v.Answer.Text != answer.Text {
		t.Errorf("the answered problem is shown as %+v", v)
	}
}

func TestProblemWithoutAnAnswerIsLate(t *testing.T) {
	e, seller, _, b := problemOrder(t)
	admin := e.admin()
	e.clock.Pass(e.rules.SettleAfter - time.Second)
	e.step()
	if b := e.storedBooking(b); b.View().Fulfilment.Late || slices.Contains(b.Tabs(), market.TabLate) {
		t.Fatalf("the problem is late before its time: %+v", b.Fulfilment)
	}
	e.clock.Pass(time.Second)
	e.step()
	if b := e.storedBooking(b); !b.View().Fulfilment.Late || !slices.Contains(b.Tabs(), market.TabLate) {
		t.Errorf("the problem is not late: %+v", b.Fulfilment)
	}
	e.wantNoticeWith(admin, "The seller of Nokia 3310 has not answered the problem in time. Please decide.")
	e.fulfil(seller, b, answer) // still possible until an admin decides
	if b := e.storedBooking(b); b.View().Fulfilment.Late || slices.Contains(b.Tabs(), market.TabLate) {
		t.Errorf("the answered problem is late: %+v", b.Fulfilment)
	}
	e.clock.Pass(7 * day)
	e.step()
	e.wantNoticeWith(admin, "still waits for your decision")
}

func TestPhoneIsReturnedByPostBeforeTheRefund(t *testing.T) {
	e, seller, buyer, b := problemOrder(t)
	e.wantRefused(seller, b, returnFirst, market.CodeForbidden)
	admin := e.admin()
	e.fulfil(admin, b, returnFirst)
	e.wantState(b, market.FulfilmentReturning, "")
	v := e.storedBooking(b).View().Fulfilment
	if v.ReturnBy == nil || !v.ReturnBy.Equal(e.clock.Now().Add(e.rules.SendWithin)) || v.Reason != returnFirst.Reason {
		t.Errorf("the return is shown as %+v", v)
	}
	if entry := e.auditEntry(admin, market.ActionReturnOrder); entry.TargetID != b.ID || entry.ConcernID != seller.User.ID {
		t.Errorf("the audit entry is %+v", entry)
	}
	e.wantNoticeWith(buyer, "return your Nokia 3310 by")
	e.wantRefused(admin, b, returnFirst, market.CodeConflict)
	e.wantRefused(seller, b, sentBack, market.CodeForbidden)
	e.wantRefused(seller, b, returned, market.CodeConflict) // it is not on its way
	e.fulfil(buyer, b, sentBack)
	if n, err := e.Fulfil(e.ctx, buyer, b.ID, sentBack); n != 0 || err != nil {
		t.Errorf("a repeated call changed %d orders, %v", n, err)
	}
	e.wantNoticeWith(seller, "on its way back with Royal Mail, number RM 9")
	v = e.storedBooking(b).View().Fulfilment
	if v.State != market.FulfilmentSentBack || !v.RefundsAt.Equal(e.clock.Now().Add(e.rules.Transit+e.rules.SettleAfter)) || v.Return.Tracking != "RM 9" {
		t.Errorf("the return is shown as %+v", v)
	}
	e.wantRefused(buyer, b, returned, market.CodeForbidden)
	e.fulfil(seller, b, returned)
	if n, err := e.Fulfil(e.ctx, seller, b.ID, returned); n != 0 || err != nil {
		t.Errorf("a repeated call changed %d orders, %v", n, err)
	}
	e.wantNoticeWith(buyer, "is back with the seller. Your money is refunded.")
	e.wantRefunded(b)
}

func TestPhoneIsHandedBackWithTheSellersCode(t *testing.T) {
	e, seller, buyer, b := returningOrder(t)
	_, err := e.OpenHandover(e.ctx, buyer, b.ID)
	e.wantCode(err, market.CodeForbidden)
	h, err := e.OpenHandover(e.ctx, seller, b.ID)
	e.must(err)
	handed := market.FulfilmentRequest{Action: "handed", Code: h.Code}
	e.wantRefused(seller, b, handed, market.CodeForbidden)
	wrong := "000000"
	if h.Code == wrong {
		wrong = "000001"
	}
	e.wantRefused(buyer, b, market.FulfilmentRequest{Action: "handed", Code: wrong}, market.CodeInvalid)
	e.fulfil(buyer, b, handed)
	e.wantRefunded(b)
}

func TestPhoneThatIsNotReturnedIsTheBuyers(t *testing.T) {
	e, seller, buyer, b := returningOrder(t)
	e.clock.Pass(e.rules.SendWithin / 2)
	e.step()
	e.wantNoticeWith(buyer, "Please return your Nokia 3310.")
	if !slices.Contains(e.storedBooking(b).Tabs(), market.TabLate) {
		t.Error("the return is not late after the reminder")
	}
	e.clock.Pass(e.rules.SendWithin/2 - time.Second)
	e.step()
	e.wantState(b, market.FulfilmentReturning, "")
	e.clock.Pass(time.Second)
	e.step()
	e.wantState(b, market.FulfilmentSettled, market.OutcomeRelease)
	if reason := e.storedBooking(b).Fulfilment.Reason; reason != market.ReasonNotReturned {
		t.Errorf("the reason is %q", reason)
	}
	e.wantNoticeWith(seller, "The buyer has not returned your Nokia 3310 in time. The money is yours.")
	e.wantNoticeWith(buyer, "You have not returned your Nokia 3310 in time.")
}

func TestReturnedPhoneIsRefundedWhenTheSellerIsSilent(t *testing.T) {
	e, seller, buyer, b := returningOrder(t)
	e.fulfil(buyer, b, sentBack)
	e.clock.Pass(e.rules.Transit)
	e.step()
	e.wantNoticeWith(seller, "Has your Nokia 3310 come back?")
	e.clock.Pass(e.rules.SettleAfter)
	e.step()
	e.wantRefunded(b)
}

func TestSellerObjectsToWhatWasSentBack(t *testing.T) {
	for _, decision := range []market.FulfilmentRequest{release, refund} {
		t.Run(decision.Outcome, func(t *testing.T) {
			e, seller, buyer, b := returningOrder(t)
			e.fulfil(buyer, b, sentBack)
			e.wantRefused(buyer, b, object, market.CodeForbidden)
			e.fulfil(seller, b, object)
			if n, err := e.Fulfil(e.ctx, seller, b.ID, object); n != 0 || err != nil {
				t.Errorf("a repeated call changed %d orders, %v", n, err)
			}
			v := e.storedBooking(b).View().Fulfilment
			if v.State != market.FulfilmentProblem || v.Objection.Text != object.Text || v.DecideBy == nil || v.AnswerBy != nil {
				t.Errorf("the objection is shown as %+v", v)
			}
			admin := e.admin()
			e.wantRefused(admin, b, returnFirst, market.CodeConflict) // it was sent back already
			e.fulfil(admin, b, decision)
			e.wantState(b, market.FulfilmentSettled, market.FulfilmentOutcome(decision.Outcome))
		})
	}
}

func TestAdminMayDecideDuringAReturn(t *testing.T) {
	for _, decision := range []market.FulfilmentRequest{release, refund} {
		for _, isSentBack := range []bool{false, true} {
			e, _, buyer, b := returningOrder(t)
			if isSentBack {
				e.fulfil(buyer, b, sentBack)
			}
			e.fulfil(e.admin(), b, decision)
			e.wantState(b, market.FulfilmentSettled, market.FulfilmentOutcome(decision.Outcome))
		}
	}
}

func TestOnlyAProblemIsDecidedWithAReturn(t *testing.T) {
	e, seller, _, _, b := paidOrder(t)
	admin := e.admin()
	e.wantRefused(admin, b, returnFirst, market.CodeConflict)
	e.wantRefused(seller, b, answer, market.CodeConflict)
	e.fulfil(seller, b, sent)
	e.wantRefused(admin, b, returnFirst, market.CodeConflict)
}

// A dispute at the bank freezes a return, and moves its deadline.
func TestDisputeStopsTheTimeToReturn(t *testing.T) {
	e, _, _, b := returningOrder(t)
	e.clock.Pass(time.Hour)
	intent := e.storedBooking(b).Intent
	e.bank.Dispute(intent, e.clock.Now())
	e.must(e.ApplyPayment(e.ctx, intent))
	e.clock.Pass(2 * e.rules.SendWithin)
	e.step()
	e.wantState(b, market.FulfilmentReturning, "")
	before := e.storedBooking(b).Fulfilment.Deadline
	e.bank.EndDispute(intent, market.DisputeWon)
	e.must(e.ApplyPayment(e.ctx, intent))
	if moved := e.storedBooking(b).Fulfilment.Deadline.Sub(before); moved < 2*e.rules.SendWithin {
		t.Errorf("the deadline has moved by %v", moved)
	}
}
