package market

import (
	"context"
	"errors"
)

// VerifyRequest is the payload of PUT /users/seller/{id}.
type VerifyRequest struct {
	// Version is the version of the user whose name the admin has checked; nil for any.
	Version *int
	Wrong   Fields // errors that the decoder found
}

// VerifySeller marks the seller and all of their phones as verified. It returns how many
// sellers changed: 0 if the seller was verified already. It returns CodeConflict if the
// seller has changed since the version of the request, because the admin may not have seen
// the seller's present name.
func (m *Market) VerifySeller(ctx context.Context, who Actor, id string, in VerifyRequest) (int, error) {
	seller, err := m.sellerForAdmin(ctx, who, id)
	if err != nil {
		return 0, err
	}
	if err := FieldsOf(in.Wrong).Err(); err != nil {
		return 0, err
	}
	return m.setVerified(ctx, who, seller, true, in.Version)
}

// TakeBadge ends the verification of the seller and of all their phones, which then may no
// longer be advertised (see updateSellerPhones). It returns how many sellers changed: 0 if the
// seller was not verified.
func (m *Market) TakeBadge(ctx context.Context, who Actor, id string) (int, error) {
	seller, err := m.sellerForAdmin(ctx, who, id)
	if err != nil {
		return 0, err
	}
	return m.setVerified(ctx, who, seller, false, nil)
}

// sellerForAdmin returns the seller with this User.ID, for admins.
func (m *Market) sellerForAdmin(ctx context.Context, who Actor, id string) (User, error) {
	u, err := m.store.UserByID(ctx, id)
	if errors.Is(err, ErrNotFound) || (err == nil && u.Removed) {
		return User{}, missing("seller")
	}
	if err != nil {
		return User{}, err
	}
	if err := mustAdmin(who); err != nil {
		return User{}, err
	}
	if !u.IsSeller() {
		return User{}, missing("seller")
	}
	return u, nil
}

// setVerified changes whether the seller is verified, if the user has this version; nil for
// any. It returns how many sellers changed.
func (m *Market) setVerified(ctx context.Context, who Actor, seller User, verified bool, version *int) (int, error) {
	changed, isOutdated := 0, false
	err := m.changeUser(ctx, seller.UID, func(u *User) []Effect {
		changed, isOutdated = 0, false
		if !u.IsSeller() || u.Removed || u.IsVerified() == verified {
			return nil
		}
		if isOutdated = version != nil && int64(*version) != u.Version; isOutdated {
			return nil
		}
		now, action := m.clock.Now(), ActionTakeBadge
		if u.Status = ""; verified {
			u.Status, action = StatusVerified, ActionVerifySeller
		}
		u.SweepUntil, changed = now.Add(sweepFor), 1
		entry := NewAuditEntry(now, &who.User, action).OfPerson(u.ID, u.Name)
		effects := append(m.userChanged(u), meEvent(TypeSellerVerified, *u, now), verifiedNotice(*u, now), entry, movedPerson(*u, now))
		seller = *u
		return effects
	})
	if isOutdated {
		return 0, refuse(CodeConflict, "This seller has changed since you opened the list. Please check their name again")
	}
	if err != nil || changed == 0 {
		return 0, err
	}
	return changed, m.updateSellerPhones(ctx, seller)
}

// updateSellerPhones updates what the phones of a seller show about them, after a
// verification, its loss, or a change of the name or the address: it sets Verified,
// SellerName and SellerEmail. If the seller may no longer advertise, it stops the advertising
// of their phones.
func (m *Market) updateSellerPhones(ctx context.Context, seller User) error {
	return m.eachProductOf(ctx, seller.UID, func(p Product) error {
		if !m.showSeller(&p, seller) {
			return nil
		}
		return m.changeIfExists(ctx, p.ID, func(p *Product) (string, error) {
			if !m.showSeller(p, seller) {
				return "", nil
			}
			return TypeProductChanged, nil
		})
	})
}

// showSeller sets what a phone shows of its seller. It returns whether that has changed something.
func (m *Market) showSeller(p *Product, seller User) (changed bool) {
	mayAdvertise := seller.IsVerified() || m.rules.Advertise != AdvertiseVerified
	isCurrent := p.Verified == seller.IsVerified() && p.SellerName == seller.Name && p.SellerEmail == seller.Email && (mayAdvertise || !p.Advertised)
	p.Verified, p.SellerName, p.SellerEmail = seller.IsVerified(), seller.Name, seller.Email
	p.Advertised = p.Advertised && mayAdvertise
	return !isCurrent
}
