package market

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"
)

// Limits of a decision's words, in characters.
const (
	minWords = 20
	maxWords = 1000
)

// usualWords are the words of a decision that an admin has made without any.
const usualWords = "An admin has decided that this breaks the rules of our market."

// suspensionDays are how long a suspension may be.
var suspensionDays = []int{1, 7, 30}

// DecisionRequest is the payload of PUT /cases/{id}.
type DecisionRequest struct {
	Version   *int
	Decision  string
	Unfounded bool // with DecisionKeep
	Days      int  // with DecisionSuspend
	Rule      string
	Words     string
	Wrong     Fields
}

// Decide stores an admin's decision about an open case, and carries it out. It returns CodeConflict if the
// case has changed since the version of the request, and CodeDecided if it is decided.
func (m *Market) Decide(ctx context.Context, who Actor, id string, in DecisionRequest) (int, error) {
	c, err := m.caseForAdmin(ctx, who, id)
	if err != nil {
		return 0, err
	}
	if err := in.check(c.Kind); err != nil {
		return 0, err
	}
	d := Decision{Kind: DecisionKind(in.Decision), Rule: Rule(in.Rule), Words: in.Words, Unfounded: in.Unfounded && in.Decision == string(DecisionKeep)}
	if d.Kind == DecisionSuspend {
		d.Until = m.clock.Now().Add(time.Duration(in.Days) * 24 * time.Hour)
	}
	if err := m.mayBeDecided(ctx, c, d); err != nil {
		return 0, err
	}
	c, err = m.changeCase(ctx, id, func(c *Case, now time.Time) ([]Effect, error) {
		if err := c.mustBeSeen(*in.Version); err != nil {
			return nil, err
		}
		if c.State != CaseOpen {
			return nil, refuse(CodeDecided, "This case is decided already")
		}
		return m.decided(ctx, c, who.User, d, now)
	})
	if err != nil {
		return 0, err
	}
	return 1, m.advanceCase(ctx, c)
}

// caseForAdmin returns a case for an admin whom it does not concern.
func (m *Market) caseForAdmin(ctx context.Context, who Actor, id string) (Case, error) {
	c, err := m.store.Case(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return c, missing("case")
	}
	if err != nil {
		return c, err
	}
	if err := mustAdmin(who); err != nil {
		return c, err
	}
	if c.AboutUID == who.User.UID {
		return c, forbidden("This is about you. Another admin has to decide it")
	}
	return c, nil
}

func (in DecisionRequest) check(kind CaseKind) error {
	f := FieldsOf(in.Wrong)
	f.version(in.Version)
	f.oneOf("decision", in.Decision, string(DecisionKeep), string(DecisionWarn), string(DecisionRemove), string(DecisionSuspend), string(DecisionClose))
	isRemovable, concernsSomebody := kind == CaseProduct || kind == CasePicture, kind != CasePicture
	switch DecisionKind(in.Decision) {
	case DecisionRemove:
		if !isRemovable {
			f.Add("decision", "must be another one: only a phone or a picture can be removed")
		}
	case DecisionWarn, DecisionSuspend, DecisionClose:
		if !concernsSomebody {
			f.Add("decision", "must be another one: nobody is concerned by a picture")
		}
	}
	if in.Decision == string(DecisionSuspend) && !slices.Contains(suspensionDays, in.Days) {
		f.Add("days", "must be 1, 7 or 30")
	}
	in.checkWords(f)
	return f.Err()
}

// checkWords requires a rule, and words that explain the decision. Nobody reads those of DecisionKeep, so
// it needs none.
func (in DecisionRequest) checkWords(f Fields) {
	if in.Decision == string(DecisionKeep) && in.Words == "" && in.Rule == "" {
		return
	}
	f.oneOf("rule", in.Rule, ruleNames...)
	f.explanation("words", in.Words)
}

// version requires the version that an admin has seen.
func (f Fields) version(version *int) {
	if version == nil {
		f.Add("version", "is required")
	}
}

// explanation requires a text that is long enough to explain something.
func (f Fields) explanation(name, value string) {
	f.multiline(name, value, maxWords)
	if utf8.RuneCountInString(value) < minWords {
		f.Add(name, fmt.Sprintf("must have at least %d characters", minWords))
	}
}

// mayBeDecided returns an error for a decision that cannot be carried out.
func (m *Market) mayBeDecided(ctx context.Context, c Case, d Decision) error {
	switch {
	case d.Kind == DecisionSuspend || d.Kind == DecisionClose:
		u, err := m.store.User(ctx, c.AboutUID)
		switch {
		case errors.Is(err, ErrNotFound) || err == nil && u.Removed:
			return refuse(CodeConflict, "This person has no account any more")
		case err == nil && u.Admin:
			return forbidden("An admin's account cannot be suspended or closed")
		}
		return err
	case d.Kind == DecisionRemove && c.Kind == CaseProduct:
		p, err := m.store.Product(ctx, c.TargetID)
		if err == nil && p.Sold {
			return heldOrPaid(p, "removed")
		}
		return ignoreNotFound(err)
	}
	return nil
}

// decided sets the decision about a case, and returns what its write causes beside the change: the entry
// of the audit log, and what the person concerned is told.
func (m *Market) decided(ctx context.Context, c *Case, by User, d Decision, now time.Time) ([]Effect, error) {
	d.At, d.ByUID, d.By = now, by.UID, by.Name
	c.Decision, c.State, c.Due = &d, CaseDecided, now
	if !d.IsAgainst() || c.AboutUID == "" {
		c.State = CaseClosed
	}
	u, err := m.store.User(ctx, c.AboutUID)
	if ignoreNotFound(err) != nil {
		return nil, err
	}
	effects := []Effect{c.auditEntry(by, c.auditAction(u.IsSeller()), now)}
	if !d.IsAgainst() {
		return effects, nil
	}
	return m.withDecisionNotices(ctx, *c, c.decisionText(), effects, now)
}

// withDecisionNotices adds what the person concerned gets of a decision, or of one about their appeal: the event
// for their screens, a notification and a letter.
func (m *Market) withDecisionNotices(ctx context.Context, c Case, text string, effects []Effect, now time.Time) ([]Effect, error) {
	if c.AboutUID == "" {
		return effects, nil
	}
	a, err := m.store.Account(ctx, c.AboutUID)
	if errors.Is(err, ErrNotFound) {
		return effects, nil
	}
	if err != nil {
		return nil, err
	}
	effects = append(effects, m.decisionEvent(c, now), notify(c.AboutUID, NotifyDecision, "", text, linkDecisions, now))
	return append(effects, m.letters.AboutCase(c, a.Email)...), nil
}

// Letters makes the letters that a person gets about decisions.
type Letters interface {
	// AboutCase returns the effect that stores the letter about what the case has now: its decision, or the
	// decision about its appeal. It returns none if no emails are sent.
	AboutCase(c Case, email string) []Effect
}

type noLetters struct{}

func (noLetters) AboutCase(Case, string) []Effect { return nil }

// UseLetters sets what makes letters. Call it before the market is used.
func (m *Market) UseLetters(l Letters) { m.letters = l }

// auditEntry returns the entry of what an admin did with the case.
func (c Case) auditEntry(by User, action AuditAction, now time.Time) AuditEntry {
	target, name := c.TargetID, c.Target
	if c.Kind == CaseThread {
		target = c.ID // a conversation has no page for admins
	}
	if c.Copy != nil && c.Copy.Name != "" {
		name = c.Copy.Name
	}
	return NewAuditEntry(now, &by, action).of(target, name, c.AboutID)
}

// auditAction returns what the decision is in the audit log. isSeller is about the person concerned.
func (c Case) auditAction(isSeller bool) AuditAction {
	switch c.Decision.Kind {
	case DecisionWarn:
		return ActionWarn
	case DecisionSuspend:
		return ActionSuspend
	case DecisionClose:
		if isSeller {
			return ActionRemoveSeller
		}
		return ActionRemoveBuyer
	case DecisionRemove:
		if c.Kind == CasePicture {
			return ActionRemovePicture
		}
		return ActionRemovePhone
	default:
		return ActionKeep
	}
}

// decisionText returns the notification of the person concerned.
func (c Case) decisionText() string {
	switch c.Decision.Kind {
	case DecisionRemove:
		return "An admin removed your " + c.Target + ". Read why, and ask us to look again if you disagree."
	case DecisionSuspend:
		return "You cannot trade until " + OnDay(c.Decision.Until) + ". Read why, and ask us to look again if you disagree."
	case DecisionClose:
		return "An admin closed your account. Read why, and ask us to look again if you disagree."
	default:
		return "An admin has warned you about " + c.Subject() + ". Read why, and ask us to look again if you disagree."
	}
}

// Subject returns what the case is about, in a text for the person concerned.
func (c Case) Subject() string {
	if c.Kind == CasePerson {
		return "your account"
	}
	return c.Target
}

// removeByCase stores an admin's decision to remove a target without a look at reports, and carries it out.
func (m *Market) removeByCase(ctx context.Context, who Actor, target Case, d Decision) (int, error) {
	c, err := m.decideAtOnce(ctx, who, target, d)
	if err != nil {
		return 0, err
	}
	return 1, m.advanceCase(ctx, c)
}

// decideAtOnce stores a decided case: the open case of the target, or a new one.
func (m *Market) decideAtOnce(ctx context.Context, who Actor, target Case, d Decision) (Case, error) {
	for {
		open, err := m.store.OpenCase(ctx, target.Kind, target.TargetID)
		switch {
		case err == nil:
			c, err := m.changeCase(ctx, open.ID, func(c *Case, now time.Time) ([]Effect, error) {
				if c.State != CaseOpen {
					return nil, ErrConflict
				}
				return m.decided(ctx, c, who.User, d, now)
			})
			if !errors.Is(err, ErrConflict) {
				return c, err
			}
			continue
		case !errors.Is(err, ErrNotFound):
			return open, err
		}
		now := m.clock.Now()
		c := target
		c.ID, c.OpenedAt = NewID(now), now
		effects, err := m.decided(ctx, &c, who.User, d, now)
		if err != nil {
			return c, err
		}
		c.Version, c.ShownVersion = 1, 1
		return c, m.store.AddCase(ctx, c, append(m.caseEvents(c, now), effects...))
	}
}

// RemovalReason is why an admin removes a phone, a person or a picture. Without words the person concerned
// reads usual ones.
type RemovalReason struct {
	Rule  string
	Words string
	Wrong Fields
}

// decision returns the decision to remove or to close something for this reason.
func (r RemovalReason) decision(kind DecisionKind) (Decision, error) {
	f := FieldsOf(r.Wrong)
	if r.Rule != "" {
		f.oneOf("rule", r.Rule, ruleNames...)
	}
	if r.Words != "" {
		f.explanation("words", r.Words)
	}
	d := Decision{Kind: kind, Rule: RuleOther, Words: usualWords}
	if r.Rule != "" {
		d.Rule = Rule(r.Rule)
	}
	if r.Words != "" {
		d.Words = r.Words
	}
	return d, f.Err()
}

// RemovePicture stores an admin's decision to take a picture down, and carries it out.
func (m *Market) RemovePicture(ctx context.Context, who Actor, name string, reason RemovalReason) (int, error) {
	target, err := m.caseOfPicture(ctx, name)
	if err != nil {
		return 0, err
	}
	if err := mustAdmin(who); err != nil {
		return 0, err
	}
	d, err := reason.decision(DecisionRemove)
	if err != nil {
		return 0, err
	}
	return m.removeByCase(ctx, who, target, d)
}
