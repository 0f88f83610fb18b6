package market

import (
	"context"
	"errors"
	"path"
	"slices"
	"time"
)

// Limits of reports.
const (
	maxReportsOfCase = 100            // the next reporters are told that it is known
	youngAccount     = 24 * time.Hour // reports of younger accounts are shown as such

	maxUnfounded    = 3                   // unfounded reports of a person within unfoundedFor, after which
	unfoundedFor    = 30 * 24 * time.Hour // they cannot report for as long
	maxReasonOfCase = 1000                // characters of each reason in a case; the report has all
)

// CaseReportRequest is the payload of POST /reports.
type CaseReportRequest struct {
	Kind   string
	ID     string
	Rule   string
	Reason string
	Key    string // of the form; may be empty
	Wrong  Fields
}

// ReportTarget reports a phone, a person or a picture to the admins, once while its case is open. It
// returns the ID of the report.
func (m *Market) ReportTarget(ctx context.Context, who Actor, in CaseReportRequest) (string, error) {
	c, p, err := m.caseOf(ctx, CaseKind(in.Kind), in.ID)
	if err != nil {
		return "", err
	}
	if c.AboutUID == who.User.UID {
		return "", forbidden("You cannot report yourself")
	}
	if err := in.check(); err != nil {
		return "", err
	}
	if err := m.mayReport(who.User); err != nil {
		return "", err
	}
	r, err := m.fileOnce(ctx, who, c, Report{Rule: Rule(in.Rule), Reason: in.Reason}.ofPhone(p), in.Key)
	return r.ID, err
}

// fileOnce completes a report and stores it in the open case of its target, once for each key of the reporter.
func (m *Market) fileOnce(ctx context.Context, who Actor, target Case, r Report, key string) (Report, error) {
	o, err := m.once(ctx, who.User.UID, "report", key)
	if err != nil || o.IsDone {
		return Report{ID: o.ID}, err
	}
	r.ID, r.SellerID, r.Version, r.CreatedAt = o.ID, target.AboutID, 1, m.clock.Now()
	r.ReporterUID, r.UserName, r.Email = who.User.UID, who.User.Name, who.User.Email
	if len(encode(r.View())) > maxEntity {
		return Report{}, tooLarge("reason")
	}
	if r, err = m.file(ctx, target, r); err == nil {
		o.done(ctx)
	}
	return r, err
}

func (in CaseReportRequest) check() error {
	f := FieldsOf(in.Wrong)
	f.oneOf("kind", in.Kind, string(CaseProduct), string(CasePerson), string(CasePicture))
	f.text("id", in.ID, maxShort)
	f.oneOf("rule", in.Rule, ruleNames...)
	f.multiline("reason", in.Reason, maxReason)
	f.optional("key", in.Key, MaxKey)
	return f.Err()
}

// ofPhone returns the report with the phone that it is about, as it is now. The zero Product is none.
func (r Report) ofPhone(p Product) Report {
	r.ProductID, r.ProductName, r.BrandID, r.Brand, r.Img = p.ID, p.Name, p.BrandID, p.Brand, p.Img
	return r
}

// mayReport returns an error for somebody who is suspended, or whose reports were unfounded.
func (m *Market) mayReport(u User) error {
	if err := m.mustNotBeSuspended(u); err != nil {
		return err
	}
	again := u.mayReportAt()
	if wait := again.Sub(m.clock.Now()); wait > 0 {
		return &Error{Code: CodeTooFast, RetryAfter: wait, Message: "Three of your reports were unfounded. You can report again on " + OnDay(again)}
	}
	return nil
}

// mayReportAt returns when the person may report again; a time in the past if they may.
func (u User) mayReportAt() time.Time {
	if len(u.Unfounded) < maxUnfounded {
		return time.Time{}
	}
	latest := u.Unfounded[len(u.Unfounded)-maxUnfounded:]
	if last := latest[maxUnfounded-1].At; last.Sub(latest[0].At) <= unfoundedFor {
		return last.Add(unfoundedFor)
	}
	return time.Time{}
}

// caseOf returns a case of a target that is not stored yet, and the phone if it is one; the zero Case for a kind
// that cannot be reported, or without an ID.
func (m *Market) caseOf(ctx context.Context, kind CaseKind, id string) (c Case, p Product, err error) {
	if id == "" {
		return c, p, nil
	}
	switch kind {
	case CaseProduct:
		if p, err = m.product(ctx, id); err == nil {
			c, err = m.caseOfPhone(ctx, p)
		}
	case CasePerson:
		c, err = m.caseOfPerson(ctx, id)
	case CasePicture:
		c, err = m.caseOfPicture(ctx, path.Base(id)) // its address is accepted, too
	case CaseThread: // see ReportThread
	}
	return c, p, err
}

// caseOfPhone returns a case of a phone that is not stored yet.
func (m *Market) caseOfPhone(ctx context.Context, p Product) (Case, error) {
	c := Case{
		Kind: CaseProduct, TargetID: p.ID, Target: p.title(), Img: p.Img, AboutUID: p.SellerUID, About: p.SellerName,
		Copy: &CaseCopy{
			Brand: p.Brand, Name: p.Name, ResalePrice: p.ResalePrice, Condition: p.Condition, Storage: p.Storage, Description: p.Description, Verified: p.Verified,
		},
	}
	for _, photo := range p.Photos[min(1, len(p.Photos)):] { // the first is c.Img
		c.Copy.Photos = append(c.Copy.Photos, photo.URL)
	}
	var err error
	c.AboutID, err = m.idOf(ctx, p.SellerUID)
	return c, err
}

// caseOfPerson returns a case of a person, by their User.ID, that is not stored yet.
func (m *Market) caseOfPerson(ctx context.Context, id string) (Case, error) {
	u, err := m.store.UserByID(ctx, id)
	if errors.Is(err, ErrNotFound) || err == nil && u.Removed {
		return Case{}, missing("person")
	}
	return caseOfUser(u), err
}

func caseOfUser(u User) Case {
	return Case{
		Kind: CasePerson, TargetID: u.ID, Target: u.Name, AboutUID: u.UID, AboutID: u.ID, About: u.Name,
		Copy: &CaseCopy{Since: u.CreatedAt, Verified: u.IsVerified()},
	}
}

// caseOfPicture returns a case of a picture, by its name, that is not stored yet. Nobody is concerned:
// the market does not know who has uploaded a picture.
func (m *Market) caseOfPicture(ctx context.Context, name string) (Case, error) {
	original, err := m.takedowns.Original(ctx, name)
	if errors.Is(err, ErrNotFound) {
		return Case{}, missing("picture")
	}
	return Case{Kind: CasePicture, TargetID: original, Target: original, Img: "/images/" + original}, err
}

// file stores a report in the open case of its target, which it opens if there is none. If the case has
// the report already, from an earlier call with the same key, it changes nothing.
func (m *Market) file(ctx context.Context, target Case, r Report) (Report, error) {
	reporter, err := m.store.Account(ctx, r.ReporterUID)
	if ignoreNotFound(err) != nil {
		return r, err
	}
	isYoung := err == nil && r.CreatedAt.Sub(reporter.CreatedAt) < youngAccount
	for {
		c, err := m.store.OpenCase(ctx, target.Kind, target.TargetID)
		isNew := errors.Is(err, ErrNotFound)
		switch {
		case isNew:
			c = target
			c.ID, c.State, c.OpenedAt = NewID(r.CreatedAt), CaseOpen, r.CreatedAt
		case err != nil:
			return r, err
		case slices.ContainsFunc(c.Reports, func(known CaseReport) bool { return known.ID == r.ID }):
			return r, nil
		case c.hasReportBy(r.ReporterUID):
			return r, refuse(CodeReported, "You have reported this "+c.Kind.word()+" already. An admin will look at it")
		case len(c.Reports) >= maxReportsOfCase:
			return r, refuse(CodeReported, "Many people have reported this "+c.Kind.word()+" already. An admin will look at it")
		}
		r.CaseID = c.ID
		c.Reports = append(slices.Clone(c.Reports), CaseReport{
			ID: r.ID, ReporterUID: r.ReporterUID, By: r.UserName, Rule: r.Rule, Reason: cut(r.Reason, maxReasonOfCase), At: r.CreatedAt, Young: isYoung,
		})
		c.Version++
		c.ShownVersion = c.Version
		effects, err := m.reportNotices(ctx, c, r.CreatedAt)
		if err != nil {
			return r, err
		}
		effects = append(effects, m.caseEvents(c, r.CreatedAt)...)
		if c.Kind.isListed() {
			effects = append(append(effects, r), m.reportEvents(TypeReportCreated, r, r.CreatedAt)...)
		}
		if isNew {
			err = m.store.AddCase(ctx, c, effects)
		} else {
			err = m.store.SaveCase(ctx, c, effects)
		}
		if !errors.Is(err, ErrExists) && !errors.Is(err, ErrConflict) && !errors.Is(err, ErrNotFound) {
			return r, err
		}
	}
}

// isListed returns whether open reports of the kind are in the list of reported items.
func (k CaseKind) isListed() bool { return k == CaseProduct || k == CaseThread }

// word returns the name of the kind in a text.
func (k CaseKind) word() string {
	switch k {
	case CaseProduct:
		return "phone"
	case CaseThread:
		return "conversation"
	default:
		return string(k)
	}
}

// reportNotices notify the admins of a new report.
func (m *Market) reportNotices(ctx context.Context, c Case, at time.Time) ([]Effect, error) {
	product := ""
	if c.Kind == CaseProduct {
		product = c.TargetID
	}
	text := c.Target + " was reported."
	if c.Kind == CasePicture {
		text = "A picture was reported."
	}
	return m.notifyAdmins(ctx, NotifyReport, product, text, linkCase+c.ID, at)
}

// dropReport takes one report out of its case. A case without reports is closed, and nobody is told.
func (m *Market) dropReport(ctx context.Context, by User, r Report) error {
	_, err := m.changeCase(ctx, r.CaseID, func(c *Case, now time.Time) ([]Effect, error) {
		i := slices.IndexFunc(c.Reports, func(known CaseReport) bool { return known.ID == r.ID })
		if i < 0 || c.State != CaseOpen {
			return nil, nil
		}
		c.Reports = slices.Delete(slices.Clone(c.Reports), i, i+1)
		if len(c.Reports) == 0 {
			c.State, c.Due = CaseClosed, now
			c.Decision = &Decision{Kind: DecisionKeep, At: now, ByUID: by.UID, By: by.Name}
		}
		return []Effect{}, nil
	})
	return ignoreNotFound(err)
}

// changeCase applies a change to a case and stores it, with the event for the admins and more effects.
// After a conflict it reads the case and applies the change again. change returns nil to change nothing.
func (m *Market) changeCase(ctx context.Context, id string, change func(*Case, time.Time) ([]Effect, error)) (Case, error) {
	for {
		c, err := m.store.Case(ctx, id)
		if err != nil {
			return c, err
		}
		now := m.clock.Now()
		effects, err := change(&c, now)
		if err != nil || effects == nil {
			return c, err
		}
		c.Version++
		c.ShownVersion = c.Version
		err = m.store.SaveCase(ctx, c, append(m.caseEvents(c, now), effects...))
		if !errors.Is(err, ErrConflict) {
			return c, err
		}
	}
}
