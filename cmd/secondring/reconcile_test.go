package main

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
)

// newPaidOrder returns a market with one paid order, and the ID of its payment intent.
func newPaidOrder(t *testing.T) (e *paymentEnv, intent string) {
	t.Helper()
	e = &paymentEnv{testServer: newTestServer(t)}
	sellerMail, seller := e.signUp("sela", "Seller")
	e.email, e.buyer = e.signUp("bea", "User")
	e.key = e.publishableKey()
	if err := e.checkOut(e.book(e.buyer, e.phones(sellerMail, seller, 1)[0])); err != nil {
		t.Fatal(err)
	}
	return e, e.intentID
}

func TestReconcileBesideRunningServer(t *testing.T) {
	e, intent := newPaidOrder(t)
	dir := e.dataDir()
	t.Setenv("DATA_DIR", dir)
	t.Setenv("PUBLIC_URL", "http://"+e.addr)
	reconcileWants := func(want string, args ...string) {
		t.Helper()
		if out := mustRunCommand(t, "", append([]string{"reconcile"}, args...)...); !strings.Contains(out, want) {
			t.Errorf("reconcile %v prints %q, want %q", args, out, want)
		}
	}
	reconcileWants("1 payments compared, 0 differ. 0 charges")

	// The market loses the booking and the records of its payment.
	e.kill()
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
	out, err := runCommand(t, "", "reconcile")
	if err == nil || exitCode(err) != 1 || !strings.Contains(out, intent) || !strings.Contains(out, "neither a payment nor a booking for it. Can be repaired") {
		t.Errorf("reconcile returned %v, exit code %d, and printed %q; want exit code 1 and the charge %s", err, exitCode(err), out, intent)
	}
	reconcileWants("0 payments compared, 0 differ", "--since", "2100-01-01")
	// The repair refunds the charge, because it has no booking. Two repairs run at once, and
	// the server too.
	e.open()
	second := make(chan error, 1)
	go func() {
		_, err := runCommand(t, "", "reconcile", "--repair")
		second <- err
	}()
	reconcileWants("1 payments compared, 0 differ", "--repair")
	if err := <-second; err != nil {
		t.Error(err)
	}
	reconcileWants("1 payments compared, 0 differ")
}

// The demo pays its orders in the sandbox, so that users can continue them.
func TestReconcileOfDemoFindsNothing(t *testing.T) {
	s := newTestServer(t, "DEMO=on")
	t.Setenv("DATA_DIR", s.dataDir())
	t.Setenv("PUBLIC_URL", "http://"+s.addr)
	t.Setenv("DEMO", "on")
	if out := mustRunCommand(t, "", "reconcile"); !strings.Contains(out, ", 0 differ") || strings.HasPrefix(out, "0 payments") {
		t.Errorf("reconcile prints %q, want some payments and no differences", out)
	}
}

func TestReconcileRefusesInvalidArguments(t *testing.T) {
	t.Setenv("DATA_DIR", t.TempDir())
	for _, args := range [][]string{{"--since"}, {"--since", "yesterday"}, {"now"}, {"--since", "2026-11-01", "now"}, {"--repair", "now"}, {"--since", "--repair"}} {
		if _, err := runCommand(t, "", append([]string{"reconcile"}, args...)...); err == nil || exitCode(err) != 2 {
			t.Errorf("reconcile %v returned %v, want exit code 2", args, err)
		}
	}
}
