package market

import (
	"context"
	"errors"
	"slices"
	"time"
)

// CaseQueue is the queue of the store of cases that the runner must handle.
const CaseQueue = "case"

// advanceCase carries out what the case says now, takes its reports off the list of reported items, and
// sets when it is due again: once more after sweepFor, because a call that has read the case before may still be
// running; at the end of a suspension; and when it can no longer be appealed.
func (m *Market) advanceCase(ctx context.Context, c Case) error {
	for {
		if err := m.carryOut(ctx, c); err != nil {
			return err
		}
		if err := m.closeReports(ctx, c); err != nil {
			return err
		}
		next, err := m.afterStep(ctx, c)
		if err != nil || next.Due.Equal(c.Due) && next.State == c.State {
			return err
		}
		next.Version++
		if next.State != c.State {
			next.ShownVersion = next.Version
		}
		err = m.store.SaveCase(ctx, next, m.caseEvents(next, m.clock.Now()))
		if !errors.Is(err, ErrConflict) {
			return ignoreNotFound(err)
		}
		if c, err = m.store.Case(ctx, c.ID); err != nil {
			return ignoreNotFound(err)
		}
	}
}

// afterStep returns the case with the time when it is due next, or closed if its time is over.
func (m *Market) afterStep(ctx context.Context, c Case) (Case, error) {
	now := m.clock.Now()
	if c.Decision == nil {
		return c, nil
	}
	changed := c.Decision.At
	if c.Appeal != nil && c.Appeal.State != AppealOpen {
		changed = c.Appeal.DecidedAt
	}
	times := []time.Time{changed.Add(sweepFor), c.Decision.AppealBy()}
	if c.Stands(DecisionSuspend) {
		times = append(times, c.Decision.Until, c.Decision.Until.Add(sweepFor))
	}
	times = slices.DeleteFunc(times, func(at time.Time) bool { return !at.After(now) })
	if len(times) > 0 {
		c.Due = slices.MinFunc(times, time.Time.Compare)
		return c, nil
	}
	if c.State == CaseAppealed { // it waits for an admin
		c.Due = time.Time{}
		return c, nil
	}
	return m.ended(ctx, c)
}

// ended closes a case that can no longer be appealed. What it has hidden is deleted, and what it has of
// reports and of its target.
func (m *Market) ended(ctx context.Context, c Case) (Case, error) {
	if c.Stands(DecisionClose) {
		if err := m.EraseClosedPerson(ctx, c.AboutUID); err != nil {
			return c, err
		}
	}
	if c.Stands(DecisionRemove) && c.Kind == CaseProduct {
		if h, err := m.store.HiddenPhone(ctx, c.TargetID); err == nil && h.CaseID == c.ID {
			if err := m.dropHidden(ctx, c.TargetID); err != nil {
				return c, err
			}
		} else if ignoreNotFound(err) != nil {
			return c, err
		}
	}
	c.State, c.Due, c.Copy, c.Img, c.Reports = CaseClosed, time.Time{}, nil, "", nil
	return c, nil
}

// closeReports takes the reports of a case that is not open off the list of reported items, and tells those who
// have reported what came of it.
func (m *Market) closeReports(ctx context.Context, c Case) error {
	if c.State == CaseOpen || c.Decision == nil {
		return nil
	}
	for _, r := range c.Reports {
		if err := m.closeReport(ctx, c, r); err != nil {
			return err
		}
	}
	return nil
}

// closeReport tells a reporter once what came of their report.
func (m *Market) closeReport(ctx context.Context, c Case, r CaseReport) error {
	if c.Decision.Unfounded {
		if err := m.noteUnfounded(ctx, c, r); err != nil {
			return err
		}
	}
	if err := m.tellReporter(ctx, c, r); err != nil {
		return err
	}
	stored, err := m.store.Report(ctx, r.ID)
	if err != nil {
		return ignoreNotFound(err)
	}
	stored.Version++
	return ignoreConflict(m.store.RemoveReport(ctx, stored, m.reportEvents(TypeReportRemoved, stored, m.clock.Now())))
}

// tellReporter notifies a reporter of what came of their report. The cause of the notification makes it the only one.
func (m *Market) tellReporter(ctx context.Context, c Case, r CaseReport) error {
	isGone, err := m.isRemoved(ctx, r.ReporterUID)
	if err != nil || isGone {
		return err
	}
	n := NewNotification(r.ReporterUID, NotifyDecision, c.outcomeText(), "", "case "+c.ID+" "+string(c.outcome()), m.clock.Now())
	return ignoreTaken(m.store.AddNotification(ctx, n, []Effect{n.Event()}))
}

// reportOutcome is what a reporter hears.
type reportOutcome string

const (
	reportActed reportOutcome = "acted"
	reportKept  reportOutcome = "kept"
)

func (c Case) outcome() reportOutcome {
	if c.IsAgainst() && !c.isReversed() {
		return reportActed
	}
	return reportKept
}

func (c Case) outcomeText() string {
	if c.outcome() == reportActed {
		return "Thank you for your report about " + c.Target + ". We have looked at it and acted."
	}
	return "Thank you for your report about " + c.Target + ". We have looked at it, and it stays as it is."
}

// noteUnfounded stores with the reporter that their report was unfounded.
func (m *Market) noteUnfounded(ctx context.Context, c Case, r CaseReport) error {
	return ignoreNotFound(m.changeUser(ctx, r.ReporterUID, func(u *User) []Effect {
		if u.Removed || slices.ContainsFunc(u.Unfounded, func(known Unfounded) bool { return known.CaseID == c.ID }) {
			return nil
		}
		u.Unfounded = append(slices.Clone(u.Unfounded), Unfounded{CaseID: c.ID, At: c.Decision.At})
		if extra := len(u.Unfounded) - maxUnfounded; extra > 0 {
			u.Unfounded = u.Unfounded[extra:]
		}
		return m.userChanged(u)
	}))
}
