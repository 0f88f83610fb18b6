package consistencytest_test

import (
	"context"
	"encoding/json"
	"fmt"
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
	turnsHold, turnsTurn = 2 * time.Second, time.Second
	turnsMaxHolds        = 4
	turnsPhones          = 20
	turnsBuyers          = 16
	turnsSellers         = 4
	turnsActFor          = 3 * time.Second
	turnsKillFor         = 5 * time.Second // the waitlists go on after the last action
)

// turns is a market whose nodes are killed while buyers book, wait, leave, cancel and
// pay. Each round has new phones, because a buyer who let a phone go waits an hour for it.
type turns struct {
	*env
	buyers   []*waitingBuyer
	sellers  []*trader
	notified []notes // of the sellers
	key      string  // the sandbox's publishable key

	phones []turnsPhone // of the round
	began  time.Time    // the round
	sum    turnsSum
}

type turnsPhone struct {
	ID, title string
	seller    int
}

// turnsSum counts what has happened.
type turnsSum struct{ kills, expired, cancelled, paid, turns, left, passed, everybody, sold, refused, lost int }

func (s turnsSum) released() int { return s.expired + s.cancelled + s.refused }

func TestTurnsStayInOrderOnOneNode(t *testing.T)  { newTurns(t, 1).run() }
func TestTurnsStayInOrderOnTwoNodes(t *testing.T) { newTurns(t, 2).run() }

func newTurns(t *testing.T, nodes int) *turns {
	t.Helper()
	w := &turns{env: &env{t: t}, notified: make([]notes, turnsSellers)}
	own := map[string]string{
		"BOOKING_HOLD": turnsHold.String(), "TURN": turnsTurn.String(), "MAX_HOLDS": fmt.Sprint(turnsMaxHolds),
	}
	w.startNodes([]map[string]string{own, own}[:nodes]...)
	var config struct {
		Stripe struct{ PublishableKey string }
	}
	newBrowser(w.env).must(http.MethodGet, "/config", nil, &config)
	w.key = config.Stripe.PublishableKey
	for i := range w.notified {
		w.notified[i] = notes{}
		s := &trader{browser: newBrowser(w.env), person: w.signUpPerson(seller)}
		s.pass()
		s.must(http.MethodGet, "/allCategories", nil, &s.brands)
		w.sellers = append(w.sellers, s)
	}
	for range turnsBuyers {
		b := &waitingBuyer{turns: w, browser: newBrowser(w.env), person: w.signUpPerson(buyer)}
		b.signIn(b.person)
		w.buyers = append(w.buyers, b)
	}
	return w
}

// run runs rounds until so many holds were released, or as many as RELEASES says.
func (w *turns) run() {
	w.t.Helper()
	began := time.Now()
	for n, want := 1, number(w.t, "RELEASES", 30); w.sum.released() < want; n++ {
		w.round(n)
		w.t.Logf("%v: round %d: %d of %d holds released; %+v", time.Since(began).Round(time.Second), n, w.sum.released(), want, w.sum)
		if w.t.Failed() {
			return
		}
	}
	if w.sum.kills == 0 || w.sum.turns == 0 || w.sum.passed == 0 {
		w.t.Errorf("the rounds tried too little: %+v", w.sum)
	}
}

// round lets buyers act on new phones, kills nodes meanwhile, and checks what was recorded
// once no phone is held any more.
func (w *turns) round(n int) {
	w.t.Helper()
	w.began, w.phones = time.Now(), nil
	for i := range turnsPhones {
		s := w.sellers[i%len(w.sellers)]
		name := fmt.Sprintf("Turn %02d-%02d", n, i)
		w.phones = append(w.phones, turnsPhone{ID: s.add(s.brands[0], name), title: s.brands[0].Name + " " + name, seller: i % len(w.sellers)})
	}
	ctx, stop := context.WithTimeout(w.t.Context(), turnsActFor)
	defer stop()
	var all sync.WaitGroup
	for _, b := range w.buyers {
		b.begin()
		all.Go(func() { b.act(ctx) })
	}
	for time.Since(w.began) < turnsKillFor {
		<-time.After(time.Duration(300+rand.IntN(900)) * time.Millisecond)
		node := w.nodes[rand.IntN(len(w.nodes))]
		node.End([]os.Signal{killInWrite, killInWrite, syscall.SIGKILL}[rand.IntN(3)])
		w.sum.kills++
		<-time.After(time.Duration(rand.IntN(300)) * time.Millisecond)
		node.Open()
	}
	all.Wait()
	w.settle()
}

// settle waits until nothing is held and everything agrees. After a kill a hold may be
// written up to three seconds before its booking, and a notification five seconds before it
// is listed.
func (w *turns) settle() {
	w.t.Helper()
	late, again := time.After(40*time.Second), time.NewTicker(500*time.Millisecond)
	defer again.Stop()
	for {
		r := w.record()
		if r.wrong == nil {
			w.sum = r.sum
			return
		}
		select {
		case <-late:
			w.t.Errorf("%d findings:\n%s", len(r.wrong), strings.Join(r.wrong, "\n"))
			return
		case <-again.C:
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
}

func (o order) title() string { return o.Brand + " " + o.ProductName }

// from returns when the hold began, in milliseconds as all times that are compared.
func (o order) from() int64 {
	if o.Turn {
		return o.HoldUntil.Add(-turnsTurn).UnixMilli()
	}
	return o.HoldUntil.Add(-turnsHold).UnixMilli()
}

// note is a notification.
type note struct {
	ID, Kind, Text, Link string
	Subject              string // the name of a saved search
	At                   int64
}

// notes has all notifications that a person was ever shown, because the oldest are deleted.
type notes map[string]note

// read adds the latest notifications. It returns what is missing that was shown before.
func (all notes) read(b *browser) (missing []string, ok bool) {
	status, text := b.ask(http.MethodGet, "/notifications?limit=200", nil)
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
		all[n.ID] = note{n.ID, n.Kind, n.Text, n.Link, n.Subject, n.CreatedAt.UnixMilli()}
		listed[n.ID] = true
	}
	for id, n := range all {
		if !listed[id] && id >= page[len(page)-1].ID {
			missing = append(missing, n.Text+" was shown and is gone")
		}
	}
	return missing, true
}
