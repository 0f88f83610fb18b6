package market_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

func TestReportsOfOneTargetAreOneCase(t *testing.T) {
	e := newCaseEnv(t)
	c := e.reportPhone()
	second := e.report(e.buyer(), market.CaseProduct, e.target.ID)
	if _, err := e.AddReport(e.ctx, e.buyer(), market.ReportRequest{ProductID: e.target.ID, Reason: "Stolen"}); err != nil {
		t.Fatal(err)
	}
	got := e.storedCase(c)
	if second.ID != c.ID || len(got.Reports) != 3 || got.AboutUID != e.about.User.UID || got.State != market.CaseOpen {
		t.Errorf("the case is %+v", got)
	}
	if rules := []market.Rule{got.Reports[0].Rule, got.Reports[2].Rule}; !slices.Equal(rules, []market.Rule{"not_as_shown", "other"}) {
		t.Errorf("the rules are %q", rules)
	}
	_, err := e.ReportTarget(e.ctx, e.reporter, market.CaseReportRequest{Kind: "product", ID: e.target.ID, Rule: "stolen", Reason: "Again"})
	e.wantCode(err, market.CodeReported)
	list, err := e.Reports(e.ctx, e.judge, market.Page{Limit: 9})
	if e.must(err); list.Total != 3 {
		t.Errorf("%d reported items, want 3", list.Total)
	}
	e.clock.Pass(time.Second) // the oldest case comes first
	e.report(e.reporter, market.CasePerson, e.about.User.ID)
	if list, err = e.Reports(e.ctx, e.judge, market.Page{Limit: 9}); err != nil || list.Total != 3 {
		t.Errorf("%d reported items (%v); a person is none", list.Total, err)
	}
	cases, err := e.Cases(e.ctx, e.judge, "open", market.Page{Limit: 9})
	if e.must(err); cases.Total != 2 || cases.Items[0].ID != c.ID {
		t.Errorf("the open cases are %+v", cases)
	}
}

func TestReportOfATargetWithTheSameKeyIsOne(t *testing.T) {
	e := newCaseEnv(t)
	in := market.CaseReportRequest{Kind: "person", ID: e.about.User.ID, Rule: "spam", Reason: "Writes to everybody", Key: "k"}
	first, err := e.ReportTarget(e.ctx, e.reporter, in)
	e.must(err)
	second, err := e.ReportTarget(e.ctx, e.reporter, in)
	if e.must(err); first != second {
		t.Errorf("the reports are %s and %s", first, second)
	}
}

func TestReportOfATargetIsChecked(t *testing.T) {
	e := newCaseEnv(t)
	for name, c := range map[string]struct {
		in   market.CaseReportRequest
		code market.Code
	}{
		"an unknown phone":   {market.CaseReportRequest{Kind: "product", ID: "none", Rule: "spam", Reason: "x"}, market.CodeNotFound},
		"an unknown person":  {market.CaseReportRequest{Kind: "person", ID: "none", Rule: "spam", Reason: "x"}, market.CodeNotFound},
		"an unknown picture": {market.CaseReportRequest{Kind: "picture", ID: "none.jpg", Rule: "spam", Reason: "x"}, market.CodeNotFound},
		"oneself":            {market.CaseReportRequest{Kind: "person", ID: e.reporter.User.ID, Rule: "spam", Reason: "x"}, market.CodeForbidden},
		"another kind":       {market.CaseReportRequest{Kind: "brand", ID: "x", Rule: "spam", Reason: "x"}, market.CodeInvalid},
		"another rule":       {market.CaseReportRequest{Kind: "product", ID: e.target.ID, Rule: "rude", Reason: "x"}, market.CodeInvalid},
		"no reason":          {market.CaseReportRequest{Kind: "product", ID: e.target.ID, Rule: "spam"}, market.CodeInvalid},
		"no person":          {market.CaseReportRequest{Kind: "person", Rule: "spam", Reason: "x"}, market.CodeInvalid},
	} {
		if _, err := e.ReportTarget(e.ctx, e.reporter, c.in); market.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
}

func TestReportOfANewAccountIsMarked(t *testing.T) {
	e := newCaseEnv(t)
	account, err := e.store.Account(e.ctx, e.reporter.User.UID)
	e.must(err)
	account.CreatedAt = e.clock.Now().Add(-25 * time.Hour)
	account.Version++
	e.must(e.store.SaveAccount(e.ctx, account, nil))
	e.reportPhone()
	young := e.buyer()
	account, err = e.store.Account(e.ctx, young.User.UID)
	e.must(err)
	account.CreatedAt = e.clock.Now().Add(-23 * time.Hour)
	account.Version++
	e.must(e.store.SaveAccount(e.ctx, account, nil))
	v := e.report(young, market.CaseProduct, e.target.ID).View()
	if v.Reports[0].Young || !v.Reports[1].Young {
		t.Errorf("the reports are %+v", v.Reports)
	}
}

func TestCaseWithoutReportsIsClosedSilently(t *testing.T) {
	e := newCaseEnv(t)
	c := e.reportPhone()
	_, err := e.RemoveReport(e.ctx, e.judge, c.Reports[0].ID)
	e.must(err)
	got := e.storedCase(c)
	if got.State != market.CaseClosed || got.Decision.Kind != market.DecisionKeep {
		t.Errorf("the case is %+v", got)
	}
	e.step()
	e.wantNotified(e.reporter)
	e.wantNotified(e.about)
	if again := e.reportPhone(); again.ID == c.ID {
		t.Error("the same case was opened again")
	}
}

func TestDecisionReachesThePersonConcernedAndTheReporters(t *testing.T) {
	e := newCaseEnv(t)
	c := e.reportPhone()
	e.drain()
	c = e.decide(c, market.DecisionRemove)
	events := e.publishedEvents()
	for _, want := range []string{
		"admin case.changed", "me:" + e.about.User.UID + " decision.changed", "admin report.removed",
		"brand:" + e.brand.ID + " product.removed", "admin audit.added",
	} {
		if !slices.Contains(events, want) {
			t.Errorf("published %q, without %q", events, want)
		}
	}
	e.wantNotified(e.about, "decision: An admin removed your Nokia 3310. Read why, and ask us to look again if you disagree.")
	e.wantNotified(e.reporter, "decision: Thank you for your report about Nokia 3310. We have looked at it and acted.")
	if want := []string{e.about.User.Email + " remove"}; !slices.Equal(e.letters.to, want) {
		t.Errorf("the letters are %q, want %q", e.letters.to, want)
	}
	list, err := e.Decisions(e.ctx, e.about, market.Page{Limit: 9})
	e.must(err)
	if list.Total != 1 || list.Items[0].ID != c.ID {
		t.Fatalf("the decisions are %+v", list)
	}
	if v := list.Items[0].DecisionView(); v.Words != explained || v.Rule != "not_as_shown" || v.Automated || v.Target.Name != "Nokia 3310" {
		t.Errorf("the seller reads %+v", v)
	}
	if list, err = e.Decisions(e.ctx, e.reporter, market.Page{Limit: 9}); err != nil || list.Total != 0 {
		t.Errorf("the reporter reads %+v, %v", list, err)
	}
	if text := c.DecisionView().Words + strings.Join(e.notificationTexts(e.about), ""); strings.Contains(text, e.reporter.User.Name) {
		t.Error("the seller reads who has reported")
	}
	if entry := e.auditEntry(e.judge, market.ActionRemovePhone); entry.TargetID != e.target.ID || entry.ConcernID != e.about.User.ID {
		t.Errorf("the audit entry is %+v", entry)
	}
	e.stepEvery(10*time.Second, 6)
	e.wantNotified(e.reporter, "decision: Thank you for your report about Nokia 3310. We have looked at it and acted.")
}

func TestDecisionToKeepTellsOnlyTheReporter(t *testing.T) {
	e := newCaseEnv(t)
	c := e.decide(e.reportPhone(), market.DecisionKeep)
	if c.State != market.CaseClosed || !e.isShown(e.target) {
		t.Errorf("the case is %s", c.State)
	}
	e.wantNotified(e.about)
	e.wantNotified(e.reporter, "decision: Thank you for your report about Nokia 3310. We have looked at it, and it stays as it is.")
	if len(e.letters.to) != 0 {
		t.Errorf("the letters are %q", e.letters.to)
	}
	_, err := e.AppealDecision(e.ctx, e.about, c.ID, market.AppealRequest{Text: "Why?"})
	e.wantCode(err, market.CodeNotFound)
}

func TestDecisionIsChecked(t *testing.T) {
	e := newCaseEnv(t)
	c := e.reportPhone()
	for name, change := range map[string]func(*market.DecisionRequest){
		"no version":      func(in *market.DecisionRequest) { in.Version = nil },
		"no decision":     func(in *market.DecisionRequest) { in.Decision = "" },
		"no rule":         func(in *market.DecisionRequest) { in.Rule = "" },
		"short words":     func(in *market.DecisionRequest) { in.Words = "Nineteen characters" },
		"long words":      func(in *market.DecisionRequest) { in.Words = strings.Repeat("x", 1001) },
		"a wrong time":    func(in *market.DecisionRequest) { in.Decision, in.Days = "suspend", 2 },
		"a wrong decoder": func(in *market.DecisionRequest) { in.Wrong = wrongField("days", "must be a number") },
	} {
		in := decisionOf(c, market.DecisionWarn)
		change(&in)
		if _, err := e.Decide(e.ctx, e.judge, c.ID, in); market.CodeOf(err) != market.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := e.Decide(e.ctx, e.judge, e.reportSeller().ID, decisionOf(e.reportSellerAgain(), market.DecisionRemove))
	e.wantCode(err, market.CodeInvalid)
	_, err = e.Decide(e.ctx, e.about, c.ID, decisionOf(c, market.DecisionWarn))
	e.wantCode(err, market.CodeForbidden)
	_, err = e.Decide(e.ctx, e.judge, "none", decisionOf(c, market.DecisionWarn))
	e.wantCode(err, market.CodeNotFound)
	stale := decisionOf(c, market.DecisionWarn)
	stale.Version = new(int(c.Version) - 1)
	_, err = e.Decide(e.ctx, e.judge, c.ID, stale)
	e.wantCode(err, market.CodeConflict)
	c = e.decide(c, market.DecisionWarn)
	_, err = e.Decide(e.ctx, e.second, c.ID, decisionOf(c, market.DecisionWarn))
	e.wantCode(err, market.CodeDecided)
}

// reportSellerAgain returns the open case of the seller.
func (e *caseEnv) reportSellerAgain() market.Case {
	e.t.Helper()
	c, err := e.store.OpenCase(e.ctx, market.CasePerson, e.about.User.ID)
	e.must(err)
	return c
}

func TestNobodyDecidesAboutThemself(t *testing.T) {
	e := newCaseEnv(t)
	c := e.report(e.reporter, market.CasePerson, e.judge.User.ID)
	_, err := e.Decide(e.ctx, e.judge, c.ID, decisionOf(c, market.DecisionKeep))
	e.wantCode(err, market.CodeForbidden)
	_, err = e.CaseDetail(e.ctx, e.judge, c.ID)
	e.wantCode(err, market.CodeForbidden)
	for _, kind := range []market.DecisionKind{market.DecisionSuspend, market.DecisionClose} {
		_, err = e.Decide(e.ctx, e.second, c.ID, decisionOf(c, kind))
		e.wantCode(err, market.CodeForbidden)
	}
	_, err = e.Decide(e.ctx, e.second, c.ID, decisionOf(c, market.DecisionWarn))
	e.must(err)
}

func TestReadingACaseIsAudited(t *testing.T) {
	e := newCaseEnv(t)
	c := e.reportPhone()
	earlier := e.decide(e.reportSeller(), market.DecisionWarn)
	v, err := e.CaseDetail(e.ctx, e.judge, c.ID)
	e.must(err)
	if v.Copy.Description != e.target.Description || v.Copy.ResalePrice != 40 || !v.Exists || len(v.Earlier) != 1 || v.Earlier[0].ID != earlier.ID {
		t.Errorf("the case is %+v", v)
	}
	if entry := e.auditEntry(e.judge, market.ActionReadCase); entry.Actor != e.judge.User.Name || entry.TargetID != e.target.ID {
		t.Errorf("the audit entry is %+v", entry)
	}
}

func TestCaseShowsThePhoneAsItWasReported(t *testing.T) {
	e := newCaseEnv(t)
	c := e.reportPhone()
	_, err := e.ChangeProduct(e.ctx, e.about, e.target.ID, market.ProductChange{Description: new("It is a real one.")})
	e.must(err)
	e.report(e.buyer(), market.CaseProduct, e.target.ID)
	if got := e.storedCase(c); got.Copy.Description != e.target.Description {
		t.Errorf("the copy is %+v", got.Copy)
	}
}

func TestUnfoundedReportsPauseReporting(t *testing.T) {
	e := newCaseEnv(t)
	for i := range 3 {
		p := e.phone(e.about)
		c := e.report(e.reporter, market.CaseProduct, p.ID)
		in := decisionOf(c, market.DecisionKeep)
		in.Unfounded, in.Rule, in.Words = true, "", ""
		_, err := e.Decide(e.ctx, e.judge, c.ID, in)
		e.must(err)
		e.clock.Pass(24 * time.Hour)
		e.step()
		if n := len(e.reload(e.reporter).User.Unfounded); n != i+1 {
			t.Fatalf("%d unfounded reports, want %d", n, i+1)
		}
	}
	report := func() error {
		_, err := e.ReportTarget(e.ctx, e.reload(e.reporter), market.CaseReportRequest{Kind: "product", ID: e.target.ID, Rule: "spam", Reason: "x"})
		return err
	}
	err := report()
	e.wantCode(err, market.CodeTooFast)
	refused := &market.Error{}
	if !errors.As(err, &refused) || refused.RetryAfter != 29*24*time.Hour {
		t.Errorf("the next report is possible in %s", refused.RetryAfter)
	}
	_, err = e.AddReport(e.ctx, e.reload(e.reporter), market.ReportRequest{ProductID: e.target.ID, Reason: "x"})
	e.wantCode(err, market.CodeTooFast)
	e.clock.Pass(29 * 24 * time.Hour)
	e.must(report())
}

func TestCaseIsErasedWhenItCanNoLongerBeAppealed(t *testing.T) {
	e := newCaseEnv(t)
	c := e.decide(e.reportPhone(), market.DecisionRemove)
	e.clock.Pass(market.AppealWithin - time.Minute)
	e.step()
	if got := e.storedCase(c); got.State != market.CaseDecided || got.Copy == nil {
		t.Fatalf("the case is %+v", got)
	}
	e.clock.Pass(time.Minute)
	e.step()
	got := e.storedCase(c)
	if got.State != market.CaseClosed || got.Copy != nil || len(got.Reports) != 0 || !got.Due.IsZero() {
		t.Errorf("the case is %+v", got)
	}
	if _, err := e.store.HiddenPhone(e.ctx, e.target.ID); err == nil {
		t.Error("the hidden phone is still there")
	}
	_, err := e.AppealDecision(e.ctx, e.about, c.ID, market.AppealRequest{Text: "Why?"})
	e.wantCode(err, market.CodeOver)
	e.clock.Pass(market.CaseRetention)
	e.step()
	if _, err := e.store.Case(e.ctx, c.ID); err == nil {
		t.Error("the case is still there")
	}
}

func TestReporterWhoLeavesLosesTheName(t *testing.T) {
	e := newCaseEnv(t)
	c := e.reportPhone()
	e.must(e.deleteAccount(e.reporter))
	got := e.storedCase(c)
	if r := got.Reports[0]; r.By != "" || r.ReporterUID != "" || r.Reason != "Not a 3310" {
		t.Errorf("the report is %+v", r)
	}
	list, err := e.Reports(e.ctx, e.judge, market.Page{Limit: 9})
	if e.must(err); list.Total != 1 || list.Items[0].UserName != "" || list.Items[0].Email != "" {
		t.Errorf("the reported items are %+v", list)
	}
	e.decide(got, market.DecisionRemove)
}

func TestExportHasOwnReportsAndDecisions(t *testing.T) {
	e := newCaseEnv(t)
	c := e.reportPhone()
	_, err := e.CaseDetail(e.ctx, e.judge, c.ID)
	e.must(err)
	export := func(who market.Actor) market.PersonView {
		a, err := e.store.Account(e.ctx, who.User.UID)
		e.must(err)
		v, err := e.Person(e.ctx, a)
		e.must(err)
		return v
	}
	if v := export(e.about); len(v.AuditLog) != 0 || len(v.Decisions) != 0 {
		t.Errorf("the seller is told of an open case: %+v, %+v", v.AuditLog, v.Decisions)
	}
	e.decide(c, market.DecisionRemove)
	if v := export(e.about); len(v.Decisions) != 1 || len(v.Phones) != 1 || !v.Phones[0].Hidden || len(v.CaseReports) != 0 {
		t.Errorf("the export of the seller is %+v", v)
	}
	if v := export(e.reporter); len(v.CaseReports) != 1 || v.CaseReports[0].Reason != "Not a 3310" || len(v.Decisions) != 0 {
		t.Errorf("the export of the reporter is %+v", v.CaseReports)
	}
}

func TestEachSideOfAConversationMayReportTheOther(t *testing.T) {
	e := newCaseEnv(t)
	thread, err := e.StartThread(e.ctx, e.reporter, market.MessageRequest{ProductID: e.target.ID, Text: "You are a thief"})
	e.must(err)
	list, err := e.Messages(e.ctx, e.reporter, thread.ID, market.Page{Limit: 1})
	e.must(err)
	report := market.ThreadReportRequest{Reason: "Rude", Messages: []string{list.Items[0].ID}}
	for _, who := range []market.Actor{e.reporter, e.about} {
		_, err := e.ReportThread(e.ctx, who, thread.ID, report)
		e.must(err)
		_, err = e.ReportThread(e.ctx, who, thread.ID, report)
		e.wantCode(err, market.CodeReported)
	}
	cases, err := e.Cases(e.ctx, e.judge, "open", market.Page{Limit: 9})
	e.must(err)
	about := map[string]string{}
	for _, c := range cases.Items {
		about[c.AboutUID] = c.View().Target.ID
	}
	if len(about) != 2 || about[e.about.User.UID] != thread.ID || about[e.reporter.User.UID] != thread.ID {
		t.Errorf("the cases are about %v", about)
	}
}
