package identity

import (
	"errors"
	"net/http"

	"secondring/api/rest"
	"secondring/market"
)

// LinkBody is the body of POST /identity/google/link.
type LinkBody struct {
	Password string `json:"password" doc:"Password of the existing account"`
}

// Linked is the response of POST /identity/google/link.
type Linked struct {
	User     SignedInUser `json:"user"`
	ReturnTo string       `json:"returnTo" doc:"Path on this site to open next"`
}

// UnlinkBody is the body of DELETE /identity/google.
type UnlinkBody struct {
	Password string `json:"password" doc:"Your current password"`
}

// unlink ends the link to a Google account. Without a password the account could not be entered
// any more.
func (s *Service) unlink(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	sent, wrong, err := rest.Decode[UnlinkBody](w, r)
	if err != nil {
		return err
	}
	if err := s.mustBeOwner(r, in, "password", sent.Password, checkOf(wrong)); err != nil {
		return err
	}
	if in.Account.PasswordHash == "" {
		return rest.NewError(market.CodePassword, "Set a password first. Without it you could not log in any more")
	}
	if in.Account.GoogleSub != "" {
		_, err = s.changeCredentials(r.Context(), in.Account, in.Session.ID, market.ReasonGoogle, func(a *market.Account) error {
			a.GoogleSub = ""
			return nil
		})
	}
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// pendingLink is a Google identity and the account of its address, sealed in a cookie until
// the account's password confirms the link.
type pendingLink struct {
	UID                string `json:"uid"`
	CredentialsVersion int64  `json:"credentialsVersion"` // of the account: a change invalidates the cookie
	Subject            string `json:"sub"`
	ReturnTo           string `json:"returnTo"`
}

func (s *Service) askPassword(w http.ResponseWriter, r *http.Request, a market.Account, who googleIdentity, f flow) error {
	value, err := s.sealer.seal(linkCookie, pendingLink{UID: a.UID, CredentialsVersion: a.CredentialsVersion, Subject: who.Subject, ReturnTo: f.ReturnTo}, flowLasts)
	if err != nil {
		return err
	}
	s.setCookie(w, linkCookie, value, flowLasts)
	redirect(w, r, "/login?link=1")
	return nil
}

func (s *Service) link(w http.ResponseWriter, r *http.Request) error {
	var p pendingLink
	if !s.sealer.open(linkCookie, s.cookie(r, linkCookie), &p) {
		return linkAgain()
	}
	sent, wrong, err := rest.Decode[LinkBody](w, r)
	if err != nil {
		return err
	}
	c := checkOf(wrong)
	c.required("password", sent.Password, "Password is required")
	if err := c.Err(); err != nil {
		return err
	}
	account, err := s.linked(r, p, sent.Password)
	if err != nil {
		return err
	}
	if err := s.signInGoogle(w, r, account); err != nil {
		if f := (failure{}); errors.As(err, &f) { // the user was removed
			return linkAgain()
		}
		return err
	}
	s.setCookie(w, linkCookie, "", 0)
	rest.JSON(w, http.StatusOK, Linked{User: s.view(account), ReturnTo: p.ReturnTo})
	return nil
}

func linkAgain() error {
	return rest.NewError(market.CodeNoToken, "Please log in with Google again")
}

// linked checks the password and stores Google's subject in the account.
func (s *Service) linked(r *http.Request, p pendingLink, password string) (market.Account, error) {
	account, err := s.store.Account(r.Context(), p.UID)
	if errors.Is(err, market.ErrNotFound) || err == nil && account.CredentialsVersion != p.CredentialsVersion {
		return account, linkAgain()
	}
	if err != nil {
		return account, err
	}
	ok, err := s.checkPassword(r.Context(), account, account.Email, password)
	if err != nil {
		return account, err
	}
	if !ok {
		return account, wrongPassword()
	}
	if account.GoogleSub == p.Subject {
		return account, nil
	}
	account, err = s.changeCredentials(r.Context(), account, "", market.ReasonGoogle, func(a *market.Account) error {
		if a.GoogleSub != "" {
			return rest.NewError(market.CodeExists, "Another Google account is linked already")
		}
		a.GoogleSub = p.Subject
		return nil
	})
	if errors.Is(err, market.ErrExists) {
		return account, rest.NewError(market.CodeExists, "This Google account is linked to another account")
	}
	return account, err
}
