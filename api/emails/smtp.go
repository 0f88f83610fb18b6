package emails

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"

	"github.com/wneessen/go-mail"
)

// SMTP is the Transport to an SMTP server.
type SMTP struct {
	host    string
	from    string
	domain  string // the domain of message IDs
	options []mail.Option
}

// NewSMTP returns the transport for a checked SMTP_URL, smtp:// with STARTTLS or smtps://,
// and the sender's address. It makes no connection. STARTTLS is required unless the server
// is on this machine, and a password is sent over TLS only. trust has the accepted
// certificate authorities; nil for the system's.
func NewSMTP(u *url.URL, from string, trust *tls.Config) (*SMTP, error) {
	t := &SMTP{host: u.Hostname(), from: from, domain: u.Hostname()}
	t.options = []mail.Option{mail.WithTimeout(sendTimeout), mail.WithoutNoop()}
	if trust != nil {
		trust = trust.Clone()
		trust.ServerName = u.Hostname()
		t.options = append(t.options, mail.WithTLSConfig(trust))
	}
	policy, port := mail.TLSMandatory, 587
	if isLoopback(u.Hostname()) {
		policy = mail.TLSOpportunistic
	}
	if u.Scheme == "smtps" {
		port = 465
		t.options = append(t.options, mail.WithSSL())
	} else {
		t.options = append(t.options, mail.WithTLSPolicy(policy))
	}
	if p := u.Port(); p != "" {
		n, err := strconv.Atoi(p)
		if err != nil {
			return nil, fmt.Errorf("emails: the port of the SMTP server: %w", err)
		}
		port = n
	}
	t.options = append(t.options, mail.WithPort(port))
	if u.User != nil {
		password, _ := u.User.Password()
		t.options = append(t.options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(u.User.Username()), mail.WithPassword(password))
	}
	_, err := mail.NewClient(t.host, t.options...)
	return t, err
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Send implements Transport. It makes a new connection. An email that the server has
// accepted counts as sent, also if the connection then breaks: otherwise it would arrive
// twice.
func (t *SMTP) Send(ctx context.Context, m Message) error {
	msg := mail.NewMsg()
	if err := errors.Join(msg.From(t.from), msg.To(m.To)); err != nil {
		return fmt.Errorf("%w: an address cannot be used", ErrRefused) // the library's error contains the address
	}
	msg.Subject(m.Subject)
	msg.SetMessageIDWithValue(m.ID + "@" + t.domain)
	msg.SetDateWithValue(m.At)
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no automatic answers
	msg.SetBodyString(mail.TypeTextPlain, m.Text)
	msg.AddAlternativeString(mail.TypeTextHTML, m.HTML)
	client, err := mail.NewClient(t.host, t.options...)
	if err != nil {
		return err
	}
	if err = client.DialAndSendWithContext(ctx, msg); msg.IsDelivered() {
		return nil
	}
	return outcome(err)
}

// outcome distinguishes errors about this email from errors of the server. It removes
// addresses.
func outcome(err error) error {
	failure, ok := errors.AsType[*mail.SendError](err)
	if !ok {
		return err
	}
	short := fmt.Errorf("%s: %d %s", failure.Reason, failure.ErrorCode(), failure.EnhancedStatusCode())
	aboutEmail := failure.Reason == mail.ErrSMTPRcptTo || failure.Reason == mail.ErrSMTPData || failure.Reason == mail.ErrSMTPDataClose
	if aboutEmail && !failure.IsTemp() && failure.ErrorCode() >= 500 {
		return fmt.Errorf("%w: %w", ErrRefused, short)
	}
	return short
}
