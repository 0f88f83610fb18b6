package notificationemails_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/api/emails"
	"secondring/api/emails/smtptest"
	"secondring/api/notificationemails"
	"secondring/market"
	"secondring/market/markettest"
	"secondring/store/sqlite/sqlitetest"
)

const ann = "ann@example.com"

// env is a market that sends its emails to a real SMTP server.
type env struct {
	t      *testing.T
	clock  *markettest.Clock
	store  market.Store
	market *market.Market
	emails notificationemails.Emails
	server *smtptest.Server
	sender *emails.Sender
	seen   bool // whether every user has a screen open
	user   market.Actor
}

// SeenWithin implements market.Presence.
func (e *env) SeenWithin(context.Context, string, time.Duration) (bool, error) { return e.seen, nil }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newEnv(t *testing.T) *env {
	t.Helper()
	store, err := sqlitetest.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	must(t, err)
	t.Cleanup(func() { must(t, store.Close()) })
	clock := markettest.NewClock(time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC))
	public, err := url.Parse("https://shop.example.com")
	must(t, err)
	e := &env{t: t, clock: clock, store: store, server: smtptest.Start(t, nil)}
	e.market = market.New(store, clock, market.Rules{}, market.NoPayments{})
	e.emails = notificationemails.Emails{Store: store, Queue: emails.NewQueue(store, clock), PublicURL: public, Product: "SecondRing"}
	smtp, err := url.Parse(e.server.URL())
	must(t, err)
	transport, err := emails.NewSMTP(smtp, "SecondRing <shop@example.com>", nil)
	must(t, err)
	e.sender = emails.NewSender(emails.SenderConfig{
		Queue: e.emails.Queue, Compose: e.emails.Compose, Transport: transport,
		Brand: emails.Brand{Name: "SecondRing", URL: public.String()}, Log: slog.New(slog.DiscardHandler),
	})
	a := market.Account{UID: "ann", Email: ann, DisplayName: "Ann", Version: 1, CreatedAt: clock.Now()}
	must(t, store.AddAccount(t.Context(), a, nil))
	u, err := e.market.EnsureBuyer(t.Context(), a)
	must(t, err)
	e.user = market.Actor{User: u}
	return e
}

func (e *env) setEmails(kind market.NotificationKind, when market.EmailWhen) {
	e.t.Helper()
	_, err := e.market.SetEmails(e.t.Context(), e.user, map[string]string{string(kind): string(when)}, nil)
	must(e.t, err)
}

func (e *env) notify(kind market.NotificationKind, text, link string) market.Notification {
	e.t.Helper()
	e.clock.Pass(time.Millisecond)
	n := market.NewNotification("ann", kind, text, link, "", e.clock.Now())
	must(e.t, e.store.AddNotification(e.t.Context(), n, nil))
	return n
}

// passTime moves the clock and runs the jobs of two nodes.
func (e *env) passTime(d time.Duration) {
	e.t.Helper()
	for _, pause := range []time.Duration{d, 5 * time.Second} { // an email is due five seconds after the decision to send it
		e.clock.Pass(pause)
		for range 2 {
			must(e.t, market.NewEmailer(e.market, e, e.emails).Step(e.t.Context()))
			must(e.t, markettest.Runner(e.clock, e.sender.AddJobs).Step(e.t.Context()))
		}
	}
}

func (e *env) want(n int) []smtptest.Email {
	e.t.Helper()
	got := e.server.To(ann)
	if len(got) != n {
		e.t.Fatalf("%d emails, want %d", len(got), n)
	}
	return got
}

func (e *env) wantText(text string, parts ...string) {
	e.t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			e.t.Errorf("the email lacks %q:\n%s", part, text)
		}
	}
}

func TestEmailAboutOneNotification(t *testing.T) {
	e := newEnv(t)
	e.setEmails(market.NotifyTurn, market.EmailNow)
	e.notify(market.NotifyTurn, "It is your turn: Nokia <3310> is held for you for 15 minutes. Pay in time to keep it.", "/dashboard/payment/17")
	e.notify(market.NotifySold, "The Nokia that you waited for is sold.", "/phone/18") // no email chosen for this kind
	e.passTime(time.Minute)
	m := e.want(1)[0]
	if m.Subject != "It is your turn: Nokia <3310> is held for you for 15 minutes" {
		t.Errorf("subject %q", m.Subject)
	}
	e.wantText(m.Text, "Hello Ann,", "Pay in time to keep it.", "Pay for the phone:\nhttps://shop.example.com/dashboard/payment/17\n",
		"turn them off:\nhttps://shop.example.com/dashboard/notifications#emails\n",
		"You get an email when this happens while you are not on the site.")
	e.wantText(m.HTML, "Nokia &lt;3310&gt;", `href="https://shop.example.com/dashboard/payment/17"`,
		`href="https://shop.example.com/dashboard/notifications#emails"`)
	e.passTime(time.Hour)
	e.want(1)
}

func TestNothingIsSentWhileScreenIsOpen(t *testing.T) {
	e := newEnv(t)
	e.setEmails(market.NotifyPrice, market.EmailNow)
	e.seen = true
	e.notify(market.NotifyPrice, "It is cheaper.", "/phone/18")
	e.passTime(time.Minute)
	e.seen = false
	e.passTime(time.Minute)
	e.want(0)
}

func TestDailyEmailGroupsByKindAndSearch(t *testing.T) {
	e := newEnv(t)
	e.setEmails(market.NotifyMatch, market.EmailDaily)
	e.setEmails(market.NotifyPrice, market.EmailDaily)
	read := e.notify(market.NotifyMatch, "Read already.", "/phone/0")
	for i := range 12 {
		e.notify(market.NotifyMatch, fmt.Sprintf("New for your search “Mine”: Pixel %d for $200.", i+1), fmt.Sprint("/phone/", i+1))
	}
	for range 2 {
		n := market.NewNotification("ann", market.NotifyMatch, "New for your search “50% off”: Nokia.", "/phone/3", "", e.clock.Now())
		n.Subject = "50% off"
		must(t, e.store.AddNotification(t.Context(), n, nil))
	}
	e.clock.Pass(time.Millisecond)
	e.notify(market.NotifyPrice, "Nokia 3310, which you watch, became cheaper: $30 instead of $45.", "/phone/99")
	e.passTime(time.Minute)
	e.want(0)
	read, err := e.store.Notification(t.Context(), read.ID) // the emailer has changed it
	must(t, err)
	read.ReadAt = e.clock.Now()
	read.Version++
	must(t, e.store.SaveNotification(t.Context(), read, nil))
	e.passTime(20 * time.Hour)
	m := e.want(1)[0]
	if m.Subject != "1 phone is cheaper, and 14 more notifications" {
		t.Errorf("subject %q", m.Subject)
	}
	e.wantText(m.Text, "1 phone is cheaper\n", "12 messages about your searches\n", "2 messages about “50% off”\n\n- Nokia.\n",
		"- New for your search “Mine”: Pixel 12 for $200.\nhttps://shop.example.com/phone/12\n", "- and 2 more\n",
		"See all notifications:\nhttps://shop.example.com/dashboard/notifications\n", "You chose to get these once a day.")
	e.wantText(m.HTML, "12 messages about your searches</h2>", `href="https://shop.example.com/phone/99"`)
	if strings.Contains(m.Text, "Read already") {
		t.Error("the email contains a notification that was read")
	}
	e.passTime(24 * time.Hour)
	e.want(1)
}

// A phone whose price was lowered several times is listed once, with its last price.
func TestEmailHasTheLastPriceOfAPhone(t *testing.T) {
	e := newEnv(t)
	e.setEmails(market.NotifyPrice, market.EmailNow)
	for i, productID := range []string{"a", "b", "a", "a"} {
		e.clock.Pass(time.Millisecond)
		n := market.NewNotification("ann", market.NotifyPrice, fmt.Sprintf("Phone %s is cheaper: $%d.", productID, 40-i), "/phone/"+productID, "", e.clock.Now())
		n.ProductID = productID
		must(t, e.store.AddNotification(t.Context(), n, nil))
	}
	e.passTime(time.Minute)
	m := e.want(1)[0]
	e.wantText(m.Text, "2 phones are cheaper\n", "Phone a is cheaper: $37.", "Phone b is cheaper: $39.")
	if strings.Contains(m.Text, "$40") || strings.Contains(m.Text, "$38") {
		t.Errorf("the email has an old price:\n%s", m.Text)
	}
}

// A text of a stranger, such as the name of a phone, does not become a link of the email.
func TestEmailNamesNoOtherSite(t *testing.T) {
	e := newEnv(t)
	e.setEmails(market.NotifyAvailable, market.EmailNow)
	e.notify(market.NotifyAvailable, "The evil.example/pay that you waited for is no longer for sale. Pay at https://evil.example.", "/search?q=evil.example")
	e.passTime(time.Minute)
	m := e.want(1)[0]
	e.wantText(m.Text, "The evil. example/pay that", "Pay at [link removed].", "https://shop.example.com/search?q=evil%2Eexample\n")
	if strings.Contains(m.Subject+m.Text+m.HTML, "evil.example") {
		t.Errorf("the email names another site:\n%s\n%s", m.Text, m.HTML)
	}
}

func TestDailyEmailAboutOneNotification(t *testing.T) {
	e := newEnv(t)
	e.setEmails(market.NotifyPrice, market.EmailDaily)
	e.notify(market.NotifyPrice, "It is cheaper.", "/phone/18")
	e.passTime(21 * time.Hour)
	m := e.want(1)[0]
	e.wantText(m.Text, "See the phone:\nhttps://shop.example.com/phone/18\n", "You chose to get these once a day.")
	if strings.Contains(m.Text, "when this happens") {
		t.Errorf("the email says that it was sent at once:\n%s", m.Text)
	}
}

func TestButtonNamesTheScreen(t *testing.T) {
	for link, button := range map[string]string{
		"/phone/18":                "See the phone",
		"/search?q=Nokia":          "See the phones",
		"/dashboard/payment/17":    "Pay for the phone",
		"/dashboard/order/17":      "See the order",
		"/dashboard/myOrders":      "See my orders",
		"/dashboard/myProducts":    "See my phones",
		"/dashboard/reportedItems": "See the reports",
		"/dashboard/earnings":      "See my earnings",
	} {
		t.Run(button, func(t *testing.T) {
			e := newEnv(t)
			e.setEmails(market.NotifyPaid, market.EmailNow)
			e.notify(market.NotifyPaid, "Something happened.", link)
			e.passTime(time.Minute)
			e.wantText(e.want(1)[0].Text, button+":\nhttps://shop.example.com"+link+"\n")
		})
	}
}

// The sender checks whether an email is still wanted when the SMTP server is available again.
func TestEmailThatIsNoLongerWantedIsNotSent(t *testing.T) {
	for name, change := range map[string]func(e *env, n market.Notification){
		"notification read": func(e *env, n market.Notification) {
			_, err := e.market.ReadNotifications(e.t.Context(), e.user, n.ID, nil)
			must(e.t, err)
		},
		"emails switched off":  func(e *env, _ market.Notification) { e.setEmails(market.NotifyPrice, market.EmailOff) },
		"notification deleted": func(e *env, _ market.Notification) { must(e.t, e.store.DeleteNotifications(e.t.Context(), "ann")) },
		"account deleted": func(e *env, _ market.Notification) {
			must(e.t, e.store.PurgeAccount(e.t.Context(), "ann", nil))
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			e.setEmails(market.NotifyPrice, market.EmailNow)
			n := e.notify(market.NotifyPrice, "It is cheaper.", "/phone/18")
			e.server.Stop()
			e.passTime(time.Minute)
			change(e, n)
			e.server.Restart()
			e.passTime(time.Hour)
			e.want(0)
		})
	}
}

// The outbox remembers the notifications of an email after it was sent.
func TestEmailOfOneIDIsSentOnce(t *testing.T) {
	e := newEnv(t)
	e.setEmails(market.NotifyPrice, market.EmailNow)
	n := e.notify(market.NotifyPrice, "It is cheaper.", "/phone/18")
	for _, ids := range [][]string{{n.ID}, {n.ID, "later"}} {
		included, err := e.emails.Send(t.Context(), "daily:ann", "ann", ids)
		must(t, err)
		if !slices.Equal(included, []string{n.ID}) {
			t.Errorf("the email includes %v, want only %s", included, n.ID)
		}
		must(t, markettest.Runner(e.clock, e.sender.AddJobs).Step(t.Context()))
		e.want(1)
	}
}

func TestEveryKindHasTitle(t *testing.T) {
	e := newEnv(t)
	for _, kind := range market.NotificationKinds() {
		e.setEmails(kind, market.EmailDaily)
		for range 2 {
			e.notify(kind, "Something happened.", "/")
		}
	}
	e.passTime(21 * time.Hour)
	if m := e.want(1)[0]; strings.Contains(m.Text, "2 notifications") {
		t.Errorf("a kind has no title:\n%s", m.Text)
	}
}
