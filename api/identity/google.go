package identity

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/oauth2"

	"secondring/api/rest"
	"secondring/market"
)

const (
	flowCookie = "sr_google" // during a sign-in at Google
	linkCookie = "sr_link"   // has a Google identity until the password confirms the link
	flowLasts  = 10 * time.Minute
)

// The errors of a sign-in with Google, for /login?error=.
const (
	failDenied      = "google_denied"      // the person refused
	failExpired     = "google_expired"     // it took too long, or was begun in another browser
	failUnverified  = "google_unverified"  // Google has not verified the email address
	failUnavailable = "google_unavailable" // Google cannot be reached
	failGoogle      = "google_failed"      // any other error
	failOther       = "google_other"       // the address is linked to another Google account
	failClosed      = "account_closed"     // a decision has closed the account; its letter leads to the appeal
	failRemoved     = "account_removed"    // an admin has removed the account for good
)

// failure is a failed sign-in with Google: a code for the person, and the cause for the
// log.
type failure struct {
	code  string
	cause error
}

func (f failure) Error() string { return f.code + ": " + f.cause.Error() }

func (f failure) Unwrap() error { return f.cause }

func notSetUp() error {
	return failure{code: failUnavailable, cause: errors.New("no Google client is set up")}
}

func (s *Service) googleRoutes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/identity/google", ID: "googleSignIn", Access: rest.Anyone,
			Summary: "Sign in with Google. Redirects the browser to Google",
			Query:   []rest.Param{{Name: "returnTo", Description: "Path on this site to open after the sign-in. Default: /"}},
			Status:  http.StatusSeeOther, Handle: s.toGoogle,
		},
		{
			Method: http.MethodGet, Path: CallbackPath, ID: "googleCallback", Access: rest.Anyone,
			Summary: "Finish a sign-in with Google, which redirects the browser here. Redirects to returnTo, to /login?link=1 if the " +
				"password of the existing account is required once, to /login?code=1 if a second factor is required, or to /login?error=CODE",
			Query: []rest.Param{
				{Name: "state", Description: "Set by Google: the state of this sign-in"},
				{Name: "code", Description: "Set by Google after success: the authorization code"},
				{Name: "error", Description: "Set by Google after a failure: the error code"},
			},
			Status: http.StatusSeeOther, Handle: s.fromGoogle,
		},
		{
			Method: http.MethodPost, Path: "/identity/google/link", ID: "googleLink", Access: rest.Anyone,
			Summary: "Link your Google account to the existing account with the same email address, and sign in",
			Body:    LinkBody{}, Response: Linked{},
			ErrorStatuses: []int{http.StatusUnauthorized, http.StatusConflict, http.StatusTooManyRequests}, Handle: s.link,
		},
		{
			Method: http.MethodDelete, Path: "/identity/google", ID: "googleUnlink", Access: rest.Cookie,
			Summary: "Unlink your Google account. All your other sessions end. Status 409 with the code password: the account has no password yet",
			Body:    UnlinkBody{}, Status: http.StatusNoContent,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusConflict, http.StatusTooManyRequests}, Handle: signedIn(s.unlink),
		},
	}
}

func (s *Service) toGoogle(w http.ResponseWriter, r *http.Request) error {
	to := returnTo(r.URL.Query().Get("returnTo"))
	if s.google == nil {
		return s.toLogin(w, r, to, notSetUp())
	}
	f := flow{
		State:    randomText(),
		Nonce:    randomText(),
		Verifier: oauth2.GenerateVerifier(),
		ReturnTo: to,
	}
	address, err := s.google.address(r.Context(), f)
	if err != nil {
		return s.toLogin(w, r, to, err)
	}
	value, err := s.sealer.seal(flowCookie, f, flowLasts)
	if err != nil {
		return err
	}
	s.setCookie(w, flowCookie, value, flowLasts)
	redirect(w, r, address)
	return nil
}

func (s *Service) fromGoogle(w http.ResponseWriter, r *http.Request) error {
	var f flow
	begun := s.sealer.open(flowCookie, s.cookie(r, flowCookie), &f)
	s.setCookie(w, flowCookie, "", 0) // each flow can be used once
	if s.google == nil {
		return s.toLogin(w, r, f.ReturnTo, notSetUp())
	}
	query := r.URL.Query()
	if !begun || !equalSecrets(f.State, query.Get("state")) {
		return s.toLogin(w, r, f.ReturnTo, failure{code: failExpired, cause: errors.New("no sign-in of this browser has this state")})
	}
	if refused := query.Get("error"); refused != "" {
		return s.toLogin(w, r, f.ReturnTo, refusal(refused))
	}
	who, err := s.google.redeem(r.Context(), query.Get("code"), f)
	if err != nil {
		return s.toLogin(w, r, f.ReturnTo, err)
	}
	account, link, err := s.googleAccount(r.Context(), who)
	if err != nil {
		return s.toLogin(w, r, f.ReturnTo, err)
	}
	if link {
		return s.askPassword(w, r, account, who, f)
	}
	err = s.signInGoogle(w, r, account)
	if market.CodeOf(err) == market.CodeSecondFactor {
		redirect(w, r, loginWith(url.Values{"code": {"1"}}, f.ReturnTo))
		return nil
	}
	if err != nil {
		return s.toLogin(w, r, f.ReturnTo, err)
	}
	redirect(w, r, f.ReturnTo)
	return nil
}

// refusal returns the failure of an error response: whether the person refused or Google
// failed (RFC 6749, 4.1.2.1).
func refusal(refused string) error {
	if refused == "access_denied" {
		return failure{code: failDenied, cause: errors.New("the person has refused")}
	}
	return failure{code: failGoogle, cause: fmt.Errorf("the provider returned the error %.100q", refused)}
}

// toLogin redirects the browser to the login screen with an error code and with the path to
// open after the login, which returnTo has checked; "" if it is not known. The cause goes
// to the log, never to the browser.
func (s *Service) toLogin(w http.ResponseWriter, r *http.Request, to string, err error) error {
	code := failGoogle
	if f := (failure{}); errors.As(err, &f) {
		code = f.code
	}
	s.log.WarnContext(r.Context(), "sign-in with Google failed", "code", code, "error", err)
	redirect(w, r, loginWith(url.Values{"error": {code}}, to))
	return nil
}

// loginWith returns the URL of the login screen with a query, and with the path to open
// after the login.
func loginWith(query url.Values, to string) string {
	if to != "" && to != home {
		query.Set("returnTo", to)
	}
	return "/login?" + query.Encode()
}

func redirect(w http.ResponseWriter, r *http.Request, to string) {
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, to, http.StatusSeeOther)
}
