package market

import (
	"context"
	"errors"
	"slices"
	"time"
)

// What a decision changes in the market. Each function here makes that true which the case says now, so it
// may be called any number of times, and again after an appeal.

// carryOut carries out what the case says now.
func (m *Market) carryOut(ctx context.Context, c Case) error {
	switch {
	case c.Decision == nil:
		return nil
	case c.Decision.Kind == DecisionRemove && c.Kind == CasePicture:
		return m.takedowns.TakeDown(ctx, c.TargetID) // for good: an appeal gives no picture back
	case c.Decision.Kind == DecisionRemove:
		if c.Stands(DecisionRemove) {
			return m.hideByCase(ctx, c)
		}
		return m.giveBack(ctx, c)
	case c.Decision.Kind == DecisionSuspend:
		return m.suspend(ctx, c)
	case c.Decision.Kind == DecisionClose:
		if c.Stands(DecisionClose) {
			return m.closePerson(ctx, c)
		}
		return m.reopenPerson(ctx, c)
	}
	return nil
}

// hideByCase hides a phone that is not sold. Its hold and its waits end.
func (m *Market) hideByCase(ctx context.Context, c Case) error {
	for {
		p, err := m.store.Product(ctx, c.TargetID)
		if errors.Is(err, ErrNotFound) { // hidden already, perhaps with the other phones of its seller
			return m.changeHidden(ctx, c.TargetID, func(h *HiddenPhone) bool {
				isFree := h.CaseID == ""
				h.CaseID = c.ID
				return isFree
			})
		}
		if err != nil || p.Sold {
			return err
		}
		if p.Hold != nil {
			err = m.takeDown(ctx, p, hidden(p, c.ID))
		} else {
			err = m.withdraw(ctx, p, hidden(p, c.ID))
		}
		if !errors.Is(err, ErrConflict) && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
}

// giveBack shows the phone again that the case has hidden.
func (m *Market) giveBack(ctx context.Context, c Case) error {
	h, err := m.store.HiddenPhone(ctx, c.TargetID)
	if err != nil || h.CaseID != c.ID {
		return ignoreNotFound(err)
	}
	seller, err := m.store.User(ctx, h.Phone.SellerUID)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil
	case err != nil:
		return err
	case seller.Removed || m.isSuspended(seller): // it comes back with their other phones
		return m.changeHidden(ctx, c.TargetID, func(h *HiddenPhone) bool {
			isOurs := h.CaseID == c.ID
			h.CaseID = ""
			return isOurs
		})
	}
	return m.show(ctx, h, seller)
}

// suspend makes the suspension of the person true, and its end after its time or after an appeal.
func (m *Market) suspend(ctx context.Context, c Case) error {
	var changed *User
	err := m.changeUser(ctx, c.AboutUID, func(u *User) []Effect {
		changed = nil
		now := m.clock.Now()
		isOn := c.Stands(DecisionSuspend) && now.Before(c.Decision.Until)
		if u.Removed || u.Admin && isOn || !u.setSuspension(Suspension{CaseID: c.ID, Until: c.Decision.Until}, isOn) {
			return nil
		}
		u.SweepUntil, changed = now.Add(sweepFor), u
		return append(m.userChanged(u), meEvent(TypeUserChanged, *u, now))
	})
	if err != nil || changed == nil {
		return ignoreNotFound(err)
	}
	waiting, err := m.sweepPresent(ctx, *changed)
	if err != nil || len(waiting) == 0 {
		return err
	}
	_ = m.refreshPayments(ctx, waiting) // the runner repeats the cascade
	return nil
}

// closePerson closes the account of the person. It stays sealed until the case is closed.
func (m *Market) closePerson(ctx context.Context, c Case) error {
	var closed *User
	err := m.changeUser(ctx, c.AboutUID, func(u *User) []Effect {
		closed = nil
		if u.Removed || u.Admin {
			return nil
		}
		now := m.clock.Now()
		u.Removed, u.Closed, u.SweepUntil = true, c.ID, now.Add(sweepFor)
		u.Version++
		closed = u
		return append(userEvents(TypeUserRemoved, *u, now), signOutEvents(*u, now)...)
	})
	if err != nil || closed == nil {
		return ignoreNotFound(err)
	}
	return m.sweepRemovedNow(ctx, *closed)
}

// reopenPerson gives a closed account back.
func (m *Market) reopenPerson(ctx context.Context, c Case) error {
	var open *User
	err := m.changeUser(ctx, c.AboutUID, func(u *User) []Effect {
		open = nil
		if !u.Removed || u.Closed != c.ID {
			return nil
		}
		now := m.clock.Now()
		u.Removed, u.Closed, u.SweepUntil = false, "", now.Add(sweepFor)
		u.Version++
		open = u
		return userEvents(TypeUserCreated, *u, now)
	})
	if err != nil || open == nil {
		return ignoreNotFound(err)
	}
	_, err = m.sweepPresent(ctx, *open)
	return err
}

// EraseClosedPerson makes the runner erase a person whose account a case has closed. An appeal cannot give it
// back any more. It does nothing for others.
func (m *Market) EraseClosedPerson(ctx context.Context, uid string) error {
	return ignoreNotFound(m.changeUser(ctx, uid, func(u *User) []Effect {
		if !u.Removed || u.Closed == "" {
			return nil
		}
		u.Closed, u.SweepUntil = "", m.clock.Now().Add(sweepFor)
		u.Version++
		return []Effect{}
	}))
}

// Takedowns takes pictures down for good.
type Takedowns interface {
	// Original returns the name of the picture with a name, or of a smaller copy of it. It returns ErrNotFound if
	// there is none.
	Original(ctx context.Context, name string) (string, error)
	// TakeDown removes a picture. It does nothing if that is done.
	TakeDown(ctx context.Context, name string) error
}

type noTakedowns struct{}

func (noTakedowns) Original(context.Context, string) (string, error) { return "", ErrNotFound }
func (noTakedowns) TakeDown(context.Context, string) error           { return nil }

// UseTakedowns sets what takes pictures down. Call it before the market is used.
func (m *Market) UseTakedowns(t Takedowns) { m.takedowns = t }

// Suspension is a time in which a person may not trade.
type Suspension struct {
	CaseID string
	Until  time.Time
}

// Unfounded is a report of the person that an admin found unfounded.
type Unfounded struct {
	CaseID string
	At     time.Time
}

// setSuspension adds or removes a suspension. It returns whether that has changed something.
func (u *User) setSuspension(s Suspension, isOn bool) (changed bool) {
	var kept []Suspension
	for _, known := range u.Suspensions {
		if known.CaseID != s.CaseID {
			kept = append(kept, known)
		}
	}
	if wasOn := len(kept) < len(u.Suspensions); wasOn == isOn {
		return false
	}
	if isOn {
		kept = append(kept, s)
	}
	u.Suspensions = kept
	return true
}

// SuspendedUntil returns when the last suspension of the person ends; zero if there is none at this time.
func (u User) SuspendedUntil(now time.Time) (until time.Time) {
	for _, s := range u.Suspensions {
		if s.Until.After(now) && s.Until.After(until) {
			until = s.Until
		}
	}
	return until
}

func (m *Market) isSuspended(u User) bool { return !u.SuspendedUntil(m.clock.Now()).IsZero() }

// mustNotBeSuspended returns CodeSuspended for a suspended person. It is called by what a suspended person
// may not do: list, change and advertise phones, book, wait, make and answer offers, begin conversations, write
// messages but in that of a paid order, and report.
func (m *Market) mustNotBeSuspended(u User) error {
	if until := u.SuspendedUntil(m.clock.Now()); !until.IsZero() {
		return refuse(CodeSuspended, "You cannot do this until "+OnDay(until)+
			", because an admin has suspended your account. Open 'Decisions about you' in your account to read why")
	}
	return nil
}

// isAway returns whether a person was removed or is suspended, so that their phones are about to be hidden.
func (m *Market) isAway(ctx context.Context, uid string) (bool, error) {
	u, err := m.store.User(ctx, uid)
	return errors.Is(err, ErrNotFound) || u.Removed || m.isSuspended(u), ignoreNotFound(err)
}

// withoutAway returns the effects without the notifications of a seller who is away: a phone whose hold ends
// is hidden next, and not available.
func (m *Market) withoutAway(ctx context.Context, sellerUID string, effects []Effect) ([]Effect, error) {
	away, err := m.isAway(ctx, sellerUID)
	if err != nil || !away {
		return effects, err
	}
	return slices.DeleteFunc(effects, func(e Effect) bool {
		n, ok := e.(Notification)
		return ok && n.UID == sellerUID
	}), nil
}
