package clustertest_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/nodetest"
	"secondring/cmd/secondring/settings"
	"secondring/market"
	"secondring/store/mongo/mongotest"
)

// The processes of the store's server are killed in turn under load. The test starts its own
// server, even if MONGODB_URI names one.
func TestStoreIsKilledUnderLoad(t *testing.T) {
	server, err := mongotest.Own()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	e := startEnv(t, server.Database(), nil, nil)
	e.openClients(t, 200)
	before := e.resources(t)
	l := &load{env: e, pace: 100 * time.Millisecond}
	var from, back time.Time
	runWith(func() {
		e.expectProgress(t, "book", 20)
		from = time.Now()
		for _, name := range []string{"ferretdb", "postgres", "ferretdb", "postgres"} {
			if err := server.Kill(name); err != nil {
				t.Error(err)
				return
			}
			e.waitUntilStoreAnswers(t)
			back = time.Now()
			e.expectProgress(t, "book", 5)
		}
	}, append(l.workers(), l.readers()...)...)
	for _, what := range []string{"book", "cancel", "change price", "list"} {
		all := e.acknowledged.between(what, from, time.Now())
		t.Logf("%s, with the store killed four times: %s%s", what, statuses(all), durationText(all))
		if _, _, longest := durationStats(all); longest > callLimit/2 {
			t.Errorf("%s: %s, want no call longer than %v", what, durationText(all), callLimit/2)
		}
	}
	e.checkRecovery(t, before, 0, back)
	e.checkNoLeaks(t)
}

// waitUntilStoreAnswers waits until the store's server answers.
func (e *env) waitUntilStoreAnswers(t *testing.T) {
	t.Helper()
	client, err := mongo.Connect(options.Client().ApplyURI(e.env["MONGODB_URI"]).SetServerSelectionTimeout(time.Second))
	if err != nil {
		t.Fatal(err)
	}
	waitUntilNoProblem(t, "the store answers", func() string {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := client.Ping(ctx, nil); err != nil {
			return err.Error()
		}
		return ""
	})
	if err := client.Disconnect(context.WithoutCancel(t.Context())); err != nil {
		t.Error(err)
	}
}

// With this environment variable the test binary is a node that kills itself in the
// n-th booking, between the write of the phone and the write of the booking.
const dieInBooking = "SECONDRING_TEST_DIE_IN_BOOKING"

// serveUntilBooking runs that node.
func serveUntilBooking() error {
	s, err := settings.Read(os.Getenv)
	if err != nil {
		return err
	}
	last, err := strconv.ParseInt(os.Getenv(dieInBooking), 10, 64)
	if err != nil {
		return err
	}
	a, err := app.New(context.Background(), s, app.Options{
		Log:       slog.New(slog.DiscardHandler),
		StoreHook: killInBooking(last),
	})
	if err != nil {
		return err
	}
	return a.Run(context.Background())
}

// killInBooking returns a hook that kills the process before it adds the booking with this number.
func killInBooking(last int64) market.StoreHook {
	var count atomic.Int64
	return func(_ context.Context, call market.StoreCall, do func() error) error {
		_, isBooking := call.Entity.(market.Booking)
		if isBooking && call.Op == market.OpAdd && count.Add(1) == last {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // until the signal arrives
		}
		return do()
	}
}

// nodeProcess is a node in its own process, whose exit the test waits for.
type nodeProcess struct {
	*os.Process

	ended chan struct{} // closed after the exit
}

// startDyingNode starts a node at an address that kills itself in the booking with the number
// last (0 for none), and waits until it was ready. It may have exited by then, because buyers
// use it at once.
func (e *env) startDyingNode(t *testing.T, address string, last int) nodeProcess {
	t.Helper()
	node := exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0])
	node.Env = append(os.Environ(), "ADDR="+address, "RATE_LIMIT=off", "DATA_DIR="+t.TempDir(), dieInBooking+"="+strconv.Itoa(last))
	for name, value := range e.env {
		node.Env = append(node.Env, name+"="+value)
	}
	node.Stderr = os.Stderr
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	e.dyingNode.Store(int64(len(e.urls)))
	p := nodeProcess{node.Process, make(chan struct{})}
	go func() {
		defer close(p.ended)
		_ = node.Wait()
	}()
	waitUntilNoProblem(t, "the process is ready", func() string {
		r := e.call(len(e.urls)-1, nil, http.MethodGet, "/readyz", nil)
		select {
		case <-p.ended:
			if node.ProcessState.Exited() { // and was not killed
				return "the process exited: " + node.ProcessState.String()
			}
			return ""
		default:
		}
		if r.ok() {
			return ""
		}
		return fmt.Sprint(r.status, r.err)
	})
	return p
}

// A third node, in its own process, is killed under load and during a booking. The other
// nodes finish its work.
func TestNodeIsKilledDuringBookings(t *testing.T) {
	e := startEnv(t, database(t), nil, nil)
	address := freeAddress(t)
	e.urls = append(e.urls, "http://"+address)
	node := e.startDyingNode(t, address, 0)
	e.openClients(t, 200)
	l := &load{env: e, pace: 60 * time.Millisecond}
	var died time.Time
	runWith(func() {
		e.expectProgress(t, "book", 20)
		if err := node.Kill(); err != nil {
			t.Error(err)
		}
		<-node.ended
		for death := range nodetest.KillCount(t, 4) - 1 {
			node = e.startDyingNode(t, address, 1+2*(death%3))
			<-node.ended
			died = time.Now()
		}
	}, l.workers()...)
	e.urls = e.urls[:len(e.urls)-1] // no call is sent there any more
	unfinished := e.unfinishedBookings(t)
	t.Logf("%d phones were held without a booking %v after the last kill", unfinished, time.Since(died).Round(time.Millisecond))
	e.checkRecovery(t, resources{goroutines: 1 << 20}, 0, died)
	e.checkNoLeaks(t)
}

// unfinishedBookings counts held phones whose booking is not written yet.
func (e *env) unfinishedBookings(t *testing.T) (n int) {
	t.Helper()
	held := 0
	for _, b := range e.buyers {
		rows, ok := rowsOf[orderRow](e, 0, b, "/bookings?limit=200&email="+b.email)
		if !ok {
			t.Fatal("the bookings of a buyer cannot be read")
		}
		for _, o := range rows {
			if o.Status == "held" {
				held++
			}
		}
	}
	for _, s := range e.sellers {
		rows, ok := rowsOf[phoneRow](e, 0, s, "/products?limit=200&email="+s.email)
		if !ok {
			t.Fatal("the phones of a seller cannot be read")
		}
		for _, p := range rows {
			if p.Booked {
				n++
			}
		}
	}
	return n - held
}
