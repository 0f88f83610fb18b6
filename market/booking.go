package market

import (
	"context"
	"errors"
)

// BookingRequest is the payload of PUT /bookings. Only ProductID, Phone and
// Location are taken from it; the rest must agree with the store.
type BookingRequest struct {
	ProductID, ProductName, BrandID, Brand string
	UserName, Email                        string
	Price                                  *int // whole US dollars
	// Version is the phone's that the buyer saw; nil means whichever it is now.
	Version         *int
	Phone, Location string
	// Network stands for the network address that the call comes from; "" is not
	// counted.
	Network string
	Wrong   Fields
}

// Book takes a phone for a buyer: for exactly one, however many ask at once.
// Booking one's own held phone again returns the same booking.
//
// The phone is the truth: one compare-and-set of it decides who has it, and
// carries all that the booking needs. The booking is written after; if that is
// lost to a crash, the janitor writes it from the phone.
//
// Of those who come to this node at the same moment, one at a time tries. The
// others wait for how that ends, and look at the phone again: nearly always it
// is taken, and they are told so without any of the work of a claim.
func (m *Market) Book(ctx context.Context, who Actor, in BookingRequest) (Booking, error) {
	for {
		p, err := m.bookable(ctx, who, in)
		if err != nil {
			return Booking{}, err
		}
		if p.Hold != nil && p.Hold.BuyerUID == who.User.UID && !p.Sold {
			return m.bookingOf(ctx, p, in.Network)
		}
		if p.Booked() {
			return Booking{}, taken()
		}
		if in.sawOther(p) {
			return Booking{}, refuse(CodeConflict, "This phone was changed since you opened it. Look at it again before you book it")
		}
		end, over := m.claims.tryLock(p.ID)
		if end == nil {
			select {
			case <-over:
				continue
			case <-ctx.Done():
				return Booking{}, ctx.Err()
			}
		}
		p, err = m.claim(ctx, who, in, p, end)
		switch {
		case errors.Is(err, ErrConflict):
			continue // look again at who was faster, and what changed
		case errors.Is(err, ErrNotFound):
			return Booking{}, missing("phone")
		case err != nil:
			return Booking{}, err
		}
		m.NotifyRelay()
		return m.bookingOf(ctx, p, in.Network)
	}
}

// bookable finds the phone. Its errors: the caller may not book, or not this phone.
func (m *Market) bookable(ctx context.Context, who Actor, in BookingRequest) (Product, error) {
	p, err := m.wanted(ctx, in.ProductID)
	if err != nil {
		return Product{}, err
	}
	if in.UserName, err = m.trueName(ctx, who.User, in.UserName); err != nil {
		return Product{}, err
	}
	return p, mayBook(who, p, in)
}

// sawOther tells whether the buyer saw the phone on other terms than it has now.
func (in BookingRequest) sawOther(p Product) bool {
	return in.Version != nil && int64(*in.Version) < p.TermsVersion
}

// claim takes the free phone, in this buyer's turn.
func (m *Market) claim(ctx context.Context, who Actor, in BookingRequest, p Product, end func()) (Product, error) {
	defer end()
	if err := m.mayHold(ctx, who.User.UID, p.ID); err != nil {
		return Product{}, err
	}
	if err := m.networkMayHold(ctx, in.Network, 1); err != nil {
		return Product{}, err
	}
	now := m.clock.Now()
	was := p.Advertised
	p.Hold = &Hold{
		BookingID: NewID(now), BuyerUID: who.User.UID, Name: who.User.Name, Email: who.User.Email,
		Phone: in.Phone, Location: in.Location, At: now, Until: now.Add(m.rules.BookingHold),
	}
	p.Version++
	return p, m.store.SaveProduct(ctx, p, productEvents(TypeProductBooked, p, was, now))
}

// wanted finds the phone that a payload names.
func (m *Market) wanted(ctx context.Context, productID string) (Product, error) {
	if productID == "" {
		return Product{}, nil // told as a missing field, in its turn
	}
	return m.product(ctx, productID)
}

func mayBook(who Actor, p Product, in BookingRequest) error {
	switch {
	case !who.User.IsBuyer():
		return forbidden("Only buyers can book phones")
	case in.Email != "" && NormalEmail(in.Email) != NormalEmail(who.User.Email):
		return forbidden("You can only book for yourself")
	case p.SellerUID != "" && p.SellerUID == who.User.UID:
		return forbidden("You cannot book your own phone")
	}
	f := fieldsOf(in.Wrong)
	f.text("productID", in.ProductID, maxShort)
	f.telephone("phone", in.Phone)
	f.optional("location", in.Location, maxShort)
	f.agrees("id", in.BrandID, p.BrandID)
	f.agrees("brand", in.Brand, p.Brand)
	f.agrees("userName", in.UserName, who.User.Name)
	if !in.sawOther(p) { // else they are the old ones, which the conflict is about
		f.agrees("productName", in.ProductName, p.Name)
		if in.Price != nil && *in.Price != p.ResalePrice {
			f.add("price", "is not the phone's price any more")
		}
	}
	return f.err()
}

// mayHold refuses a buyer with too many open holds, and one who has just let
// this phone go.
func (m *Market) mayHold(ctx context.Context, uid, productID string) error {
	last, err := m.store.LastBooking(ctx, uid, productID)
	switch {
	case errors.Is(err, ErrNotFound):
	case err != nil:
		return err
	case last.Status == BookingHeld: // and yet the phone is free: it is just being let go
		return justLetGo()
	case last.Status == BookingExpired || last.Status == BookingCancelled:
		if m.clock.Now().Before(last.EndedAt.Add(rebookAfter)) {
			return justLetGo()
		}
	}
	open, err := m.store.HeldBookings(ctx, uid, m.rules.MaxHolds)
	if err == nil && len(open) >= m.rules.MaxHolds {
		return tooMany()
	}
	return err
}

// networkMayHold refuses where that many more unpaid bookings would be more than
// may come from one network at once.
func (m *Market) networkMayHold(ctx context.Context, network string, more int) error {
	most := m.rules.MaxHoldsPerNetwork
	if network == "" || most == 0 {
		return nil
	}
	held, err := m.store.HeldFrom(ctx, network, most+1)
	if err != nil || held+more <= most {
		return err
	}
	return refuse(CodeTooMany, "As many phones are booked and not paid from your network as may be. "+
		"Pay for one or cancel one first, or try again later")
}

func taken() error { return refuse(CodeTaken, "This phone has just been booked") }

func justLetGo() error {
	return refuse(CodeWait, "Your booking of this phone has just ended. You can book it again an hour later, if it is still available")
}

func tooMany() error {
	return refuse(CodeTooMany, "You have as many unpaid bookings as you may have. Pay for one or cancel one first")
}

// bookingOf returns the booking that holds the phone, and writes it if it is
// not there yet. A buyer who raced past a limit loses the phone again.
func (m *Market) bookingOf(ctx context.Context, p Product, network string) (Booking, error) {
	b := p.booking()
	b.Network = network
	err := m.store.AddBooking(ctx, b, m.rules.MaxHolds, bookingEvents(b, m.clock.Now()))
	switch {
	case errors.Is(err, ErrExists):
		return m.store.Booking(ctx, b.ID)
	case errors.Is(err, ErrLimit):
		if err := m.free(ctx, p.ID, b.ID); err != nil {
			return Booking{}, err
		}
		return Booking{}, tooMany()
	case err != nil:
		return Booking{}, err
	}
	m.NotifyRelay()
	if err := m.networkMayHold(ctx, network, 0); err != nil {
		_, ended := m.cancel(ctx, b)
		return Booking{}, errors.Join(err, ended)
	}
	return b, nil
}

// booking is the order that the phone's hold speaks of, as it began.
func (p Product) booking() Booking {
	h := p.Hold
	return Booking{
		ID: h.BookingID, BuyerUID: h.BuyerUID, UserName: h.Name, Email: h.Email,
		ProductID: p.ID, SellerUID: p.SellerUID, ProductName: p.Name, BrandID: p.BrandID, Brand: p.Brand,
		Img: p.Img, Price: p.ResalePrice, Phone: h.Phone, Location: h.Location,
		Status: BookingHeld, HoldUntil: h.Until, Due: h.Until, TermsVersion: p.TermsVersion, Version: 1, CreatedAt: h.At,
	}
}

// free gives the phone back to the market if this booking still holds it.
func (m *Market) free(ctx context.Context, productID, bookingID string) error {
	_, err := m.changeProduct(ctx, productID, func(p *Product) (string, error) {
		if !p.HeldBy(bookingID) || p.Sold {
			return "", nil
		}
		p.Hold = nil
		return TypeProductReleased, nil
	})
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// CancelBooking ends a buyer's own hold while it is unpaid. It returns 0 when
// the hold had ended already. CodePaid where the payment was faster,
// CodeProcessing where it is about to be decided: then the booking ends as soon
// as the payment fails.
func (m *Market) CancelBooking(ctx context.Context, who Actor, id string) (int, error) {
	b, err := m.booking(ctx, id)
	if err != nil {
		return 0, err
	}
	if !who.User.IsBuyer() || b.BuyerUID != who.User.UID {
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

// Bookings lists a buyer's orders, for that buyer or an admin.
func (m *Market) Bookings(ctx context.Context, who Actor, email string, page Page) (List[Booking], error) {
	own := NormalEmail(email) == NormalEmail(who.User.Email)
	switch {
	case email == "" && (who.User.IsBuyer() || who.User.Admin):
		return List[Booking]{}, Fields{"email": "is required"}.err()
	case own && (who.User.IsBuyer() || who.User.Admin):
		return m.store.BookingsOf(ctx, who.User.UID, page)
	case !who.User.Admin:
		return List[Booking]{}, forbidden("You can only see your own orders here, as a buyer")
	}
	buyer, err := m.store.UserByEmail(ctx, email)
	if errors.Is(err, ErrNotFound) {
		return List[Booking]{}, nil
	}
	if err != nil {
		return List[Booking]{}, err
	}
	return m.store.BookingsOf(ctx, buyer.UID, page)
}

// Booking returns one order, for its buyer or an admin.
func (m *Market) Booking(ctx context.Context, who Actor, id string) (Booking, error) {
	b, err := m.booking(ctx, id)
	if err != nil {
		return b, err
	}
	if !who.User.Admin && (!who.User.IsBuyer() || b.BuyerUID != who.User.UID) {
		return Booking{}, forbidden("This is somebody else's booking")
	}
	return b, nil
}
