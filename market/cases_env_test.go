package market_test

import (
	"errors"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

const explained = "The photos show another phone than the one that is sold."

// letters remembers the letters of a market.
type letters struct{ to []string }

func (l *letters) AboutCase(c market.Case, email string) []market.Effect {
	what := string(c.Decision.Kind)
	if c.Appeal != nil {
		what = string(c.Appeal.State)
	}
	l.to = append(l.to, email+" "+what)
	return nil
}

// caseEnv is a market with a seller, a phone and admins.
type caseEnv struct {
	*env

	about, reporter market.Actor // the seller of the target, and a buyer
	judge, second   market.Actor // admins
	target          market.Product
	letters         *letters
}

func newCaseEnv(t *testing.T) *caseEnv {
	t.Helper()
	e := newEnv(t)
	e.UseCaseKey([]byte("a key of the test"))
	c := &caseEnv{env: e, about: e.seller(), reporter: e.buyer(), judge: e.admin(), second: e.admin(), letters: &letters{}}
	c.target = e.phone(c.about)
	e.UseLetters(c.letters)
	return c
}

// report reports a target, and returns its open case.
func (e *caseEnv) report(by market.Actor, kind market.CaseKind, id string) market.Case {
	e.t.Helper()
	_, err := e.ReportTarget(e.ctx, by, market.CaseReportRequest{Kind: string(kind), ID: id, Rule: "not_as_shown", Reason: "Not a 3310"})
	e.must(err)
	c, err := e.store.OpenCase(e.ctx, kind, id)
	e.must(err)
	return c
}

func (e *caseEnv) reportPhone() market.Case {
	e.t.Helper()
	return e.report(e.reporter, market.CaseProduct, e.target.ID)
}

func (e *caseEnv) reportSeller() market.Case {
	e.t.Helper()
	return e.report(e.reporter, market.CasePerson, e.about.User.ID)
}

func decisionOf(c market.Case, kind market.DecisionKind) market.DecisionRequest {
	in := market.DecisionRequest{Version: new(int(c.Version)), Decision: string(kind), Rule: "not_as_shown", Words: explained}
	if kind == market.DecisionSuspend {
		in.Days = 7
	}
	return in
}

// decide decides a case, and returns it.
func (e *caseEnv) decide(c market.Case, kind market.DecisionKind) market.Case {
	e.t.Helper()
	_, err := e.Decide(e.ctx, e.judge, c.ID, decisionOf(c, kind))
	e.must(err)
	return e.storedCase(c)
}

// appeal lets the seller appeal, and the other admin answer.
func (e *caseEnv) appeal(c market.Case, outcome market.AppealState) market.Case {
	e.t.Helper()
	_, err := e.AppealByToken(e.ctx, market.AppealRequest{Token: e.AppealToken(c), Text: "It is a 3310. Look at its back."})
	e.must(err)
	_, err = e.AnswerAppeal(e.ctx, e.second, c.ID, market.AppealAnswer{
		Version: new(int(e.storedCase(c).Version)), Outcome: string(outcome), Words: "We looked at the photos of the back again.",
	})
	e.must(err)
	return e.storedCase(c)
}

func (e *caseEnv) storedCase(c market.Case) market.Case {
	e.t.Helper()
	c, err := e.store.Case(e.ctx, c.ID)
	e.must(err)
	return c
}

// isShown returns whether the phone is in the market.
func (e *caseEnv) isShown(p market.Product) bool {
	e.t.Helper()
	_, err := e.Product(e.ctx, p.ID)
	if market.CodeOf(err) != market.CodeNotFound {
		e.must(err)
	}
	list, listErr := e.ProductsOfBrand(e.ctx, p.BrandID, market.Page{Limit: 100})
	e.must(listErr)
	isListed := false
	for _, listed := range list.Items {
		isListed = isListed || listed.ID == p.ID
	}
	if isListed != (err == nil) {
		e.t.Errorf("the phone is listed: %t, and found: %t", isListed, err == nil)
	}
	return err == nil
}

// afterEachCrash calls do with a market that dies before, and after, each write of do in turn. After each crash the
// runner of another process works for a minute, and then check must hold.
func afterEachCrash(t *testing.T, do func(e *caseEnv, m *market.Market) error, check func(e *caseEnv)) {
	t.Helper()
	for _, made := range []bool{false, true} {
		for writes := 0; ; writes++ {
			e := newCaseEnv(t)
			crash := &markettest.Crash{Writes: writes, Made: made, Die: func() error { return errCrash }}
			m := market.New(markettest.Guarded(e.store, crash.Guard), e.clock, e.rules, e.bank)
			err := do(e, m)
			e.stepEvery(10*time.Second, 8)
			check(e)
			if err == nil {
				break
			}
			if !errors.Is(err, errCrash) {
				t.Fatal(err)
			}
		}
	}
}
