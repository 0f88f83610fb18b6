package market

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// The waitlist is a part of the phone, so one compare-and-set changes the hold and the
// waitlist together. The write that ends a hold gives the phone to the first on the
// waitlist, or makes it available. Only a held phone has a waitlist.

// Limits of waitlists.
const (
	maxWaitlist = 50 // people who wait for one phone
	maxWaits    = 50 // phones that one person waits for
)

// WaitlistRequest is the payload of PUT /products/{id}/waitlist.
type WaitlistRequest struct {
	ProductID       string
	Phone, Location string
	// Network identifies the caller's network address; "" is not limited.
	Network string
	Wrong   Fields
}

// WaitlistEntry is a place on the waitlist of a phone.
type WaitlistEntry struct {
	Waiter

	Product  Product
	Position int // 1 for the next
}

// entry returns the place at an index of the phone's waitlist.
func (p Product) entry(i int) WaitlistEntry {
	return WaitlistEntry{Waiter: p.Waitlist[i], Product: p, Position: i + 1}
}

// entryOf returns a person's place on the phone's waitlist.
func (p Product) entryOf(uid string) (WaitlistEntry, bool) {
	i := slices.IndexFunc(p.Waitlist, func(w Waiter) bool { return w.UID == uid })
	if i < 0 {
		return WaitlistEntry{}, false
	}
	return p.entry(i), true
}

// View returns the view for the person who waits.
func (e WaitlistEntry) View() WaitlistEntryView {
	v := WaitlistEntryView{
		ID: e.ID, Version: e.Product.Version, ProductID: e.Product.ID, ProductName: e.Product.Name, Img: e.Product.Img,
		Price: e.Product.ResalePrice, Position: e.Position, CreatedAt: e.At,
	}
	if e.Product.Hold != nil {
		v.HeldUntil = e.Product.Hold.Until
	}
	return v
}

// JoinWaitlist puts a buyer at the end of a held phone's waitlist. A buyer who is on it
// already keeps their place. It returns CodeFree if the phone is available, CodeSold,
// CodeFull, CodeHeld for the buyer who holds the phone, and CodeTooMany for a buyer who
// waits for maxWaits phones.
func (m *Market) JoinWaitlist(ctx context.Context, who Actor, in WaitlistRequest) (WaitlistEntry, error) {
	var entry WaitlistEntry
	_, err := m.changeProduct(ctx, in.ProductID, func(p *Product) (string, error) {
		if err := m.mayWait(ctx, who, *p, in); err != nil {
			return "", err
		}
		var joined bool
		if entry, joined = p.entryOf(who.User.UID); joined {
			return "", nil
		}
		if err := p.canBeWaitedFor(who.User.UID); err != nil {
			return "", err
		}
		if err := m.mayWaitForMore(ctx, who.User.UID); err != nil {
			return "", err
		}
		now := m.clock.Now()
		p.Waitlist = append(slices.Clone(p.Waitlist), Waiter{
			ID: NewID(now), UID: who.User.UID, Phone: in.Phone, Location: in.Location, At: now,
			Network: in.Network,
		})
		entry, _ = p.entryOf(who.User.UID)
		return TypeProductChanged, nil
	})
	if errors.Is(err, ErrNotFound) {
		return WaitlistEntry{}, missing("phone")
	}
	return entry, err
}

// mayWait returns an error if the person may not wait for this phone, or the payload is
// invalid.
func (m *Market) mayWait(ctx context.Context, who Actor, p Product, in WaitlistRequest) error {
	if !who.User.MayBuy() {
		return forbidden("Admins cannot wait for phones")
	}
	if err := m.mayTrade(ctx, who); err != nil {
		return err
	}
	if p.SellerUID == who.User.UID {
		return forbidden("You cannot wait for your own phone")
	}
	f := FieldsOf(in.Wrong)
	f.telephone(in.Phone)
	f.optional("location", in.Location, maxShort)
	return f.Err()
}

// canBeWaitedFor returns an error unless the person can join the phone's waitlist now.
func (p Product) canBeWaitedFor(uid string) error {
	switch {
	case p.Sold:
		return refuse(CodeSold, "This phone has been sold")
	case p.Hold == nil:
		return refuse(CodeFree, "This phone is available. You can book it now")
	case p.Hold.BuyerUID == uid:
		return refuse(CodeHeld, "You have booked this phone yourself")
	case len(p.Waitlist) >= maxWaitlist:
		return refuse(CodeFull, fmt.Sprintf("The waitlist of this phone is full: %d people are waiting", maxWaitlist))
	}
	return nil
}

// mayWaitForMore returns an error if the person waits for maxWaits phones. Concurrent calls
// may exceed the limit by their number.
func (m *Market) mayWaitForMore(ctx context.Context, uid string) error {
	waits, err := m.store.ProductsWaitedFor(ctx, uid)
	if err == nil && len(waits) >= maxWaits {
		return refuse(CodeTooMany, fmt.Sprintf("You are already waiting for %d phones. Leave one of the waitlists first", maxWaits))
	}
	return err
}

// LeaveWaitlist removes a buyer from the waitlist of a phone. It returns 0 if they were not
// on it.
func (m *Market) LeaveWaitlist(ctx context.Context, who Actor, productID string) (int, error) {
	hasLeft, err := m.changeProduct(ctx, productID, func(p *Product) (string, error) {
		if !who.User.MayBuy() {
			return "", forbidden("Admins cannot wait for phones")
		}
		return leave(p, who.User.UID), nil
	})
	switch {
	case errors.Is(err, ErrNotFound):
		return 0, missing("phone")
	case err != nil || !hasLeft:
		return 0, err
	}
	return 1, nil
}

// leave removes a person from the phone's waitlist and returns the event's type: "" if they
// were not on it.
func leave(p *Product, uid string) string {
	if _, waits := p.entryOf(uid); !waits {
		return ""
	}
	p.Waitlist = slices.DeleteFunc(slices.Clone(p.Waitlist), func(w Waiter) bool { return w.UID == uid })
	return TypeProductChanged
}

// leaveWaitlists removes a person from all waitlists.
func (m *Market) leaveWaitlists(ctx context.Context, uid string) error {
	waits, err := m.store.ProductsWaitedFor(ctx, uid)
	if err != nil {
		return err
	}
	for _, p := range waits {
		if err := m.changeIfExists(ctx, p.ID, func(p *Product) (string, error) { return leave(p, uid), nil }); err != nil {
			return err
		}
	}
	return nil
}

// endWaitlist clears the waitlist of a phone that is being withdrawn.
func (m *Market) endWaitlist(ctx context.Context, productID string) error {
	_, err := m.changeProductWithEffects(ctx, productID, func(p *Product) (string, []Effect, error) {
		if len(p.Waitlist) == 0 {
			return "", nil, nil
		}
		notices := withdrawnNotices(*p, m.clock.Now())
		p.Waitlist = nil
		return TypeProductChanged, notices, nil
	})
	return ignoreNotFound(err)
}

// Waitlist lists the phones that a buyer waits for, for that buyer only.
func (m *Market) Waitlist(ctx context.Context, who Actor, email string, page Page) (List[WaitlistEntry], error) {
	switch {
	case email == "" && who.User.MayBuy():
		return List[WaitlistEntry]{}, Invalid("email", "is required")
	case !who.User.MayBuy() || NormalEmail(email) != NormalEmail(who.User.Email):
		return List[WaitlistEntry]{}, forbidden("You can only see your own waitlists here")
	}
	entries, err := m.waitlistOf(ctx, who.User.UID)
	return pageOf(entries, func(entry WaitlistEntry) string { return entry.ID }, page), err
}

// waitlistOf returns all places of a person on waitlists, newest first.
func (m *Market) waitlistOf(ctx context.Context, uid string) ([]WaitlistEntry, error) {
	waits, err := m.store.ProductsWaitedFor(ctx, uid)
	if err != nil {
		return nil, err
	}
	var entries []WaitlistEntry
	for _, p := range waits {
		if entry, waits := p.entryOf(uid); waits {
			entries = append(entries, entry)
		}
	}
	slices.SortFunc(entries, func(a, b WaitlistEntry) int { return cmp.Compare(b.ID, a.ID) })
	return entries, nil
}

// turn is the result of the end of a hold.
type turn struct {
	hold     *Hold // the hold of the first on the waitlist who may hold the phone; nil if there is none
	waitlist []Waiter
	passed   []passedWaiter
}

// passedWaiter is a person who was passed over at their turn.
type passedWaiter struct {
	Waiter

	reason string // a clause of the notification
}

// nextTurn returns the hold of the first on the waitlist who may hold the phone now, and
// the new waitlist. Those who may not hold it now keep their place before the others. If
// nobody may, the new waitlist is empty, because everybody can book the phone.
func (m *Market) nextTurn(ctx context.Context, p Product, now time.Time) (turn, error) {
	var next turn
	var before []Waiter
	for i, w := range p.Waitlist {
		u, err := m.store.User(ctx, w.UID)
		if errors.Is(err, ErrNotFound) || err == nil && (u.Removed || !u.MayBuy()) {
			continue
		}
		if err != nil {
			return turn{}, err
		}
		reason, err := m.whyPassed(ctx, p, w)
		if err != nil {
			return turn{}, err
		}
		if reason != "" {
			before, next.passed = append(before, w), append(next.passed, passedWaiter{w, reason})
			continue
		}
		next.hold = &Hold{
			BookingID: NewID(now), BuyerUID: u.UID, Name: u.Name, Email: u.Email, Phone: w.Phone, Location: w.Location,
			At: now, Until: now.Add(m.rules.TurnHold), Turn: true, Network: w.Network,
		}
		next.waitlist = slices.Concat(before, p.Waitlist[i+1:])
		return next, nil
	}
	return next, nil
}

// whyPassed returns why a person may not hold the phone at their turn, as a clause of the
// notification; "" if they may hold it.
func (m *Market) whyPassed(ctx context.Context, p Product, w Waiter) (string, error) {
	switch err := m.mayHold(ctx, w.UID, p.ID); {
	case CodeOf(err) == CodeTooMany:
		return "you have reached the limit of unpaid bookings", nil
	case CodeOf(err) == CodeWait:
		return "your own booking of it ended less than an hour ago", nil
	case err != nil:
		return "", err
	}
	err := m.networkMayHold(ctx, w.Network, 1)
	if CodeOf(err) == CodeTooMany {
		return "your network has reached the limit of unpaid bookings", nil
	}
	return "", err
}
