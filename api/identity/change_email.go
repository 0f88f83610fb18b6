package identity

import (
	"context"
	"errors"
	"net/http"
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

// undoReserved is how long the old address is reserved: the link is made when its email is sent,
// which is tried for a day.
const undoReserved = undoLasts + 24*time.Hour

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
	sent, wrong, err := rest.Decode[EmailBody](w, r)
	if err != nil {
		return err
	}
	if s.emails == nil {
		return rest.NewError(market.CodeForbidden, "We can't send email at the moment, so a new address cannot be confirmed. Please write to us")
	}
	email, password, c := sent.Email, sent.Password, checkOf(wrong)
	c.email(email)
	if market.NormalEmail(email) == market.NormalEmail(in.Account.Email) {
		c.Add("email", "This is your email address already")
	}
	if err := s.mustBeOwner(r, in, "password", password, c); err != nil {
		return err
	}
	if err := s.checkAvailable(r.Context(), email, in.Account.UID); err != nil {
		return emailTaken()
	}
	if err := s.limit.mayChangeEmail(r.Context(), in.Account.UID); err != nil {
		return err
	}
	if err := s.limit.mayEmail(r.Context()); err != nil {
		return err
	}
	if s.undoLinks(in.Account) >= maxUndo {
		return rest.NewError(market.CodeConflict, "Your email address was changed too often this week. Please try again later")
	}
	requested := emails.Email{
		Template: templateChangeEmail, To: email, UID: in.Account.UID,
		Facts: map[string]string{factCredentials: credentialsFact(in.Account)}, Lane: s.limit.lane(r.Context(), templateChangeEmail),
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
		if l.Purpose == string(toUndo) && !l.Used && s.clock.Now().Before(l.Expires) {
			n++
		}
	}
	return n
}

// useEmailLink makes the address of the link the account's, and unlinks Google. If the old address
// was confirmed, it gets an email with a link that undoes the change, and stays reserved as long as
// that link may be used. The browser that opens the link stays signed in; all other sessions end.
func (s *Service) useEmailLink(r *http.Request, account market.Account, token string) error {
	ctx := r.Context()
	events := s.securityChanged(ctx, account, templateEmailChanged, browserFacts(r))
	if len(events) > 0 {
		if err := market.ReserveAddress(ctx, s.store, account.Email, account.UID, s.clock.Now().Add(undoReserved)); err != nil {
			return err
		}
	}
	kept := ""
	if in, err := s.Cookie(ctx, r); err == nil && in.Account.UID == account.UID {
		kept = in.Session.ID
	}
	changed, err := s.changeCredentials(ctx, account, kept, market.ReasonEmailChanged, s.withLink(token, toEmail, func(a *market.Account, l market.AccountLink) error {
		if err := s.checkAvailable(ctx, l.Email, a.UID); err != nil {
			return emailTaken()
		}
		a.Email, a.Unconfirmed, a.GoogleSub = l.Email, false, ""
		dropLink(a, toConfirm)
		return nil
	}), events...)
	if err != nil {
		return takenIfExists(err)
	}
	return s.followAccount(ctx, changed)
}

// useUndoLink restores the account's old address. A second factor stays if it was set up while the
// account had the old address. Later changes of the address cannot be undone any more.
func (s *Service) useUndoLink(ctx context.Context, account market.Account, email, token string) error {
	changed, err := s.giveBack(ctx, account, email, market.ReasonEmailChanged, s.withLink(token, toUndo, func(a *market.Account, l market.AccountLink) error {
		a.Email, a.Unconfirmed, a.RestoredFrom, a.RestoredAt = l.Email, false, l.At, s.clock.Now()
		if f := a.SecondFactor; f != nil && f.Address != factorAddress(*a) {
			a.SecondFactor = nil
		}
		dropLinks(a, func(other market.AccountLink) bool {
			isEarlier := other.Purpose == string(toUndo) && other.Expires.Before(l.Expires)
			return !other.Used && !isEarlier && other.Purpose != string(toFactorOff) // the factor may be of the same thief
		})
		return nil
	}))
	if err != nil {
		return takenIfExists(err)
	}
	return s.followAccount(ctx, changed)
}

// giveBack gives an account back to the owner of an address, who used a link of an email. The
// person who changed the account knew the password, so the password, a linked Google account and
// all sessions become invalid. A link for a new password is sent to the address, whatever has been
// sent there before.
func (s *Service) giveBack(ctx context.Context, account market.Account, email, reason string, apply func(*market.Account) error) (market.Account, error) {
	reset := s.emails.Records(emails.Email{Template: templateReset, To: email, UID: account.UID})
	return s.changeCredentials(ctx, account, "", reason, func(a *market.Account) error {
		a.PasswordHash, a.GoogleSub = "", ""
		return apply(a)
	}, reset...)
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
