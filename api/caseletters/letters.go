// Package caseletters writes the letters that people get about decisions of admins. They go out at once, also to
// an address that is not confirmed and to a person whose account is closed.
package caseletters

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"secondring/api/emails"
	"secondring/market"
)

// The templates. Their names are stored.
const (
	templateDecision = "decision"
	templateAppeal   = "appeal"
)

// factCase is the fact with the ID of the case.
const factCase = "case"

// pathAppeal is the client's screen on which a person can appeal without signing in. The token is behind it.
const pathAppeal = "/appeal#token="

// What each letter says.
const (
	inWords  = "In the words of the admin: "
	byPerson = "A person has decided this, not a program."
)

// Letters stores and writes letters.
type Letters struct {
	Market    *market.Market
	Queue     *emails.Queue
	PublicURL *url.URL
	Product   string // the shop's name
}

var _ market.Letters = Letters{}

// AboutCase implements market.Letters.
func (l Letters) AboutCase(c market.Case, email string) []market.Effect {
	template := templateDecision
	if c.Appeal != nil {
		template = templateAppeal
	}
	return l.Queue.Records(emails.Email{
		Template: template, To: email, UID: c.AboutUID, Facts: map[string]string{factCase: c.ID}, Lane: emails.Security,
	})
}

// Has returns whether an email is a letter of this package.
func Has(e emails.Email) bool { return e.Template == templateDecision || e.Template == templateAppeal }

// Compose makes the text of a letter. It returns emails.ErrObsolete if the case is not there any more.
func (l Letters) Compose(ctx context.Context, e emails.Email) (emails.Content, error) {
	c, err := l.Market.DecisionOf(ctx, e.Facts[factCase])
	if errors.Is(err, market.ErrNotFound) {
		err = emails.ErrObsolete
	}
	if err != nil {
		return emails.Content{}, err
	}
	content := emails.Content{Greeting: fmt.Sprintf("Hello %s,", c.About), Addresses: []string{e.To}}
	if e.Template == templateAppeal {
		return l.appeal(c, content), nil
	}
	return l.decision(c, content), nil
}

func (l Letters) decision(c market.Case, content emails.Content) emails.Content {
	what, subject := decisionWords(c)
	content.Subject = subject + " at " + l.Product
	content.Paragraphs = []string{
		what,
		"The rule: " + c.Decision.Rule.Sentence(),
		inWords + c.Decision.Words,
		byPerson,
	}
	content.Action = &emails.Action{Label: "Ask us to look again", URL: l.PublicURL.String() + pathAppeal + l.Market.AppealToken(c)}
	content.Note = []string{
		"You can do this once, until " + market.OnDay(c.Decision.AppealBy()) + ", without logging in. Where we can, somebody else decides.",
		"Money that you are owed stays yours. Paid orders go on as before.",
	}
	return content
}

// decisionWords returns what was decided, and the subject of the letter.
func decisionWords(c market.Case) (what, subject string) {
	switch c.Decision.Kind {
	case market.DecisionRemove:
		return fmt.Sprintf("We have removed your %s. Nobody but you and our admins can see it.", c.Target), "We have removed your " + c.Target
	case market.DecisionSuspend:
		until := market.OnDay(c.Decision.Until) + c.Decision.Until.UTC().Format(", 15:04 ") + "UTC"
		return "You cannot list, buy or write until " + until + ". Until then your phones are hidden; then they are shown again.", "Your account is suspended"
	case market.DecisionClose:
		return "We have closed your account. You cannot log in, and your phones are hidden.", "Your account is closed"
	case market.DecisionWarn, market.DecisionKeep:
	}
	return fmt.Sprintf("This is a warning about %s. Nothing else changes.", c.Subject()), "A warning about " + c.Subject()
}

func (l Letters) appeal(c market.Case, content emails.Content) emails.Content {
	content.Subject = "We have looked again at our decision about " + c.Subject()
	outcome := ". It stays."
	if c.Appeal.State == market.AppealReversed {
		outcome = ", and taken it back. " + givenBack(c)
	}
	content.Paragraphs = []string{strings.TrimSpace(content.Subject + outcome), inWords + c.Appeal.Words, byPerson}
	content.Action = &emails.Action{Label: "Go to " + l.Product, URL: l.PublicURL.String()}
	return content
}

// givenBack returns what a reversed decision gives back.
func givenBack(c market.Case) string {
	switch c.Decision.Kind {
	case market.DecisionRemove:
		return "Your phone is shown again."
	case market.DecisionSuspend:
		return "You can trade again, and your phones are shown."
	case market.DecisionClose:
		return "You can log in as before, and your phones are shown. Bookings, waits and offers do not come back."
	case market.DecisionWarn, market.DecisionKeep:
	}
	return ""
}
