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

// outbox records the emails that were sent: the notifications of each email's ID.
type outbox struct {
	mu     sync.Mutex
	emails map[string][]string
	to     map[string]string
}

func newOutbox() *outbox { return &outbox{emails: map[string][]string{}, to: map[string]string{}} }

// Send implements market.NotificationEmails.
func (o *outbox) Send(_ context.Context, id, uid string, about []string) ([]string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, exists := o.emails[id]; !exists {
		o.emails[id], o.to[id] = slices.Clone(about), uid
	}
	return o.emails[id], nil
}

// aboutOf returns how often each of a person's notifications was sent, by its ID.
func (o *outbox) aboutOf(who market.Actor) map[string]int {
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

// screens has the last time at which each person had a screen open.
type screens struct {
	clock market.Clock
	err   error
	last  map[string]time.Time
}

// SeenWithin implements market.Presence.
func (s *screens) SeenWithin(_ context.Context, uid string, d time.Duration) (bool, error) {
	last, seen := s.last[uid]
	return seen && !last.Before(s.clock.Now().Add(-d)), s.err
}

// emailerEnv is an emailer with its test environment.
type emailerEnv struct {
	*env
	*outbox
	screens *screens
	emailer *market.Emailer
}

func newEmailerEnv(t *testing.T) *emailerEnv {
	t.Helper()
	p := &emailerEnv{env: newEnv(t), outbox: newOutbox()}
	p.screens = &screens{clock: p.clock, last: map[string]time.Time{}}
	p.emailer = p.node(p.store)
	return p
}

// node returns a node's emailer over a store.
func (p *emailerEnv) node(store market.Store) *market.Emailer {
	return market.NewEmailer(market.New(store, p.clock, p.rules, market.NoPayments{}), p.screens, p.outbox, discard)
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

// after runs the emailer after d, and once more when the emails that it decided on are due.
func (p *emailerEnv) after(d time.Duration) {
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
	got := p.aboutOf(who)
	for _, n := range want {
		if got[n.ID] != 1 {
			p.t.Errorf("a notification was sent %d times, want once", got[n.ID])
		}
	}
	if len(got) != len(want) {
		p.t.Errorf("%d were sent, want %d", len(got), len(want))
	}
}

// wantNothingDue fails the test if an email is due before the next day.
func (p *emailerEnv) wantNothingDue() {
	p.t.Helper()
	due, err := p.store.NotificationsToEmail(p.ctx, p.clock.Now().Add(48*time.Hour), 9)
	p.must(err)
	if len(due) > 0 {
		p.t.Errorf("still due: %+v", due)
	}
}

func TestEmailIsSentAMinuteAfterNotificationIfChosen(t *testing.T) {
	p := newEmailerEnv(t)
	chose, other := p.buyer(), p.buyer()
	p.choose(chose, market.EmailNow)
	n := p.notify(chose)
	p.notify(other)
	p.after(59 * time.Second)
	p.wantSent(chose)
	p.after(2 * time.Second)
	p.wantSent(chose, n)
	p.wantSent(other)
	p.wantNothingDue()
	p.after(time.Hour)
	p.wantSent(chose, n)
}

func TestBurstOfNotificationsIsOneEmail(t *testing.T) {
	p := newEmailerEnv(t)
	who, other := p.buyer(), p.buyer()
	p.choose(who, market.EmailNow)
	p.choose(other, market.EmailNow)
	burst := []market.Notification{p.notify(who), p.notify(who), p.notify(who)}
	p.notify(other)
	p.after(time.Minute)
	p.wantSent(who, burst...)
	if len(p.emails) != 2 {
		t.Errorf("%d emails", len(p.emails))
	}
	later := p.notify(who)
	p.after(time.Minute)
	p.wantSent(who, append(burst, later)...)
}

func TestNoEmailIsSentIfNotNeededOrNotPossible(t *testing.T) {
	for name, happens := range map[string]func(p *emailerEnv, who market.Actor, n market.Notification){
		"it is read": func(p *emailerEnv, who market.Actor, n market.Notification) {
			_, err := p.ReadNotifications(p.ctx, who, n.ID, nil)
			p.must(err)
		},
		"a screen was open when it came": func(p *emailerEnv, who market.Actor, n market.Notification) { p.screens.last[who.User.UID] = n.At },
		"a screen is open a minute later": func(p *emailerEnv, who market.Actor, n market.Notification) {
			p.screens.last[who.User.UID] = n.At.Add(time.Minute)
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
				happens(p, who, n)
				p.after(time.Minute)
				p.after(24 * time.Hour)
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
	p.screens.last[who.User.UID] = p.clock.Now()
	n := p.notify(who)
	p.after(time.Minute)
	p.wantSent(who, n)
}

func TestEmailWaitsWhilePresenceIsUnknown(t *testing.T) {
	p := newEmailerEnv(t)
	who, off := p.buyer(), p.buyer()
	p.choose(who, market.EmailNow)
	n := p.notify(who)
	p.notify(off)
	p.screens.err = errors.New("Redis is away")
	p.clock.Pass(time.Minute)
	if err := p.emailer.Step(p.ctx); !errors.Is(err, p.screens.err) {
		t.Errorf("the step returned %v", err)
	}
	p.wantSent(who)
	p.screens.err = nil
	p.after(time.Minute)
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
	p.screens.last[who.User.UID] = p.clock.Now()
	p.after(5 * time.Second)
	p.wantSent(who)
	p.wantNothingDue()
}

// The test's clock begins at noon. Daily emails are sent at 8:00.
func TestDailyEmailHasAllThatIsUnread(t *testing.T) {
	p := newEmailerEnv(t)
	who := p.buyer()
	p.choose(who, market.EmailDaily)
	first, read, last := p.notify(who), p.notify(who), p.notify(who)
	p.after(time.Minute)
	p.must(p.readOne(read))
	p.after(19*time.Hour + 58*time.Minute)
	p.wantSent(who)
	tooLate := p.notify(who) // less than a minute before 8:00
	p.after(time.Minute)
	p.wantSent(who, first, last)
	if len(p.emails) != 1 {
		t.Errorf("%d emails", len(p.emails))
	}
	p.after(time.Minute)
	p.wantSent(who, first, last)
	p.after(24 * time.Hour)
	p.wantSent(who, first, last, tooLate)
	p.wantNothingDue()
}

// readOne marks one notification as read.
func (e *env) readOne(n market.Notification) error {
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
	p.after(time.Minute)
	p.clock.Pass(20 * time.Hour)
	p.screens.last[who.User.UID] = p.clock.Now()
	p.after(time.Second)
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
	p.after(0)
	p.wantSent(who, first)
	p.must(p.store.SetNotificationEmails(p.ctx, []string{late.ID}, market.EmailDaily, market.EmailDaily, eight))
	p.after(time.Minute)
	p.wantSent(who, first)
	p.after(24 * time.Hour)
	p.wantSent(who, first, late)
	p.wantNothingDue()
}

// dyingAfter returns a store of a process that is killed after this many writes.
func dyingAfter(store market.Store, writes int) market.Store {
	var left atomic.Int64
	left.Store(int64(writes))
	return market.HookStore(store, func(_ context.Context, call market.StoreCall, do func() error) error {
		if !call.Read && left.Add(-1) < 0 {
			return errDied
		}
		return do()
	})
}

var errDied = errors.New("the process has died")

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
				if err := p.node(dyingAfter(p.store, writes)).Step(p.ctx); err != nil && !errors.Is(err, errDied) {
					t.Error(err)
				}
			})
		}
		nodes.Wait()
		p.clock.Pass(97 * time.Minute)
	}
	p.after(48 * time.Hour)
	p.after(48 * time.Hour)
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
	overtaken := false
	slow := market.HookStore(p.store, func(ctx context.Context, call market.StoreCall, do func() error) error {
		if call.Method == "SetNotificationEmails" && !overtaken {
			overtaken = true
			p.choose(who, market.EmailDaily)
			p.must(p.emailer.Step(ctx))
		}
		return do()
	})
	p.must(p.node(slow).Step(p.ctx))
	p.wantSent(who)
	p.after(20 * time.Hour)
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
		t.Errorf("notified: %q", got)
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
		t.Errorf("the choice of another: %+v, %v", v, err)
	}
	for field, chosen := range map[string]map[string]string{
		"email.gossip": {"gossip": "now"}, "email.price": {"price": "weekly"}, "email.sold": {"sold": ""}, "email": nil,
	} {
		_, err := e.SetEmails(e.ctx, buyer, chosen, nil)
		e.refused(err, market.CodeInvalid)
		wrong, _ := errors.AsType[*market.Error](err)
		if wrong.Fields[field] == "" {
			t.Errorf("%s is not named: %v", field, wrong.Fields)
		}
	}
}

func BenchmarkNotificationsWithoutEmail(b *testing.B) {
	e := newEnv(b)
	p := &emailerEnv{env: e, outbox: newOutbox(), screens: &screens{clock: e.clock}}
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
