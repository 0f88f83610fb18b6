package market

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"
)

// CaseView is a case, for admins.
type CaseView struct {
	ID          string            `json:"_id"`
	Version     int64             `json:"version" doc:"Increases with each change"`
	Kind        CaseKind          `json:"kind" enum:"product,person,picture,thread"`
	Target      CaseTargetView    `json:"target"`
	Reports     []CaseReportView  `json:"reports" doc:"The first 20 reports, oldest first. Empty once the time for an appeal is over"`
	ReportCount int               `json:"reportCount" doc:"Number of all reports"`
	State       CaseState         `json:"state" enum:"open,decided,appealed,closed"`
	OpenedAt    time.Time         `json:"openedAt" doc:"UTC"`
	Decision    *CaseDecisionView `json:"decision,omitempty" doc:"Absent while the case is open"`
	Appeal      *CaseAppealView   `json:"appeal,omitempty" doc:"Absent without an appeal"`
}

// CaseTargetView is what a case is about, as it was when it was reported.
type CaseTargetView struct {
	ID       string `json:"_id" doc:"The _id of the phone, the person or the conversation, or the name of the picture"`
	Name     string `json:"name"`
	Img      string `json:"img,omitempty"`
	PersonID string `json:"personID,omitempty" doc:"The _id of the person concerned. Absent for a picture"`
	Person   string `json:"person,omitempty" doc:"Name of the person concerned. Absent for a picture"`
}

// CaseReportView is one report of a case.
type CaseReportView struct {
	Rule   Rule      `json:"rule" enum:"stolen,counterfeit,not_as_shown,fake_price,contact,insult,spam,forbidden,other"`
	Reason string    `json:"reason" doc:"Cut in lists and events, if the case is long"`
	By     string    `json:"by" doc:"Name of the reporter; empty for one who has left"`
	At     time.Time `json:"at" doc:"UTC"`
	Young  bool      `json:"young" doc:"True if the account of the reporter was younger than a day"`
}

// CaseDecisionView is the decision of a case, for admins.
type CaseDecisionView struct {
	Decision  DecisionKind `json:"decision" enum:"keep,warn,remove,suspend,close"`
	Rule      Rule         `json:"rule,omitempty" doc:"Absent for keep without one"`
	Words     string       `json:"words"`
	At        time.Time    `json:"at" doc:"UTC"`
	By        string       `json:"by" doc:"Name of the admin"`
	Until     *time.Time   `json:"until,omitempty" doc:"End of a suspension, UTC. Absent for others"`
	Unfounded bool         `json:"unfounded,omitempty" doc:"True if the reports were unfounded"`
}

// CaseAppealView is an appeal, for admins.
type CaseAppealView struct {
	Text  string      `json:"text"`
	At    time.Time   `json:"at" doc:"UTC"`
	State AppealState `json:"state" enum:"open,upheld,reversed"`
	Words string      `json:"words,omitempty" doc:"Of the admin who decided the appeal"`
	By    string      `json:"by,omitempty" doc:"Name of that admin"`
}

// CaseDetail is a case with all that an admin needs to decide it.
type CaseDetail struct {
	CaseView

	Copy    *CaseCopy         `json:"copy,omitempty" doc:"What was reported, as it was then. Absent for a picture, and once the time for an appeal is over"`
	Exists  bool              `json:"exists" doc:"Whether the phone, the person or the picture is in the market now"`
	Earlier []EarlierCaseView `json:"earlier" doc:"The newest 10 other cases about the person, newest first"`
}

// EarlierCaseView is another case about the same person.
type EarlierCaseView struct {
	ID       string       `json:"_id"`
	Kind     CaseKind     `json:"kind" enum:"product,person,picture,thread"`
	Name     string       `json:"name" doc:"Name of what was reported"`
	State    CaseState    `json:"state" enum:"open,decided,appealed,closed"`
	Decision DecisionKind `json:"decision,omitempty" enum:"keep,warn,remove,suspend,close" doc:"Absent while the case is open"`
	OpenedAt time.Time    `json:"openedAt" doc:"UTC"`
}

// DecisionView is a decision, for the person concerned.
type DecisionView struct {
	ID        string              `json:"_id"`
	Version   int64               `json:"version" doc:"Increases with each change"`
	Rule      Rule                `json:"rule" enum:"stolen,counterfeit,not_as_shown,fake_price,contact,insult,spam,forbidden,other"`
	Words     string              `json:"words"`
	Decision  DecisionKind        `json:"decision" enum:"warn,remove,suspend,close"`
	Until     *time.Time          `json:"until,omitempty" doc:"End of a suspension, UTC. Absent for others"`
	Automated bool                `json:"automated" doc:"Always false: a person has decided"`
	Target    DecisionTargetView  `json:"target"`
	At        time.Time           `json:"at" doc:"UTC"`
	AppealBy  time.Time           `json:"appealBy" doc:"Until when it can be appealed, UTC"`
	Appeal    *DecisionAppealView `json:"appeal,omitempty" doc:"Absent without an appeal"`
}

// DecisionTargetView is what a decision is about.
type DecisionTargetView struct {
	Kind CaseKind `json:"kind" enum:"product,person,thread"`
	ID   string   `json:"_id"`
	Name string   `json:"name"`
	Img  string   `json:"img,omitempty"`
}

// DecisionAppealView is an appeal, for the person who made it.
type DecisionAppealView struct {
	Text  string      `json:"text"`
	State AppealState `json:"state" enum:"open,upheld,reversed"`
	Words string      `json:"words,omitempty" doc:"Of the admin who looked again"`
}

// Limits of views.
const (
	shownReports = 20
	shownEarlier = 10
	reasonsSize  = 3 << 10 // bytes of all reasons in a list and an event; see maxEntity
)

// View returns the view for admins. Long reasons are cut, so that it fits into an event.
func (c Case) View() CaseView { return c.view(reasonsSize) }

func (c Case) view(reasons int) CaseView {
	v := CaseView{
		ID: c.ID, Version: c.Version, Kind: c.Kind, State: c.State, OpenedAt: c.OpenedAt, Reports: []CaseReportView{}, ReportCount: len(c.Reports),
		Target: CaseTargetView{ID: c.targetID(), Name: c.Target, Img: c.Img, PersonID: c.AboutID, Person: c.About},
	}
	shown := c.Reports[:min(len(c.Reports), shownReports)]
	for _, r := range shown {
		v.Reports = append(v.Reports, CaseReportView{
			Rule: r.Rule, Reason: cut(r.Reason, max(reasons/(len(shown)*utf8.UTFMax), 1)), By: r.By, At: r.At, Young: r.Young,
		})
	}
	if d := c.Decision; d != nil {
		v.Decision = &CaseDecisionView{Decision: d.Kind, Rule: d.Rule, Words: d.Words, At: d.At, By: d.By, Until: whenSet(d.Until), Unfounded: d.Unfounded}
	}
	if a := c.Appeal; a != nil {
		v.Appeal = &CaseAppealView{Text: a.Text, At: a.At, State: a.State, Words: a.Words, By: a.By}
	}
	return v
}

// targetID returns the ID of the phone, the person or the conversation, or the name of the picture.
func (c Case) targetID() string {
	if c.Kind != CaseThread {
		return c.TargetID
	}
	thread, _, _ := strings.Cut(c.TargetID, reportedSide)
	return thread
}

// DecisionView returns the view for the person concerned.
func (c Case) DecisionView() DecisionView {
	d := c.Decision
	v := DecisionView{
		ID: c.ID, Version: c.Version, Rule: d.Rule, Words: d.Words, Decision: d.Kind, Until: whenSet(d.Until), At: d.At, AppealBy: d.AppealBy(),
		Target: DecisionTargetView{Kind: c.Kind, ID: c.targetID(), Name: c.Target, Img: c.Img},
	}
	if a := c.Appeal; a != nil {
		v.Appeal = &DecisionAppealView{Text: a.Text, State: a.State, Words: a.Words}
	}
	return v
}

func (v CaseView) at(origin string) CaseView {
	v.Target.Img = AbsoluteURL(origin, v.Target.Img)
	return v
}

func (v CaseDetail) at(origin string) CaseDetail {
	v.CaseView = v.CaseView.at(origin)
	if v.Copy != nil {
		shown := *v.Copy
		shown.Photos = nil
		for _, url := range v.Copy.Photos {
			shown.Photos = append(shown.Photos, AbsoluteURL(origin, url))
		}
		v.Copy = &shown
	}
	return v
}

func (v DecisionView) at(origin string) DecisionView {
	v.Target.Img = AbsoluteURL(origin, v.Target.Img)
	return v
}

// caseEvents returns the event for the admins.
func (m *Market) caseEvents(c Case, at time.Time) []Effect {
	return []Effect{Event{Topic: TopicAdmin, Type: TypeCaseChanged, At: at, Entity: c.ID, Version: c.Version, Data: encode(Absolute(m, c.View()))}}
}

// decisionEvent returns the event for the person concerned. The case is about to be stored, in the next version.
func (m *Market) decisionEvent(c Case, at time.Time) Effect {
	c.Version++
	return Event{Topic: TopicMe(c.AboutUID), Type: TypeDecisionChanged, At: at, Entity: c.ID, Version: c.Version, Data: encode(Absolute(m, c.DecisionView()))}
}

// Cases lists the cases in a state, "" for all, for admins.
func (m *Market) Cases(ctx context.Context, who Actor, state string, page Page) (List[Case], error) {
	if err := mustAdmin(who); err != nil {
		return List[Case]{}, err
	}
	f := Fields{}
	if state != "" {
		f.oneOf("state", state, string(CaseOpen), string(CaseDecided), string(CaseAppealed), string(CaseClosed))
	}
	if err := f.Err(); err != nil {
		return List[Case]{}, err
	}
	return m.store.Cases(ctx, CaseState(state), page)
}

// CaseDetail returns a case for admins. The audit log says who has read it.
func (m *Market) CaseDetail(ctx context.Context, who Actor, id string) (CaseDetail, error) {
	c, err := m.caseForAdmin(ctx, who, id)
	if err != nil {
		return CaseDetail{}, err
	}
	v := CaseDetail{CaseView: c.view(shownReports * maxReasonOfCase * utf8.UTFMax), Copy: c.Copy, Earlier: []EarlierCaseView{}}
	if c.AboutUID != "" {
		all, err := m.store.CasesAbout(ctx, c.AboutUID, Page{Limit: shownEarlier + 1})
		if err != nil {
			return v, err
		}
		for _, other := range all {
			if other.ID != c.ID && len(v.Earlier) < shownEarlier {
				v.Earlier = append(v.Earlier, other.earlierView())
			}
		}
	}
	if v.Exists, err = m.exists(ctx, c); err != nil {
		return v, err
	}
	return v, m.store.AddAuditEntry(ctx, c.auditEntry(who.User, ActionReadCase, m.clock.Now()))
}

func (c Case) earlierView() EarlierCaseView {
	v := EarlierCaseView{ID: c.ID, Kind: c.Kind, Name: c.Target, State: c.State, OpenedAt: c.OpenedAt}
	if c.Decision != nil {
		v.Decision = c.Decision.Kind
	}
	return v
}

// exists returns whether the target of a case is in the market.
func (m *Market) exists(ctx context.Context, c Case) (bool, error) {
	var err error
	switch c.Kind {
	case CaseProduct:
		_, err = m.store.Product(ctx, c.TargetID)
	case CasePicture:
		_, err = m.takedowns.Original(ctx, c.TargetID)
	case CasePerson, CaseThread:
		isGone, err := m.isRemoved(ctx, c.AboutUID)
		return !isGone, err
	}
	return err == nil, ignoreNotFound(err)
}

// Decisions lists the decisions against a person, newest first.
func (m *Market) Decisions(ctx context.Context, who Actor, page Page) (List[Case], error) {
	return m.store.DecisionsAgainst(ctx, who.User.UID, page)
}

// DecisionOf returns the case of a letter.
func (m *Market) DecisionOf(ctx context.Context, id string) (Case, error) {
	c, err := m.store.Case(ctx, id)
	if err == nil && !c.IsAgainst() {
		err = ErrNotFound
	}
	return c, err
}
