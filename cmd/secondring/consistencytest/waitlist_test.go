package consistencytest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The settings of the nodes, and the size of a round.
const (
	waitlistHold, waitlistTurn = 2 * time.Second, time.Second
	waitlistMaxHolds           = 4
	waitlistPhones             = 20
	waitlistBuyers             = 16
	waitlistSellers            = 4
	maxRounds                  = 10 // after which each kind of event must have happened
	actDuration                = 3 * time.Second
	killDuration               = 5 * time.Second // longer, because the turns continue after the last action
)

// waitlistEnv is a market whose nodes are killed while buyers book, wait, leave, cancel and
// pay. Each round has new phones, because a buyer may book a phone again only after an hour.
type waitlistEnv struct {
	*env
	buyers         []*waitingBuyer
	sellers        []*apiSeller
	notifications  []notificationSet // by seller
	publishableKey string            // of the Stripe sandbox

	phones     []waitlistPhone // of the round
	roundStart time.Time
	counts     waitlistCounts
}

type waitlistPhone struct {
	ID, title string
	seller    int
}

// waitlistCounts counts the events of all rounds.
type waitlistCounts struct{ kills, expired, cancelled, paid, turns, left, passedOver, available, sold, refused, unanswered int }

func (c waitlistCounts) released() int { return c.expired + c.cancelled + c.refused }

func (c waitlistCounts) haveAllKinds() bool { return c.kills > 0 && c.turns > 0 && c.passedOver > 0 }

func TestTurnsStayInOrderOnOneNode(t *testing.T)  { newWaitlistEnv(t, 1).run() }
func TestTurnsStayInOrderOnTwoNodes(t *testing.T) { newWaitlistEnv(t, 2).run() }

func newWaitlistEnv(t *testing.T, nodes int) *waitlistEnv {
	t.Helper()
	w := &waitlistEnv{env: &env{t: t}, notifications: make([]notificationSet, waitlistSellers)}
	own := map[string]string{
		"BOOKING_HOLD": waitlistHold.String(), "TURN": waitlistTurn.String(), "MAX_HOLDS": fmt.Sprint(waitlistMaxHolds),
	}
	w.startNodes([]map[string]string{own, own}[:nodes]...)
	var config struct {
		Stripe struct{ PublishableKey string }
	}
	newBrowser(w.env).mustCall(http.MethodGet, "/config", nil, &config)
	w.publishableKey = config.Stripe.PublishableKey
	for i := range w.notifications {
		w.notifications[i] = notificationSet{}
		s := &apiSeller{browser: newBrowser(w.env), person: w.signUpPerson(seller)}
		s.accessToken()
		s.mustCall(http.MethodGet, "/allCategories", nil, &s.brands)
		w.sellers = append(w.sellers, s)
	}
	for range waitlistBuyers {
		b := &waitingBuyer{waitlistEnv: w, browser: newBrowser(w.env), person: w.signUpPerson(buyer)}
		b.signIn(b.person)
		w.buyers = append(w.buyers, b)
	}
	return w
}

// run runs rounds until 30 holds were released, or as many as RELEASES says, and each kind of
// event happened. On a slow machine a round may have no buyer who is passed over.
func (w *waitlistEnv) run() {
	w.t.Helper()
	startedAt := time.Now()
	for n, want := 1, intFromEnv(w.t, "RELEASES", 30); w.counts.released() < want || !w.counts.haveAllKinds() && n <= maxRounds; n++ {
		w.runRound(n)
		w.t.Logf("%v: round %d: %d of %d holds released; %+v", time.Since(startedAt).Round(time.Second), n, w.counts.released(), want, w.counts)
		if w.t.Failed() {
			return
		}
	}
	if !w.counts.haveAllKinds() {
		w.t.Errorf("no kill, no turn or no buyer passed over: %+v", w.counts)
	}
}

// runRound lets buyers act on new phones, kills nodes at the same time, and checks the
// result when no phone is held any more.
func (w *waitlistEnv) runRound(n int) {
	w.t.Helper()
	w.roundStart, w.phones = time.Now(), nil
	for i := range waitlistPhones {
		s := w.sellers[i%len(w.sellers)]
		name := fmt.Sprintf("Turn %02d-%02d", n, i)
		w.phones = append(w.phones, waitlistPhone{ID: s.addPhone(s.brands[0], name), title: s.brands[0].Name + " " + name, seller: i % len(w.sellers)})
	}
	ctx, stop := context.WithTimeout(w.t.Context(), actDuration)
	defer stop()
	var all sync.WaitGroup
	for _, b := range w.buyers {
		b.startRound()
		all.Go(func() { b.act(ctx) })
	}
	for time.Since(w.roundStart) < killDuration {
		<-time.After(time.Duration(300+rand.IntN(900)) * time.Millisecond)
		node := w.nodes[rand.IntN(len(w.nodes))]
		node.End([]os.Signal{killInWrite, killInWrite, syscall.SIGKILL}[rand.IntN(3)])
		w.counts.kills++
		<-time.After(time.Duration(rand.IntN(300)) * time.Millisecond)
		node.Open()
	}
	all.Wait()
	w.waitUntilConsistent()
}

// waitUntilConsistent waits until no phone is held and checkWaitlists finds no problem. After a
// kill a hold may be written up to three seconds before its booking, and a notification five
// seconds before it is listed.
func (w *waitlistEnv) waitUntilConsistent() {
	w.t.Helper()
	timeout, ticker := time.After(40*time.Second), time.NewTicker(500*time.Millisecond)
	defer ticker.Stop()
	for {
		r := w.checkWaitlists()
		if r.problems == nil {
			w.counts = r.counts
			return
		}
		select {
		case <-timeout:
			w.t.Errorf("%d problems:\n%s", len(r.problems), strings.Join(r.problems, "\n"))
			return
		case <-ticker.C:
		}
	}
}

// order is a booking as its buyer sees it.
type order struct {
	ID          string `json:"_id"`
	ProductID   string
	ProductName string
	Brand       string
	Status      string
	Price       int
	HoldUntil   time.Time
	BookAgainAt *time.Time // an hour after it ended
	Turn        bool
	Fulfilment  *struct{ PaidAt time.Time }
}

func (o order) title() string { return o.Brand + " " + o.ProductName }

// heldFrom returns when the hold began, in Unix milliseconds.
func (o order) heldFrom() int64 {
	if o.Turn {
		return o.HoldUntil.Add(-waitlistTurn).UnixMilli()
	}
	return o.HoldUntil.Add(-waitlistHold).UnixMilli()
}

// heldUntil returns when the booking was paid or ended, in Unix milliseconds.
func (o order) heldUntil() int64 {
	switch {
	case o.BookAgainAt != nil:
		return o.BookAgainAt.Add(-time.Hour).UnixMilli()
	case o.Fulfilment != nil:
		return o.Fulfilment.PaidAt.UnixMilli()
	}
	return math.MaxInt64
}

// notification is a notification of a user.
type notification struct {
	ID, Kind, Text, Link string
	Subject              string // the name of a saved search
	At                   int64
	isDeleted            bool // by the server, because it was among the oldest
}

// notificationSet has all notifications that a person ever received, by id. The server
// deletes the oldest.
type notificationSet map[string]notification

// read adds the latest notifications. It returns those that are missing although they were
// listed before and are not among the oldest.
func (all notificationSet) read(b *browser) (missing []string, ok bool) {
	status, text := b.call(http.MethodGet, "/notifications?limit=200", nil)
	var page []struct {
		ID                        string `json:"_id"`
		Kind, Text, Link, Subject string
		CreatedAt                 time.Time
	}
	if status != http.StatusOK || json.Unmarshal(text, &page) != nil || len(page) == 0 {
		return nil, status == http.StatusOK
	}
	listed := map[string]bool{}
	for _, n := range page {
		all[n.ID] = notification{n.ID, n.Kind, n.Text, n.Link, n.Subject, n.CreatedAt.UnixMilli(), false}
		listed[n.ID] = true
	}
	oldest := page[len(page)-1].ID
	for id, n := range all {
		switch {
		case listed[id]:
		case id >= oldest:
			missing = append(missing, n.Text+" was listed before, and is missing")
		default:
			n.isDeleted = true
			all[id] = n
		}
	}
	return missing, true
}
