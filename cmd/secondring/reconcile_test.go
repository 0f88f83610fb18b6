package main

import (
	"database/sql"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// paidShop is a market in which one order is paid, and its intent's ID.
func paidShop(t *testing.T) (c *paymentEnv, intent string) {
	t.Helper()
	c = &paymentEnv{testServer: newTestServer(t)}
	sellerMail, seller := c.person("sela", "Seller")
	c.email, c.buyer = c.person("bea", "User")
	var config struct {
		Stripe struct{ PublishableKey string }
	}
	c.must(http.MethodGet, "/config", "", nil, &config)
	c.key = config.Stripe.PublishableKey
	phone := c.phones(sellerMail, seller, 1)[0]
	var booking written
	c.must(http.MethodPut, "/bookings", c.buyer, map[string]string{"productID": phone, "phone": "01700000"}, &booking)
	if err := c.checkOut(booking.InsertedID); err != nil {
		t.Fatal(err)
	}
	return c, c.id
}

func TestReconcileBesideRunningServer(t *testing.T) {
	c, intent := paidShop(t)
	dir := c.dirOf()
	t.Setenv("DATA_DIR", dir)
	t.Setenv("PUBLIC_URL", "http://"+c.addr)
	if out := mustCall(t, "", "reconcile"); !strings.Contains(out, "1 payments compared, 0 differ. 0 charges") {
		t.Errorf("%q", out)
	}

	// The market loses its records of the payment, and its booking.
	c.kill()
	db, err := sql.Open("sqlite", filepath.Join(dir, "secondring.db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"payments", "bookings", "ledger"} {
		if _, err := db.ExecContext(t.Context(), "DELETE FROM "+table); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	out, err := call(t, "", "reconcile")
	if err == nil || exitCode(err) != 1 || !strings.Contains(out, intent) || !strings.Contains(out, "neither a payment nor the booking. Can be repaired") {
		t.Errorf("%v, exit %d: %q", err, exitCode(err), out)
	}
	if out := mustCall(t, "", "reconcile", "--since", "2100-01-01"); !strings.Contains(out, "0 payments compared, 0 differ") {
		t.Errorf("%q", out)
	}
	// The charge is refunded, since there is no booking for it. Two do it at once, beside the server.
	c.open()
	second := make(chan error, 1)
	go func() {
		_, err := call(t, "", "reconcile", "--repair")
		second <- err
	}()
	out = mustCall(t, "", "reconcile", "--repair")
	if !strings.Contains(out, "1 payments compared, 0 differ") {
		t.Errorf("%q", out)
	}
	if err := <-second; err != nil {
		t.Error(err)
	}
	if out := mustCall(t, "", "reconcile"); !strings.Contains(out, "1 payments compared, 0 differ") {
		t.Errorf("%q", out)
	}
}

// The demo's orders were paid in the sandbox, so that they can go on.
func TestReconcileOfDemoFindsNothing(t *testing.T) {
	s := newTestServer(t, "DEMO=on")
	t.Setenv("DATA_DIR", s.dirOf())
	t.Setenv("PUBLIC_URL", "http://"+s.addr)
	t.Setenv("DEMO", "on")
	if out := mustCall(t, "", "reconcile"); !strings.Contains(out, ", 0 differ") || strings.HasPrefix(out, "0 payments") {
		t.Errorf("%q", out)
	}
}

func TestReconcileNeedsADay(t *testing.T) {
	t.Setenv("DATA_DIR", t.TempDir())
	for _, args := range [][]string{{"--since"}, {"--since", "yesterday"}, {"now"}, {"--since", "2026-11-01", "now"}, {"--repair", "now"}, {"--since", "--repair"}} {
		if _, err := call(t, "", append([]string{"reconcile"}, args...)...); err == nil || exitCode(err) != 2 {
			t.Errorf("%v: %v", args, err)
		}
	}
}
