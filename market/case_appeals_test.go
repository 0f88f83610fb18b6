package market_test

import (
	"slices"
	"testing"
	"time"

	"secondring/market"
)

func TestHiddenPhoneIsThereForItsSellerAndAdmins(t *testing.T) {
	e := newCaseEnv(t)
	e.decide(e.reportPhone(), market.DecisionRemove)
	if e.isShown(e.target) {
		t.Fatal("the phone is shown")
	}
	for name, who := range map[string]*market.Actor{"a visitor": nil, "a buyer": &e.reporter} {
		if _, _, err := e.ProductFor(e.ctx, who, e.target.ID); market.CodeOf(err) != market.CodeNotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, who := range map[string]*market.Actor{"the seller": &e.about, "an admin": &e.judge} {
		p, isHidden, err := e.ProductFor(e.ctx, who, e.target.ID)
		if err != nil || !isHidden || p.Description != e.target.Description {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
	_, err := e.ChangeProduct(e.ctx, e.about, e.target.ID, market.ProductChange{Description: new("Another")})
	e.wantCode(err, market.CodeConflict)
	_, err = e.book(e.reporter, e.target)
	e.wantCode(err, market.CodeNotFound)
}

func TestReversedDecisionGivesThePhoneBack(t *testing.T) {
	e := newCaseEnv(t)
	held := e.mustBook(e.reporter, e.target)
	waiter := e.waitingBuyers(e.target, 1)[0]
	c := e.decide(e.reportPhone(), market.DecisionRemove)
	if got := e.storedBooking(held); got.Status != market.BookingCancelled {
		t.Errorf("the booking is %s", got.Status)
	}
	e.wantNotified(waiter, "available: The Nokia 3310 that you waited for is no longer for sale.")
	removed, err := e.store.HiddenPhone(e.ctx, e.target.ID)
	e.must(err)
	e.drain()
	c = e.appeal(c, market.AppealReversed)
	if !slices.Contains(e.publishedEvents(), "brand:"+e.brand.ID+" product.added") {
		t.Error("no open screen hears of the phone")
	}
	got := e.stored(e.target)
	if !e.isShown(e.target) || got.Version != removed.Phone.Version+1 || got.Booked() || len(got.Waitlist) > 0 {
		t.Errorf("the phone is %+v", got)
	}
	if c.State != market.CaseClosed {
		t.Errorf("the case is %s", c.State)
	}
	e.wantNoticeWith(e.about, "We have looked again at our decision about Nokia 3310, and taken it back.")
	e.wantNoticeWith(e.reporter, "We have looked at it, and it stays as it is.")
	if want := []string{e.about.User.Email + " remove", e.about.User.Email + " reversed"}; !slices.Equal(e.letters.to, want) {
		t.Errorf("the letters are %q", e.letters.to)
	}
	_, err = e.ChangeProduct(e.ctx, e.about, e.target.ID, market.ProductChange{Description: new("Another")})
	e.must(err)
	e.stepEvery(20*time.Second, 4)
	if !e.isShown(e.target) {
		t.Error("the phone is hidden again")
	}
}

// The runner raises the version of a case, without a change that an admin sees.
func TestWorkOfTheRunnerIsNoConflict(t *testing.T) {
	e := newCaseEnv(t)
	c := e.decide(e.reportPhone(), market.DecisionRemove)
	_, err := e.AppealDecision(e.ctx, e.about, c.ID, market.AppealRequest{Text: "Why?"})
	e.must(err)
	seen := e.storedCase(c).Version
	e.stepEvery(30*time.Second, 4)
	if e.storedCase(c).Version == seen {
		t.Fatal("the runner has not written the case")
	}
	answer := market.AppealAnswer{Version: new(int(seen) - 1), Outcome: "reversed", Words: "We looked at the photos of the back again."}
	_, err = e.AnswerAppeal(e.ctx, e.second, c.ID, answer)
	e.wantCode(err, market.CodeConflict)
	answer.Version = new(int(seen))
	_, err = e.AnswerAppeal(e.ctx, e.second, c.ID, answer)
	e.must(err)
}

func TestUpheldDecisionStays(t *testing.T) {
	e := newCaseEnv(t)
	c := e.appeal(e.decide(e.reportPhone(), market.DecisionRemove), market.AppealUpheld)
	if c.State != market.CaseClosed || e.isShown(e.target) {
		t.Errorf("the case is %s, and the phone is shown: %t", c.State, e.isShown(e.target))
	}
	_, err := e.AppealDecision(e.ctx, e.about, c.ID, market.AppealRequest{Text: "Again"})
	e.wantCode(err, market.CodeOver)
}

func TestAppealIsMadeOnceByThePersonConcerned(t *testing.T) {
	e := newCaseEnv(t)
	c := e.decide(e.reportPhone(), market.DecisionWarn)
	_, err := e.AppealDecision(e.ctx, e.reporter, c.ID, market.AppealRequest{Text: "Why?"})
	e.wantCode(err, market.CodeForbidden)
	_, err = e.AppealDecision(e.ctx, e.about, c.ID, market.AppealRequest{})
	e.wantCode(err, market.CodeInvalid)
	_, err = e.AppealDecision(e.ctx, e.about, c.ID, market.AppealRequest{Text: "It is a 3310."})
	e.must(err)
	if got := e.storedCase(c); got.State != market.CaseAppealed || got.Appeal.Text != "It is a 3310." {
		t.Errorf("the case is %+v", got)
	}
	e.wantNoticeWith(e.second, "asks to look again at a decision about Nokia 3310")
	_, err = e.AppealDecision(e.ctx, e.about, c.ID, market.AppealRequest{Text: "Again"})
	e.wantCode(err, market.CodeOver)
	_, err = e.AppealByToken(e.ctx, market.AppealRequest{Token: e.AppealToken(c), Text: "Again"})
	e.wantCode(err, market.CodeGone)
	for _, token := range []string{"", c.ID, c.ID + ".", e.AppealToken(market.Case{ID: market.NewID(e.clock.Now())}), e.AppealToken(c) + "x"} {
		_, err = e.AppealByToken(e.ctx, market.AppealRequest{Token: token, Text: "Again"})
		e.wantCode(err, market.CodeGone)
	}
}

func TestAppealIsDecidedByAnotherAdminWhereThereIsOne(t *testing.T) {
	e := newCaseEnv(t)
	c := e.decide(e.reportPhone(), market.DecisionRemove)
	answer := func(by market.Actor) error {
		_, err := e.AnswerAppeal(e.ctx, by, c.ID, market.AppealAnswer{
			Version: new(int(e.storedCase(c).Version)), Outcome: "reversed", Words: "We looked at the photos of the back again.",
		})
		return err
	}
	e.wantCode(answer(e.second), market.CodeDecided) // nobody has appealed
	_, err := e.AppealDecision(e.ctx, e.about, c.ID, market.AppealRequest{Text: "Why?"})
	e.must(err)
	e.wantCode(answer(e.judge), market.CodeForbidden)
	e.wantCode(answer(e.about), market.CodeForbidden)
	e.must(e.RevokeAdmin(e.ctx, e.second.User.Email))
	e.must(answer(e.judge))
	e.wantCode(answer(e.judge), market.CodeDecided)
}

func TestRemovalByAnAdminIsACase(t *testing.T) {
	e := newCaseEnv(t)
	reported := e.reportPhone()
	_, err := e.RemoveProduct(e.ctx, e.judge, e.target.ID, market.RemovalReason{Words: "short"})
	e.wantCode(err, market.CodeInvalid)
	n, err := e.RemoveProduct(e.ctx, e.judge, e.target.ID, market.RemovalReason{Rule: "stolen", Words: explained})
	if e.must(err); n != 1 {
		t.Errorf("removed %d phones", n)
	}
	if c := e.storedCase(reported); !c.Stands(market.DecisionRemove) || c.Decision.Rule != market.RuleStolen || c.Decision.Words != explained {
		t.Errorf("the case is %+v", c)
	}
	e.clock.Pass(time.Second) // the newest decision comes first
	n, err = e.RemoveUser(e.ctx, e.judge, e.about.User.ID, market.RemovalReason{})
	if e.must(err); n != 1 {
		t.Errorf("removed %d users", n)
	}
	list, err := e.store.DecisionsAgainst(e.ctx, e.about.User.UID, market.Page{Limit: 9})
	e.must(err)
	if list.Total != 2 || !list.Items[0].Stands(market.DecisionClose) || len(list.Items[0].Decision.Words) < 20 {
		t.Errorf("the decisions are %+v", list.Items)
	}
}

func TestDecisionIsCarriedOutAfterACrash(t *testing.T) {
	for _, kind := range []market.DecisionKind{market.DecisionRemove, market.DecisionSuspend, market.DecisionClose} {
		t.Run(string(kind), func(t *testing.T) {
			var c market.Case
			afterEachCrash(t, func(e *caseEnv, m *market.Market) error {
				c = e.reportPhone()
				_, err := m.Decide(e.ctx, e.judge, c.ID, decisionOf(c, kind))
				return err
			}, func(e *caseEnv) {
				if got := e.storedCase(c); got.Stands(kind) == e.isShown(e.target) {
					t.Errorf("the decision stands: %t, and the phone is shown: %t", got.Stands(kind), e.isShown(e.target))
				}
			})
		})
		t.Run(string(kind)+", reversed", func(t *testing.T) {
			var c market.Case
			afterEachCrash(t, func(e *caseEnv, m *market.Market) error {
				c = e.decide(e.reportPhone(), kind)
				_, err := e.AppealByToken(e.ctx, market.AppealRequest{Token: e.AppealToken(c), Text: "Why?"})
				e.must(err)
				_, err = m.AnswerAppeal(e.ctx, e.second, c.ID, market.AppealAnswer{
					Version: new(int(e.storedCase(c).Version)), Outcome: "reversed", Words: "We looked at the photos of the back again.",
				})
				return err
			}, func(e *caseEnv) {
				if got := e.storedCase(c); got.Stands(kind) == e.isShown(e.target) {
					t.Errorf("the decision stands: %t, and the phone is shown: %t", got.Stands(kind), e.isShown(e.target))
				}
			})
		})
	}
}
