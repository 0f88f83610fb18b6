package market

import (
	"context"
	"slices"
	"time"
)

// A case is what people have reported about one phone, person, picture or conversation, and what an
// admin has decided about it:
//
//	case_reports.go    a report opens a case, or joins the open one of its target
//	case_decisions.go  an admin decides; what that changes in the market is in case_carry_out.go
//	case_appeals.go    the person concerned asks for a second look
//	case_upkeep.go     what happens later by itself
//	case_views.go      what admins, the person concerned and the reporters see
//
// A decision is stored in its case first. Then it is carried out, by the call or by the runner. So a
// process may be killed at any moment.

// CaseKind is what a case is about.
type CaseKind string

// The kinds.
const (
	CaseProduct CaseKind = "product"
	CasePerson  CaseKind = "person"
	CasePicture CaseKind = "picture"
	CaseThread  CaseKind = "thread" // about the other side of a conversation
)

// Rule is the rule of the market that a report or a decision names.
type Rule string

// Rules of conduct, in the order in which screens offer them.
const (
	RuleStolen      Rule = "stolen"
	RuleCounterfeit Rule = "counterfeit"
	RuleNotAsShown  Rule = "not_as_shown"
	RuleFakePrice   Rule = "fake_price"
	RuleContact     Rule = "contact"
	RuleInsult      Rule = "insult"
	RuleSpam        Rule = "spam"
	RuleForbidden   Rule = "forbidden"
	RuleOther       Rule = "other"
)

// ruleNames are all rules.
var ruleNames = []string{
	string(RuleStolen), string(RuleCounterfeit), string(RuleNotAsShown), string(RuleFakePrice), string(RuleContact),
	string(RuleInsult), string(RuleSpam), string(RuleForbidden), string(RuleOther),
}

// CaseState is the state of a case.
type CaseState string

// The states.
const (
	CaseOpen     CaseState = "open"
	CaseDecided  CaseState = "decided"  // against the person concerned, who may appeal
	CaseAppealed CaseState = "appealed" // an admin has to look again
	CaseClosed   CaseState = "closed"   // decided as DecisionKeep, or the appeal is decided or too late
)

// DecisionKind is what an admin decides.
type DecisionKind string

// The decisions.
const (
	DecisionKeep    DecisionKind = "keep"    // nothing changes
	DecisionWarn    DecisionKind = "warn"    // the person concerned is told the rule, and nothing else changes
	DecisionRemove  DecisionKind = "remove"  // of a phone, which is hidden, or a picture
	DecisionSuspend DecisionKind = "suspend" // of the person concerned, for some days
	DecisionClose   DecisionKind = "close"   // of the account of the person concerned
)

// AppealWithin is how long after a decision the person concerned may appeal. Then what it has hidden
// is deleted, and what the case has of its reports and its target.
const AppealWithin = 180 * 24 * time.Hour

// CaseRetention is how long a case is kept after it was opened, unless it is open.
const CaseRetention = 400 * 24 * time.Hour

// Case is one case.
type Case struct {
	ID           string // begins with the time, like every ID
	Kind         CaseKind
	TargetID     string // see targetID; of a conversation with the reported side, see reportedSide
	Target       string // its name when it was reported
	Img          string // its picture then; may be empty
	AboutUID     string // the person concerned; "" for a picture
	AboutID      string // their User.ID
	About        string // their name when it was reported
	Copy         *CaseCopy
	Reports      []CaseReport
	State        CaseState
	OpenedAt     time.Time
	Decision     *Decision // nil while the case is open
	Appeal       *Appeal   // nil without one
	Due          time.Time // when the runner must handle it next; zero if nothing is left to do
	Version      int64
	ShownVersion int64 // the Version in which what admins see last changed: the runner raises Version, too
}

// mustBeSeen returns CodeConflict if what admins see of the case has changed since the version that one of them saw.
func (c Case) mustBeSeen(version int) error {
	if int64(version) < c.ShownVersion || int64(version) > c.Version {
		return refuse(CodeConflict, "This case has changed since you opened it. Please look at it again")
	}
	return nil
}

// CaseCopy is a phone or a conversation as it was when the case was opened.
type CaseCopy struct {
	Brand       string    `json:"brand,omitempty"`
	Name        string    `json:"name,omitempty" doc:"Name of a phone, without its brand"`
	ResalePrice int       `json:"resalePrice,omitempty" doc:"In whole US dollars"`
	Condition   string    `json:"condition,omitempty"`
	Storage     int       `json:"storage,omitempty" doc:"In GB"`
	Description string    `json:"description,omitempty"`
	Photos      []string  `json:"photos,omitempty" doc:"Addresses of the pictures"`
	Quotes      []Quote   `json:"quotes,omitempty" doc:"The reported messages of a conversation, and those beside them, oldest first"`
	Since       time.Time `json:"since,omitzero" doc:"Of a person: when they joined, UTC"`
	Verified    bool      `json:"verified,omitempty" doc:"Whether the person concerned was a verified seller"`
}

// CaseReport is what one person has reported.
type CaseReport struct {
	ID          string
	ReporterUID string // "" once they have left, like By
	By          string // the reporter's name
	Rule        Rule
	Reason      string
	At          time.Time
	Young       bool // the reporter's account was younger than a day
}

// Decision is an admin's decision about a case.
type Decision struct {
	Kind      DecisionKind
	Rule      Rule
	Words     string // what the person concerned reads
	At        time.Time
	ByUID     string    // the admin
	By        string    // their name
	Until     time.Time // of DecisionSuspend
	Unfounded bool      // of DecisionKeep: the reports were made up
}

// IsAgainst returns whether the decision is against the person concerned.
func (d Decision) IsAgainst() bool { return d.Kind != DecisionKeep }

// AppealBy returns until when the person concerned may appeal.
func (d Decision) AppealBy() time.Time { return d.At.Add(AppealWithin) }

// AppealState is the state of an appeal.
type AppealState string

// The states.
const (
	AppealOpen     AppealState = "open"
	AppealUpheld   AppealState = "upheld"   // the decision stays
	AppealReversed AppealState = "reversed" // what it has hidden is given back
)

// Appeal is the answer of the person concerned to a decision.
type Appeal struct {
	Text      string
	At        time.Time
	State     AppealState
	Words     string // of the admin who decided it
	DecidedAt time.Time
	ByUID     string
	By        string
}

// Stands returns whether the case is decided like this, and no appeal has reversed it.
func (c Case) Stands(kind DecisionKind) bool {
	return c.Decision != nil && c.Decision.Kind == kind && !c.isReversed()
}

func (c Case) isReversed() bool { return c.Appeal != nil && c.Appeal.State == AppealReversed }

// IsAgainst returns whether there is a decision that the person concerned can read.
func (c Case) IsAgainst() bool { return c.Decision != nil && c.Decision.IsAgainst() }

// MayAppeal returns whether the person concerned may appeal at this time.
func (c Case) MayAppeal(now time.Time) bool {
	return c.State == CaseDecided && c.IsAgainst() && now.Before(c.Decision.AppealBy())
}

// hasReportBy returns whether a person has reported the case's target.
func (c Case) hasReportBy(uid string) bool {
	return slices.ContainsFunc(c.Reports, func(r CaseReport) bool { return r.ReporterUID == uid })
}

// Reporters returns the UIDs of those who have reported.
func (c Case) Reporters() []string {
	var all []string
	for _, r := range c.Reports {
		all = append(all, r.ReporterUID)
	}
	return all
}

// Pictures returns the addresses of the pictures that the case shows.
func (c Case) Pictures() []string {
	all := []string{c.Img}
	if c.Copy != nil {
		all = append(all, c.Copy.Photos...)
	}
	return all
}

// CaseStore stores cases and the phones that they hide.
type CaseStore interface {
	// AddCase returns ErrExists if the ID exists, or the target has an open case.
	AddCase(ctx context.Context, c Case, effects []Effect) error
	SaveCase(ctx context.Context, c Case, effects []Effect) error
	Case(ctx context.Context, id string) (Case, error)
	// OpenCase returns the open case of a target.
	OpenCase(ctx context.Context, kind CaseKind, targetID string) (Case, error)
	// Cases lists the cases in a state, "" for all, the oldest first.
	Cases(ctx context.Context, state CaseState, page Page) (List[Case], error)
	// CasesAbout returns a page of the cases that concern a person, newest first.
	CasesAbout(ctx context.Context, uid string, page Page) ([]Case, error)
	// DecisionsAgainst lists the decided cases against a person, newest first.
	DecisionsAgainst(ctx context.Context, uid string, page Page) (List[Case], error)
	// CasesReportedBy returns a page of the cases with a report of a person, newest first.
	CasesReportedBy(ctx context.Context, uid string, page Page) ([]Case, error)
	// CasesDue returns cases whose Due is set and not after now, oldest first, up to limit.
	CasesDue(ctx context.Context, now time.Time, limit int) ([]Case, error)
	// PurgeCases deletes up to limit cases that are not open and were opened before that time.
	PurgeCases(ctx context.Context, before time.Time, limit int) (int, error)

	// HiddenPhone returns the newest copy of a phone. A HiddenPhone is added as an Effect.
	HiddenPhone(ctx context.Context, productID string) (HiddenPhone, error)
	// HiddenPhonesOf returns a page of the hidden phones of a seller, newest first.
	HiddenPhonesOf(ctx context.Context, sellerUID string, page Page) ([]HiddenPhone, error)
	// SaveHiddenPhone replaces the copy with the same ID.
	SaveHiddenPhone(ctx context.Context, h HiddenPhone) error
	// RemoveHiddenPhone removes the copy with the same ID. It returns no error if there is none.
	RemoveHiddenPhone(ctx context.Context, h HiddenPhone) error
}

// Sentence returns what the rule says, for the person concerned.
func (r Rule) Sentence() string {
	switch r {
	case RuleStolen:
		return "Stolen phones are not sold here."
	case RuleCounterfeit:
		return "Copies are not sold as originals."
	case RuleNotAsShown:
		return "A phone is what its photos and texts show."
	case RuleFakePrice:
		return "A price is what the phone costs."
	case RuleContact:
		return "Contact data and payments stay on this site until a phone is paid."
	case RuleInsult:
		return "Nobody is insulted or threatened."
	case RuleSpam:
		return "Nobody advertises or writes the same to many."
	case RuleForbidden:
		return "Only used phones are sold here, and nothing that the law forbids."
	default:
		return "People deal honestly with one another."
	}
}
