package identity

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"secondring/api/emails"
	"secondring/api/rest"
	"secondring/market"
)

// Limits of emails that people can request.
var (
	resetLimit       = emails.Limit{Most: 10, Within: time.Hour} // for all who ask; see mayRequestReset
	confirmLimit     = emails.Limit{Most: 3, Within: time.Hour}
	signUpAgainLimit = emails.Limit{Most: 1, Within: 24 * time.Hour}
)

// ForgotBody is the body of POST /identity/forgot.
type ForgotBody struct {
	Email string `json:"email"`
}

// ResetBody is the body of POST /identity/reset.
type ResetBody struct {
	Token    string `json:"token" doc:"The part of the link after #token="`
	Password string `json:"password" doc:"At least 6 characters"`
}

// VerifyBody is the body of POST /identity/verify.
type VerifyBody struct {
	Token string `json:"token" doc:"The part of the link after #token="`
}

func (s *Service) recoveryRoutes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodPost, Path: "/identity/forgot", ID: "forgotPassword", Access: rest.Anyone,
			Summary: "Send an email with a link to set a new password. The response is the same if the address has no account",
			Body:    ForgotBody{}, Status: http.StatusNoContent, Handle: s.forgot,
		},
		{
			Method: http.MethodPost, Path: "/identity/reset", ID: "resetPassword", Access: rest.Anyone,
			Summary: "Set a new password with the link from the email. All sessions of the account end. With the token alone it changes nothing: status 422 if the link can be used, 410 if not",
			Body:    ResetBody{}, Status: http.StatusNoContent, ErrorStatuses: []int{http.StatusGone}, Handle: s.reset,
		},
		{
			Method: http.MethodPost, Path: "/identity/verify/send", ID: "sendVerification", Access: rest.Cookie,
			Summary: "Send the link that confirms your email address again. Does nothing if the address is confirmed",
			Status:  http.StatusNoContent, ErrorStatuses: []int{http.StatusTooManyRequests}, Handle: signedIn(s.sendConfirmation),
		},
		{
			Method: http.MethodPost, Path: "/identity/verify", ID: "verifyEmail", Access: rest.Anyone,
			Summary: "Use a link from an email: confirm your email address, change to a new one, undo a change, or switch off a second factor that you did not switch on. A link that was used changes nothing, and the status is 204 again until it expires",
			Body:    VerifyBody{}, Status: http.StatusNoContent, ErrorStatuses: []int{http.StatusConflict, http.StatusGone}, Handle: s.openLink,
		},
	}
}

// forgot requests a reset email without a check whether the address has an account; the
// sender checks it. So the response takes the same time for all addresses.
func (s *Service) forgot(w http.ResponseWriter, r *http.Request) error {
	sent, wrong, err := rest.Decode[ForgotBody](w, r)
	if err != nil {
		return err
	}
	email, c := sent.Email, checkOf(wrong)
	c.email(email)
	if err := c.Err(); err != nil {
		return err
	}
	may, err := s.limit.mayRequestReset(r.Context(), email)
	if err != nil {
		return err
	}
	if may {
		requested := emails.Email{Template: templateReset, To: email, Lane: s.limit.lane(r.Context(), templateReset)}
		limit := resetLimit
		if s.limit.off {
			limit = emails.Limit{}
		}
		if err := s.emails.Request(r.Context(), requested, limit); err != nil {
			return err
		}
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Service) reset(w http.ResponseWriter, r *http.Request) error {
	sent, wrong, err := rest.Decode[ResetBody](w, r)
	if err != nil {
		return err
	}
	token, password, c := sent.Token, sent.Password, checkOf(wrong)
	c.required("token", token, "The link is not complete")
	if err := c.Err(); err != nil {
		return err
	}
	if _, l, err := s.readLink(r.Context(), token); err != nil || purpose(l.Purpose) != toReset {
		return cmp.Or(err, linkGone())
	}
	c.newPassword("password", password)
	if err := c.Err(); err != nil {
		return err
	}
	hash, err := s.hash.make(r.Context(), password)
	if err != nil {
		return err
	}
	err = s.useLink(r.Context(), token, func(ctx context.Context, account market.Account, _ market.AccountLink) error {
		return s.resetPassword(ctx, account, token, hash, browserFacts(r))
	})
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// resetPassword sets a new password by a link, unlinks Google, and ends every session. The use of
// the link also confirms the address. A second factor stays if it was set up while the address was
// confirmed: before that, another person may have signed up with it. Without emails no address can
// be confirmed: then the second factor stays.
func (s *Service) resetPassword(ctx context.Context, account market.Account, token, hash string, browser map[string]string) error {
	confirmed := account
	confirmed.Unconfirmed = false // by the link
	_, err := s.changeCredentials(ctx, account, "", market.ReasonPasswordChanged, s.withLink(token, toReset, func(a *market.Account, _ market.AccountLink) error {
		a.PasswordHash, a.GoogleSub, a.Unconfirmed = hash, "", false
		if f := a.SecondFactor; f != nil && f.Address != factorAddress(*a) && s.emails != nil {
			a.SecondFactor = nil
		}
		setUsed(a, func(l market.AccountLink) bool { return l.Purpose == string(toConfirm) })
		return nil
	}), s.passwordChanged(ctx, confirmed, browser)...)
	return err
}

func (s *Service) sendConfirmation(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	if in.Account.Unconfirmed {
		if err := s.limit.mayEmail(r.Context()); err != nil {
			return err
		}
		requested := emails.Email{
			Template: templateConfirm, To: in.Account.Email, UID: in.Account.UID, Lane: s.limit.lane(r.Context(), templateConfirm),
		}
		if err := s.emails.Request(r.Context(), requested, confirmLimit); err != nil {
			return err
		}
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// openLink confirms an email address, changes to it, undoes a change, or switches off a second
// factor, by the link's purpose.
func (s *Service) openLink(w http.ResponseWriter, r *http.Request) error {
	sent, wrong, err := rest.Decode[VerifyBody](w, r)
	if err != nil {
		return err
	}
	token, c := sent.Token, checkOf(wrong)
	c.required("token", token, "The link is not complete")
	if err := c.Err(); err != nil {
		return err
	}
	err = s.useLink(r.Context(), token, func(ctx context.Context, account market.Account, l market.AccountLink) error {
		switch purpose(l.Purpose) {
		case toConfirm:
			_, err := s.change(ctx, account.UID, s.withLink(token, toConfirm, func(a *market.Account, _ market.AccountLink) error {
				a.Unconfirmed = false
				return nil
			}))
			return err
		case toEmail:
			return s.useEmailLink(r, account, token)
		case toUndo:
			return s.useUndoLink(ctx, account, l.Email, token)
		case toFactorOff:
			return s.useFactorOffLink(ctx, account, token)
		case toReset: // POST /identity/reset
		}
		return linkGone()
	})
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
