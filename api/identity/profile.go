package identity

import (
	"context"
	"errors"
	"net/http"

	"secondring/api/rest"
	"secondring/market"
)

// ProfileBody is the body of PATCH /identity/me.
type ProfileBody struct {
	DisplayName   *string `json:"displayName,omitempty" doc:"The new name. A verified seller who changes it is not verified any more"`
	PhotoURL      *string `json:"photoURL,omitempty" doc:"An http or https URL, or a path on this site. Empty removes the picture"`
	ForgetAddress bool    `json:"forgetAddress,omitempty" doc:"Whether to forget the address for the next order"`
}

func (s *Service) me(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	if err := s.extendSession(w, r, in); err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	view := s.view(in.Account)
	view.Address = in.Account.Address
	rest.JSON(w, http.StatusOK, view)
	return nil
}

func (s *Service) changeMe(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	sent, wrong, err := rest.Decode[ProfileBody](w, r)
	if err != nil {
		return err
	}
	name, photo, c := sent.DisplayName, sent.PhotoURL, checkOf(wrong)
	if name != nil {
		c.name("displayName", *name)
	}
	if photo != nil {
		*photo = market.StoredURL(s.public.String(), *photo)
		c.photo("photoURL", *photo)
	}
	if err := c.Err(); err != nil {
		return err
	}
	account, err := s.changeProfile(r.Context(), in.Account.UID, name, photo, sent.ForgetAddress)
	if err != nil {
		return err
	}
	rest.JSON(w, http.StatusOK, s.view(account))
	return nil
}

// changeProfile changes the name and the picture of an account; nil leaves one as it is. A new
// name is also that of the market's user. It can forget the address for the next order.
func (s *Service) changeProfile(ctx context.Context, uid string, name, photo *string, forgetAddress bool) (market.Account, error) {
	isCounted := false // the function may run again after a conflict
	account, err := s.change(ctx, uid, func(a *market.Account) error {
		if name != nil && *name != a.DisplayName {
			if !isCounted {
				if err := s.limit.mayRename(ctx, a.UID); err != nil {
					return err
				}
			}
			a.DisplayName, isCounted = *name, true
		}
		if photo != nil {
			a.PhotoURL = *photo
		}
		if forgetAddress {
			a.Address = nil
		}
		return nil
	})
	if err != nil || name == nil {
		return account, err
	}
	return account, s.rename(ctx, account)
}

// rename sets the name of the market's user to the account's, if there is a user yet.
func (s *Service) rename(ctx context.Context, a market.Account) error {
	err := s.market.Rename(ctx, a.UID, a.DisplayName)
	if errors.Is(err, market.ErrNotFound) {
		return nil
	}
	return err
}

// change applies a change to an account and stores it with its events. After a conflict it
// applies the change again. It returns CodeNoToken if the account does not exist.
func (s *Service) change(ctx context.Context, uid string, apply func(*market.Account) error, effects ...market.Effect) (market.Account, error) {
	for {
		a, err := s.store.Account(ctx, uid)
		if errors.Is(err, market.ErrNotFound) || (err == nil && a.Removed) {
			return a, signInFirst()
		}
		if err != nil {
			return a, err
		}
		if err := apply(&a); err != nil {
			return a, err
		}
		a.Version++
		if err = s.store.SaveAccount(ctx, a, effects); !errors.Is(err, market.ErrConflict) {
			return a, err
		}
	}
}
