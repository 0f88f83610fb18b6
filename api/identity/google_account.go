package identity

import (
	"context"
	"errors"
	"net/http"

	"secondring/market"
)

// googleAccount finds or creates the account of a Google identity. It returns link if a
// password account has the same address and is not linked yet: its owner must confirm the
// link with the password, because the two may be different people.
func (s *Service) googleAccount(ctx context.Context, who googleIdentity) (a market.Account, link bool, err error) {
	for range 2 { // a second time after a concurrent sign-in of the same person
		a, err = s.store.AccountByGoogle(ctx, who.Subject)
		if !errors.Is(err, market.ErrNotFound) {
			return a, false, err
		}
		a, err = s.store.AccountByEmail(ctx, who.Email)
		switch {
		case err == nil && a.Removed:
			return a, false, s.googleRemoved(ctx, a)
		case err == nil && a.GoogleSub == who.Subject: // a concurrent sign-in linked it between the two reads
			return a, false, nil
		case err == nil && a.GoogleSub != "":
			return a, false, failure{code: failOther, cause: errors.New("the address is linked to another subject")}
		case err == nil && a.PasswordHash == "":
			a, err = s.adopt(ctx, a, who)
			return a, false, err
		case !errors.Is(err, market.ErrNotFound):
			return a, err == nil, err
		}
		if err := s.checkNotReserved(ctx, who.Email, ""); market.CodeOf(err) == market.CodeExists {
			return a, false, failure{code: failOther, cause: errors.New("the address is reserved for another account")}
		} else if market.CodeOf(err) == market.CodeForbidden {
			return a, false, failure{code: failRemoved, cause: err}
		} else if err != nil {
			return a, false, err
		}
		a, err = s.addGoogle(ctx, who)
		if !errors.Is(err, market.ErrExists) {
			return a, false, err
		}
	}
	return a, false, err
}

// adopt links an account that has neither a password nor a Google identity (CreateAccount).
// It needs no confirmation, because its owner is known by the address alone.
func (s *Service) adopt(ctx context.Context, account market.Account, who googleIdentity) (market.Account, error) {
	return s.changeCredentials(ctx, account, "", market.ReasonGoogle, func(a *market.Account) error {
		a.GoogleSub = who.Subject
		return nil
	})
}

func (s *Service) addGoogle(ctx context.Context, who googleIdentity) (market.Account, error) {
	now := s.clock.Now()
	a := market.Account{
		UID: market.NewID(now), Email: who.Email, GoogleSub: who.Subject,
		DisplayName: nameFor(who.Name, who.Email), Version: 1, CreatedAt: now,
	}
	if isPicture(who.Picture) {
		a.PhotoURL = who.Picture
	}
	err := s.store.AddAccount(ctx, a, s.welcome(ctx, a))
	return a, err
}

// signInGoogle makes the account a buyer if it has no role yet, and starts a session.
func (s *Service) signInGoogle(w http.ResponseWriter, r *http.Request, a market.Account) error {
	user, err := s.market.EnsureBuyer(r.Context(), a)
	if market.CodeOf(err) == market.CodeExists {
		return failure{code: failOther, cause: err}
	}
	if err != nil {
		return err
	}
	if user.Removed {
		return s.googleRemoved(r.Context(), a)
	}
	return s.signedInBy(w, r, a)
}

// googleRemoved returns the failure of the owner of a removed account: failClosed if a decision has closed it.
func (s *Service) googleRemoved(ctx context.Context, a market.Account) error {
	_, isClosed, err := s.market.ClosedBy(ctx, a.UID)
	switch {
	case err != nil:
		return err
	case isClosed:
		return failure{code: failClosed, cause: errors.New("a decision has closed the account")}
	default:
		return failure{code: failRemoved, cause: errors.New("the account was removed")}
	}
}
