package identity

import (
	"context"
	"errors"
	"net/http"

	"secondring/market"
)

// accountOf finds or makes the account of the person whom Google vouches for.
// It says link where a password account of the same address is not linked yet:
// who holds the Google account need not be who made that one.
func (s *Service) accountOf(ctx context.Context, who person) (a market.Account, link bool, err error) {
	for range 2 { // again when the same person comes in through two windows at once
		a, err = s.store.AccountByGoogle(ctx, who.Subject)
		if !errors.Is(err, market.ErrNotFound) {
			return a, false, err
		}
		a, err = s.store.AccountByEmail(ctx, who.Email)
		switch {
		case err == nil && a.Removed:
			return a, false, failure{code: failRemoved, cause: errors.New("the account was removed")}
		case err == nil && a.GoogleSub == who.Subject: // the other window was faster between the two looks
			return a, false, nil
		case err == nil && a.GoogleSub != "":
			return a, false, failure{code: failOther, cause: errors.New("the address is linked to another subject")}
		case err == nil && a.PasswordHash == "":
			a, err = s.adopt(ctx, a.UID, who)
			return a, false, err
		case !errors.Is(err, market.ErrNotFound):
			return a, err == nil, err
		}
		a, err = s.addGoogle(ctx, who)
		if !errors.Is(err, market.ErrExists) {
			return a, false, err
		}
	}
	return a, false, err
}

// adopt links an account that nobody could sign in to yet (CreateAccount): there
// is no password to ask for, and no owner but who has the address.
func (s *Service) adopt(ctx context.Context, uid string, who person) (market.Account, error) {
	return s.change(ctx, uid, func(a *market.Account) error {
		if a.PasswordHash != "" || (a.GoogleSub != "" && a.GoogleSub != who.Subject) {
			return failure{code: failOther, cause: errors.New("somebody else was faster")}
		}
		a.GoogleSub = who.Subject
		return nil
	})
}

func (s *Service) addGoogle(ctx context.Context, who person) (market.Account, error) {
	now := s.clock.Now()
	a := market.Account{
		UID: market.NewID(now), Email: who.Email, GoogleSub: who.Subject,
		DisplayName: nameFor(who.Name, who.Email), Version: 1, CreatedAt: now,
	}
	if isPicture(who.Picture) {
		a.PhotoURL = who.Picture
	}
	return a, s.store.AddAccount(ctx, a)
}

// enter makes the person a buyer of the market if they are nobody yet, and
// signs the browser in.
func (s *Service) enter(w http.ResponseWriter, r *http.Request, a market.Account) error {
	user, err := s.market.EnsureBuyer(r.Context(), a)
	if market.CodeOf(err) == market.CodeExists {
		return failure{code: failOther, cause: err}
	}
	if err != nil {
		return err
	}
	if user.Removed {
		return failure{code: failRemoved, cause: errors.New("the user was removed")}
	}
	return s.begin(w, r, a)
}
