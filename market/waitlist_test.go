package market_test

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"secondring/market"
)

const turnHold = 15 * time.Minute

func (e *env) joinWaitlist(buyer market.Actor, p market.Product) (market.WaitlistEntry, error) {
	return e.JoinWaitlist(e.ctx, buyer, market.WaitlistRequest{ProductID: p.ID, Phone: "01900000", Location: "Khulna"})
}

func (e *env) mustJoinWaitlist(buyer market.Actor, p market.Product) market.WaitlistEntry {
	e.t.Helper()
	entry, err := e.joinWaitlist(buyer, p)
	e.must(err)
	return entry
}

// waitingBuyers adds n buyers to the phone's waitlist and returns them in order.
func (e *env) waitingBuyers(p market.Product, n int) []market.Actor {
	e.t.Helper()
	all := make([]market.Actor, n)
	for i := range all {
		all[i] = e.buyer()
		if got := e.mustJoinWaitlist(all[i], p); got.Position != i+1 {
			e.t.Fatalf("the position is %d, want %d", got.Position, i+1)
		}
	}
	return all
}

// wantHolder fails the test unless the buyer holds the phone by a held booking. It returns
// the booking.
func (e *env) wantHolder(buyer market.Actor, p market.Product, when string) market.Booking {
	e.t.Helper()
	now := e.stored(p)
	if now.Hold == nil || now.Hold.BuyerUID != buyer.User.UID {
		e.t.Fatalf("%s: the hold is %+v, want one of %s", when, now.Hold, buyer.User.Name)
	}
	b, err := e.store.Booking(e.ctx, now.Hold.BookingID)
	e.must(err)
	if b.Status != market.BookingHeld || !b.HoldUntil.Equal(now.Hold.Until) || b.BuyerUID != buyer.User.UID {
		e.t.Fatalf("%s: the booking is %+v", when, b)
	}
	return b
}

// wantAvailable fails the test unless the phone has no hold and no waitlist.
func (e *env) wantAvailable(p market.Product, when string) {
	e.t.Helper()
	if now := e.stored(p); now.Hold != nil || len(now.Waitlist) > 0 {
		e.t.Fatalf("%s: hold %+v, waitlist %+v", when, now.Hold, now.Waitlist)
	}
}

func TestWaitlistTakesTurnsInOrderOfJoining(t *testing.T) {
	e := newEnv(t)
	p := e.phone(e.seller())
	first := e.mustBook(e.buyer(), p)
	waiting := e.waitingBuyers(p, 3)
	e.drain()

	e.passAndStep(time.Hour + time.Second) // the hold expires
	if got := e.storedBooking(first).Status; got != market.BookingExpired {
		t.Fatalf("the first booking is %s", got)
	}
	b := e.wantHolder(waiting[0], p, "after the hold")
	if want := e.clock.Now().Add(turnHold); !b.HoldUntil.Equal(want) {
		t.Errorf("held until %v, want %v", b.HoldUntil, want)
	}
	if b.Phone != "01900000" || b.Location != "Khulna" || b.Price != p.ResalePrice || b.UserName != waiting[0].User.Name {
		t.Errorf("the booking is %+v", b)
	}
	events := e.publishedEvents()
	for _, want := range []string{
		"brand:" + e.brand.ID + " product.booked",
		"me:" + waiting[0].User.UID + " waitlist.changed", "me:" + waiting[0].User.UID + " booking.changed",
		"me:" + waiting[1].User.UID + " waitlist.changed", "me:" + waiting[2].User.UID + " waitlist.changed",
	} {
		if !slices.Contains(events, want) {
			t.Errorf("no event %q in %q", want, events)
		}
	}
	if slices.Contains(events, "brand:"+e.brand.ID+" product.released") {
		t.Error("the phone was available in between")
	}

	e.passAndStep(turnHold + time.Second)
	e.wantHolder(waiting[1], p, "after the first turn")
	_, err := e.CancelBooking(e.ctx, waiting[1], e.stored(p).Hold.BookingID)
	e.must(err)
	e.wantHolder(waiting[2], p, "after the second was cancelled")
	e.passAndStep(turnHold + time.Second)
	e.wantAvailable(p, "after all turns")
}

func TestJoinWaitlistPermissions(t *testing.T) {
	e := newEnv(t)
	seller, holder, buyer := e.seller(), e.buyer(), e.buyer()
	p := e.phone(seller)
	refused := func(who market.Actor, code market.Code) {
		t.Helper()
		_, err := e.joinWaitlist(who, p)
		e.wantCode(err, code)
	}
	refused(buyer, market.CodeFree)
	b := e.mustBook(holder, p)
	refused(seller, market.CodeForbidden)
	refused(e.admin(), market.CodeForbidden)
	refused(holder, market.CodeHeld)
	_, err := e.JoinWaitlist(e.ctx, buyer, market.WaitlistRequest{ProductID: p.ID})
	e.wantCode(err, market.CodeInvalid)
	_, err = e.JoinWaitlist(e.ctx, buyer, market.WaitlistRequest{ProductID: "x", Phone: "01900000"})
	e.wantCode(err, market.CodeNotFound)

	entry := e.mustJoinWaitlist(buyer, p)
	if again := e.mustJoinWaitlist(buyer, p); again.ID != entry.ID || again.Position != 1 {
		t.Errorf("joining again returned %+v, the first time %+v", again, entry)
	}
	for range 49 {
		e.mustJoinWaitlist(e.buyer(), p)
	}
	refused(e.buyer(), market.CodeFull)
	e.mustPay(holder, b)
	refused(e.buyer(), market.CodeSold)
	if list, err := e.Waitlist(e.ctx, buyer, buyer.User.Email, market.Page{Limit: 10}); err != nil || list.Total != 0 {
		t.Errorf("the buyer still waits for a sold phone: %+v, %v", list, err)
	}
}

func TestLeaveWaitlist(t *testing.T) {
	e := newEnv(t)
	p := e.phone(e.seller())
	e.mustBook(e.buyer(), p)
	waiting := e.waitingBuyers(p, 3)
	e.drain()
	for _, want := range []int{1, 0} {
		if n, err := e.LeaveWaitlist(e.ctx, waiting[0], p.ID); err != nil || n != want {
			t.Errorf("leaving changed %d, %v, want %d", n, err, want)
		}
	}
	for _, event := range e.drain() {
		if event.Type == market.TypeWaitlistChanged && event.Version != e.stored(p).Version {
			t.Errorf("the entry has version %d, the phone %d", event.Version, e.stored(p).Version)
		}
	}
	for i, want := range []int{0, 1, 2} {
		list, err := e.Waitlist(e.ctx, waiting[i], waiting[i].User.Email, market.Page{Limit: 10})
		e.must(err)
		if i == 0 && list.Total == 0 {
			continue
		}
		if list.Total != 1 || list.Items[0].Position != want {
			t.Errorf("buyer %d has the entries %+v, want one at position %d", i, list, want)
		}
	}
}

// A buyer who may not hold the phone now is passed over and keeps their position.
func TestTurnPassesOverBuyersWhoMayNotHold(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	p := e.phone(seller)
	former := e.buyer()
	e.mustBook(former, p)
	limited, next := e.buyer(), e.buyer()
	var others []market.Booking
	for range defaultRules.MaxHolds {
		others = append(others, e.mustBook(limited, e.phone(seller)))
	}
	e.mustJoinWaitlist(limited, p)
	e.mustJoinWaitlist(next, p)
	e.clock.Pass(30 * time.Minute)
	_, err := e.CancelBooking(e.ctx, former, e.stored(p).Hold.BookingID)
	e.must(err)
	e.wantHolder(next, p, "while the first buyer is at the limit")
	e.mustJoinWaitlist(former, p)

	_, err = e.CancelBooking(e.ctx, limited, others[0].ID)
	e.must(err)
	e.passAndStep(turnHold + time.Second)
	e.wantHolder(limited, p, "once the first buyer is below the limit")
	_, err = e.CancelBooking(e.ctx, limited, e.stored(p).Hold.BookingID)
	e.must(err)
	e.wantAvailable(p, "while the only buyer in line cancelled less than an hour ago")
}

func TestRemovedBuyerLeavesWaitlists(t *testing.T) {
	e := newEnv(t)
	p := e.phone(e.seller())
	e.mustBook(e.buyer(), p)
	waiting := e.waitingBuyers(p, 2)
	_, err := e.RemoveUser(e.ctx, e.admin(), waiting[0].User.ID, market.RemovalReason{})
	e.must(err)
	if got := e.stored(p).Waitlist; len(got) != 1 || got[0].UID != waiting[1].User.UID {
		t.Errorf("the waitlist is %+v, want only %s", got, waiting[1].User.UID)
	}
	e.passAndStep(time.Hour + time.Second)
	e.wantHolder(waiting[1], p, "after the removal of the first buyer")
}

// A call in progress may add a removed buyer to a waitlist.
func TestTurnPassesOverRemovedBuyer(t *testing.T) {
	e := newEnv(t)
	p := e.phone(e.seller())
	holder := e.mustBook(e.buyer(), p)
	late, next := e.buyer(), e.buyer()
	_, err := e.RemoveUser(e.ctx, e.admin(), late.User.ID, market.RemovalReason{})
	e.must(err)
	e.mustJoinWaitlist(late, p)
	e.mustJoinWaitlist(next, p)
	e.must(e.cancelAsBuyer(holder))
	e.wantHolder(next, p, "after the removal of the first buyer")
}

func TestWaitlistEndsWithPhone(t *testing.T) {
	for name, end := range map[string]func(*env, market.Actor, market.Product){
		"an admin removes the phone": func(e *env, _ market.Actor, p market.Product) {
			_, err := e.RemoveProduct(e.ctx, e.admin(), p.ID, market.RemovalReason{})
			e.must(err)
		},
		"an admin removes the seller": func(e *env, seller market.Actor, _ market.Product) {
			_, err := e.RemoveUser(e.ctx, e.admin(), seller.User.ID, market.RemovalReason{})
			e.must(err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			seller := e.seller()
			p := e.phone(seller)
			e.mustBook(e.buyer(), p)
			waiting := e.waitingBuyers(p, 2)
			e.drain()
			end(e, seller, p)
			events := e.publishedEvents()
			for _, who := range waiting {
				if !slices.Contains(events, "me:"+who.User.UID+" waitlist.changed") {
					t.Errorf("%s was not notified: %q", who.User.Name, events)
				}
				if held, err := e.store.HeldBookings(e.ctx, who.User.UID, 10); err != nil || len(held) > 0 {
					t.Errorf("%s got a turn: %+v, %v", who.User.Name, held, err)
				}
			}
			if _, err := e.store.Product(e.ctx, p.ID); !errors.Is(err, market.ErrNotFound) {
				t.Errorf("the phone is still there: %v", err)
			}
		})
	}
}

// The process is killed after the next buyer got the phone, before the booking was written.
func TestTurnSurvivesCrashBeforeBooking(t *testing.T) {
	e := newEnv(t)
	p := e.phone(e.seller())
	holder := e.mustBook(e.buyer(), p)
	waiting := e.waitingBuyers(p, 1)
	killed := market.New(&killedBeforeBooking{Store: e.store}, e.clock, e.rules, e.bank)
	u, err := e.store.User(e.ctx, holder.BuyerUID)
	e.must(err)
	if _, err := killed.CancelBooking(e.ctx, market.Actor{User: u}, holder.ID); !errors.Is(err, errCrash) {
		t.Fatalf("the error is %v, want a crash", err)
	}
	if _, err := e.store.Booking(e.ctx, e.stored(p).Hold.BookingID); !errors.Is(err, market.ErrNotFound) {
		t.Fatalf("the booking was written before the crash: %v", err)
	}
	e.passAndStep(10 * time.Second)
	e.wantHolder(waiting[0], p, "after the crash")
	if got := e.storedBooking(holder).Status; got != market.BookingCancelled {
		t.Errorf("the first booking is %s", got)
	}
}

type killedBeforeBooking struct{ market.Store }

func (*killedBeforeBooking) AddBooking(context.Context, market.Booking, int, []market.Effect) error {
	return errCrash
}

// Concurrent cancellations of one hold lead to one turn.
func TestConcurrentCancellationsGiveOneTurn(t *testing.T) {
	e := newEnv(t)
	p := e.phone(e.seller())
	holder := e.mustBook(e.buyer(), p)
	waiting := e.waitingBuyers(p, 8)
	done := make(chan error)
	for range 8 {
		go func() { done <- ignoreRefusals(e.cancelAsBuyer(holder)) }()
	}
	for range 8 {
		e.must(<-done)
	}
	e.wantHolder(waiting[0], p, "after the cancellations")
	if got := len(e.stored(p).Waitlist); got != 7 {
		t.Errorf("the waitlist has %d entries, want 7", got)
	}
}

func TestOnePersonWaitsForAtMostFiftyPhones(t *testing.T) {
	e := newEnvWith(t, market.Rules{BookingHold: time.Hour, TurnHold: turnHold, MaxHolds: 100, Advertise: market.AdvertiseVerified})
	seller, holder, buyer := e.seller(), e.buyer(), e.buyer()
	for range 50 {
		p := e.phone(seller)
		e.mustBook(holder, p)
		e.mustJoinWaitlist(buyer, p)
	}
	p := e.phone(seller)
	e.mustBook(holder, p)
	_, err := e.joinWaitlist(buyer, p)
	e.wantCode(err, market.CodeTooMany)

	var ids []string
	page := market.Page{Limit: 20}
	for {
		list, err := e.Waitlist(e.ctx, buyer, buyer.User.Email, page)
		e.must(err)
		for _, entry := range list.Items {
			ids = append(ids, entry.ID)
			page.After = entry.ID
		}
		if list.Total != 50 {
			t.Fatalf("the total is %d, want 50", list.Total)
		}
		if !list.More {
			break
		}
	}
	if len(ids) != 50 || !slices.IsSortedFunc(ids, func(a, b string) int { return cmp.Compare(b, a) }) {
		t.Errorf("the list has %d entries, want 50, newest first: %q", len(ids), ids)
	}
}
