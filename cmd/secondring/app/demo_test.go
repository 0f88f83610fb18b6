package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/nodetest"
)

func TestDemoIsFilledOnce(t *testing.T) {
	s := nodetest.Settings(t, map[string]string{"DEMO": "1"})
	first := start(t, s)
	var brands []struct {
		ID   string `json:"_id"`
		Name string
	}
	first.newBrowser().call(http.MethodGet, "/allCategories", nil, &brands)
	if len(brands) != 12 || brands[0].Name > brands[11].Name {
		t.Errorf("%d brands, the first is %s; want 12 in alphabetical order", len(brands), brands[0].Name)
	}
	login := demo.Logins()[3]
	buyer := first.signIn(login.Email, login.Password)
	type phone struct {
		ID          string `json:"_id"`
		ResalePrice int
		Booked      bool
	}
	phones := 0
	var available phone
	for _, b := range brands {
		var list []phone
		buyer.call(http.MethodGet, "/categories/"+b.ID+"?limit=200", nil, &list)
		phones += len(list)
		for _, p := range list {
			if !p.Booked {
				available = p
			}
		}
	}
	if phones != 300 {
		t.Errorf("%d phones, want 300", phones)
	}
	buyer.call(http.MethodPut, "/bookings", map[string]any{"productID": available.ID, "price": available.ResalePrice, "phone": "01700000"}, nil)
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}

	second := start(t, s)
	var orders []struct{ ProductID string }
	second.signIn(login.Email, login.Password).call(http.MethodGet, "/bookings?email="+login.Email, nil, &orders)
	if len(orders) == 0 || orders[0].ProductID != available.ID {
		t.Errorf("the orders after a restart are %+v, want one of phone %s", orders, available.ID)
	}
	header := second.newBrowser().call(http.MethodGet, "/products/advertised", nil, nil)
	if count := header.Get("X-Total-Count"); count != "24" {
		t.Errorf("%s phones are advertised after a restart, want 24", count)
	}
}

// The demo shows its emails in a mailbox if there is no SMTP server. GET /config has the
// mailbox's path only then.
func TestDemoShowsEmailOrSendsIt(t *testing.T) {
	for url, mailbox := range map[string]string{"": "/sandbox/mail", "smtp://127.0.0.1:25": ""} {
		srv := start(t, nodetest.Settings(t, map[string]string{"DEMO": "1", "SMTP_URL": url, "CONTACT_EMAIL": "shop@example.com"}))
		var config struct {
			Mail    bool
			Mailbox string
		}
		srv.newBrowser().call(http.MethodGet, "/config", nil, &config)
		if !config.Mail || config.Mailbox != mailbox {
			t.Errorf("with SMTP_URL %q /config has %+v, want the mailbox %q", url, config, mailbox)
		}
	}
}

func TestDemoBuyerHasOrdersInEveryState(t *testing.T) {
	srv := start(t, nodetest.Settings(t, map[string]string{"DEMO": "1"}))
	login := demo.Logins()[3]
	var orders []struct{ Status string }
	srv.signIn(login.Email, login.Password).call(http.MethodGet, "/bookings?email="+login.Email, nil, &orders)
	states := map[string]bool{}
	for _, o := range orders {
		states[o.Status] = true
	}
	for _, state := range []string{demo.Held, "paid", demo.Expired, demo.Cancelled, demo.Refunded} {
		if !states[state] {
			t.Errorf("no order is %s: %+v", state, orders)
		}
	}
	var reports []struct{ Reason string }
	admin := demo.Logins()[0]
	srv.signIn(admin.Email, admin.Password).call(http.MethodGet, "/reportedItems", nil, &reports)
	if len(reports) != 5 {
		t.Errorf("the reports are %+v, want 5", reports)
	}
}

// Each stage of a paid order has one, and none of them is late.
func TestDemoHasOrdersInEveryStage(t *testing.T) {
	srv := start(t, nodetest.Settings(t, map[string]string{"DEMO": "1"}))
	var orders []struct {
		BookedAt   time.Time
		Status     string
		Fulfilment struct {
			State, Outcome string
			SendBy         time.Time
		}
		Payout struct{ State string }
	}
	admin := demo.Logins()[0]
	srv.signIn(admin.Email, admin.Password).call(http.MethodGet, "/orders?limit=200", nil, &orders)
	stages := map[string]bool{}
	for _, o := range orders {
		if age := time.Since(o.BookedAt); age < 0 || age > 15*24*time.Hour {
			t.Errorf("an order is %s old: %+v", age, o)
		}
		f := o.Fulfilment
		if f.State == "waiting" && o.Status == "paid" && time.Until(f.SendBy) < 24*time.Hour {
			t.Errorf("an order must be sent by %s", f.SendBy)
		}
		stages[strings.TrimSpace(o.Status+" "+f.State+" "+f.Outcome+" "+o.Payout.State)] = true
	}
	for _, stage := range []string{
		"held", "expired", "cancelled", "paid waiting", "paid sent", "paid received", "paid problem",
		"paid settled release due", "paid settled release paidOut",
	} {
		if !stages[stage] {
			t.Errorf("no order is %q: %v", stage, stages)
		}
	}
}

// Each held phone of a new demo has another time left, which is less than the hold and long
// enough to try it. The buyers with a login have the most.
func TestHeldPhonesOfDemoHaveTimeLeft(t *testing.T) {
	const hold = time.Hour // the default
	srv := start(t, nodetest.Settings(t, map[string]string{"DEMO": "1", "BOOKING_HOLD": "", "MAX_HOLDS": ""}))
	admin := demo.Logins()[0]
	var orders []struct{ Email, HoldUntil string }
	srv.signIn(admin.Email, admin.Password).call(http.MethodGet, "/orders?status=held&limit=200", nil, &orders)
	if want := len(demo.New(time.Now()).Holds()); len(orders) != want {
		t.Fatalf("%d orders are held, want %d", len(orders), want)
	}
	minutes := map[int]bool{}
	for _, o := range orders {
		until, err := time.Parse(time.RFC3339, o.HoldUntil)
		if err != nil {
			t.Fatal(err)
		}
		left, shortest := time.Until(until), hold/4
		if o.Email == demo.Logins()[3].Email || o.Email == demo.Logins()[4].Email {
			shortest = hold * 3 / 4
		}
		if left > hold || left < shortest-time.Minute {
			t.Errorf("%s has %s left, want %s to %s", o.Email, left, shortest, hold)
		}
		minutes[int(left.Minutes())] = true
	}
	if len(minutes) != len(orders) {
		t.Errorf("%d orders have %d different times left", len(orders), len(minutes))
	}
}

func TestDemoRefusesRealMarket(t *testing.T) {
	dir := t.TempDir()
	if err := start(t, nodetest.Settings(t, map[string]string{"DATA_DIR": dir})).stop(); err != nil {
		t.Fatal(err)
	}
	wantSettingsError(t, nodetest.Settings(t, map[string]string{"DATA_DIR": dir, "DEMO": "1"}), "DEMO")
}

func TestPublicServerRefusesDemoStore(t *testing.T) {
	dir := t.TempDir()
	if err := start(t, nodetest.Settings(t, map[string]string{"DATA_DIR": dir, "DEMO": "1"})).stop(); err != nil {
		t.Fatal(err)
	}
	wantSettingsError(t, nodetest.Settings(t, map[string]string{"DATA_DIR": dir, "PUBLIC_URL": "https://ring.example", "STRIPE_SECRET_KEY": "sandbox", "TRUSTED_PROXIES": "none"}), "DATA_DIR")
}
