package identity

import (
	"context"
	"net/http"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

// How an account is entered is its password, its second factor, its email address and its linked
// Google account. Each call that changes one of them, or deletes the account, asks mustBeOwner or
// has a link from an email. Each change is one changeCredentials. See ADR 30.

// recentSignIn is the maximum age of a session that may change how an account without a password
// is entered. After that time a person who finds an open browser cannot.
const recentSignIn = 10 * time.Minute

// mustBeOwner requires the account's password, which the body has in a field of this name, or a
// recent sign-in if the account has none. It also returns the errors that c has found in the body.
func (s *Service) mustBeOwner(r *http.Request, in rest.SignedIn, field, password string, c check) error {
	hasPassword := in.Account.PasswordHash != ""
	if !hasPassword && s.clock.Now().Sub(in.Session.CreatedAt) > recentSignIn {
		return rest.NewError(market.CodeForbidden, "Please log in again first")
	}
	if hasPassword {
		c.required(field, password, "Password is required")
	}
	if err := c.Err(); err != nil || !hasPassword {
		return err
	}
	ok, err := s.checkPassword(r.Context(), in.Account, in.Account.Email, password)
	if err == nil && !ok {
		return market.Invalid(field, "This is not your password")
	}
	return err
}

// changeCredentials changes how an account is entered. The same write raises the account's
// CredentialsVersion, which ends all sessions but kept ("" for none), and stores the event that
// closes their sockets. It also deletes an unused link with which another address could be set. Links for
// a new password stay: otherwise a person who knows the password could change it again and again,
// and the owner could never use one. read is the account for which its owner was checked: if its
// credentials have changed since, it returns CodeConflict. It returns CodeNoToken if the account is
// removed.
func (s *Service) changeCredentials(ctx context.Context, read market.Account, kept, reason string, apply func(*market.Account) error, effects ...market.Effect) (market.Account, error) {
	next := read.CredentialsVersion + 1
	effects = append(effects, market.ControlEvent(market.TypeSessionEnded,
		market.Control{UID: read.UID, Except: kept, Reason: reason, CredentialsVersion: next}, s.clock.Now()))
	a, err := s.change(ctx, read.UID, func(a *market.Account) error {
		if err := apply(a); err != nil {
			return err
		}
		if a.CredentialsVersion != read.CredentialsVersion {
			return rest.NewError(market.CodeConflict, "How you log in has just been changed. Please try again")
		}
		a.CredentialsVersion, a.KeptSession = next, kept
		dropLink(a, toEmail)
		return nil
	}, effects...)
	return a, err
}
