package emails_test

import (
	"crypto/tls"
	"strings"
	"testing"
	"time"

	"secondring/api/emails"
	"secondring/api/emails/smtptest"
)

// withLogin adds a name and a password to an SMTP_URL.
func withLogin(smtpURL string) string { return strings.Replace(smtpURL, "://", "://shop:secret@", 1) }

func TestEmailsAndPasswordsAreSentOverTLS(t *testing.T) {
	certificate, trust := smtptest.Certificate(t, "127.0.0.1")
	for name, start := range map[string]func(testing.TB, *tls.Config) *smtptest.Server{
		"STARTTLS": smtptest.Start, "TLS from the start": smtptest.StartTLS,
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			e.server = start(t, certificate)
			e.enqueue("welcome", ada)
			must(t, e.sender(newSMTP(t, withLogin(e.server.URL()), trust)).Step(t.Context()))
			if m := e.want(ada, 1)[0]; !m.TLS {
				t.Error("the email was received without TLS")
			}
			logins := e.server.Logins()
			if want := (smtptest.Login{User: "shop", Password: "secret", TLS: true}); len(logins) != 1 || logins[0] != want {
				t.Errorf("logins %+v, want %+v", logins, want)
			}
		})
	}
}

// An email waits while the connection to the server cannot be trusted. No password is sent.
func TestEmailWaitsForTrustedConnection(t *testing.T) {
	certificate, trust := smtptest.Certificate(t, "127.0.0.1")
	otherName, trustOther := smtptest.Certificate(t, "smtp.example.com")
	for name, c := range map[string]struct {
		server *tls.Config // nil for no TLS
		trust  *tls.Config // nil for the system's
		remote bool        // the server is on another machine
		reason string
	}{
		"a certificate that is not trusted": {server: certificate, reason: "x509: certificate signed by unknown authority"},
		"a certificate for another name":    {server: otherName, trust: trustOther, reason: "x509: cannot validate certificate for 127.0.0.1"},
		"no STARTTLS, and a password":       {reason: "SMTP Auth"},
		"no STARTTLS on another machine":    {remote: true, reason: "STARTTLS"},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			e.server = smtptest.Start(t, c.server)
			smtpURL := withLogin(e.server.URL())
			if c.remote {
				smtpURL = strings.Replace(smtpURL, "127.0.0.1", "smtp.example.com", 1)
			}
			transport := newSMTP(t, smtpURL, c.trust)
			transport.DialTo(strings.TrimPrefix(e.server.URL(), "smtp://"))
			e.enqueue("welcome", ada)
			must(t, e.sender(transport).Step(t.Context()))
			if e.outcomes[emails.Failed] != 1 || e.waiting() != 1 || len(e.want(ada, 0)) > 0 {
				t.Errorf("outcomes %v, %d emails wait, want one failed that waits", e.outcomes, e.waiting())
			}
			if logins := e.server.Logins(); len(logins) > 0 {
				t.Errorf("the untrusted server got the logins %+v", logins)
			}
			if logged := e.logged.String(); !strings.Contains(logged, c.reason) || strings.Contains(logged, "secret") {
				t.Errorf("the log is %s, want it to contain %q and no password", logged, c.reason)
			}

			e.server = smtptest.Start(t, certificate) // a server with another certificate
			e.clock.Pass(time.Minute)
			must(t, e.sender(newSMTP(t, withLogin(e.server.URL()), trust)).Step(t.Context()))
			e.want(ada, 1)
		})
	}
}
