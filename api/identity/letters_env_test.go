package identity_test

import (
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"secondring/api/identity"
	"secondring/api/letters"
	"secondring/api/letters/smtptest"
	"secondring/market"
)

// mailEnv is an env whose letters go to a real SMTP server.
type mailEnv struct {
	*env
	smtp   *smtptest.Server
	sender *letters.Sender
}

func newMailEnv(tb testing.TB, change ...func(*identity.Config)) *mailEnv {
	tb.Helper()
	server := smtptest.Start(tb, nil)
	var queue *letters.Queue
	e := newEnv(tb, append(change, func(c *identity.Config) {
		queue = letters.NewQueue(c.Store.(market.Store), c.Clock)
		c.Letters, c.Product = queue, "SecondRing"
	})...)
	at, err := url.Parse(server.URL())
	must(tb, err)
	to, err := letters.NewSMTP(at, "shop@example.com", nil)
	must(tb, err)
	return &mailEnv{env: e, smtp: server, sender: letters.NewSender(letters.SenderConfig{
		Queue: queue, Compose: e.service.Compose, Transport: to,
		Brand: letters.Brand{Name: "SecondRing", URL: e.server.URL}, Log: slog.New(slog.NewTextHandler(e.logged, nil)),
	})}
}

// letters sends all pending letters and returns the letters to an address, oldest first.
func (e *mailEnv) letters(to string) []smtptest.Letter {
	e.t.Helper()
	must(e.t, e.sender.Step(e.t.Context()))
	return e.smtp.To(to)
}

// subjects returns the subjects of all letters to an address, in alphabetical order.
func (e *mailEnv) subjects(to string) string {
	e.t.Helper()
	return strings.Join(smtptest.Subjects(e.letters(to)), " · ")
}

// last returns the newest letter to an address whose subject contains about. Letters that
// are sent together arrive in any order.
func (e *mailEnv) last(to, about string) smtptest.Letter {
	e.t.Helper()
	all := e.letters(to)
	for _, l := range slices.Backward(all) {
		if strings.Contains(l.Subject, about) {
			return l
		}
	}
	e.t.Fatalf("no letter about %q to %s", about, to)
	return smtptest.Letter{}
}

func (b *browser) forgot(email string) {
	b.t.Helper()
	b.do("POST", "/identity/forgot", fields{"email": email}).is(204)
}

func (b *browser) reset(token, password string) answer {
	b.t.Helper()
	return b.do("POST", "/identity/reset", fields{"token": token, "password": password})
}

func (b *browser) verify(token string) answer {
	b.t.Helper()
	return b.do("POST", "/identity/verify", fields{"token": token})
}

func (b *browser) isVerified() bool {
	b.t.Helper()
	return b.do("GET", "/identity/me", nil).is(200)["emailVerified"] == true
}

// as sets the User-Agent.
func as(agent string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("User-Agent", agent) }
}

const (
	firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
	safari  = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)

// member is env.member. It waits until the welcome letter has arrived.
func (e *mailEnv) member(email string) *browser {
	e.t.Helper()
	b := e.env.member(email)
	e.letters(email)
	return b
}
