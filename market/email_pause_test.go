package market_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"secondring/market"
)

// notifyOf notifies a person about a phone now.
func (p *emailerEnv) notifyOf(who market.Actor, kind market.NotificationKind, productID, link string) market.Notification {
	p.t.Helper()
	p.clock.Pass(time.Millisecond)
	n := market.NewNotification(who.User.UID, kind, "Something happened.", link, "", p.clock.Now())
	n.ProductID = productID
	p.must(p.store.AddNotification(p.ctx, n, nil))
	return n
}

func (p *emailerEnv) wantEmails(n int) {
	p.t.Helper()
	if len(p.emails) != n {
		p.t.Errorf("%d emails were sent, want %d", len(p.emails), n)
	}
}

// A seller lowers a price by $1 again and again.
func TestOneEmailAnHourOfAKindAndPhone(t *testing.T) {
	p := newEmailerEnv(t)
	seller, watcher := p.seller(), p.buyer()
	phone, other := p.phone(seller), p.phone(seller)
	p.mustWatch(watcher, phone)
	p.mustWatch(watcher, other)
	p.choose(watcher, market.EmailNow)
	for i := range 30 {
		p.must(p.changePrice(phone, 44-i))
		p.stepAnnouncer()
		p.stepAfter(time.Minute)
	}
	p.wantEmails(1)
	p.must(p.changePrice(other, 30)) // another phone
	p.stepAnnouncer()
	p.notifyOf(watcher, market.NotifyAvailable, phone.ID, "/") // another kind
	p.stepAfter(time.Minute)
	p.wantEmails(2)
	p.stepAfter(time.Hour)
	p.wantEmails(3) // all that happened in the hour
	list, err := p.Notifications(p.ctx, watcher, market.Page{Limit: 200})
	p.must(err)
	p.wantSent(watcher, list.Items...)
	p.wantNothingDue()
	p.stepAfter(time.Hour)
	p.notifyOf(watcher, market.NotifyPrice, phone.ID, "/")
	p.stepAfter(time.Minute)
	p.wantEmails(4)
}

// The time to pay is shorter than the pause.
func TestEmailAboutATurnDoesNotWait(t *testing.T) {
	p := newEmailerEnv(t)
	who := p.buyer()
	p.notifyOf(who, market.NotifyTurn, "phone", "/phone/phone") // the person was passed over
	p.stepAfter(time.Minute)
	n := p.notifyOf(who, market.NotifyTurn, "phone", "/dashboard/payment/17")
	p.stepAfter(time.Minute)
	if p.sentTo(who)[n.ID] != 1 {
		t.Error("the email about the turn waits")
	}
}

// A node is killed between the plan of an email and the decision about its notification. The
// email is not delayed by the plan.
func TestPlannedEmailIsNotDelayedByAKill(t *testing.T) {
	p := newEmailerEnv(t)
	who := p.buyer()
	n := p.notifyOf(who, market.NotifyOrder, "phone", "/")
	p.clock.Pass(time.Minute)
	if err := p.node(crashAfter(p.store, 1)).Step(p.ctx); !errors.Is(err, errCrash) {
		t.Fatalf("the step returned %v, want a crash", err)
	}
	p.stepAfter(time.Minute)
	p.wantSent(who, n)
	p.wantNothingDue()
}

// The notification of an order is emailed after any number of others.
func TestFloodDoesNotPreventEmail(t *testing.T) {
	p := newEmailerEnv(t)
	who := p.buyer()
	n := p.notifyOf(who, market.NotifyTurn, "phone", "/dashboard/payment/17")
	for i := range 2 * market.MaxNotifications {
		p.notifyOf(who, market.NotifyMatch, "", fmt.Sprint("/phone/", i))
	}
	p.stepAfter(time.Minute)
	p.wantSent(who, n)
}
