package caseletters_test

import (
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"secondring/api/caseletters"
	"secondring/api/emails"
	"secondring/market"
	"secondring/market/markettest"
	"secondring/store/sqlite/sqlitetest"
)

const (
	words  = "The photos show another phone than the one that is sold."
	answer = "We looked at the photos of the back again."
)

// env has letters over a real store.
type env struct {
	t       *testing.T
	store   market.Store
	letters caseletters.Letters
}

func newEnv(t *testing.T) env {
	t.Helper()
	store, err := sqlitetest.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	must(t, err)
	t.Cleanup(func() { must(t, store.Close()) })
	clock := markettest.NewClock(time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC))
	m := market.New(store, clock, market.Rules{}, market.NoPayments{})
	m.UseCaseKey([]byte("a key of the test"))
	return env{t, store, caseletters.Letters{
		Market: m, Queue: emails.NewQueue(store, clock), Product: "SecondRing", PublicURL: &url.URL{Scheme: "https", Host: "shop.example.com"},
	}}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// letter stores a case with its letter, and returns the text of the letter.
func (e env) letter(c market.Case) emails.Content {
	e.t.Helper()
	effects := e.letters.AboutCase(c, "sue@example.com")
	if len(effects) != 1 {
		e.t.Fatalf("the letter has %d effects", len(effects))
	}
	must(e.t, e.store.AddCase(e.t.Context(), c, effects))
	template := "decision"
	if c.Appeal != nil {
		template = "appeal"
	}
	email := emails.Email{Template: template, To: "sue@example.com", UID: c.AboutUID, Facts: map[string]string{"case": c.ID}}
	if !caseletters.Has(email) {
		e.t.Errorf("the template %s is not known", template)
	}
	content, err := e.letters.Compose(e.t.Context(), email)
	must(e.t, err)
	return content
}

func caseOf(kind market.DecisionKind) market.Case {
	at := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	c := market.Case{
		ID: "case", Kind: market.CaseProduct, TargetID: "phone", Target: "Nokia 3310", AboutUID: "sue", About: "Sue", State: market.CaseDecided, OpenedAt: at, Version: 1,
		Decision: &market.Decision{Kind: kind, Rule: market.RuleNotAsShown, Words: words, At: at},
	}
	if kind == market.DecisionSuspend {
		c.Decision.Until = at.Add(7 * 24 * time.Hour)
	}
	return c
}

func TestLetterOfADecision(t *testing.T) {
	for kind, want := range map[market.DecisionKind][2]string{
		market.DecisionWarn:    {"A warning about Nokia 3310 at SecondRing", "This is a warning about Nokia 3310."},
		market.DecisionRemove:  {"We have removed your Nokia 3310 at SecondRing", "We have removed your Nokia 3310."},
		market.DecisionSuspend: {"Your account is suspended at SecondRing", "until 2 December 2026, 12:00 UTC"},
		market.DecisionClose:   {"Your account is closed at SecondRing", "We have closed your account."},
	} {
		t.Run(string(kind), func(t *testing.T) {
			e := newEnv(t)
			c := caseOf(kind)
			got := e.letter(c)
			text := strings.Join(append(got.Paragraphs, got.Note...), "\n")
			if got.Subject != want[0] || got.Greeting != "Hello Sue," {
				t.Errorf("the letter begins %q, %q", got.Subject, got.Greeting)
			}
			for _, part := range []string{want[1], words, market.RuleNotAsShown.Sentence(), "A person has decided this, not a program.", "until 24 May 2027"} {
				if !strings.Contains(text, part) {
					t.Errorf("the letter lacks %q:\n%s", part, text)
				}
			}
			link, hasToken := strings.CutPrefix(got.Action.URL, "https://shop.example.com/appeal#token=")
			if !hasToken {
				t.Fatalf("the link is %s", got.Action.URL)
			}
			if _, err := e.letters.Market.AppealByToken(t.Context(), market.AppealRequest{Token: link, Text: "Why?"}); err != nil {
				t.Errorf("the token of the letter: %v", err)
			}
		})
	}
}

func TestLetterOfAnAppeal(t *testing.T) {
	for state, want := range map[market.AppealState]string{
		market.AppealUpheld:   "We have looked again at our decision about Nokia 3310. It stays.",
		market.AppealReversed: "taken it back. Your phone is shown again.",
	} {
		c := caseOf(market.DecisionRemove)
		c.Appeal = &market.Appeal{Text: "Why?", State: state, Words: answer}
		text := strings.Join(newEnv(t).letter(c).Paragraphs, "\n")
		for _, part := range []string{want, answer} {
			if !strings.Contains(text, part) {
				t.Errorf("the letter lacks %q:\n%s", part, text)
			}
		}
	}
}

func TestLetterOfACaseThatIsGoneIsNotSent(t *testing.T) {
	e := newEnv(t)
	_, err := e.letters.Compose(t.Context(), emails.Email{Template: "decision", To: "sue@example.com", Facts: map[string]string{"case": "none"}})
	if !errors.Is(err, emails.ErrObsolete) {
		t.Errorf("the error is %v", err)
	}
}
