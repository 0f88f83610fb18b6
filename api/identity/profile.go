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
	Phone         *string `json:"phone,omitempty" doc:"The phone number that forms begin with, as in PUT /bookings. Only you see it. Empty removes it"`
	Location      *string `json:"location,omitempty" doc:"The location that forms begin with, at most 120 characters. Only you see it. Empty removes it"`
	ForgetAddress bool    `json:"forgetAddress,omitempty" doc:"Whether to forget the address for the next order"`
}

func (s *Service) me(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	if err := s.extendSession(w, r, in); err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	rest.JSON(w, http.StatusOK, s.ownView(in.Account))
	return nil
}

func (s *Service) changeMe(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	sent, wrong, err := rest.Decode[ProfileBody](w, r)
	if err != nil {
		return err
	}
	c := checkOf(wrong)
	if sent.DisplayName != nil {
		c.name("displayName", *sent.DisplayName)
	}
	if sent.PhotoURL != nil {
		*sent.PhotoURL = market.StoredURL(s.public.String(), *sent.PhotoURL)
		c.photo("photoURL", *sent.PhotoURL)
	}
	c.Reach(sent.Phone, sent.Location)
	if err := c.Err(); err != nil {
		return err
	}
	account, err := s.changeProfile(r.Context(), in.Account.UID, sent)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	rest.JSON(w, http.StatusOK, s.ownView(account))
	return nil
}

// changeProfile applies a profile to an account; nil fields stay as they are. A new name is also that
// of the market's user.
func (s *Service) changeProfile(ctx context.Context, uid string, sent ProfileBody) (market.Account, error) {
	name, isCounted := sent.DisplayName, false // the function may run again after a conflict
	account, err := s.change(ctx, uid, func(a *market.Account) error {
		if name != nil && *name != a.DisplayName && !isCounted {
			if err := s.limit.mayRename(ctx, a.UID); err != nil {
				return err
			}
			isCounted = true
		}
		sent.apply(a)
		return nil
	})
	if err != nil || name == nil {
		return account, err
	}
	return account, s.rename(ctx, account)
}

// apply changes the fields of an account that are not nil.
func (b ProfileBody) apply(a *market.Account) {
	for _, field := range []struct{ from, to *string }{
		{b.DisplayName, &a.DisplayName}, {b.PhotoURL, &a.PhotoURL}, {b.Phone, &a.Phone}, {b.Location, &a.Location},
	} {
		if field.from != nil {
			*field.to = *field.from
		}
	}
	if b.ForgetAddress {
		a.Address = nil
	}
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
