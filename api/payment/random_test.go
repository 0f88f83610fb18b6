package payment_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"secondring/api/payment"
	"secondring/market"
	"secondring/market/markettest"
	stripesandbox "secondring/sandbox/stripe"
	"secondring/store/sqlite/sqlitetest"
)

// Buyers, cards, webhooks, deadlines and crashes act in random order. In the end a booking
// is paid if and only if one charge of its price was kept, and a phone has at most one paid
// booking. There is one transfer of the seller's share for each completed order, and no
// other. Only Stripe and the clock are simulated.
func TestRandomPaymentsAndCrashesConverge(t *testing.T) {
	store, err := sqlitetest.Open(t.Context(), filepath.Join(t.TempDir(), "market.db"))
	must(t, err)
	defer func() { must(t, store.Close()) }()
	clock := markettest.NewClock(time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC))
	brand, err := market.New(store, clock, testRules, market.NoPayments{}).AddBrand(t.Context(), "Nokia", "/nokia.jpg")
	must(t, err)
	rapid.Check(t, func(r *rapid.T) {
		s := newMarketRun(t, store, clock, brand)
		for range rapid.IntRange(1, 30).Draw(r, "steps") {
			s.randomStep(r)
		}
		if rapid.Bool().Draw(r, "the seller is onboarded") {
			must(t, s.onboard(s.process))
		}
		s.runUntilIdle()
		s.checkConsistency(r)
	})
}

// crashingStore returns a store whose process is killed after a number of writes. The caller
// of the next write stops immediately.
func crashingStore(store market.Store, writes int, stored bool) market.Store {
	crash := &markettest.Crash{Writes: writes, Made: stored, Die: func() error {
		runtime.Goexit()
		return nil
	}}
	return markettest.Guarded(store, crash.Guard)
}

// process is one server: market, gateway, webhook and sandbox over one store.
type process struct {
	*market.Market
	sandbox    *stripesandbox.Sandbox
	janitor    *market.Runner
	reconciler *market.Runner
	gateway    *payment.Gateway
}

// marketRun is a market with a changing set of processes.
type marketRun struct {
	*process
	t       *testing.T
	ctx     context.Context
	store   market.Store
	clock   *markettest.Clock
	admin   market.Actor
	seller  market.Actor
	buyers  []market.Actor
	phones  []market.Product
	secrets map[string]string // client secrets by booking
}

var testRules = market.Rules{
	BookingHold: time.Hour, MaxHolds: 3, Advertise: market.AdvertiseAll, SendWithin: 120 * time.Hour, Transit: 168 * time.Hour, Payouts: market.PayoutsStripe, Commission: 10,
}

// newMarketRun returns a market run with its own users and phones.
func newMarketRun(t *testing.T, store market.Store, clock *markettest.Clock, brand market.Brand) *marketRun {
	t.Helper()
	s := &marketRun{t: t, ctx: t.Context(), store: store, secrets: map[string]string{}, clock: clock}
	s.process = s.start(store)
	s.admin, s.seller = s.addUser("admin", market.AccountUser), s.addUser("seller", market.AccountSeller)
	s.admin.User.Admin = true
	for _, name := range []string{"bea", "bob"} {
		s.buyers = append(s.buyers, s.addUser(name, market.AccountUser))
	}
	for i := range 2 {
		p, err := s.AddProduct(s.ctx, s.seller, market.ProductRequest{
			Name: fmt.Sprint("Phone ", i), Brand: brand.Name, BrandID: brand.ID, Img: "/images/a.jpg",
			OriginalPrice: 129, ResalePrice: 40 + i, Condition: "Good", UsedTime: "1 year", Description: "Rings.",
			SellerName: "seller", Email: s.seller.User.Email, Location: "Dhaka", Phone: "1", PostedOn: "2026-10-31",
		})
		must(t, err)
		s.phones = append(s.phones, p)
	}
	return s
}

// start returns a new process over this store.
func (s *marketRun) start(store market.Store) *process {
	s.t.Helper()
	p, log, hook := &process{}, slog.New(slog.DiscardHandler), &handlerRef{}
	secretKey, publishableKey, webhookSecret := stripesandbox.Keys([]byte("random test"))
	p.sandbox = stripesandbox.New(stripesandbox.Config{
		Records: store, Clock: s.clock, SecretKey: secretKey, PublishableKey: publishableKey,
		WebhookSecret: webhookSecret, Webhook: hook, Log: log,
	})
	p.gateway = payment.NewGateway(payment.GatewayConfig{
		SecretKey: secretKey, Client: p.sandbox.Client(), URL: "http://sandbox" + stripesandbox.Path, ReturnURL: "http://sandbox/dashboard/earnings", Log: log,
	})
	p.Market = market.New(store, s.clock, testRules, p.gateway)
	p.UsePayouts(p.gateway)
	p.janitor = markettest.Runner(s.clock, p.AddTransitions, p.AddPurges)
	p.reconciler = markettest.Runner(s.clock, p.AddPaymentChecks)
	service, err := payment.New(payment.Config{
		Market: p.Market, Records: store, Clock: s.clock, WebhookSecret: webhookSecret, Log: log,
	})
	must(s.t, err)
	hook.Handler = service.Webhook()
	return p
}

// handlerRef is a handler that is set later.
type handlerRef struct{ http.Handler }

func (s *marketRun) addUser(name, accountType string) market.Actor {
	s.t.Helper()
	uid := market.NewID(s.clock.Now())
	a := market.Account{UID: uid, Email: name + uid + "@example.com", DisplayName: name, Version: 1, CreatedAt: s.clock.Now()}
	must(s.t, s.store.AddAccount(s.ctx, a, nil))
	u, err := s.AddUser(s.ctx, a, market.UserRequest{Name: name, Email: a.Email, AccountType: accountType})
	must(s.t, err)
	return market.Actor{User: u}
}

// randomStep performs one random action, sometimes in a process that is killed.
func (s *marketRun) randomStep(r *rapid.T) {
	p := s.process
	if rapid.IntRange(0, 3).Draw(r, "crash") == 0 {
		p = s.start(crashingStore(s.store, rapid.IntRange(0, 7).Draw(r, "writes"), rapid.Bool().Draw(r, "stored")))
	}
	do, done := s.randomAction(r, p), make(chan error, 1)
	go func() {
		defer close(done) // also if the process was killed
		done <- do()
	}()
	if err := <-done; err != nil && market.CodeOf(err) == "" {
		r.Fatalf("an unexpected error: %v", err)
	}
}

// randomAction returns a random action.
func (s *marketRun) randomAction(r *rapid.T, p *process) func() error {
	buyer := rapid.SampledFrom(s.buyers).Draw(r, "buyer")
	phone := rapid.SampledFrom(s.phones).Draw(r, "phone")
	switch rapid.SampledFrom([]string{
		"order", "order", "order", "pay", "pay", "pay", "pay", "pay", "webhooks", "reconcile", "reconcile", "wait", "expire", "expire",
		"cancel", "delete", "onboard",
	}).Draw(r, "action") {
	case "order":
		return func() error { return s.order(p, buyer, phone) }
	case "pay":
		return s.payment(r, p, buyer)
	case "webhooks":
		return func() error {
			_ = p.sandbox.Step(s.ctx) // sends undelivered webhooks again
			return nil
		}
	case "reconcile":
		return func() error { return errors.Join(p.janitor.Step(s.ctx), p.reconciler.Step(s.ctx)) }
	case "wait":
		s.clock.Pass(time.Duration(rapid.IntRange(1, 40).Draw(r, "minutes")) * time.Minute)
	case "expire":
		return func() error { return s.passDeadlines(p, buyer, phone) }
	case "onboard":
		return func() error { return s.onboard(p) }
	case "cancel":
		return func() error {
			held, err := s.store.HeldBookings(s.ctx, buyer.User.UID, 1)
			if err == nil && len(held) > 0 {
				_, err = p.CancelBooking(s.ctx, buyer, held[0].ID)
			}
			return err
		}
	case "delete":
		user := rapid.SampledFrom([]market.Actor{s.buyers[0], s.seller}).Draw(r, "user")
		if rapid.IntRange(0, 5).Draw(r, "delete one of six") == 0 {
			return func() error {
				_, err := p.RemoveUser(s.ctx, s.admin, user.User.ID, market.RemovalReason{})
				return err
			}
		}
	}
	return func() error { return nil }
}

// passDeadlines lets deadlines pass, and the extra hour of a payment in processing. Then a
// buyer books at once.
func (s *marketRun) passDeadlines(p *process, buyer market.Actor, phone market.Product) error {
	for range 2 {
		s.clock.Pass(61 * time.Minute)
		if err := errors.Join(p.janitor.Step(s.ctx), p.reconciler.Step(s.ctx)); err != nil {
			return err
		}
	}
	return s.order(p, buyer, phone)
}

// order books a phone and creates the payment intent.
func (s *marketRun) order(p *process, buyer market.Actor, phone market.Product) error {
	b, err := p.Book(s.ctx, buyer, market.BookingRequest{ProductID: phone.ID, Phone: "01800000"})
	if err != nil {
		return err
	}
	return s.open(p, buyer, b)
}

// open creates the payment intent, as the payment screen does.
func (s *marketRun) open(p *process, buyer market.Actor, b market.Booking) error {
	secret, err := p.OpenPayment(s.ctx, buyer, market.OpenPaymentRequest{BookingID: b.ID, Price: &b.Price})
	if err == nil {
		s.secrets[b.ID] = secret
	}
	return err
}

var testCards = []string{
	"pm_card_visa", "pm_card_chargeDeclined", "pm_card_authenticationRequired", "pm_card_createDispute",
	"pm_usBankAccount_processing", "pm_usBankAccount_success", "pm_usBankAccount_success",
}

// payment returns a random action on one of a buyer's bookings.
func (s *marketRun) payment(r *rapid.T, p *process, buyer market.Actor) func() error {
	list, err := s.store.BookingsOf(s.ctx, buyer.User.UID, market.Page{Limit: 20})
	must(s.t, err)
	if len(list.Items) == 0 {
		return func() error { return nil }
	}
	b := rapid.SampledFrom(list.Items).Draw(r, "booking")
	card := rapid.SampledFrom(testCards).Draw(r, "card")
	switch rapid.SampledFrom([]string{"open", "confirm", "confirm", "confirm", "authenticate", "post", "refund", "receive", "sale", "sale", "return", "return"}).Draw(r, "payment") {
	case "open":
		return func() error { return s.open(p, buyer, b) }
	case "confirm":
		return func() error { return s.browser(p, b, "confirm", url.Values{"payment_method": {card}}) }
	case "authenticate":
		return func() error { return s.browser(p, b, "authenticate", url.Values{"outcome": {"complete"}}) }
	case "post":
		return func() error {
			_, err := p.Pay(s.ctx, buyer, market.PaymentRequest{
				BookingID: b.ID, Transaction: intentIn(s.secrets[b.ID]), Email: buyer.User.Email, Price: &b.Price,
			})
			return err
		}
	case "receive":
		return func() error {
			_, err := p.Fulfil(s.ctx, buyer, b.ID, market.FulfilmentRequest{Action: "received"})
			return err
		}
	case "sale":
		return func() error { return s.sale(p, buyer, b) }
	case "return":
		return func() error {
			_, err := p.RefundOrder(s.ctx, s.admin, b.ID, "It was stolen.", nil)
			return err
		}
	default: // a refund at the provider
		return func() error {
			if b.Status != market.BookingPaid {
				return nil
			}
			return p.gateway.Refund(s.ctx, b.Intent, 0)
		}
	}
}

// sale pays, and the buyer confirms the receipt at once.
func (s *marketRun) sale(p *process, buyer market.Actor, b market.Booking) error {
	if err := s.browser(p, b, "confirm", url.Values{"payment_method": {"pm_card_visa"}}); err != nil {
		return err
	}
	if err := errors.Join(s.onboard(p), p.sandbox.Step(s.ctx)); err != nil {
		return err
	}
	if _, err := p.Fulfil(s.ctx, buyer, b.ID, market.FulfilmentRequest{Action: "received"}); err != nil {
		return err
	}
	return errors.Join(p.reconciler.Step(s.ctx), p.reconciler.Step(s.ctx))
}

// intentIn returns the intent's ID in a client secret.
func intentIn(secret string) string {
	id, _, _ := strings.Cut(secret, "_secret_")
	return id
}

// browser sends a request to confirm the payment, as the buyer's browser does, and ignores
// the result.
func (s *marketRun) browser(p *process, b market.Booking, action string, form url.Values) error {
	secret := s.secrets[b.ID]
	if secret == "" {
		return nil
	}
	form.Set("client_secret", secret)
	_, publishableKey, _ := stripesandbox.Keys([]byte("random test"))
	request := httptest.NewRequestWithContext(s.ctx, http.MethodPost,
		stripesandbox.Path+"/v1/payment_intents/"+intentIn(secret)+"/"+action, strings.NewReader(form.Encode()))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Authorization", "Bearer "+publishableKey)
	p.sandbox.ServeHTTP(httptest.NewRecorder(), request)
	return nil
}

// runUntilIdle runs the background jobs until all work has ended. Payments
// that the sandbox never decides stay in processing.
func (s *marketRun) runUntilIdle() {
	s.t.Helper()
	for range 6 {
		s.clock.Pass(31 * time.Minute)
		must(s.t, s.janitor.Step(s.ctx))
		must(s.t, s.reconciler.Step(s.ctx))
		must(s.t, s.sandbox.Step(s.ctx))
	}
}

// onboard sets the seller's payout account up, unless the seller was removed.
func (s *marketRun) onboard(p *process) error {
	link, err := p.OpenOnboarding(s.ctx, s.seller)
	if errors.Is(err, market.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	target, err := url.Parse(link)
	if err != nil {
		return err
	}
	form := url.Values{"link": target.Query()["link"], "action": {"complete"}}
	request := httptest.NewRequestWithContext(s.ctx, http.MethodPost, link, strings.NewReader(form.Encode()))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	p.sandbox.ServeHTTP(httptest.NewRecorder(), request)
	return nil
}
