package app_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"secondring/cmd/secondring/datastore"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/demo"
	"secondring/market"
)

// meters reads all metrics without labels, or with the one that is named.
func (r *running) meters() map[string]float64 {
	r.t.Helper()
	answer, err := r.visitor().client.Get(r.URL() + "/metrics")
	if err != nil {
		r.t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		r.t.Fatal(err)
	}
	all := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.ParseFloat(value, 64); err == nil {
			all[strings.TrimPrefix(name, "secondring_")] = n
		}
	}
	return all
}

// settle waits until a metric is what is wanted.
func (r *running) settle(name string, want float64) {
	r.t.Helper()
	deadline, again := time.After(10*time.Second), time.NewTicker(20*time.Millisecond)
	defer again.Stop()
	for {
		got := r.meters()[name]
		if got == want {
			return
		}
		select {
		case <-deadline:
			r.t.Fatalf("%s is %v, want %v", name, got, want)
		case <-again.C:
		}
	}
}

func TestMetricsOfTheMarket(t *testing.T) {
	s := settingsFor(t, map[string]string{"DEMO": "1"})
	r := start(t, s)
	login := demo.Logins()[3]
	buyer := r.signIn(login.Email, login.Password)
	var phones []struct {
		ID          string `json:"_id"`
		ResalePrice int
	}
	r.visitor().call(http.MethodGet, "/products/advertised", nil, &phones)
	socket := buyer.live("me", "advertised")
	hear(t, socket, `"subscribed"`)
	before := r.meters()

	r.pay() // for the first
	var booked struct{ InsertedID string }
	buyer.call(http.MethodPut, "/bookings", map[string]any{"productID": phones[1].ID, "phone": "01700000"}, &booked)
	buyer.call(http.MethodDelete, "/bookings/"+booked.InsertedID, nil, nil)
	hear(t, socket, `"status":"cancelled"`)
	for name, more := range map[string]float64{
		`bookings_total{status="held"}`: 2, `bookings_total{status="cancelled"}`: 1, `bookings_total{status="paid"}`: 1,
		`bookings_total{status="expired"}`: 0, `payments_total`: 1, `payments_dollars_total`: float64(phones[0].ResalePrice),
		`refunds_total`: 0, `live_sockets`: 1, `store_errors_total{op="write"}`: 0, // pay has a socket of its own
	} {
		r.settle(name, before[name]+more)
	}
	r.settle("outbox_waiting", 0)
	after := r.meters()
	for _, name := range []string{"event_sent_delay_seconds_count", "event_publish_delay_seconds_count", "live_deliveries_total"} {
		if after[name] <= before[name] {
			t.Errorf("%s stays at %v", name, after[name])
		}
	}
	if after["live_sockets"] != 2 {
		t.Errorf("%v sockets", after["live_sockets"])
	}
	if after["backup_last_timestamp_seconds"] != 0 {
		t.Error("a backup that never was")
	}
	if _, err := datastore.Backup(t.Context(), s, "test", t.TempDir()+"/b.tar"); err != nil {
		t.Fatal(err)
	}
	if at := r.meters()["backup_last_timestamp_seconds"]; time.Since(time.Unix(int64(at), 0)) > time.Minute {
		t.Errorf("the last backup was %v", at)
	}
	_ = socket.Close()
	r.settle("live_sockets", 1)
}

// broken is a store whose outbox cannot be read.
type broken struct{ market.Store }

// PendingEvents fails.
func (broken) PendingEvents(context.Context, int) ([]market.Event, error) {
	return nil, errors.New("disk I/O error")
}

// Backlog fails.
func (broken) Backlog(context.Context, int) (market.Backlog, error) {
	return market.Backlog{}, errors.New("disk I/O error")
}

// A failing store is visible without any calls.
func TestMetricsShowFailingStore(t *testing.T) {
	a, err := app.New(t.Context(), settingsFor(t, nil), app.Options{
		Log: slog.New(slog.DiscardHandler), Store: func(s market.Store) market.Store { return broken{s} },
	})
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, a)
	deadline, again := time.After(10*time.Second), time.NewTicker(20*time.Millisecond)
	defer again.Stop()
	for r.meters()[`store_errors_total{op="read"}`] == 0 {
		select {
		case <-deadline:
			t.Fatal("nothing is seen of it")
		case <-again.C:
		}
	}
	if _, exported := r.meters()["outbox_waiting"]; exported {
		t.Error("an unreadable figure is exported")
	}
}
