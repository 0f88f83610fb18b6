package emails_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"secondring/api/emails"
	"secondring/api/emails/smtptest"
	"secondring/market"
	"secondring/market/markettest"
	"secondring/store"
	"secondring/store/sqlite/sqlitetest"
)

const ada = "ada@example.com"

// env is an outbox in a real store with a real SMTP server.
type env struct {
	t        *testing.T
	clock    *markettest.Clock
	store    *store.Store
	queue    *emails.Queue
	server   *smtptest.Server
	logged   *strings.Builder
	mu       sync.Mutex
	outcomes map[emails.Outcome]int
}

func newEnv(t *testing.T) *env {
	t.Helper()
	store, err := sqlitetest.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	must(t, err)
	t.Cleanup(func() { must(t, store.Close()) })
	clock := markettest.NewClock(time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC))
	return &env{
		t: t, clock: clock, store: store, queue: emails.NewQueue(store, clock), server: smtptest.Start(t, nil),
		logged: &strings.Builder{}, outcomes: map[emails.Outcome]int{},
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// compose makes the text of the tests' emails. It returns ErrObsolete for the template
// "obsolete".
func compose(_ context.Context, m emails.Email) (emails.Content, error) {
	if m.Template == "obsolete" {
		return emails.Content{}, emails.ErrObsolete
	}
	return emails.Content{
		Subject: "About " + m.Template, Greeting: "Hello <Ada>,", Paragraphs: []string{"This & that.", m.Facts["fact"]},
		Action: &emails.Action{Label: "Do it", URL: "https://shop.example.com/do#token=a.b"}, Note: []string{"Once only."},
	}, nil
}

// sender returns a node's runner that sends emails with a transport; nil for that to the SMTP server.
func (e *env) sender(transport emails.Transport) *market.Runner {
	e.t.Helper()
	if transport == nil {
		transport = newSMTP(e.t, e.server.URL(), nil)
	}
	log := slog.New(slog.NewTextHandler(e.logged, nil))
	r := market.NewRunner(e.clock, log, nil)
	emails.NewSender(emails.SenderConfig{
		Queue: e.queue, Compose: compose, Transport: transport,
		Brand: emails.Brand{Name: "SecondRing", URL: "https://shop.example.com", Contact: "help@example.com"},
		Note: func(o emails.Outcome) {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.outcomes[o]++
		},
		Log: log,
	}).AddJobs(r)
	return r
}

// newSMTP returns the transport to an SMTP_URL.
func newSMTP(t *testing.T, smtpURL string, trust *tls.Config) *emails.SMTP {
	t.Helper()
	u, err := url.Parse(smtpURL)
	must(t, err)
	transport, err := emails.NewSMTP(u, "Second Ring <shop@example.com>", trust)
	must(t, err)
	return transport
}

// enqueue stores an email together with another write.
func (e *env) enqueue(template, to string) {
	e.t.Helper()
	uid := market.NewID(e.clock.Now())
	a := market.Account{UID: uid, Email: uid + "@example.com", Version: 1}
	must(e.t, e.store.AddAccount(e.t.Context(), a, e.queue.Records(emails.Email{Template: template, To: to, Facts: map[string]string{"fact": "A fact."}})))
}

// waiting returns how many emails wait.
func (e *env) waiting() int {
	e.t.Helper()
	w, err := e.queue.Waiting(e.t.Context(), 1000)
	must(e.t, err)
	return w.Emails
}

// want fails the test unless the server has n emails to an address, and returns them.
func (e *env) want(address string, n int) []smtptest.Email {
	e.t.Helper()
	got := e.server.To(address)
	if len(got) != n {
		e.t.Fatalf("%d emails to %s, want %d", len(got), address, n)
	}
	return got
}

func TestEmailIsSentAsTextAndHTML(t *testing.T) {
	e := newEnv(t)
	e.enqueue("welcome", ada)
	must(t, e.sender(nil).Step(t.Context()))
	m := e.want(ada, 1)[0]
	if m.From != "shop@example.com" || m.Subject != "About welcome" || m.Header.Get("From") != `"Second Ring" <shop@example.com>` {
		t.Errorf("from %q, header %q, subject %q", m.From, m.Header.Get("From"), m.Subject)
	}
	for _, part := range []string{"Hello <Ada>,", "This & that.", "A fact.", "Do it:\nhttps://shop.example.com/do#token=a.b\n", "Once only.", "Write to help@example.com"} {
		if !strings.Contains(m.Text, part) {
			t.Errorf("the text lacks %q:\n%s", part, m.Text)
		}
	}
	for _, part := range []string{"Hello &lt;Ada&gt;,", "This &amp; that.", `href="https://shop.example.com/do#token=a.b"`, "Do it</a>"} {
		if !strings.Contains(m.HTML, part) {
			t.Errorf("the HTML lacks %q:\n%s", part, m.HTML)
		}
	}
	if e.waiting() != 0 || e.outcomes[emails.Sent] != 1 {
		t.Errorf("%d emails wait, outcomes %v", e.waiting(), e.outcomes)
	}
	must(t, e.sender(nil).Step(t.Context()))
	e.want(ada, 1)
}

func TestEmailsWaitWhileServerIsUnavailable(t *testing.T) {
	e := newEnv(t)
	e.server.Stop()
	e.enqueue("welcome", ada)
	s := e.sender(nil)
	must(t, s.Step(t.Context()))
	for range 60 { // one minute, in which the pauses grow
		e.clock.Pass(time.Second)
		must(t, s.Step(t.Context()))
	}
	attempts := e.outcomes[emails.Failed]
	if attempts < 4 || attempts > 10 || e.waiting() != 1 {
		t.Errorf("%d attempts in a minute, want 4 to 10; %d emails wait", attempts, e.waiting())
	}
	e.server.Restart()
	e.clock.Pass(16 * time.Minute)
	must(t, s.Step(t.Context()))
	e.want(ada, 1)
	if strings.Contains(e.logged.String(), ada) {
		t.Errorf("the log contains the address:\n%s", e.logged)
	}
}

func TestEmailIsGivenUpAfterADay(t *testing.T) {
	e := newEnv(t)
	e.server.Stop()
	e.enqueue("welcome", ada)
	s := e.sender(nil)
	for range 200 {
		must(t, s.Step(t.Context()))
		e.clock.Pass(15 * time.Minute)
	}
	if e.outcomes[emails.GivenUp] != 1 || e.waiting() != 0 {
		t.Errorf("outcomes %v, %d emails wait", e.outcomes, e.waiting())
	}
}

func TestRefusedAddressDoesNotDelayOthers(t *testing.T) {
	e := newEnv(t)
	e.server.Refuse("nobody@example.com")
	e.enqueue("welcome", "nobody@example.com")
	e.enqueue("welcome", "nobody@example.com\r\nBcc: ada@example.com")
	e.enqueue("welcome", ada)
	must(t, e.sender(nil).Step(t.Context()))
	e.want(ada, 1)
	if e.outcomes[emails.Refused] != 2 || e.waiting() != 0 {
		t.Errorf("outcomes %v, %d emails wait", e.outcomes, e.waiting())
	}
}

// Only in this case an email may arrive twice. Its Message-ID is the same, so that mail programs
// show it once.
func TestEmailIsSentAgainIfResponseWasLost(t *testing.T) {
	e := newEnv(t)
	e.server.CutAfterData(1)
	e.enqueue("welcome", ada)
	s := e.sender(nil)
	must(t, s.Step(t.Context()))
	e.clock.Pass(time.Minute)
	must(t, s.Step(t.Context()))
	e.clock.Pass(time.Hour)
	must(t, s.Step(t.Context()))
	got := e.want(ada, 2)
	if a, b := got[0].Header.Get("Message-Id"), got[1].Header.Get("Message-Id"); a != b || a == "" {
		t.Errorf("message IDs %q and %q", a, b)
	}
}

func TestEmailIsSentOnceIfConnectionBreaksAfterResponse(t *testing.T) {
	e := newEnv(t)
	e.server.CutAfterResponse(1)
	e.enqueue("welcome", ada)
	s := e.sender(nil)
	must(t, s.Step(t.Context()))
	e.clock.Pass(time.Hour)
	must(t, s.Step(t.Context()))
	e.want(ada, 1)
}

func TestEmailsAreSentOnceByManyNodes(t *testing.T) {
	e := newEnv(t)
	const n = 60
	for i := range n {
		e.enqueue("welcome", fmt.Sprintf("a%d@example.com", i))
	}
	var nodes sync.WaitGroup
	for range 4 {
		s := e.sender(nil)
		nodes.Go(func() {
			if err := s.Step(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	nodes.Wait()
	for i := range n {
		e.want(fmt.Sprintf("a%d@example.com", i), 1)
	}
}

// blockingTransport is a transport that blocks until its context is cancelled.
type blockingTransport struct{ started chan struct{} }

func (b blockingTransport) Send(ctx context.Context, _ emails.Message) error {
	close(b.started)
	<-ctx.Done()
	return ctx.Err()
}

func TestAnotherNodeSendsAfterTheLease(t *testing.T) {
	e := newEnv(t)
	e.enqueue("welcome", ada)
	ctx, kill := context.WithCancel(t.Context())
	blocking := blockingTransport{started: make(chan struct{})}
	result := make(chan error)
	go func() { result <- e.sender(blocking).Step(ctx) }()
	<-blocking.started
	other := e.sender(nil)
	must(t, other.Step(t.Context()))
	e.want(ada, 0) // the first node is sending it
	kill()
	if err := <-result; err != nil && !errors.Is(err, context.Canceled) { // another lane may be reading
		t.Error(err)
	}
	e.clock.Pass(time.Minute)
	must(t, other.Step(t.Context()))
	e.want(ada, 1)
}

func TestObsoleteEmailIsNotSent(t *testing.T) {
	e := newEnv(t)
	e.enqueue("obsolete", ada)
	must(t, e.sender(nil).Step(t.Context()))
	e.want(ada, 0)
	if e.outcomes[emails.Obsolete] != 1 || e.waiting() != 0 {
		t.Errorf("outcomes %v, %d emails wait", e.outcomes, e.waiting())
	}
}

// An event that is read again must not send its email again.
func TestEventDoesNotStoreSentEmailAgain(t *testing.T) {
	e := newEnv(t)
	effects := e.queue.Records(emails.Email{Template: "welcome", To: ada})
	must(t, e.store.AddAccount(t.Context(), market.Account{UID: "a", Email: "a@example.com", Version: 1}, effects))
	must(t, e.sender(nil).Step(t.Context()))
	must(t, e.store.AddAccount(t.Context(), market.Account{UID: "b", Email: "b@example.com", Version: 1}, effects))
	e.clock.Pass(time.Hour)
	must(t, e.sender(nil).Step(t.Context()))
	e.want(ada, 1)
}

func TestRequestsAreLimited(t *testing.T) {
	e := newEnv(t)
	limit := emails.Limit{Most: 3, Within: time.Hour}
	s := e.sender(nil)
	request := func(address string) {
		t.Helper()
		must(t, e.queue.Request(t.Context(), emails.Email{Template: "reset", To: address}, limit))
		must(t, s.Step(t.Context()))
	}
	for range 5 {
		request(ada)
		e.clock.Pass(time.Minute)
	}
	ids := map[string]bool{}
	for _, m := range e.want(ada, 3) {
		ids[m.Header.Get("Message-Id")] = true
	}
	if len(ids) != 3 {
		t.Errorf("three emails have the message IDs %v", ids)
	}
	request("bob@example.com")
	e.want("bob@example.com", 1)
	request("ADA@example.com") // the same address
	e.want(ada, 3)
	e.clock.Pass(56 * time.Minute) // the first request is one hour old
	request(ada)
	e.want(ada, 4)
}

func TestConcurrentRequestsKeepTheLimit(t *testing.T) {
	e := newEnv(t)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			err := e.queue.Request(t.Context(), emails.Email{Template: "reset", To: ada}, emails.Limit{Most: 3, Within: time.Hour})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	s := e.sender(nil)
	must(t, s.Step(t.Context()))
	e.want(ada, 1) // all were requested before the first was sent
}

// A request during the sending of the email is not lost.
func TestRequestWhileSendingSendsAgain(t *testing.T) {
	e := newEnv(t)
	limit := emails.Limit{Most: 3, Within: time.Hour}
	request := func() { must(t, e.queue.Request(t.Context(), emails.Email{Template: "reset", To: ada}, limit)) }
	request()
	requesting := transportFunc(func(context.Context, emails.Message) error { request(); return nil })
	must(t, e.sender(requesting).Step(t.Context()))
	must(t, e.sender(nil).Step(t.Context()))
	e.want(ada, 1)
}

type transportFunc func(context.Context, emails.Message) error

func (f transportFunc) Send(ctx context.Context, m emails.Message) error { return f(ctx, m) }

func TestSlowServerDelaysOnlyItsEmails(t *testing.T) {
	e := newEnv(t)
	e.server.Slow(200 * time.Millisecond)
	for i := range 8 {
		e.enqueue("welcome", fmt.Sprintf("a%d@example.com", i))
	}
	start := time.Now()
	must(t, e.sender(nil).Step(t.Context()))
	if took := time.Since(start); took > 8*200*time.Millisecond {
		t.Errorf("8 emails took %v, so they were sent one after the other", took)
	}
	for i := range 8 {
		e.want(fmt.Sprintf("a%d@example.com", i), 1)
	}
}

func TestNilQueueStoresNothing(t *testing.T) {
	var none *emails.Queue
	if records := none.Records(emails.Email{}); records != nil {
		t.Errorf("Records of a nil queue: %v, want none", records)
	}
	if err := none.Request(t.Context(), emails.Email{}, emails.Limit{}); err != nil {
		t.Error(err)
	}
}
