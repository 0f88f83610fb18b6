package market

import (
	"cmp"
	"context"
	"errors"
	"sync"
)

// BookingRequest is the payload of PUT /bookings. Only ProductID, Phone and
// Location are taken from it; the rest must agree with the store.
type BookingRequest struct {
	ProductID, ProductName, BrandID, Brand string
	UserName, Email                        string
	Price                                  *int // whole US dollars
	// Version is the version of the phone that the buyer saw; nil skips the check.
	Version         *int
	Phone, Location string
	// Network identifies the caller's network address; "" is not limited.
	Network string
	Wrong   Fields
}

// Book reserves a phone for a buyer. If several buyers call it at once, exactly one
// succeeds. A buyer who holds the phone already gets the same booking again.
//
// One compare-and-set of the phone decides who gets it. The phone's Hold has all data
// of the booking, which is written next. If the process crashes in between, the runner
// writes the booking from the Hold.
//
// On each node one caller at a time tries to book a phone. The others wait for its
// result and read the phone again. Usually it is booked then, and they return without a
// write.
func (m *Market) Book(ctx context.Context, who Actor, in BookingRequest) (Booking, error) {
	for {
		p, err := m.bookable(ctx, who, in)
		if err != nil {
			return Booking{}, err
		}
		if p.Hold != nil && p.Hold.BuyerUID == who.User.UID && !p.Sold {
			return m.bookingOf(ctx, p)
		}
		if p.Booked() {
			return Booking{}, taken()
		}
		if in.sawOther(p) {
			return Booking{}, refuse(CodeConflict, "The seller has changed this phone since you opened it. Please review it before you book")
		}
		unlock, unlocked := m.bookingLocks.tryLock(p.ID)
		if unlock == nil {
			select {
			case <-unlocked:
				continue
			case <-ctx.Done():
				return Booking{}, ctx.Err()
			}
		}
		p, err = m.holdPhone(ctx, who, in, p, unlock)
		switch {
		case errors.Is(err, ErrConflict):
			continue // the phone has changed: read it again
		case errors.Is(err, ErrNotFound):
			return Booking{}, missing("phone")
		case err != nil:
			return Booking{}, err
		}
		return m.bookingOf(ctx, p)
	}
}

// bookable returns the phone if the caller may book it.
func (m *Market) bookable(ctx context.Context, who Actor, in BookingRequest) (Product, error) {
	p, err := m.productOrNone(ctx, in.ProductID)
	if err != nil {
		return Product{}, err
	}
	if in.UserName, err = m.resolveName(ctx, who.User, in.UserName); err != nil {
		return Product{}, err
	}
	if who.User.MayBuy() {
		if err := m.mayTrade(ctx, who); err != nil {
			return Product{}, err
		}
	}
	if err := mayBook(who, p, in); err != nil {
		return Product{}, err
	}
	if away, err := m.isAway(ctx, p.SellerUID); err != nil || away { // the phone is about to be hidden
		return Product{}, errors.Join(err, missing("phone"))
	}
	return p, nil
}

// sawOther returns whether the phone's terms changed after the version that the buyer
// saw.
func (in BookingRequest) sawOther(p Product) bool {
	return in.Version != nil && int64(*in.Version) < p.TermsVersion
}

// holdPhone writes the buyer's Hold to the phone. Then it calls unlock, which unlocks the phone
// for other callers.
func (m *Market) holdPhone(ctx context.Context, who Actor, in BookingRequest, p Product, unlock func()) (Product, error) {
	defer unlock()
	if err := m.mayHold(ctx, who.User.UID, p.ID); err != nil {
		return Product{}, err
	}
	if err := m.networkMayHold(ctx, in.Network, 1); err != nil {
		return Product{}, err
	}
	now := m.clock.Now()
	before := p
	p.Hold = &Hold{
		BookingID: NewID(now), BuyerUID: who.User.UID, Name: who.User.Name, Email: who.User.Email,
		Phone: in.Phone, Location: in.Location, At: now, Until: now.Add(m.rules.BookingHold),
		Network: in.Network,
	}
	p.Version++
	return p, m.store.SaveProduct(ctx, p, m.productEvents(TypeProductBooked, before, p, now))
}

// productOrNone returns the phone with the payload's ID; the zero Product if the payload has
// none, which its check reports as a missing field.
func (m *Market) productOrNone(ctx context.Context, productID string) (Product, error) {
	if productID == "" {
		return Product{}, nil
	}
	return m.product(ctx, productID)
}

func mayBook(who Actor, p Product, in BookingRequest) error {
	switch {
	case !who.User.MayBuy():
		return forbidden("Admins cannot book phones")
	case in.Email != "" && NormalEmail(in.Email) != NormalEmail(who.User.Email):
		return forbidden("You can only book for yourself")
	case p.SellerUID != "" && p.SellerUID == who.User.UID:
		return forbidden("You cannot book your own phone")
	}
	f := FieldsOf(in.Wrong)
	f.text("productID", in.ProductID, maxShort)
	f.telephone(in.Phone)
	f.optional("location", in.Location, maxShort)
	f.agrees("id", in.BrandID, p.BrandID)
	f.agrees("brand", in.Brand, p.Brand)
	f.agrees("userName", in.UserName, who.User.Name)
	if !in.sawOther(p) { // otherwise these are the old terms, and Book returns a conflict
		f.agrees("productName", in.ProductName, p.Name)
		if in.Price != nil && *in.Price != p.priceFor(who.User.UID) {
			f.Add("price", "is no longer the phone's price")
		}
	}
	return f.Err()
}

// priceFor returns the price at which a person books the phone, or has booked it.
func (p Product) priceFor(uid string) int {
	if p.Hold != nil && p.Hold.BuyerUID == uid && p.Hold.Offer != nil {
		return p.Hold.Offer.Price
	}
	return p.ResalePrice
}

// mayHold returns an error if the buyer has too many open holds, or had a hold on this
// phone that ended less than rebookAfter ago.
func (m *Market) mayHold(ctx context.Context, uid, productID string) error {
	last, err := m.store.LastBooking(ctx, uid, productID)
	switch {
	case errors.Is(err, ErrNotFound):
	case err != nil:
		return err
	case last.Status == BookingHeld: // its hold is being released at this moment
		return heldRecently()
	case last.Status == BookingExpired || last.Status == BookingCancelled:
		if m.clock.Now().Before(last.EndedAt.Add(rebookAfter)) {
			return heldRecently()
		}
	}
	open, err := m.store.HeldBookings(ctx, uid, m.rules.MaxHolds)
	if err == nil && len(open) >= m.rules.MaxHolds {
		return tooMany()
	}
	return err
}

// networkMayHold returns an error if more additional unpaid bookings exceed the limit
// of one network.
func (m *Market) networkMayHold(ctx context.Context, network string, more int) error {
	limit := m.rules.MaxHoldsPerNetwork
	if network == "" || limit == 0 {
		return nil
	}
	held, err := m.store.HeldFrom(ctx, network, limit+1)
	if err != nil || held+more <= limit {
		return err
	}
	return refuse(CodeTooMany, "Your network has reached the limit of unpaid bookings. "+
		"Pay for one or cancel one first, or try again later")
}

func taken() error { return refuse(CodeTaken, "This phone has just been booked") }

func heldRecently() error {
	return refuse(CodeWait, "Your booking of this phone ended less than an hour ago. You can book it again an hour after it ended, if it is still available")
}

func tooMany() error {
	return refuse(CodeTooMany, "You have reached the limit of unpaid bookings. Pay for one or cancel one first")
}

// bookingOf returns the booking of the phone's Hold, and writes it if it does not exist
// yet. If the buyer exceeds a limit by a concurrent call, the phone is released. It returns CodeOver for
// an offer that ended before the hold.
func (m *Market) bookingOf(ctx context.Context, p Product) (Booking, error) {
	if p.Hold.Offer != nil {
		if err := m.stillStands(ctx, p); err != nil {
			return Booking{}, err
		}
	}
	b, now := p.booking(), m.clock.Now()
	b.Commission = m.rules.Commission
	err := m.store.AddBooking(ctx, b, m.rules.MaxHolds, append(m.bookingEvents(b, now), bookedNotices(*p.Hold, b, now)...))
	switch {
	case errors.Is(err, ErrExists):
		return m.store.Booking(ctx, b.ID)
	case errors.Is(err, ErrLimit):
		if err := m.endHold(ctx, p.ID, heldUnsold(b.ID), refusedNotice); err != nil {
			return Booking{}, err
		}
		return Booking{}, tooMany()
	case err != nil:
		return Booking{}, err
	}
	m.counters.CountBooking(b.Status)
	if b.OfferID != "" {
		return b, m.stillHeld(ctx, b)
	}
	if b.Turn { // nextTurn has checked the network
		return b, nil
	}
	if err := m.networkMayHold(ctx, b.Network, 0); err != nil {
		_, cancelErr := m.cancel(ctx, b)
		return Booking{}, errors.Join(err, cancelErr)
	}
	return b, nil
}

// booking returns the booking that the phone's Hold describes, in its first state.
func (p Product) booking() Booking {
	h := p.Hold
	b := Booking{
		ID: h.BookingID, BuyerUID: h.BuyerUID, UserName: h.Name, Email: h.Email,
		ProductID: p.ID, SellerUID: p.SellerUID, ProductName: p.Name, BrandID: p.BrandID, Brand: p.Brand,
		Img: p.Img, Price: p.ResalePrice, Delivers: p.Delivers, SendPostage: p.Postage, Delivery: p.Delivers.usual(),
		Phone: h.Phone, Location: h.Location, Seller: p.contact(),
		Status: BookingHeld, HoldUntil: h.Until, Due: h.Until, Turn: h.Turn, TermsVersion: p.TermsVersion, Network: h.Network,
		Version: 1, CreatedAt: h.At,
	}
	if o := h.Offer; o != nil {
		b.OfferID, b.Price, b.ListPrice = o.ID, o.Price, o.ListPrice
	}
	return b
}

// listPrice returns the price of the phone without an offer.
func (b Booking) listPrice() int { return cmp.Or(b.ListPrice, b.Price) }

// CancelBooking ends a buyer's own unpaid hold. It returns 0 if the hold had ended
// already, CodePaid if the booking was paid first, and CodeProcessing if the bank is
// processing the payment: then the booking ends if the payment fails.
func (m *Market) CancelBooking(ctx context.Context, who Actor, id string) (int, error) {
	b, err := m.booking(ctx, id)
	if err != nil {
		return 0, err
	}
	if !b.isBuyer(who) {
		return 0, forbidden("You can only cancel your own bookings")
	}
	ended := b.Status != BookingHeld
	if b, err = m.cancel(ctx, b); err != nil {
		return 0, err
	}
	switch b.Status {
	case BookingPaid, BookingRefunded:
		return 0, refuse(CodePaid, "This booking is paid and cannot be cancelled")
	case BookingHeld:
		return 0, refuse(CodeProcessing, "Your payment is being processed. If it fails, the booking ends")
	case BookingExpired, BookingCancelled:
	}
	if ended {
		return 0, nil
	}
	return 1, nil
}

func (m *Market) booking(ctx context.Context, id string) (Booking, error) {
	b, err := m.store.Booking(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return b, missing("booking")
	}
	return b, err
}

// Bookings lists a person's orders on one side, for that person or an admin who handles money: what
// they have booked, or what they have sold (see Store.SalesOf).
func (m *Market) Bookings(ctx context.Context, who Actor, email string, side OrderSide, page Page) (List[Booking], error) {
	list := m.store.BookingsOf
	switch side {
	case SideBuyer:
	case SideSeller:
		list = m.store.SalesOf
	default:
		return List[Booking]{}, Invalid("side", "must be buyer or seller")
	}
	own := NormalEmail(email) == NormalEmail(who.User.Email)
	switch {
	case email == "":
		return List[Booking]{}, Invalid("email", "is required")
	case own:
		return list(ctx, who.User.UID, page)
	case who.User.Moderator:
		return List[Booking]{}, mustHandleMoney(who)
	case !who.User.Admin:
		return List[Booking]{}, forbidden("You can only see your own orders here")
	}
	person, err := m.store.UserByEmail(ctx, email)
	if errors.Is(err, ErrNotFound) {
		return List[Booking]{}, nil
	}
	if err != nil {
		return List[Booking]{}, err
	}
	return list(ctx, person.UID, page)
}

// Booking returns one order to its buyer, to an admin who handles money and, after the payment, to its
// seller.
func (m *Market) Booking(ctx context.Context, who Actor, id string) (Booking, error) {
	b, err := m.booking(ctx, id)
	if err != nil {
		return b, err
	}
	isSeller := who.User.IsSeller() && b.SellerUID == who.User.UID && b.Fulfilment != nil
	if who.User.Moderator {
		return Booking{}, mustHandleMoney(who)
	}
	if !who.User.Admin && !b.isBuyer(who) && !isSeller {
		return Booking{}, forbidden("This booking belongs to someone else")
	}
	return b, nil
}

func (b Booking) isBuyer(who Actor) bool {
	return who.User.MayBuy() && b.BuyerUID == who.User.UID
}

// keyedLock is a lock per key. A caller that does not get a lock can wait until it is free.
// It only saves work on one node; the store's compare-and-set decides. The zero value is
// ready.
type keyedLock struct {
	mu   sync.Mutex
	busy map[string]chan struct{} // closed when the key is unlocked
}

// tryLock locks the key and returns the function that unlocks it. If the key is locked,
// it returns a nil function, and a channel that is closed when the key is unlocked.
func (t *keyedLock) tryLock(id string) (unlock func(), unlocked <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if unlocked, busy := t.busy[id]; busy {
		return nil, unlocked
	}
	if t.busy == nil {
		t.busy = map[string]chan struct{}{}
	}
	done := make(chan struct{})
	t.busy[id] = done
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.busy, id)
		close(done)
	}, nil
}
