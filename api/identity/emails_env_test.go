package identity_test

import (
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"secondring/api/emails"
	"secondring/api/emails/smtptest"
	"secondring/api/identity"
	"secondring/market"
	"secondring/market/markettest"
)

// emailEnv is an env whose emails go to a real SMTP server.
type emailEnv struct {
	*env
	smtp   *smtptest.Server
	sender *emails.Sender
}

func newEmailEnv(tb testing.TB, change ...func(*identity.Config)) *emailEnv {
	tb.Helper()
	server := smtptest.Start(tb, nil)
	var queue *emails.Queue
	e := newEnv(tb, append(change, func(c *identity.Config) {
		queue = emails.NewQueue(c.Store.(market.Store), c.Clock)
		c.Emails, c.Product = queue, "SecondRing"
	})...)
	smtpURL, err := url.Parse(server.URL())
	must(tb, err)
	transport, err := emails.NewSMTP(smtpURL, "shop@example.com", nil)
	must(tb, err)
	return &emailEnv{env: e, smtp: server, sender: emails.NewSender(emails.SenderConfig{
		Queue: queue, Compose: e.service.Compose, Transport: transport,
		Brand: emails.Brand{Name: "SecondRing", URL: e.server.URL}, Log: slog.New(slog.NewTextHandler(e.logged, nil)),
	})}
}

// emails sends all pending emails and returns the emails to an address, oldest first.
func (e *emailEnv) emails(to string) []smtptest.Email {
	e.t.Helper()
	must(e.t, markettest.Runner(e.clock, e.sender.AddJobs).Step(e.t.Context()))
	return e.smtp.To(to)
}

// wantWaiting fails the test unless n emails are stored and not sent.
func (e *emailEnv) wantWaiting(n int) {
	e.t.Helper()
	w, err := e.sender.Queue.Waiting(e.t.Context(), 10_000)
	must(e.t, err)
	if w.Emails != n {
		e.t.Errorf("%d emails are stored, want %d", w.Emails, n)
	}
}

// subjects returns the subjects of all emails to an address, in alphabetical order.
func (e *emailEnv) subjects(to string) string {
	e.t.Helper()
	return strings.Join(smtptest.Subjects(e.emails(to)), " · ")
}

// last returns the newest email to an address whose subject contains about. Emails that
// are sent together arrive in any order.
func (e *emailEnv) last(to, about string) smtptest.Email {
	e.t.Helper()
	all := e.emails(to)
	for _, m := range slices.Backward(all) {
		if strings.Contains(m.Subject, about) {
			return m
		}
	}
	e.t.Fatalf("no email about %q to %s", about, to)
	return smtptest.Email{}
}

func (b *browser) forgot(email string) {
	b.t.Helper()
	b.do("POST", "/identity/forgot", fields{"email": email}).wantStatus(204)
}

func (b *browser) reset(token, password string) response {
	b.t.Helper()
	return b.do("POST", "/identity/reset", fields{"token": token, "password": password})
}

func (b *browser) openLink(token string) response {
	b.t.Helper()
	return b.do("POST", "/identity/verify", fields{"token": token})
}

func (b *browser) isConfirmed() bool {
	b.t.Helper()
	return b.do("GET", "/identity/me", nil).wantStatus(200)["emailVerified"] == true
}

// userAgent sets the User-Agent.
func userAgent(agent string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("User-Agent", agent) }
}

const (
	firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
	safari  = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)

// member calls env.member, and sends the welcome email.
func (e *emailEnv) member(email string) *browser {
	e.t.Helper()
	b := e.env.member(email)
	e.emails(email)
	return b
}

// confirmedMember calls member, and confirms the email address.
func (e *emailEnv) confirmedMember(email string) *browser {
	e.t.Helper()
	b := e.member(email)
	b.openLink(e.last(email, "Confirm").Token()).wantStatus(204)
	return b
}
