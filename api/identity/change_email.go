package identity

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"secondring/api/emails"
	"secondring/api/rest"
	"secondring/market"
)

// A change of the email address: the person requests it with their password, and confirms
// the new address by a link that is sent there. The old address gets a link that undoes the
// change for a week, so that a thief cannot keep the account.
//
// The account is changed first, then its user in the market. If the process stops in
// between, the next request for an access token changes the user (followAccount).

// undoLasts is how long the link at the old address can undo a change.
const undoLasts = 7 * 24 * time.Hour

// maxUndo is how many changes of one account's address can be undone at a time. No more
// changes are allowed then, so that each can be undone for the whole time.
const maxUndo = 3

// EmailBody is the body of POST /identity/email.
type EmailBody struct {
	Email    string `json:"email" doc:"The new email address"`
	Password string `json:"password,omitempty" doc:"Your current password. Required if the account has one; if it has none, you must have signed in within the last 10 minutes (otherwise status 403)"`
}

func (s *Service) emailRoutes() []rest.Route {
	return []rest.Route{{
		Method: http.MethodPost, Path: "/identity/email", ID: "changeEmail", Access: rest.Cookie,
		Summary: "Request a change of your email address. It takes effect when the link that is sent to the new address is used (POST /identity/verify)",
		Body:    EmailBody{}, Status: http.StatusNoContent,
		ErrorStatuses: []int{http.StatusForbidden, http.StatusConflict, http.StatusTooManyRequests},
		Handle:        signedIn(s.changeEmail),
	}}
}

func (s *Service) changeEmail(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	body, err := rest.ReadBody(w, r)
	if err != nil {
		return err
	}
	if s.emails == nil {
		return rest.NewError(market.CodeForbidden, "We can't send email at the moment, so a new address cannot be confirmed. Please write to us")
	}
	email, password := body.Text("email"), body.Text("password")
	c := checkOf(body.Wrong)
	c.email(email)
	email = strings.TrimSpace(email)
	if market.NormalEmail(email) == market.NormalEmail(in.Account.Email) {
		c.add("email", "This is your email address already")
	}
	if err := s.mustBeOwner(r, in, password, c); err != nil {
		return err
	}
	if err := s.checkAvailable(r.Context(), email); err != nil {
		return emailTaken()
	}
	if err := s.limit.mayChangeEmail(r.Context(), in.Account.UID); err != nil {
		return err
	}
	if s.undoLinks(in.Account) >= maxUndo {
		return rest.NewError(market.CodeConflict, "Your email address was changed too often this week. Please try again later")
	}
	requested := emails.Email{
		Template: templateChangeEmail, To: email, UID: in.Account.UID,
		Facts: map[string]string{factPassword: secretHash(in.Account.PasswordHash)},
	}
	if err := s.emails.Request(r.Context(), requested, confirmLimit); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// undoLinks counts the changes of the address that can be undone now.
func (s *Service) undoLinks(a market.Account) (n int) {
	for _, l := range a.Links {
		if l.Purpose == string(toUndo) && s.clock.Now().Before(l.Expires) {
			n++
		}
	}
	return n
}

// useEmailLink makes the address of the link the account's, and sends an email to the old
// one. The browser that opens the link stays signed in; all other sessions end.
func (s *Service) useEmailLink(r *http.Request, a market.Account, token string) error {
	events := s.emails.Events(emails.Email{Template: templateEmailChanged, To: a.Email, UID: a.UID, Facts: browserFacts(r)})
	changed, err := s.useLink(r.Context(), token, toEmail, func(a *market.Account, l market.AccountLink) error {
		a.Email, a.Unproven = l.Email, false
		dropLink(a, toConfirm)
		dropLink(a, toReset)
		return nil
	}, events...)
	if err != nil {
		return takenIfExists(err)
	}
	return s.emailChanged(r, changed)
}

// useUndoLink restores the account's old address. The person who changed it knew the
// password, so the password, a linked Google identity and all sessions become invalid, and a
// second factor too unless it was set up while the account had the old address. A link for a
// new password is sent to the old address.
func (s *Service) useUndoLink(r *http.Request, token string) error {
	changed, err := s.useLink(r.Context(), token, toUndo, func(a *market.Account, l market.AccountLink) error {
		a.Email, a.Unproven, a.PasswordHash, a.GoogleSub, a.RestoredAt = l.Email, false, "", "", s.clock.Now()
		if f := a.SecondFactor; f != nil && f.Address != factorAddress(*a) {
			a.SecondFactor = nil
		}
		dropLinks(a, func(other market.AccountLink) bool {
			return other.Purpose != string(toUndo) || !other.Expires.Before(l.Expires) // later changes are undone too
		})
		return nil
	})
	if err != nil {
		return takenIfExists(err)
	}
	if err := s.emails.Request(r.Context(), emails.Email{Template: templateReset, To: changed.Email}, resetLimit); err != nil {
		return err
	}
	return s.emailChanged(r, changed)
}

// emailChanged changes the market's user after a change of the address, and ends the other
// sessions.
func (s *Service) emailChanged(r *http.Request, a market.Account) error {
	s.emails.Wake()
	if err := s.followAccount(r.Context(), a); err != nil {
		return err
	}
	kept := ""
	if in, err := s.Cookie(r.Context(), r); err == nil && in.Account.UID == a.UID && a.PasswordHash != "" {
		kept = in.Session.ID
	}
	return s.endAll(r.Context(), a.UID, kept, market.ReasonEmailChanged)
}

// followAccount sets the user's address to the account's, if there is a user yet.
func (s *Service) followAccount(ctx context.Context, a market.Account) error {
	err := s.market.ChangeEmail(ctx, a.UID, a.Email)
	if errors.Is(err, market.ErrNotFound) {
		return nil
	}
	return err
}

func takenIfExists(err error) error {
	if errors.Is(err, market.ErrExists) {
		return emailTaken()
	}
	return err
}
