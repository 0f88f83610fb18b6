package app_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/datastore"
	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/nodetest"
	"secondring/market"
)

// metrics reads all metrics. The keys are the names with their labels, without the prefix.
func (s *testServer) metrics() map[string]float64 {
	s.t.Helper()
	response, err := http.Get(s.URL() + "/metrics")
	if err != nil {
		s.t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		s.t.Fatal(err)
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

// waitForMetric waits until a metric has a value.
func (s *testServer) waitForMetric(name string, want float64) {
	s.t.Helper()
	var got float64
	waitFor(s.t, func() bool {
		got = s.metrics()[name]
		return got == want
	}, func() string { return fmt.Sprintf("%s is %v, want %v", name, got, want) })
}

func TestMetricsOfTheMarket(t *testing.T) {
	s := nodetest.Settings(t, map[string]string{"DEMO": "1"})
	srv := start(t, s)
	login := demo.Logins()[3]
	buyer := srv.signIn(login.Email, login.Password)
	var phones []struct {
		ID          string `json:"_id"`
		ResalePrice int
	}
	srv.newBrowser().call(http.MethodGet, "/products/advertised", nil, &phones)
	socket := buyer.subscribe("me", "advertised")
	before := srv.metrics()

	srv.buyPhone() // phones[0]
	var orders []struct {
		ID        string `json:"_id"`
		ProductID string
	}
	buyer.call(http.MethodGet, "/bookings?email="+login.Email, nil, &orders)
	for _, order := range orders {
		if order.ProductID == phones[0].ID { // a step of an order is no new booking
			buyer.call(http.MethodPut, "/bookings/"+order.ID+"/fulfilment", map[string]any{"action": "received"}, nil)
		}
	}
	var booked struct{ InsertedID string }
	buyer.call(http.MethodPut, "/bookings", map[string]any{"productID": phones[1].ID, "phone": "01700000"}, &booked)
	buyer.call(http.MethodDelete, "/bookings/"+booked.InsertedID, nil, nil)
	waitForFrame(t, socket, `"status":"cancelled"`)
	for name, increase := range map[string]float64{
		`bookings_total{status="held"}`: 2, `bookings_total{status="cancelled"}`: 1, `bookings_total{status="paid"}`: 1,
		`bookings_total{status="expired"}`: 0, `payments_total`: 1, `payments_dollars_total`: float64(phones[0].ResalePrice),
		`refunds_total`: 0, `live_sockets`: 1, `store_errors_total{op="write"}`: 0, // buyPhone opens a socket of its own
	} {
		srv.waitForMetric(name, before[name]+increase)
	}
	srv.waitForMetric("outbox_waiting", 0)
	after := srv.metrics()
	for _, name := range []string{"event_sent_delay_seconds_count", "event_publish_delay_seconds_count", "live_deliveries_total"} {
		if after[name] <= before[name] {
			t.Errorf("%s is %v, want more than %v", name, after[name], before[name])
		}
	}
	if after["live_sockets"] != 2 {
		t.Errorf("live_sockets is %v, want 2", after["live_sockets"])
	}
	if after["backup_last_timestamp_seconds"] != 0 {
		t.Error("the time of a last backup is exported before the first backup")
	}
	if _, err := datastore.Backup(t.Context(), s, "test", t.TempDir()+"/b.tar"); err != nil {
		t.Fatal(err)
	}
	if at := srv.metrics()["backup_last_timestamp_seconds"]; time.Since(time.Unix(int64(at), 0)) > time.Minute {
		t.Errorf("the time of the last backup is %v, want now", at)
	}
	_ = socket.Close()
	srv.waitForMetric("live_sockets", 1)
}

// failReads is a hook with which the outbox cannot be read.
func failReads(_ context.Context, call market.StoreCall, do func() error) error {
	if call.Op == market.OpRead {
		return errors.New("disk I/O error")
	}
	return do()
}

// The background jobs of a server count a failing store's errors, so that operators see them
// without a call of a user.
func TestMetricsShowFailingStore(t *testing.T) {
	srv := startWith(t, nodetest.Settings(t, nil), app.Options{StoreHook: failReads})
	waitFor(t, func() bool { return srv.metrics()[`store_errors_total{op="read"}`] > 0 },
		func() string { return "store_errors_total does not count errors of reads" })
	if n, exported := srv.metrics()["outbox_waiting"]; exported {
		t.Errorf("outbox_waiting is %v, want no value because it cannot be read", n)
	}
}
