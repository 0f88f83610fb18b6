package market_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"secondring/market"
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
	return market.NewEmailer(market.New(store, p.clock, p.rules, market.NoPayments{}), p.presence, p.emailRecorder, discard)
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

func TestEmailIsSentAMinuteAfterNotificationIfChosen(t *testing.T) {
	p := newEmailerEnv(t)
	chosen, other := p.buyer(), p.buyer()
	p.choose(chosen, market.EmailNow)
	n := p.notify(chosen)
	p.notify(other)
	p.stepAfter(59 * time.Second)
	p.wantSent(chosen)
	p.stepAfter(2 * time.Second)
	p.wantSent(chosen, n)
	p.wantSent(other)
	p.wantNothingDue()
	p.stepAfter(time.Hour)
	p.wantSent(chosen, n)
}

func TestBurstOfNotificationsIsOneEmail(t *testing.T) {
	p := newEmailerEnv(t)
	who, other := p.buyer(), p.buyer()
	p.choose(who, market.EmailNow)
	p.choose(other, market.EmailNow)
	burst := []market.Notification{p.notify(who), p.notify(who), p.notify(who)}
	p.notify(other)
	p.stepAfter(time.Minute)
	p.wantSent(who, burst...)
	if len(p.emails) != 2 {
		t.Errorf("%d emails were sent, want 2", len(p.emails))
	}
	later := p.notify(who)
	p.stepAfter(time.Minute)
	p.wantSent(who, append(burst, later)...)
}

func TestNoEmailIsSentIfNotNeededOrNotPossible(t *testing.T) {
	for name, happen := range map[string]func(p *emailerEnv, who market.Actor, n market.Notification){
		"it is read": func(p *emailerEnv, who market.Actor, n market.Notification) {
			_, err := p.ReadNotifications(p.ctx, who, n.ID, nil)
			p.must(err)
		},
		"a screen was open when it came": func(p *emailerEnv, who market.Actor, n market.Notification) { p.presence.last[who.User.UID] = n.At },
		"a screen is open a minute later": func(p *emailerEnv, who market.Actor, n market.Notification) {
			p.presence.last[who.User.UID] = n.At.Add(time.Minute)
		},
		"the choice is off by then": func(p *emailerEnv, who market.Actor, _ market.Notification) { p.choose(who, market.EmailOff) },
		"the address is not confirmed": func(p *emailerEnv, who market.Actor, _ market.Notification) {
			a, err := p.store.Account(p.ctx, who.User.UID)
			p.must(err)
			a.Unproven = true
			a.Version++
			p.must(p.store.SaveAccount(p.ctx, a, nil))
		},
		"the person is removed": func(p *emailerEnv, who market.Actor, _ market.Notification) {
			_, err := p.RemoveUser(p.ctx, p.admin(), who.User.ID)
			p.must(err)
		},
		"the emailer did not run for a day": func(p *emailerEnv, _ market.Actor, _ market.Notification) { p.clock.Pass(25 * time.Hour) },
	} {
		for _, when := range []market.EmailWhen{market.EmailNow, market.EmailDaily} {
			t.Run(name+", "+string(when), func(t *testing.T) {
				p := newEmailerEnv(t)
				who := p.buyer()
				p.choose(who, when)
				n := p.notify(who)
				happen(p, who, n)
				p.stepAfter(time.Minute)
				p.stepAfter(24 * time.Hour)
				p.wantSent(who)
				p.wantNothingDue()
			})
		}
	}
}

func TestScreenClosedBeforeNotificationDoesNotPreventEmail(t *testing.T) {
	p := newEmailerEnv(t)
	who := p.buyer()
	p.choose(who, market.EmailNow)
	p.presence.last[who.User.UID] = p.clock.Now()
	n := p.notify(who)
	p.stepAfter(time.Minute)
	p.wantSent(who, n)
}

func TestEmailWaitsWhilePresenceIsUnknown(t *testing.T) {
	p := newEmailerEnv(t)
	who, off := p.buyer(), p.buyer()
	p.choose(who, market.EmailNow)
	n := p.notify(who)
	p.notify(off)
	p.presence.err = errors.New("Redis is unavailable")
	p.clock.Pass(time.Minute)
	if err := p.emailer.Step(p.ctx); !errors.Is(err, p.presence.err) {
		t.Errorf("the step returned %v, want %v", err, p.presence.err)
	}
	p.wantSent(who)
	p.presence.err = nil
	p.stepAfter(time.Minute)
	p.wantSent(who, n)
	p.wantNothingDue()
}

// A node that reconnects to the broker has no listeners for a moment.
func TestNoEmailIsSentIfScreenIsSeenWhenItIsDue(t *testing.T) {
	p := newEmailerEnv(t)
	who := p.buyer()
	p.choose(who, market.EmailNow)
	p.notify(who)
	p.clock.Pass(time.Minute)
	p.must(p.emailer.Step(p.ctx))
	p.presence.last[who.User.UID] = p.clock.Now()
	p.stepAfter(5 * time.Second)
	p.wantSent(who)
	p.wantNothingDue()
}

// The test's clock begins at noon. Daily emails are sent at 8:00.
func TestDailyEmailHasAllUnreadNotifications(t *testing.T) {
	p := newEmailerEnv(t)
	who := p.buyer()
	p.choose(who, market.EmailDaily)
	first, read, last := p.notify(who), p.notify(who), p.notify(who)
	p.stepAfter(time.Minute)
	p.must(p.markRead(read))
	p.stepAfter(19*time.Hour + 58*time.Minute)
	p.wantSent(who)
	tooLate := p.notify(who) // less than a minute before 8:00
	p.stepAfter(time.Minute)
	p.wantSent(who, first, last)
	if len(p.emails) != 1 {
		t.Errorf("%d emails were sent, want 1", len(p.emails))
	}
	p.stepAfter(time.Minute)
	p.wantSent(who, first, last)
	p.stepAfter(24 * time.Hour)
	p.wantSent(who, first, last, tooLate)
	p.wantNothingDue()
}

// markRead marks one notification as read.
func (e *env) markRead(n market.Notification) error {
	n, err := e.store.Notification(e.ctx, n.ID)
	e.must(err)
	n.ReadAt = e.clock.Now()
	n.Version++
	return e.store.SaveNotification(e.ctx, n, nil)
}

func TestNoDailyEmailIsSentWhileAScreenIsOpen(t *testing.T) {
	p := newEmailerEnv(t)
	who := p.buyer()
	p.choose(who, market.EmailDaily)
	p.notify(who)
	p.stepAfter(time.Minute)
	p.clock.Pass(20 * time.Hour)
	p.presence.last[who.User.UID] = p.clock.Now()
	p.stepAfter(time.Second)
	p.wantSent(who)
	p.wantNothingDue()
}

// A slow node decides about a notification after the day's email was made. The notification
// is in the next day's email.
func TestNotificationTooLateForDailyEmailIsInTheNext(t *testing.T) {
	p := newEmailerEnv(t)
	who := p.buyer()
	p.choose(who, market.EmailDaily)
	first, late := p.notify(who), p.notify(who)
	p.clock.Pass(time.Minute)
	eight := time.Date(2026, 11, 2, 8, 0, 0, 0, time.UTC)
	p.must(p.store.SetNotificationEmails(p.ctx, []string{first.ID}, "", market.EmailDaily, eight))
	p.must(p.store.SetNotificationEmails(p.ctx, []string{late.ID}, "", market.EmailDaily, eight.Add(time.Hour)))
	p.clock.Pass(20 * time.Hour)
	p.stepAfter(0)
	p.wantSent(who, first)
	p.must(p.store.SetNotificationEmails(p.ctx, []string{late.ID}, market.EmailDaily, market.EmailDaily, eight))
	p.stepAfter(time.Minute)
	p.wantSent(who, first)
	p.stepAfter(24 * time.Hour)
	p.wantSent(who, first, late)
	p.wantNothingDue()
}

// crashAfter returns the store of a process that is killed after this many writes.
func crashAfter(store market.Store, writes int) market.Store {
	var left atomic.Int64
	left.Store(int64(writes))
	return market.HookStore(store, func(_ context.Context, call market.StoreCall, do func() error) error {
		if !call.Read && left.Add(-1) < 0 {
			return errCrash
		}
		return do()
	})
}

// Two nodes work at the same time, and each is killed after some writes. In the end each
// notification was sent once, also if choices change in between.
func TestEachNotificationIsSentOnceDespiteKillsAndSeveralNodes(t *testing.T) {
	p := newEmailerEnv(t)
	var people []market.Actor
	for range 6 {
		people = append(people, p.buyer())
	}
	notified := map[string][]market.Notification{}
	choices := []market.EmailWhen{market.EmailNow, market.EmailDaily}
	for round := range 40 {
		for i, who := range people {
			p.choose(who, choices[(i+round/3)%2])
			for range 3 {
				notified[who.User.UID] = append(notified[who.User.UID], p.notify(who))
			}
		}
		p.clock.Pass(time.Minute)
		var nodes sync.WaitGroup
		for _, writes := range []int{round % 5, round % 3} {
			nodes.Go(func() {
				if err := p.node(crashAfter(p.store, writes)).Step(p.ctx); err != nil && !errors.Is(err, errCrash) {
					t.Error(err)
				}
			})
		}
		nodes.Wait()
		p.clock.Pass(97 * time.Minute)
	}
	p.stepAfter(48 * time.Hour)
	p.stepAfter(48 * time.Hour)
	for _, who := range people {
		p.wantSent(who, notified[who.User.UID]...)
	}
	p.wantNothingDue()
}

// A node that has read another choice than the node that decided first changes nothing.
func TestTwoNodesDecideTheSame(t *testing.T) {
	p := newEmailerEnv(t)
	who := p.buyer()
	p.choose(who, market.EmailNow)
	n := p.notify(who)
	p.clock.Pass(time.Minute)
	hasDecided := false
	delayed := market.HookStore(p.store, func(ctx context.Context, call market.StoreCall, do func() error) error {
		if call.Method == "SetNotificationEmails" && !hasDecided {
			hasDecided = true
			p.choose(who, market.EmailDaily)
			p.must(p.emailer.Step(ctx))
		}
		return do()
	})
	p.must(p.node(delayed).Step(p.ctx))
	p.wantSent(who)
	p.stepAfter(20 * time.Hour)
	p.wantSent(who, n)
	p.wantNothingDue()
}

func TestEmailSettings(t *testing.T) {
	e := newEnv(t)
	buyer, other := e.buyer(), e.buyer()
	set := func(want int, chosen map[string]string) {
		t.Helper()
		n, err := e.SetEmails(e.ctx, buyer, chosen, nil)
		if e.must(err); n != want {
			t.Errorf("%d changed, want %d", n, want)
		}
	}
	e.drain()
	set(1, map[string]string{"price": "now", "match": "daily"})
	set(0, map[string]string{"price": "now"})
	set(0, map[string]string{"sold": "off"})
	set(1, map[string]string{"match": "off", "sold": "now"})
	if got := e.publishedEvents(); !slices.Equal(got, slices.Repeat([]string{market.TopicMe(buyer.User.UID) + " settings.changed"}, 2)) {
		t.Errorf("published %q", got)
	}
	v, err := e.EmailSettings(e.ctx, buyer)
	e.must(err)
	for _, kind := range market.NotificationKinds() {
		want := market.EmailOff
		if kind == market.NotifyPrice || kind == market.NotifySold {
			want = market.EmailNow
		}
		if v.Email[kind] != want {
			t.Errorf("%s is %s", kind, v.Email[kind])
		}
	}
	if v.ID != buyer.User.UID || v.Version != buyer.User.Version+2 {
		t.Errorf("settings %+v", v)
	}
	if v, err := e.EmailSettings(e.ctx, other); err != nil || v.Email[market.NotifyPrice] != market.EmailOff {
		t.Errorf("the settings of another person changed: %+v, %v", v, err)
	}
	for field, chosen := range map[string]map[string]string{
		"email.unknown": {"unknown": "now"}, "email.price": {"price": "weekly"}, "email.sold": {"sold": ""}, "email": nil,
	} {
		_, err := e.SetEmails(e.ctx, buyer, chosen, nil)
		e.wantCode(err, market.CodeInvalid)
		refusal, _ := errors.AsType[*market.Error](err)
		if refusal.Fields[field] == "" {
			t.Errorf("the error is about %v, want %s", refusal.Fields, field)
		}
	}
}

func BenchmarkNotificationsWithoutEmail(b *testing.B) {
	e := newEnv(b)
	p := &emailerEnv{env: e, emailRecorder: newEmailRecorder(), presence: &presence{clock: e.clock}}
	var uids []string
	for range 100 {
		uids = append(uids, e.buyer().User.UID)
	}
	for b.Loop() {
		b.StopTimer()
		var all []market.Event
		for i := range 200 {
			n := market.NewNotification(uids[i%100], market.NotifyPrice, strings.Repeat("x", 80), "/", fmt.Sprint(i, b.N), e.clock.Now())
			all = append(all, n.Event())
		}
		e.must(e.store.EndSession(e.ctx, "none", all))
		e.drain()
		e.clock.Pass(2 * time.Minute)
		b.StartTimer()
		e.must(p.node(e.store).Step(e.ctx))
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/200, "µs/notification")
}
