// Package smtptest runs a real SMTP server for tests. The server can be stopped, be slow,
// refuse an address and cut the connection. With a certificate it offers STARTTLS or uses
// TLS from the start; certificate.go makes one.
package smtptest

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// Email is an email that the server has accepted.
type Email struct {
	From, To string
	Header   mail.Header
	Subject  string
	Text     string
	HTML     string
	Raw      string
	TLS      bool // it came over TLS
}

// Login is a name and a password that a client has sent.
type Login struct {
	User, Password string
	TLS            bool // they came over TLS
}

// Server is an SMTP server on an address of this machine.
type Server struct {
	t      testing.TB
	scheme string // the scheme of URL
	addr   string
	tls    *tls.Config // nil for no TLS

	mu               sync.Mutex
	stop             func() // nil while it is stopped
	emails           []Email
	logins           []Login
	attempts         int             // emails that clients have begun to send
	refuse           map[string]bool // refused addresses
	deferred         string          // an address whose emails are refused for now
	slow             time.Duration   // the delay of each response to DATA
	cutAfterData     int             // how many connections to cut after DATA, with the email accepted
	cutAfterResponse int             // how many connections to cut after the response to DATA
	arrived          chan struct{}   // closed and replaced when an email arrives
}

// Start starts a server. With a certificate it offers STARTTLS. It accepts every password,
// also without TLS.
func Start(tb testing.TB, certificate *tls.Config) *Server {
	tb.Helper()
	return start(tb, "smtp", certificate)
}

// StartTLS starts a server with TLS from the start.
func StartTLS(tb testing.TB, certificate *tls.Config) *Server {
	tb.Helper()
	return start(tb, "smtps", certificate)
}

func start(tb testing.TB, scheme string, certificate *tls.Config) *Server {
	tb.Helper()
	s := &Server{t: tb, scheme: scheme, addr: "127.0.0.1:0", tls: certificate, refuse: map[string]bool{}, arrived: make(chan struct{})}
	s.Restart()
	tb.Cleanup(s.Stop)
	return s
}

// URL returns the server's SMTP_URL.
func (s *Server) URL() string { return s.scheme + "://" + s.addr }

// Restart starts the server again after Stop, on the same address.
func (s *Server) Restart() {
	s.t.Helper()
	listener, err := net.Listen("tcp", s.addr)
	if err != nil {
		s.t.Fatal(err)
	}
	s.addr = listener.Addr().String()
	if s.scheme == "smtps" {
		listener = tls.NewListener(listener, s.tls)
	}
	server := smtp.NewServer(s)
	server.Domain, server.TLSConfig, server.AllowInsecureAuth, server.ErrorLog = "smtp.test", s.tls, true, discardLogger{}
	served := make(chan struct{})
	go func() {
		_ = server.Serve(listener) // returns after stop
		close(served)
	}()
	s.set(func() {
		s.stop = func() {
			_ = listener.Close() // also if Serve has not begun
			_ = server.Close()
			<-served
		}
	})
}

// Stop stops the server and cuts its connections.
func (s *Server) Stop() {
	s.mu.Lock()
	stop := s.stop
	s.stop = nil
	s.mu.Unlock()
	if stop != nil {
		stop()
	}
}

// Refuse makes the server refuse an address permanently.
func (s *Server) Refuse(address string) { s.set(func() { s.refuse[address] = true }) }

// Defer makes the server refuse an address for now, as busy servers do; "" accepts all again.
func (s *Server) Defer(address string) { s.set(func() { s.deferred = address }) }

// Slow delays each response to DATA.
func (s *Server) Slow(d time.Duration) { s.set(func() { s.slow = d }) }

// CutAfterData makes the server accept the next n emails and cut the connection without a
// response.
func (s *Server) CutAfterData(n int) { s.set(func() { s.cutAfterData = n }) }

// CutAfterResponse makes the server accept the next n emails, respond, and cut the
// connection.
func (s *Server) CutAfterResponse(n int) { s.set(func() { s.cutAfterResponse = n }) }

func (s *Server) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// Attempts returns how many emails clients have begun to send, accepted or not.
func (s *Server) Attempts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.attempts
}

// Logins returns the logins that clients have sent, oldest first.
func (s *Server) Logins() []Login {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.logins)
}

// To returns the emails to an address, oldest first.
func (s *Server) To(address string) []Email {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.to(address)
}

func (s *Server) to(address string) (found []Email) {
	for _, m := range s.emails {
		if strings.EqualFold(m.To, address) {
			found = append(found, m)
		}
	}
	return found
}

// Wait returns the n-th email to an address once it has arrived. n counts from 1.
func (s *Server) Wait(address string, n int, timeout time.Duration) Email {
	s.t.Helper()
	expired := time.After(timeout)
	for {
		s.mu.Lock()
		found, arrived := s.to(address), s.arrived
		s.mu.Unlock()
		if len(found) >= n {
			return found[n-1]
		}
		select {
		case <-arrived:
		case <-expired:
			s.t.Fatalf("%d emails to %s have arrived, want %d", len(found), address, n)
		}
	}
}

// Token returns the token of the link in an email; "" if there is none.
func (m Email) Token() string {
	_, after, _ := strings.Cut(m.Text, "#token=")
	return strings.TrimSpace(strings.SplitN(after, "\n", 2)[0])
}

// NewSession implements smtp.Backend.
func (s *Server) NewSession(c *smtp.Conn) (smtp.Session, error) {
	return &session{server: s, conn: c.Conn()}, nil
}

type session struct {
	server   *Server
	conn     net.Conn
	from, to string
	cut      bool // with the next Reset, which follows the response to DATA
}

// Reset implements smtp.Session.
func (v *session) Reset() {
	v.from, v.to = "", ""
	if v.cut {
		_ = v.conn.Close()
	}
}

func (v *session) Logout() error { return nil }

func (v *session) isTLS() bool {
	_, is := v.conn.(*tls.Conn)
	return is
}

// AuthMechanisms implements smtp.AuthSession.
func (v *session) AuthMechanisms() []string { return []string{sasl.Plain} }

// Auth implements smtp.AuthSession.
func (v *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		v.server.set(func() {
			v.server.logins = append(v.server.logins, Login{User: user, Password: password, TLS: v.isTLS()})
		})
		return nil
	}), nil
}

func (v *session) Mail(from string, _ *smtp.MailOptions) error {
	v.server.set(func() { v.server.attempts++ })
	v.from = from
	return nil
}

func (v *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	refused, deferred := false, false
	v.server.set(func() { refused, deferred = v.server.refuse[to], v.server.deferred == to })
	if deferred {
		return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 7, 1}, Message: "please try again later"}
	}
	if refused {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user"}
	}
	v.to = to
	return nil
}

func (v *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	m, err := read(raw)
	if err != nil {
		return err
	}
	m.From, m.To, m.TLS = v.from, v.to, v.isTLS()
	s := v.server
	s.mu.Lock()
	slow, cut := s.slow, s.cutAfterData > 0
	if cut {
		s.cutAfterData--
	}
	if v.cut = s.cutAfterResponse > 0; v.cut {
		s.cutAfterResponse--
	}
	s.mu.Unlock()
	if slow > 0 {
		<-time.After(slow)
	}
	s.set(func() {
		s.emails = append(s.emails, m)
		close(s.arrived)
		s.arrived = make(chan struct{})
	})
	if cut {
		_ = v.conn.Close()
		return errors.New("cut")
	}
	return nil
}

// read parses an email.
func read(raw []byte) (Email, error) {
	message, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return Email{}, err
	}
	m := Email{Header: message.Header, Raw: string(raw)}
	if m.Subject, err = new(mime.WordDecoder).DecodeHeader(message.Header.Get("Subject")); err != nil {
		return m, err
	}
	_, params, err := mime.ParseMediaType(message.Header.Get("Content-Type"))
	if err != nil {
		return m, err
	}
	parts := multipart.NewReader(message.Body, params["boundary"])
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return m, nil
		}
		if err != nil {
			return m, err
		}
		body, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			return m, err
		}
		text := strings.ReplaceAll(string(body), "\r\n", "\n")
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			m.HTML = text
		} else {
			m.Text = text
		}
	}
}

// discardLogger discards the server's errors about cut connections.
type discardLogger struct{}

func (discardLogger) Printf(string, ...any) {}
func (discardLogger) Println(...any)        {}

// Subjects returns the subjects of emails in alphabetical order.
func Subjects(emails []Email) (all []string) {
	for _, m := range emails {
		all = append(all, m.Subject)
	}
	slices.Sort(all)
	return all
}
