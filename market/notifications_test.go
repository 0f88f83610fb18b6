package market_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

// notificationTexts returns "kind: text" of a person's notifications, oldest first. The
// bookWithIntent within a millisecond is undefined.
func (e *env) notificationTexts(who market.Actor) []string {
	e.t.Helper()
	list, err := e.Notifications(e.ctx, who, market.Page{Limit: 200})
	e.must(err)
	var all []string
	for _, n := range slices.Backward(list.Items) {
		all = append(all, string(n.Kind)+": "+n.Text)
	}
	return all
}

// wantNotified fails the test unless a person got exactly these notifications since the last
// call.
func (e *env) wantNotified(who market.Actor, want ...string) {
	e.t.Helper()
	all := e.notificationTexts(who)
	slices.Sort(all)
	slices.Sort(want)
	if !slices.Equal(all, want) {
		e.t.Errorf("%s was notified\n%s\nwant\n%s", who.User.Name, strings.Join(all, "\n"), strings.Join(want, "\n"))
	}
	e.must(e.store.DeleteNotifications(e.ctx, who.User.UID))
}

func TestBookingIsNotified(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	p := e.phone(seller)
	e.mustBook(buyer, p)
	e.mustBook(buyer, p) // repeats the booking
	e.wantNotified(seller, "booked: Your Nokia 3310 was booked.")
	e.wantNotified(buyer)
	e.passAndStep(time.Hour + time.Second)
	e.wantNotified(seller, "released: The booking of your Nokia 3310 has ended without a payment. The phone is available again.")
	e.wantNotified(buyer, "released: Your booking of Nokia 3310 has expired.")
}

func TestCancelledBookingIsNotifiedToSeller(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	b := e.mustBook(buyer, e.phone(seller))
	e.wantNotified(seller, "booked: Your Nokia 3310 was booked.")
	_, err := e.CancelBooking(e.ctx, buyer, b.ID)
	e.must(err)
	e.wantNotified(seller, "released: The booking of your Nokia 3310 has ended without a payment. The phone is available again.")
	e.wantNotified(buyer)
}

func TestWithdrawnPhoneIsNotified(t *testing.T) {
	for name, c := range map[string]struct {
		remove   func(e *env, seller market.Actor, p market.Product) error
		toSeller []string
	}{
		"an admin removes the phone": {func(e *env, _ market.Actor, p market.Product) error {
			_, err := e.RemoveProduct(e.ctx, e.admin(), p.ID, market.RemovalReason{})
			return err
		}, []string{"decision: An admin removed your Nokia 3310. Read why, and ask us to look again if you disagree."}},
		"an admin removes the seller": {func(e *env, seller market.Actor, _ market.Product) error {
			_, err := e.RemoveUser(e.ctx, e.admin(), seller.User.ID, market.RemovalReason{})
			return err
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			seller, buyer := e.seller(), e.buyer()
			p := e.phone(seller)
			e.mustBook(buyer, p)
			waiter := e.waitingBuyers(p, 1)[0]
			e.wantNotified(seller, "booked: Your Nokia 3310 was booked.")
			e.must(c.remove(e, seller, p))
			e.wantNotified(seller, c.toSeller...)
			e.wantNotified(buyer, "released: Nokia 3310 is no longer for sale, so your booking of it has ended.")
			list, err := e.store.NotificationsOf(e.ctx, waiter.User.UID, market.Page{Limit: 1})
			e.must(err)
			if want := "/search?q=3310&brand=" + p.BrandID; list.Items[0].Link != want {
				t.Errorf("the notification links to %s, want %s", list.Items[0].Link, want)
			}
			e.wantNotified(waiter, "available: The Nokia 3310 that you waited for is no longer for sale.")
		})
	}
}

func TestRemovedAvailablePhoneIsNotified(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	byAdmin, bySeller := e.phone(seller), e.phone(seller)
	_, err := e.RemoveProduct(e.ctx, seller, bySeller.ID, market.RemovalReason{})
	e.must(err)
	e.wantNotified(seller)
	_, err = e.RemoveProduct(e.ctx, e.admin(), byAdmin.ID, market.RemovalReason{})
	e.must(err)
	e.wantNotified(seller, "decision: An admin removed your Nokia 3310. Read why, and ask us to look again if you disagree.")
}

func TestSaleIsNotified(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	p := e.phone(seller)
	b := e.mustBook(buyer, p)
	waiting := e.waitingBuyers(p, 2)
	e.wantNotified(seller, "booked: Your Nokia 3310 was booked.")
	e.mustPay(buyer, b)
	e.must(e.ApplyPayment(e.ctx, e.storedBooking(b).Intent)) // the webhook arrives later
	e.wantNotified(seller, "paid: Your Nokia 3310 is sold: the buyer has paid.")
	e.wantNotified(buyer, "order: Your payment for Nokia 3310 has arrived. Now get your phone from the seller.")
	for _, waiter := range waiting {
		e.wantNotified(waiter, "sold: The Nokia 3310 that you waited for is sold.")
	}
	e.bank.Change(e.storedBooking(b).Intent, func(in *market.Intent) { in.Returned = true })
	for range 2 {
		_ = e.ApplyPayment(e.ctx, e.storedBooking(b).Intent)
	}
	e.wantNotified(buyer, "order: Your payment for Nokia 3310 was refunded.")
}

func TestTurnIsNotified(t *testing.T) {
	e := newEnv(t)
	seller, holder := e.seller(), e.buyer()
	p := e.phone(seller)
	b := e.mustBook(holder, p)
	waiting := e.waitingBuyers(p, 3)
	for range e.rules.MaxHolds { // the second on the waitlist reaches the limit
		e.mustBook(waiting[1], e.phone(e.seller()))
	}
	e.wantNotified(seller, "booked: Your Nokia 3310 was booked.")
	e.must(e.cancelAsBuyer(b))
	e.wantNotified(waiting[0], "turn: It is your turn: Nokia 3310 is held for you for 15 minutes. Pay in time to keep it.")
	e.wantNotified(seller, "booked: Your Nokia 3310 was booked by the next person in line.")
	e.wantNotified(waiting[1])

	e.passAndStep(turnHold + time.Second)
	e.wantNotified(waiting[0], "released: Your booking of Nokia 3310 has expired.")
	e.wantNotified(waiting[1], "turn: It was your turn for Nokia 3310, but you have reached the limit of unpaid bookings. "+
		"It went to someone after you, and you keep your place in line.")
	e.wantNotified(waiting[2], "turn: It is your turn: Nokia 3310 is held for you for 15 minutes. Pay in time to keep it.")
	e.wantNotified(seller, "booked: Your Nokia 3310 was booked by the next person in line.")

	e.mustJoinWaitlist(waiting[0], p)
	e.passAndStep(turnHold + time.Second)
	e.wantAvailable(p, "after all turns")
	e.wantNotified(waiting[0], "available: It was your turn for Nokia 3310, but your own booking of it ended less than an hour ago. "+
		"Now everyone can book it.")
	e.wantNotified(waiting[1], "available: It was your turn for Nokia 3310, but you have reached the limit of unpaid bookings. "+
		"Now everyone can book it.")
	e.wantNotified(seller, "released: The booking of your Nokia 3310 has ended without a payment. The phone is available again.")
}

// The next buyer on the waitlist reaches the limit of bookings between the two writes of
// the turn.
func TestRefusedTurnIsNotified(t *testing.T) {
	e := newEnv(t)
	seller, holder := e.seller(), e.buyer()
	p := e.phone(seller)
	b := e.mustBook(holder, p)
	waiter := e.waitingBuyers(p, 1)[0]
	e.wantNotified(seller, "booked: Your Nokia 3310 was booked.")
	killed := market.New(&killedBeforeBooking{Store: e.store}, e.clock, e.rules, e.bank)
	if _, err := killed.CancelBooking(e.ctx, holder, b.ID); !errors.Is(err, errCrash) {
		t.Fatalf("the error is %v, want a crash", err)
	}
	for range e.rules.MaxHolds {
		e.mustBook(waiter, e.phone(e.seller()))
	}
	e.passAndStep(10 * time.Second)
	e.wantAvailable(p, "after the refused turn")
	e.wantNotified(waiter, "turn: It was your turn for Nokia 3310, but you have reached the limit of unpaid bookings. "+
		"You are no longer in line for it.")
	e.wantNotified(seller, "released: The booking of your Nokia 3310 has ended without a payment. The phone is available again.")
}

func TestVerificationIsNotified(t *testing.T) {
	e := newEnv(t)
	seller, admin := e.seller(), e.admin()
	for range 2 {
		_, err := e.VerifySeller(e.ctx, admin, seller.User.ID, market.VerifyRequest{})
		e.must(err)
	}
	e.wantNotified(seller, "verified: You are now a verified seller. Your phones carry a Verified badge.")
}

func TestReportIsNotifiedToEachAdmin(t *testing.T) {
	e := newEnv(t)
	admins, former := []market.Actor{e.admin(), e.admin()}, e.admin()
	e.must(e.RevokeAdmin(e.ctx, former.User.Email))
	_, err := e.AddReport(e.ctx, e.buyer(), market.ReportRequest{ProductID: e.phone(e.seller()).ID, Reason: "Not a 3310"})
	e.must(err)
	for _, admin := range admins {
		e.wantNotified(admin, "report: Nokia 3310 was reported.")
	}
	e.wantNotified(former)
}

// addNotifications adds notifications of a person, one second apart, and returns them,
// newest first.
func (e *env) addNotifications(who market.Actor, count int) []market.Notification {
	e.t.Helper()
	for i := range count {
		e.clock.Pass(time.Second)
		n := market.NewNotification(who.User.UID, market.NotifyPrice, fmt.Sprint("Number ", i), "/", "", e.clock.Now())
		e.must(e.store.AddNotification(e.ctx, n, []market.Effect{n.Event()}))
	}
	list, err := e.Notifications(e.ctx, who, market.Page{Limit: 200})
	e.must(err)
	return list.Items
}

func TestReadNotificationsUpToOne(t *testing.T) {
	e := newEnv(t)
	buyer, other := e.buyer(), e.buyer()
	all := e.addNotifications(buyer, 4)
	e.drain()
	for _, step := range []struct {
		upTo          string
		changed, left int
	}{{all[2].ID, 2, 2}, {all[2].ID, 0, 2}, {all[0].ID, 2, 0}} {
		n, err := e.ReadNotifications(e.ctx, buyer, step.upTo, nil)
		if e.must(err); n != step.changed {
			t.Errorf("%d notifications were marked as read, want %d", n, step.changed)
		}
		list, err := e.Notifications(e.ctx, buyer, market.Page{Limit: 1})
		if e.must(err); list.Unread != step.left || list.Total != 4 {
			t.Errorf("%d of %d are unread, want %d", list.Unread, list.Total, step.left)
		}
	}
	want := slices.Repeat([]string{market.TopicMe(buyer.User.UID) + " notification.changed"}, 4)
	if got := e.publishedEvents(); !slices.Equal(got, want) {
		t.Errorf("published %q, want %q", got, want)
	}
	_, err := e.ReadNotifications(e.ctx, other, all[0].ID, nil)
	e.wantCode(err, market.CodeNotFound)
	_, err = e.ReadNotifications(e.ctx, buyer, "", nil)
	e.wantCode(err, market.CodeInvalid)
}

// A notification changes between the read and the write of ReadNotifications.
func TestNotificationChangesWhileItIsMarkedAsRead(t *testing.T) {
	for name, test := range map[string]struct {
		change   func(*env, market.Notification)
		isUnread bool
	}{
		"a match is added": {func(e *env, n market.Notification) {
			n.Version, n.Changes, n.Text = 2, 1, "2 new phones."
			e.must(e.store.SaveNotification(e.ctx, n, []market.Effect{n.Event()}))
		}, true},
		"the emailer decides": {func(e *env, n market.Notification) {
			e.must(e.store.SetNotificationEmails(e.ctx, []string{n.ID}, "", market.EmailNow, e.clock.Now()))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			buyer := e.buyer()
			n := e.addNotifications(buyer, 1)[0]
			e.drain()
			var seen int64 // by a client that reads the list after the change
			e.beforeWrites(func(call market.StoreCall) {
				if _, ok := call.Entity.(market.Reads); ok {
					test.change(e, n)
					list, err := e.Notifications(e.ctx, buyer, market.Page{Limit: 1})
					e.must(err)
					seen = list.Items[0].View().Version
				}
			})
			e.readAll(buyer)
			list, err := e.Notifications(e.ctx, buyer, market.Page{Limit: 1})
			e.must(err)
			events := e.drain()
			if isUnread := list.Unread == 1; isUnread != test.isUnread {
				t.Errorf("%d notifications are unread", list.Unread)
			}
			if read := events[len(events)-1].Version; (read < seen) != test.isUnread {
				t.Errorf("the event has version %d, and a client knows %d", read, seen)
			}
			if now := list.Items[0].View().Version; (now > seen) == test.isUnread {
				t.Errorf("the list has version %d, and had %d before", now, seen)
			}
		})
	}
}

// Another node, whose clock is behind, adds a notification with a lower ID than those that were read.
func TestNotificationThatArrivesLateIsUnread(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	late := market.NewNotification(buyer.User.UID, market.NotifyTurn, "It is your turn.", "/", "", e.clock.Now())
	e.clock.Pass(time.Second)
	e.addNotifications(buyer, 1)
	e.readAll(buyer)
	e.must(e.store.AddNotification(e.ctx, late, nil))
	list, err := e.Notifications(e.ctx, buyer, market.Page{Limit: 2})
	if e.must(err); list.Unread != 1 {
		t.Errorf("%d notifications are unread, want the late one", list.Unread)
	}
}

func TestNewestTwoHundredNotificationsAreKeptForAYear(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	all := e.addNotifications(buyer, market.MaxNotifications+2)
	if len(all) != market.MaxNotifications || all[len(all)-1].Text != "Number 2" {
		t.Errorf("%d notifications are kept, the oldest is %q", len(all), all[len(all)-1].Text)
	}
	e.passAndStep(market.NotificationRetention - 100*time.Second)
	if left := e.notificationTexts(buyer); len(left) != 101 {
		t.Errorf("%d notifications are kept after a year, want 101", len(left))
	}
}

func TestNotificationsOfAPaidOrderLinkToIt(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	admin := e.admin()
	e.must(e.store.DeleteNotifications(e.ctx, seller.User.UID))
	e.fulfil(seller, b, sent)
	e.fulfil(buyer, b, problem)
	e.fulfil(admin, b, release)
	for who, want := range map[*market.Actor]int{&seller: 2, &buyer: 3, &admin: 1} {
		list, err := e.Notifications(e.ctx, *who, market.Page{Limit: 100})
		e.must(err)
		if len(list.Items) != want {
			t.Errorf("%s has %d notifications, want %d", who.User.Name, len(list.Items), want)
		}
		for _, n := range list.Items {
			if n.Link != "/dashboard/order/"+b.ID {
				t.Errorf("%s: %q links to %s", who.User.Name, n.Text, n.Link)
			}
		}
	}
}

// The card provider and admins can still decide about an order after both sides were removed.
func TestRemovedPeopleAreNotNotifiedOfTheirOrders(t *testing.T) {
	e := newEnv(t)
	seller, buyer, admin := e.seller(), e.buyer(), e.admin()
	b, intent := e.bookWithIntent(buyer, e.phone(seller))
	e.mustPay(buyer, b)
	for _, who := range []market.Actor{buyer, seller} {
		_, err := e.RemoveUser(e.ctx, admin, who.User.ID, market.RemovalReason{})
		e.must(err)
	}
	e.stepEvery(time.Minute, 3)
	for _, who := range []market.Actor{buyer, seller} {
		e.must(e.EraseClosedPerson(e.ctx, who.User.UID))
	}
	e.stepEvery(time.Minute, 3)
	for _, who := range []market.Actor{buyer, seller} {
		if _, err := e.store.User(e.ctx, who.User.UID); !errors.Is(err, market.ErrNotFound) {
			t.Fatalf("%s is not purged: %v", who.User.Name, err)
		}
	}

	e.bank.Change(intent, func(in *market.Intent) { in.Dispute, in.DisputedAt = market.DisputeOpen, e.clock.Now() })
	e.must(e.ApplyPayment(e.ctx, intent))
	e.bank.Change(intent, func(in *market.Intent) { in.Dispute, in.Returned = market.DisputeLost, true })
	e.must(e.ApplyPayment(e.ctx, intent))
	if got := e.storedBooking(b).Status; got != market.BookingRefunded {
		t.Fatalf("the booking is %s, want refunded", got)
	}
	for _, who := range []market.Actor{buyer, seller} {
		if texts := e.notificationTexts(who); len(texts) != 0 {
			t.Errorf("%s is removed and was notified: %q", who.User.Name, texts)
		}
	}
	if texts := e.notificationTexts(admin); len(texts) != 2 {
		t.Errorf("the admin was notified: %q, want the dispute and its end", texts)
	}
}
