package market_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"secondring/market"
)

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
			a.Unconfirmed = true
			a.Version++
			p.must(p.store.SaveAccount(p.ctx, a, nil))
		},
		"the person is removed": func(p *emailerEnv, who market.Actor, _ market.Notification) {
			_, err := p.RemoveUser(p.ctx, p.admin(), who.User.ID, market.RemovalReason{})
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
		for _, writes := range []int{round * 17 % 97, round * 11 % 71} {
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
	delayed := p.store.Hooked(func(ctx context.Context, call market.StoreCall, do func() error) error {
		if _, ok := call.Entity.(market.Notification); ok && call.Op == market.OpSave && !hasDecided {
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

func BenchmarkNotificationsWithoutEmail(b *testing.B) {
	e := newEnv(b)
	p := &emailerEnv{env: e, emailRecorder: newEmailRecorder(), presence: &presence{clock: e.clock}}
	var uids []string
	for range 100 {
		uids = append(uids, e.buyer().User.UID)
	}
	for b.Loop() {
		b.StopTimer()
		var all []market.Effect
		for i := range 200 {
			n := market.NewNotification(uids[i%100], market.NotifyPrice, strings.Repeat("x", 80), "/", fmt.Sprint(i, b.N), e.clock.Now())
			all = append(all, n)
		}
		e.must(e.store.EndSession(e.ctx, "none", all))
		e.drain()
		e.clock.Pass(2 * time.Minute)
		b.StartTimer()
		e.must(p.node(e.store).Step(e.ctx))
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/200, "µs/notification")
}
