package market

import (
	"context"
	"errors"
	"fmt"
)

// A phone that a case removes is hidden: it leaves the market as a removed phone does, and a copy is kept
// from which it comes back under the same ID. So no list, search or rule needs to know of hidden phones.

// HiddenPhone is a phone that is hidden, in the version of its removal.
type HiddenPhone struct {
	Phone  Product
	CaseID string // of the case that removed it; "" if it is hidden with all phones of its seller
}

// ID returns the ID of the copy. It is another one each time the phone is hidden, because an interrupted
// return may leave an old copy for some seconds.
func (h HiddenPhone) ID() string { return fmt.Sprintf("%s.%019d", h.Phone.ID, h.Phone.Version) }

// hidden returns the copy of a phone, as an effect of its removal.
func hidden(p Product, caseID string) Effect {
	p.Version++ // of the removal
	p.Hold, p.Waitlist = nil, nil
	return HiddenPhone{Phone: p, CaseID: caseID}
}

// changeHidden changes the newest copy of a phone, if there is one. change returns false to change nothing.
func (m *Market) changeHidden(ctx context.Context, productID string, change func(*HiddenPhone) bool) error {
	h, err := m.store.HiddenPhone(ctx, productID)
	if err != nil || !change(&h) {
		return ignoreNotFound(err)
	}
	return m.store.SaveHiddenPhone(ctx, h)
}

// show gives a hidden phone back to the market, with what the phone shows of its seller now.
func (m *Market) show(ctx context.Context, h HiddenPhone, seller User) error {
	p := h.Phone
	p.Version++
	m.showSeller(&p, seller)
	err := m.store.AddProduct(ctx, p, m.productEvents(TypeProductAdded, Product{}, p, m.clock.Now()))
	if err != nil && !errors.Is(err, ErrExists) { // an interrupted call has added it
		return err
	}
	return m.store.RemoveHiddenPhone(ctx, h)
}

// hidePhonesOf hides all phones of a seller that are not sold. It returns the bookings whose payment must
// be checked first.
func (m *Market) hidePhonesOf(ctx context.Context, uid string) (waiting []Booking, err error) {
	err = m.eachProductOf(ctx, uid, func(p Product) error {
		if p.Sold {
			return nil
		}
		b, err := m.endHoldAndWithdraw(ctx, p, func(p Product) []Effect { return []Effect{hidden(p, "")} })
		if b != nil {
			waiting = append(waiting, *b)
		}
		return err
	})
	return waiting, err
}

// showPhonesOf shows the phones again that were hidden with all phones of a seller.
func (m *Market) showPhonesOf(ctx context.Context, seller User) error {
	return m.eachHiddenPhoneOf(ctx, seller.UID, func(h HiddenPhone) error {
		if h.CaseID != "" {
			return nil
		}
		return m.show(ctx, h, seller)
	})
}

// dropHidden deletes the copies of a phone for good.
func (m *Market) dropHidden(ctx context.Context, productID string) error {
	for {
		h, err := m.store.HiddenPhone(ctx, productID)
		if err != nil {
			return ignoreNotFound(err)
		}
		if err := m.store.RemoveHiddenPhone(ctx, h); err != nil {
			return err
		}
	}
}

func (m *Market) eachHiddenPhoneOf(ctx context.Context, uid string, visit func(HiddenPhone) error) error {
	return each(func(page Page) ([]HiddenPhone, error) { return m.store.HiddenPhonesOf(ctx, uid, page) },
		HiddenPhone.ID, visit)
}
