package market_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

// emailRecorder records the emails that were sent: the notifications of each email's ID.
type emailRecorder struct {
	mu     sync.Mutex
	emails map[string][]string
	to     map[string]string
}

func newEmailRecorder() *emailRecorder {
	return &emailRecorder{emails: map[string][]string{}, to: map[string]string{}}
}

// Send implements market.NotificationEmails.
func (o *emailRecorder) Send(_ context.Context, id, uid string, about []string) ([]string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, exists := o.emails[id]; !exists {
		o.emails[id], o.to[id] = slices.Clone(about), uid
	}
	return o.emails[id], nil
}

// sentTo returns how often each of a person's notifications was sent, by its ID.
func (o *emailRecorder) sentTo(who market.Actor) map[string]int {
	o.mu.Lock()
	defer o.mu.Unlock()
	all := map[string]int{}
	for id, about := range o.emails {
		for _, n := range about {
			if o.to[id] == who.User.UID {
				all[n]++
			}
		}
	}
	return all
}

// presence has the last time at which each person had a screen open.
type presence struct {
	clock market.Clock
	err   error
	last  map[string]time.Time
}

// SeenWithin implements market.Presence.
func (s *presence) SeenWithin(_ context.Context, uid string, d time.Duration) (bool, error) {
	last, seen := s.last[uid]
	return seen && !last.Before(s.clock.Now().Add(-d)), s.err
}

// emailerEnv is an emailer with its test environment.
type emailerEnv struct {
	*env
	*emailRecorder
	presence *presence
	emailer  *market.Emailer
}

func newEmailerEnv(t *testing.T) *emailerEnv {
	t.Helper()
	p := &emailerEnv{env: newEnv(t), emailRecorder: newEmailRecorder()}
	p.presence = &presence{clock: p.clock, last: map[string]time.Time{}}
	p.emailer = p.node(p.store)
	return p
}

// node returns a node's emailer over a store.
func (p *emailerEnv) node(store market.Store) *market.Emailer {
	return market.NewEmailer(market.New(store, p.clock, p.rules, market.NoPayments{}), p.presence, p.emailRecorder)
}

// choose sets a person's choice for all kinds of notifications.
func (p *emailerEnv) choose(who market.Actor, when market.EmailWhen) {
	p.t.Helper()
	all := map[string]string{}
	for _, kind := range market.NotificationKinds() {
		all[string(kind)] = string(when)
	}
	_, err := p.SetEmails(p.ctx, who, all, nil)
	p.must(err)
}

// notify notifies a person now.
func (p *emailerEnv) notify(who market.Actor) market.Notification {
	p.t.Helper()
	p.clock.Pass(time.Millisecond)
	n := market.NewNotification(who.User.UID, market.NotifyPrice, "It is cheaper.", "/", "", p.clock.Now())
	p.must(p.store.AddNotification(p.ctx, n, nil))
	return n
}

// stepAfter runs the emailer after d, and once more when the emails that it decided on are due.
func (p *emailerEnv) stepAfter(d time.Duration) {
	p.t.Helper()
	for _, pause := range []time.Duration{d, 5 * time.Second} {
		p.clock.Pass(pause)
		p.must(p.emailer.Step(p.ctx))
	}
}

// wantSent fails the test unless exactly these notifications were sent to a person, each
// once.
func (p *emailerEnv) wantSent(who market.Actor, want ...market.Notification) {
	p.t.Helper()
	got := p.sentTo(who)
	for _, n := range want {
		if got[n.ID] != 1 {
			p.t.Errorf("a notification was sent %d times, want once", got[n.ID])
		}
	}
	if len(got) != len(want) {
		p.t.Errorf("%d notifications were sent, want %d", len(got), len(want))
	}
}

// wantNothingDue fails the test if an email is due before the next day.
func (p *emailerEnv) wantNothingDue() {
	p.t.Helper()
	due, err := p.store.NotificationsToEmail(p.ctx, p.clock.Now().Add(48*time.Hour), 9)
	p.must(err)
	if len(due) > 0 {
		p.t.Errorf("notifications to email are still due: %+v", due)
	}
}

// markRead marks one notification as read.
func (e *env) markRead(n market.Notification) error {
	n, err := e.store.Notification(e.ctx, n.ID)
	e.must(err)
	n.ReadAt = e.clock.Now()
	n.Version++
	return e.store.SaveNotification(e.ctx, n, nil)
}

// crashAfter returns the store of a process that is killed after this many writes.
func crashAfter(store market.Store, writes int) market.Store {
	crash := &markettest.Crash{Writes: writes, Die: func() error { return errCrash }}
	return markettest.Guarded(store, crash.Guard)
}
