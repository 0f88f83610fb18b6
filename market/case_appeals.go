package market

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"time"
)

// maxAppeal is the length of an appeal, in characters.
const maxAppeal = 2000

// AppealRequest is the payload of POST /decisions/{id}/appeal and of POST /decisions/appeal.
type AppealRequest struct {
	Token string // of the letter; for those who cannot sign in
	Text  string
	Wrong Fields
}

func (in AppealRequest) check() error {
	f := FieldsOf(in.Wrong)
	f.multiline("text", in.Text, maxAppeal)
	return f.Err()
}

// AppealDecision stores the appeal of the person concerned.
func (m *Market) AppealDecision(ctx context.Context, who Actor, id string, in AppealRequest) (int, error) {
	c, err := m.store.Case(ctx, id)
	if errors.Is(err, ErrNotFound) || err == nil && (!c.IsAgainst() || c.AboutUID == "") {
		return 0, missing("decision")
	}
	if err != nil {
		return 0, err
	}
	if c.AboutUID != who.User.UID {
		return 0, forbidden("This decision is not about you")
	}
	if err := in.check(); err != nil {
		return 0, err
	}
	return m.appeal(ctx, id, in.Text, refuse(CodeOver, "You can ask us to look again once, within 180 days"))
}

// AppealByToken stores the appeal of a person who may not be able to sign in. It returns CodeGone for a token
// that is not valid, or was used.
func (m *Market) AppealByToken(ctx context.Context, in AppealRequest) (int, error) {
	gone := refuse(CodeGone, "This link does not work any more. You can ask us to look again once, within 180 days")
	id, isValid := m.caseOfToken(in.Token)
	if !isValid {
		return 0, gone
	}
	if err := in.check(); err != nil {
		return 0, err
	}
	n, err := m.appeal(ctx, id, in.Text, gone)
	if errors.Is(err, ErrNotFound) {
		err = gone
	}
	return n, err
}

// appeal stores an appeal, or returns the error over if there can be none.
func (m *Market) appeal(ctx context.Context, id, text string, over error) (int, error) {
	_, err := m.changeCase(ctx, id, func(c *Case, now time.Time) ([]Effect, error) {
		if !c.MayAppeal(now) {
			return nil, over
		}
		c.State, c.Appeal = CaseAppealed, &Appeal{Text: text, At: now, State: AppealOpen}
		notices, err := m.notifyAdmins(ctx, NotifyReport, "", "Somebody asks to look again at a decision about "+c.Target+".", linkCase+c.ID, now)
		return append(notices, m.decisionEvent(*c, now)), err
	})
	if err != nil {
		return 0, err
	}
	return 1, nil
}

// AppealAnswer is the payload of PUT /cases/{id}/appeal.
type AppealAnswer struct {
	Version *int
	Outcome string
	Words   string
	Wrong   Fields
}

// AnswerAppeal stores an admin's decision about an appeal: another admin than the one who has decided the
// case, where there is one. A reversed decision gives back what it has hidden.
func (m *Market) AnswerAppeal(ctx context.Context, who Actor, id string, in AppealAnswer) (int, error) {
	c, err := m.caseForAdmin(ctx, who, id)
	if err != nil {
		return 0, err
	}
	if c.Decision != nil && c.Decision.ByUID == who.User.UID {
		another, err := m.hasOtherAdmin(ctx, c, who.User)
		if err != nil {
			return 0, err
		}
		if another {
			return 0, forbidden("You made this decision. Another admin has to look at it again")
		}
	}
	f := FieldsOf(in.Wrong)
	f.version(in.Version)
	f.oneOf("outcome", in.Outcome, string(AppealUpheld), string(AppealReversed))
	f.explanation("words", in.Words)
	if err := f.Err(); err != nil {
		return 0, err
	}
	c, err = m.changeCase(ctx, id, func(c *Case, now time.Time) ([]Effect, error) {
		if err := c.mustBeSeen(*in.Version); err != nil {
			return nil, err
		}
		if c.State != CaseAppealed {
			return nil, refuse(CodeDecided, "Nobody waits for an answer in this case")
		}
		return m.appealAnswered(ctx, c, who.User, in, now)
	})
	if err != nil {
		return 0, err
	}
	return 1, m.advanceCase(ctx, c)
}

func (m *Market) appealAnswered(ctx context.Context, c *Case, by User, in AppealAnswer, now time.Time) ([]Effect, error) {
	a := *c.Appeal
	a.State, a.Words, a.DecidedAt, a.ByUID, a.By = AppealState(in.Outcome), in.Words, now, by.UID, by.Name
	c.Appeal, c.State, c.Due = &a, CaseClosed, now
	action, text := ActionUphold, "We have looked again at our decision about "+c.Subject()+". It stays. Read why."
	if a.State == AppealReversed {
		action, text = ActionReverse, "We have looked again at our decision about "+c.Subject()+", and taken it back."
	}
	return m.withDecisionNotices(ctx, *c, text, []Effect{c.auditEntry(by, action, now)}, now)
}

// hasOtherAdmin returns whether an admin can decide the appeal who is neither this one nor concerned.
func (m *Market) hasOtherAdmin(ctx context.Context, c Case, than User) (bool, error) {
	admins, err := m.store.Admins(ctx, maxAdminsNotified)
	for _, admin := range admins {
		if admin.UID != than.UID && admin.UID != c.AboutUID {
			return true, nil
		}
	}
	return false, err
}

// UseCaseKey sets the key of the tokens in letters, and of the hashes of addresses that cannot sign up again yet. Call it before the market is used.
func (m *Market) UseCaseKey(key []byte) { m.caseKey = key }

// AppealToken returns the token with which the person concerned can appeal without signing in. It is the same
// each time, because it may be in a letter and in the answer to a sign-in.
func (m *Market) AppealToken(c Case) string {
	return c.ID + "." + base64.RawURLEncoding.EncodeToString(m.keyedHash(c.ID))
}

// keyedHash returns a hash that only who has the key of UseCaseKey can make.
func (m *Market) keyedHash(text string) []byte {
	mac := hmac.New(sha256.New, m.caseKey)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// caseOfToken returns the ID of the case of a token. isValid is false for one that this market has not made.
func (m *Market) caseOfToken(token string) (id string, isValid bool) {
	id, _, _ = strings.Cut(token, ".")
	return id, len(m.caseKey) > 0 && hmac.Equal([]byte(token), []byte(m.AppealToken(Case{ID: id})))
}

// ClosedBy returns the case that has closed a person's account. ok is false if none has.
func (m *Market) ClosedBy(ctx context.Context, uid string) (c Case, ok bool, err error) {
	u, err := m.store.User(ctx, uid)
	if err != nil || u.Closed == "" {
		return c, false, ignoreNotFound(err)
	}
	c, err = m.store.Case(ctx, u.Closed)
	return c, err == nil, ignoreNotFound(err)
}
