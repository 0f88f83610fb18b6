package identity

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"secondring/api/rest"
	"secondring/market"
)

// ProfileBody is the body of PATCH /identity/me.
type ProfileBody struct {
	DisplayName *string `json:"displayName,omitempty" doc:"The new name. A verified seller who changes it is not verified any more"`
	PhotoURL    *string `json:"photoURL,omitempty" doc:"An http or https URL, or a path on this site. Empty removes the picture"`
}

// PasswordBody is the body of POST /identity/password.
type PasswordBody struct {
	Current string `json:"current" doc:"Your current password. Empty if the account has none, because it signs in with Google"`
	New     string `json:"new" doc:"At least 6 characters"`
}

func (s *Service) me(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	if err := s.extendSession(w, r, in); err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	rest.JSON(w, http.StatusOK, view(in.Account))
	return nil
}

func (s *Service) changeMe(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	body, err := rest.ReadBody(w, r)
	if err != nil {
		return err
	}
	name, photo := body.OptText("displayName"), body.OptText("photoURL")
	c := checkOf(body.Wrong)
	if name != nil {
		*name = strings.TrimSpace(*name)
		c.name("displayName", *name)
	}
	if photo != nil {
		c.photo("photoURL", *photo)
	}
	if err := c.err(); err != nil {
		return err
	}
	account, err := s.change(r.Context(), in.Account.UID, func(a *market.Account) error {
		if name != nil {
			a.DisplayName = *name
		}
		if photo != nil {
			a.PhotoURL = *photo
		}
		return nil
	})
	if err != nil {
		return err
	}
	if name != nil {
		if err := s.rename(r.Context(), account); err != nil {
			return err
		}
	}
	rest.JSON(w, http.StatusOK, view(account))
	return nil
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
func (s *Service) change(ctx context.Context, uid string, apply func(*market.Account) error, events ...market.Event) (market.Account, error) {
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
		if err = s.store.SaveAccount(ctx, a, events); !errors.Is(err, market.ErrConflict) {
			return a, err
		}
	}
}

func (s *Service) changePassword(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	body, err := rest.ReadBody(w, r)
	if err != nil {
		return err
	}
	current, fresh := body.Text("current"), body.Text("new")
	c := checkOf(body.Wrong)
	if in.Account.PasswordHash != "" {
		c.required("current", current, "Password is required")
	}
	c.newPassword("new", fresh)
	if err := c.err(); err != nil {
		return err
	}
	if err := s.mustKnow(r.Context(), in.Account, "current", current); err != nil {
		return err
	}
	if err := s.setPassword(r.Context(), in.Account, fresh, in.Session.ID, s.passwordChanged(in.Account, browserFacts(r))...); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// mustKnow requires the account's present password, if it has one. field is its name in the
// body.
func (s *Service) mustKnow(ctx context.Context, a market.Account, field, password string) error {
	if a.PasswordHash == "" {
		return nil
	}
	ok, err := s.checkPassword(ctx, a, a.Email, password)
	if err == nil && !ok {
		return check{field: "This is not your password"}.err()
	}
	return err
}

// setPassword replaces the password. It ends every session but one, and cancels a pending
// change of the address, because another person may have requested it. The password is
// stored first: a concurrent sign-in then finds it changed (see startSession). It returns
// an error if the password has changed since the account was read.
func (s *Service) setPassword(ctx context.Context, old market.Account, password, except string, events ...market.Event) error {
	hash, err := s.hash.make(ctx, password)
	if err != nil {
		return err
	}
	_, err = s.change(ctx, old.UID, func(a *market.Account) error {
		if a.PasswordHash != old.PasswordHash {
			return rest.NewError(market.CodeConflict, "The password has just been changed")
		}
		a.PasswordHash = hash
		dropLink(a, toReset)
		dropLink(a, toEmail)
		return nil
	}, events...)
	if err != nil {
		return err
	}
	s.emails.Wake()
	return s.endAll(ctx, old.UID, except, market.ReasonPasswordChanged)
}
