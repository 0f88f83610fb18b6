package identity

import (
	"errors"
	"net/http"

	"secondring/api/rest"
	"secondring/market"
)

// LeaveBody is the body of POST /identity/leave.
type LeaveBody struct {
	Password string `json:"password,omitempty" doc:"Your current password. Required if the account has one; if it has none, you must have signed in within the last 10 minutes (otherwise status 403)"`
	Confirm  string `json:"confirm,omitempty" doc:"Your email address. Required if the account has no password"`
}

func (s *Service) deletionRoutes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodPost, Path: "/identity/leave", ID: "leave", Access: rest.Cookie,
			Summary: "Delete your account. Paid orders are kept without your personal data",
			Body:    LeaveBody{}, Status: http.StatusNoContent,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusConflict, http.StatusUnprocessableEntity, http.StatusTooManyRequests}, Handle: signedIn(s.leave),
		},
	}
}

func (s *Service) leave(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	sent, wrong, err := rest.Decode[LeaveBody](w, r)
	if err != nil {
		return err
	}
	user, err := s.store.User(r.Context(), in.Account.UID)
	if err != nil && !errors.Is(err, market.ErrNotFound) {
		return err
	}
	if user.Admin {
		return rest.NewError(market.CodeForbidden, "An admin's account cannot be deleted")
	}
	if err := s.confirmOwner(r, in, sent, checkOf(wrong)); err != nil {
		return err
	}
	if err := s.market.DeleteAccount(r.Context(), in.Account); err != nil {
		return err
	}
	s.setCookie(w, sessionCookie, "", 0)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// confirmOwner checks that the owner of the account asks. An account without a password is
// confirmed by its typed email address, too.
func (s *Service) confirmOwner(r *http.Request, in rest.SignedIn, sent LeaveBody, c check) error {
	if in.Account.PasswordHash == "" && market.NormalEmail(sent.Confirm) != market.NormalEmail(in.Account.Email) {
		c.Add("confirm", "This is not the account's email address")
	}
	return s.mustBeOwner(r, in, "password", sent.Password, c)
}
