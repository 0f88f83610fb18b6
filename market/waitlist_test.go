package market_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"secondring/market"
)

const turn = 15 * time.Minute

func (e *env) wait(buyer market.Actor, p market.Product) (market.WaitlistEntry, error) {
	return e.JoinWaitlist(e.ctx, buyer, market.WaitlistRequest{ProductID: p.ID, Phone: "01900000", Location: "Khulna"})
}

func (e *env) waits(buyer market.Actor, p market.Product) market.WaitlistEntry {
	e.t.Helper()
	entry, err := e.wait(buyer, p)
	e.must(err)
	return entry
}

// waitingBuyers adds n buyers to the phone's waitlist and returns them in order.
func (e *env) waitingBuyers(p market.Product, n int) []market.Actor {
	e.t.Helper()
	all := make([]market.Actor, n)
	for i := range all {
		all[i] = e.buyer()
		if got := e.waits(all[i], p); got.Position != i+1 {
			e.t.Fatalf("the place is %d, want %d", got.Position, i+1)
		}
	}
	return all
}

// pass moves the clock and runs the background jobs.
func (e *env) pass(d time.Duration) {
	e.t.Helper()
	e.clock.Pass(d)
	e.must(errors.Join(e.janitor.Step(e.ctx), e.till.Step(e.ctx)))
}

// wantHolder fails the test unless the buyer holds the phone by a held booking. For nobody the
// phone must be available.
func (e *env) wantHolder(buyer market.Actor, p market.Product, why string) market.Booking {
	e.t.Helper()
	now := e.stored(p)
	if now.Hold == nil || now.Hold.BuyerUID != buyer.User.UID {
		e.t.Fatalf("%s: the hold is %+v, want one of %s", why, now.Hold, buyer.User.Name)
	}
	b, err := e.store.Booking(e.ctx, now.Hold.BookingID)
	e.must(err)
	if b.Status != market.BookingHeld || !b.HoldUntil.Equal(now.Hold.Until) || b.BuyerUID != buyer.User.UID {
		e.t.Fatalf("%s: the booking is %+v", why, b)
	}
	return b
}

func (e *env) available(p market.Product, why string) {
	e.t.Helper()
	if now := e.stored(p); now.Hold != nil || len(now.Waitlist) > 0 {
		e.t.Fatalf("%s: hold %+v, waitlist %+v", why, now.Hold, now.Waitlist)
	}
}

func TestWaitlistTakesTurnsInOrderOfJoining(t *testing.T) {
	e := newEnv(t)
	p := e.phone(e.seller())
	first := e.booked(e.buyer(), p)
	waiting := e.waitingBuyers(p, 3)
	e.drain()

	e.pass(time.Hour + time.Second) // the hold expires
	if got := e.storedBooking(first).Status; got != market.BookingExpired {
		t.Fatalf("the first booking is %s", got)
	}
	b := e.wantHolder(waiting[0], p, "after the hold")
	if want := e.clock.Now().Add(turn); !b.HoldUntil.Equal(want) {
		t.Errorf("held until %v, want %v", b.HoldUntil, want)
	}
	if b.Phone != "01900000" || b.Location != "Khulna" || b.Price != p.ResalePrice || b.UserName != waiting[0].User.Name {
		t.Errorf("the booking: %+v", b)
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

	e.pass(turn + time.Second)
	e.wantHolder(waiting[1], p, "after the first turn")
	_, err := e.CancelBooking(e.ctx, waiting[1], e.stored(p).Hold.BookingID)
	e.must(err)
	e.wantHolder(waiting[2], p, "after the second was cancelled")
	e.pass(turn + time.Second)
	e.available(p, "after all turns")
}

func TestWhoMayWait(t *testing.T) {
	e := newEnv(t)
	seller, holder, buyer := e.seller(), e.buyer(), e.buyer()
	p := e.phone(seller)
	refused := func(who market.Actor, code market.Code) {
		t.Helper()
		_, err := e.wait(who, p)
		e.refused(err, code)
	}
	refused(buyer, market.CodeFree)
	b := e.booked(holder, p)
	refused(seller, market.CodeForbidden)
	refused(e.admin(), market.CodeForbidden)
	refused(holder, market.CodeHeld)
	_, err := e.JoinWaitlist(e.ctx, buyer, market.WaitlistRequest{ProductID: p.ID})
	e.refused(err, market.CodeInvalid)
	_, err = e.JoinWaitlist(e.ctx, buyer, market.WaitlistRequest{ProductID: "x", Phone: "01900000"})
	e.refused(err, market.CodeNotFound)

	entry := e.waits(buyer, p)
	if again := e.waits(buyer, p); again.ID != entry.ID || again.Position != 1 {
		t.Errorf("again: %+v, first %+v", again, entry)
	}
	for range 49 {
		e.waits(e.buyer(), p)
	}
	refused(e.buyer(), market.CodeFull)
	e.payFor(holder, b)
	refused(e.buyer(), market.CodeSold)
	if list, err := e.Waitlist(e.ctx, buyer, buyer.User.Email, market.Page{Limit: 10}); err != nil || list.Total != 0 {
		t.Errorf("they still wait for a sold phone: %+v, %v", list, err)
	}
}

// payFor pays for a booking.
func (e *env) payFor(buyer market.Actor, b market.Booking) {
	e.t.Helper()
	_, err := e.open(buyer, b)
	e.must(err)
	b = e.storedBooking(b)
	e.bank.Confirm(b.Intent)
	_, err = e.pay(buyer, b, b.Intent)
	e.must(err)
}

func TestLeaveWaitlist(t *testing.T) {
	e := newEnv(t)
	p := e.phone(e.seller())
	e.booked(e.buyer(), p)
	waiting := e.waitingBuyers(p, 3)
	e.drain()
	for _, want := range []int{1, 0} {
		if n, err := e.LeaveWaitlist(e.ctx, waiting[0], p.ID); err != nil || n != want {
			t.Errorf("left %d, %v; want %d", n, err, want)
		}
	}
	for _, event := range e.drain() {
		if event.Type == market.TypeWaitlistChanged && event.Version != e.stored(p).Version {
			t.Errorf("version %d of the entry, %d of the phone", event.Version, e.stored(p).Version)
		}
	}
	for i, want := range []int{0, 1, 2} {
		list, err := e.Waitlist(e.ctx, waiting[i], waiting[i].User.Email, market.Page{Limit: 10})
		e.must(err)
		if i == 0 && list.Total == 0 {
			continue
		}
		if list.Total != 1 || list.Items[0].Position != want {
			t.Errorf("place %d: %+v", i, list)
		}
	}
}

// A buyer who may not hold the phone now is passed over and keeps their place.
func TestTurnPassesOverBuyersWhoMayNotHold(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	p := e.phone(seller)
	lapsed := e.buyer()
	e.booked(lapsed, p)
	full, next := e.buyer(), e.buyer()
	var others []market.Booking
	for range plainRules.MaxHolds {
		others = append(others, e.booked(full, e.phone(seller)))
	}
	e.waits(full, p)
	e.waits(next, p)
	e.clock.Pass(30 * time.Minute)
	_, err := e.CancelBooking(e.ctx, lapsed, e.stored(p).Hold.BookingID)
	e.must(err)
	e.wantHolder(next, p, "the first is at the limit")
	e.waits(lapsed, p)

	_, err = e.CancelBooking(e.ctx, full, others[0].ID)
	e.must(err)
	e.pass(turn + time.Second)
	e.wantHolder(full, p, "the limit is over")
	_, err = e.CancelBooking(e.ctx, full, e.stored(p).Hold.BookingID)
	e.must(err)
	e.available(p, "the last one let it go less than an hour ago")
}

func TestRemovedBuyerLeavesWaitlists(t *testing.T) {
	e := newEnv(t)
	p := e.phone(e.seller())
	e.booked(e.buyer(), p)
	waiting := e.waitingBuyers(p, 2)
	_, err := e.RemoveUser(e.ctx, e.admin(), waiting[0].User.ID)
	e.must(err)
	if got := e.stored(p).Waitlist; len(got) != 1 || got[0].UID != waiting[1].User.UID {
		t.Errorf("the waitlist: %+v", got)
	}
	e.pass(time.Hour + time.Second)
	e.wantHolder(waiting[1], p, "the first is removed")
}

// A call in progress may add a removed buyer to a waitlist.
func TestTurnPassesOverRemovedBuyer(t *testing.T) {
	e := newEnv(t)
	p := e.phone(e.seller())
	holder := e.booked(e.buyer(), p)
	late, next := e.buyer(), e.buyer()
	_, err := e.RemoveUser(e.ctx, e.admin(), late.User.ID)
	e.must(err)
	e.waits(late, p)
	e.waits(next, p)
	e.must(e.release(holder))
	e.wantHolder(next, p, "the first is removed")
}

// release cancels a booking as its buyer.
func (e *env) release(b market.Booking) error {
	u, err := e.store.User(e.ctx, b.BuyerUID)
	e.must(err)
	_, err = e.CancelBooking(e.ctx, market.Actor{User: u}, b.ID)
	return err
}

func TestWaitlistEndsWithPhone(t *testing.T) {
	for name, end := range map[string]func(*env, market.Actor, market.Product){
		"an admin removes the phone": func(e *env, _ market.Actor, p market.Product) {
			_, err := e.RemoveProduct(e.ctx, e.admin(), p.ID)
			e.must(err)
		},
		"an admin removes the seller": func(e *env, seller market.Actor, _ market.Product) {
			_, err := e.RemoveUser(e.ctx, e.admin(), seller.User.ID)
			e.must(err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			seller := e.seller()
			p := e.phone(seller)
			e.booked(e.buyer(), p)
			waiting := e.waitingBuyers(p, 2)
			e.drain()
			end(e, seller, p)
			events := e.publishedEvents()
			for _, who := range waiting {
				if !slices.Contains(events, "me:"+who.User.UID+" waitlist.changed") {
					t.Errorf("%s was not notified: %q", who.User.Name, events)
				}
				if held, err := e.store.HeldBookings(e.ctx, who.User.UID, 10); err != nil || len(held) > 0 {
					t.Errorf("a turn was given: %+v, %v", held, err)
				}
			}
			if _, err := e.store.Product(e.ctx, p.ID); !errors.Is(err, market.ErrNotFound) {
				t.Errorf("the phone is there: %v", err)
			}
		})
	}
}

// The process is killed after the next buyer got the phone, before the booking was written.
func TestTurnSurvivesCrashBeforeBooking(t *testing.T) {
	e := newEnv(t)
	p := e.phone(e.seller())
	holder := e.booked(e.buyer(), p)
	waiting := e.waitingBuyers(p, 1)
	crashed := market.New(&killedBeforeBooking{Store: e.store}, e.clock, e.rules, e.bank)
	u, err := e.store.User(e.ctx, holder.BuyerUID)
	e.must(err)
	if _, err := crashed.CancelBooking(e.ctx, market.Actor{User: u}, holder.ID); !errors.Is(err, errCrash) {
		t.Fatalf("not killed: %v", err)
	}
	if _, err := e.store.Booking(e.ctx, e.stored(p).Hold.BookingID); !errors.Is(err, market.ErrNotFound) {
		t.Fatalf("the booking is there: %v", err)
	}
	e.pass(10 * time.Second)
	e.wantHolder(waiting[0], p, "after the crash")
	if got := e.storedBooking(holder).Status; got != market.BookingCancelled {
		t.Errorf("the first booking is %s", got)
	}
}

type killedBeforeBooking struct{ market.Store }

func (*killedBeforeBooking) AddBooking(context.Context, market.Booking, int, []market.Event) error {
	return errCrash
}

// Concurrent ends of one hold lead to one turn.
func TestConcurrentEndsGiveOneTurn(t *testing.T) {
	e := newEnv(t)
	p := e.phone(e.seller())
	holder := e.booked(e.buyer(), p)
	waiting := e.waitingBuyers(p, 8)
	done := make(chan error)
	for range 8 {
		go func() { done <- ignoreRefusals(e.release(holder)) }()
	}
	for range 8 {
		e.must(<-done)
	}
	e.wantHolder(waiting[0], p, "after the ends")
	if got := len(e.stored(p).Waitlist); got != 7 {
		t.Errorf("%d wait, want 7", got)
	}
}

func TestOnePersonWaitsForAtMostFiftyPhones(t *testing.T) {
	e := newEnvWith(t, market.Rules{BookingHold: time.Hour, TurnHold: turn, MaxHolds: 100, Advertise: market.AdvertiseVerified})
	seller, holder, buyer := e.seller(), e.buyer(), e.buyer()
	for range 50 {
		p := e.phone(seller)
		e.booked(holder, p)
		e.waits(buyer, p)
	}
	p := e.phone(seller)
	e.booked(holder, p)
	_, err := e.wait(buyer, p)
	e.refused(err, market.CodeTooMany)

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
			t.Fatalf("total %d", list.Total)
		}
		if !list.More {
			break
		}
	}
	if len(ids) != 50 || !slices.IsSortedFunc(ids, func(a, b string) int { return cmp.Compare(b, a) }) {
		t.Errorf("%d entries: %q", len(ids), ids)
	}
}

// turnOrder is a store that checks each turn when it is written.
type turnOrder struct {
	market.Store

	clock market.Clock
	rules market.Rules
	wrong []string
}

// SaveProduct checks the turn that the write contains.
func (s *turnOrder) SaveProduct(ctx context.Context, p market.Product, events []market.Event) error {
	before, err := s.Product(ctx, p.ID)
	if err != nil {
		return s.Store.SaveProduct(ctx, p, events)
	}
	if given := p.Hold != nil && p.Hold.Turn && (before.Hold == nil || before.Hold.BookingID != p.Hold.BookingID); given {
		s.checkTurn(ctx, before, p)
	}
	err = s.Store.SaveProduct(ctx, p, events)
	if err == nil && p.Hold == nil && before.Hold != nil {
		for _, w := range before.Waitlist { // nobody is left out
			s.checkPassedOver(ctx, p, w)
		}
	}
	return err
}

func (s *turnOrder) checkTurn(ctx context.Context, before, p market.Product) {
	for _, w := range before.Waitlist {
		if w.UID == p.Hold.BuyerUID {
			return
		}
		s.checkPassedOver(ctx, p, w)
	}
	s.wrong = append(s.wrong, fmt.Sprintf("%s got %s and did not wait", p.Hold.BuyerUID, p.ID))
}

// checkPassedOver fails the test unless there was a reason to pass over a person who waits.
func (s *turnOrder) checkPassedOver(ctx context.Context, p market.Product, w market.Waiter) {
	u, err := s.User(ctx, w.UID)
	if errors.Is(err, market.ErrNotFound) || u.Removed {
		return
	}
	if held, _ := s.HeldBookings(ctx, w.UID, 1000); len(held) >= s.rules.MaxHolds {
		return
	}
	last, err := s.LastBooking(ctx, w.UID, p.ID)
	if err == nil && (last.Status == market.BookingHeld || s.clock.Now().Before(last.EndedAt.Add(time.Hour))) {
		return
	}
	s.wrong = append(s.wrong, fmt.Sprintf("%s was passed over for %s without a reason", w.UID, p.ID))
}
