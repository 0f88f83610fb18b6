package market_test

import (
	"testing"
	"time"

	"secondring/market"
)

func TestSuspendedPersonMayNotTrade(t *testing.T) {
	e := newCaseEnv(t)
	others := e.phone(e.about)
	sold, buyer := e.phone(e.about), e.buyer()
	order := e.mustBook(buyer, sold)
	e.mustPay(buyer, order)
	thread, err := e.StartThread(e.ctx, buyer, market.MessageRequest{ProductID: sold.ID, Text: "When can I have it?"})
	e.must(err)
	asked, err := e.StartThread(e.ctx, buyer, market.MessageRequest{ProductID: others.ID, Text: "Is it still there?"})
	e.must(err)
	foreign := e.phone(e.seller())
	e.decide(e.reportSeller(), market.DecisionSuspend)
	seller := e.reload(e.about)

	for name, call := range map[string]func() error{
		"list": func() error { _, err := e.AddProduct(e.ctx, seller, e.productRequest(seller)); return err },
		"change": func() error {
			_, err := e.ChangeProduct(e.ctx, seller, others.ID, market.ProductChange{Description: new("x")})
			return err
		},
		"change a sold phone": func() error {
			_, err := e.ChangeProduct(e.ctx, seller, sold.ID, market.ProductChange{Description: new("x")})
			return err
		},
		"advertise": func() error { _, err := e.Advertise(e.ctx, seller, others.ID); return err },
		"book":      func() error { _, err := e.book(seller, foreign); return err },
		"wait":      func() error { _, err := e.joinWaitlist(seller, foreign); return err },
		"offer": func() error {
			_, err := e.MakeOffer(e.ctx, seller, market.OfferRequest{ProductID: foreign.ID, Price: 30, Phone: "01800000"})
			return err
		},
		"ask": func() error {
			_, err := e.StartThread(e.ctx, seller, market.MessageRequest{ProductID: foreign.ID, Text: "Hello"})
			return err
		},
		"write": func() error {
			_, err := e.SendMessage(e.ctx, seller, asked.ID, market.MessageRequest{Text: "Hello"})
			return err
		},
		"report": func() error {
			_, err := e.AddReport(e.ctx, seller, market.ReportRequest{ProductID: foreign.ID, Reason: "x"})
			return err
		},
	} {
		if err := call(); market.CodeOf(err) != market.CodeSuspended {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, call := range map[string]func() error{
		"write in the thread of a paid order": func() error {
			_, err := e.SendMessage(e.ctx, seller, thread.ID, market.MessageRequest{Text: "Tomorrow"})
			return err
		},
		"send a paid phone": func() error { _, err := e.Fulfil(e.ctx, seller, order.ID, sent); return err },
		"read their phones": func() error {
			_, err := e.ProductsOfSeller(e.ctx, seller, seller.User.Email, market.Page{Limit: 9})
			return err
		},
		"read decisions": func() error { _, err := e.Decisions(e.ctx, seller, market.Page{Limit: 9}); return err },
	} {
		if err := call(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSuspensionHidesPhonesAndEndsHolds(t *testing.T) {
	e := newCaseEnv(t)
	buyer := e.buyer()
	held := e.phone(e.about)
	booking := e.mustBook(buyer, held)
	waiter := e.waitingBuyers(held, 1)[0]
	foreign := e.phone(e.seller())
	own := e.mustBook(e.about, foreign)
	next := e.waitingBuyers(foreign, 1)[0]
	sold := e.phone(e.about)
	e.sellToAnotherBuyer(sold)
	e.decide(e.reportSeller(), market.DecisionSuspend)
	if e.isShown(e.target) || e.isShown(held) || !e.isShown(sold) {
		t.Error("a phone for sale is shown, or a sold one is not")
	}
	if got := e.storedBooking(booking); got.Status != market.BookingCancelled {
		t.Errorf("the booking of the seller's phone is %s", got.Status)
	}
	e.wantNotified(buyer, "released: Nokia 3310 is no longer for sale, so your booking of it has ended.")
	e.wantNotified(waiter, "available: The Nokia 3310 that you waited for is no longer for sale.")
	if got := e.storedBooking(own); got.Status != market.BookingCancelled {
		t.Errorf("the seller's booking is %s", got.Status)
	}
	e.wantHolder(next, foreign, "after the suspension of the first")
	late := e.phone(e.about) // added by a call in progress
	e.stepEvery(20*time.Second, 4)
	if e.isShown(late) {
		t.Error("a phone that was added meanwhile is shown")
	}

	e.clock.Pass(7 * 24 * time.Hour)
	e.step()
	if !e.isShown(e.target) || !e.isShown(held) || !e.isShown(late) {
		t.Error("a phone is still hidden after the suspension")
	}
	if u := e.reload(e.about).User; len(u.Suspensions) != 0 {
		t.Errorf("the suspensions are %+v", u.Suspensions)
	}
	if _, err := e.ChangeProduct(e.ctx, e.reload(e.about), e.target.ID, market.ProductChange{Description: new("Another")}); err != nil {
		t.Error(err)
	}
	if got := e.stored(held); got.Booked() {
		t.Error("a hold has come back")
	}
}

func TestSuspensionEndsAtOnceWhenItIsReversed(t *testing.T) {
	e := newCaseEnv(t)
	c := e.decide(e.reportSeller(), market.DecisionSuspend)
	e.appeal(c, market.AppealReversed)
	if !e.isShown(e.target) || !e.reload(e.about).User.SuspendedUntil(e.clock.Now()).IsZero() {
		t.Error("the seller is still suspended")
	}
}

// A phone that a case has removed does not come back with the other phones of its seller.
func TestPhoneStaysHiddenAfterASuspension(t *testing.T) {
	e := newCaseEnv(t)
	other := e.phone(e.about)
	suspension := e.decide(e.reportSeller(), market.DecisionSuspend)
	_, err := e.store.HiddenPhone(e.ctx, e.target.ID)
	e.must(err)
	_, err = e.ReportTarget(e.ctx, e.reporter, market.CaseReportRequest{Kind: "product", ID: e.target.ID, Rule: "stolen", Reason: "x"})
	e.wantCode(err, market.CodeNotFound) // it is hidden
	e.appeal(suspension, market.AppealReversed)
	first := e.decide(e.reportPhone(), market.DecisionRemove)
	e.decide(e.report(e.buyer(), market.CasePerson, e.about.User.ID), market.DecisionSuspend)
	e.clock.Pass(8 * 24 * time.Hour)
	e.step()
	if e.isShown(e.target) || !e.isShown(other) {
		t.Error("the removed phone is shown, or the other one is not")
	}
	e.appeal(first, market.AppealReversed)
	if !e.isShown(e.target) {
		t.Error("the phone has not come back")
	}
}

func TestReversedRemovalWaitsForTheEndOfASuspension(t *testing.T) {
	e := newCaseEnv(t)
	removal := e.decide(e.reportPhone(), market.DecisionRemove)
	e.decide(e.reportSeller(), market.DecisionSuspend)
	e.appeal(removal, market.AppealReversed)
	if e.isShown(e.target) {
		t.Error("a phone of a suspended seller is shown")
	}
	e.clock.Pass(8 * 24 * time.Hour)
	e.step()
	if !e.isShown(e.target) {
		t.Error("the phone has not come back")
	}
}

func TestClosedAccountIsSealedAndComesBack(t *testing.T) {
	e := newCaseEnv(t)
	before, err := e.store.Account(e.ctx, e.about.User.UID)
	e.must(err)
	c := e.decide(e.reportSeller(), market.DecisionClose)
	if _, err := e.Actor(e.ctx, e.about.User.UID, e.about.Session); market.CodeOf(err) != market.CodeNoToken {
		t.Errorf("the session of a closed account: %v", err)
	}
	e.stepEvery(20*time.Second, 6)
	a, err := e.store.Account(e.ctx, e.about.User.UID)
	if e.must(err); !a.Removed || a.Email != before.Email || a.PasswordHash != before.PasswordHash || e.isShown(e.target) {
		t.Errorf("the account is %+v", a)
	}
	if closed, ok, err := e.ClosedBy(e.ctx, a.UID); err != nil || !ok || closed.ID != c.ID {
		t.Errorf("it is closed by %+v, %t, %v", closed, ok, err)
	}
	e.appeal(c, market.AppealReversed)
	if a, err = e.store.Account(e.ctx, a.UID); err != nil || a.Removed {
		t.Errorf("the account is %+v, %v", a, err)
	}
	u, err := e.store.User(e.ctx, a.UID)
	if e.must(err); u.Removed || u.Name != e.about.User.Name || !e.isShown(e.target) {
		t.Errorf("the user is %+v", u)
	}
	e.stepEvery(20*time.Second, 4)
	if a, err = e.store.Account(e.ctx, a.UID); err != nil || a.Removed || !e.isShown(e.target) {
		t.Errorf("the account is closed again: %+v, %v", a, err)
	}
}

func TestClosedAccountIsErasedAfterTheTimeForAnAppeal(t *testing.T) {
	e := newCaseEnv(t)
	e.decide(e.reportSeller(), market.DecisionClose)
	e.clock.Pass(market.AppealWithin)
	e.stepEvery(20*time.Second, 6)
	if _, err := e.store.User(e.ctx, e.about.User.UID); err == nil {
		t.Error("the user is still there")
	}
	if a, err := e.store.Account(e.ctx, e.about.User.UID); err != nil || !a.Removed || a.PasswordHash != "" || a.GoogleSub != "" {
		t.Errorf("the account is %+v, %v", a, err)
	}
	if h, err := e.store.HiddenPhone(e.ctx, e.target.ID); err == nil {
		t.Errorf("the hidden phone is still there: %+v", h)
	}
}

func TestAddressOfSomebodyWhoLeftCannotSignUpUntilItIsOver(t *testing.T) {
	for name, over := range map[string]func(e *caseEnv, c market.Case){
		"a suspension": func(e *caseEnv, c market.Case) {
			e.decide(c, market.DecisionSuspend)
			e.must(e.deleteAccount(e.about))
			e.wantCode(e.MaySignUp(e.ctx, e.about.User.Email), market.CodeForbidden)
			e.clock.Pass(7 * 24 * time.Hour)
		},
		"an open case": func(e *caseEnv, c market.Case) {
			e.must(e.deleteAccount(e.about))
			e.clock.Pass(30 * 24 * time.Hour)
			e.wantCode(e.MaySignUp(e.ctx, e.about.User.Email), market.CodeForbidden)
			e.decide(c, market.DecisionWarn)
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newCaseEnv(t)
			over(e, e.reportSeller())
			e.must(e.MaySignUp(e.ctx, e.about.User.Email))
		})
	}
	e := newCaseEnv(t)
	e.must(e.deleteAccount(e.about))
	e.must(e.MaySignUp(e.ctx, e.about.User.Email)) // nothing was open
}
