package identity

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/oauth2"

	"secondring/api/rest"
	"secondring/market"
)

const (
	flowCookie = "sr_google" // on the way to Google and back
	linkCookie = "sr_link"   // from a proven Google account to the password that links it
	flowLasts  = 10 * time.Minute
)

// Why a sign-in with Google did not work, as /login?error= says it.
const (
	failDenied      = "google_denied"      // the person said no
	failExpired     = "google_expired"     // took too long, or was begun in another browser
	failUnverified  = "google_unverified"  // Google has not verified the address
	failUnavailable = "google_unavailable" // Google cannot be reached
	failGoogle      = "google_failed"      // anything else that was not right
	failOther       = "google_other"       // the address belongs to another Google account here
	failRemoved     = "account_removed"    // an admin removed the account
)

// failure is a sign-in with Google that did not work: a code for the person,
// and the cause for the log.
type failure struct {
	code  string
	cause error
}

func (f failure) Error() string { return f.code + ": " + f.cause.Error() }

func (f failure) Unwrap() error { return f.cause }

func notSetUp() error {
	return failure{code: failUnavailable, cause: errors.New("no Google client is set up")}
}

func same(a, b string) bool {
	return a != "" && subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}

func (s *Service) googleCalls() []rest.Call {
	return []rest.Call{
		{
			Method: http.MethodGet, Path: "/identity/google", ID: "googleSignIn", Access: rest.Anyone,
			Summary: "Go to Google to sign in; a redirect for the browser to follow",
			Query:   []rest.Param{{Name: "returnTo", About: "Where to go afterwards: a path on this site"}},
			Status:  http.StatusSeeOther, Serve: s.toGoogle,
		},
		{
			Method: http.MethodGet, Path: CallbackPath, ID: "googleCallback", Access: rest.Anyone,
			Summary: "Google sends people back here. Redirects to returnTo, to /login?link=1 where the " +
				"account's password is asked once, or to /login?error=code",
			Query:  []rest.Param{{Name: "state"}, {Name: "code"}, {Name: "error"}},
			Status: http.StatusSeeOther, Serve: s.fromGoogle,
		},
		{
			Method: http.MethodPost, Path: "/identity/google/link", ID: "googleLink", Access: rest.Anyone,
			Summary: "Link the Google account just proven to the account of the same address, by its password, and sign in",
			Body:    LinkBody{}, Answer: Linked{},
			Refuses: []int{http.StatusUnauthorized, http.StatusConflict, http.StatusTooManyRequests}, Serve: s.link,
		},
	}
}

func (s *Service) toGoogle(w http.ResponseWriter, r *http.Request) error {
	if s.google == nil {
		return s.toLogin(w, r, notSetUp())
	}
	f := flow{
		State:    base64.RawURLEncoding.EncodeToString(random(tokenBytes)),
		Nonce:    base64.RawURLEncoding.EncodeToString(random(tokenBytes)),
		Verifier: oauth2.GenerateVerifier(),
		ReturnTo: returnTo(r.URL.Query().Get("returnTo")),
	}
	address, err := s.google.address(r.Context(), f)
	if err != nil {
		return s.toLogin(w, r, err)
	}
	value, err := s.seal.close(flowCookie, f, flowLasts)
	if err != nil {
		return err
	}
	s.setCookie(w, flowCookie, value, flowLasts)
	redirect(w, r, address)
	return nil
}

func (s *Service) fromGoogle(w http.ResponseWriter, r *http.Request) error {
	var f flow
	begun := s.seal.open(flowCookie, s.cookie(r, flowCookie), &f)
	s.setCookie(w, flowCookie, "", 0) // one answer each
	if s.google == nil {
		return s.toLogin(w, r, notSetUp())
	}
	query := r.URL.Query()
	if !begun || !same(f.State, query.Get("state")) {
		return s.toLogin(w, r, failure{code: failExpired, cause: errors.New("no sign-in of this browser has this state")})
	}
	if query.Has("error") {
		return s.toLogin(w, r, failure{code: failDenied, cause: errors.New("refused at Google")})
	}
	who, err := s.google.redeem(r.Context(), query.Get("code"), f)
	if err != nil {
		return s.toLogin(w, r, err)
	}
	account, link, err := s.accountOf(r.Context(), who)
	if err != nil {
		return s.toLogin(w, r, err)
	}
	if link {
		return s.askPassword(w, r, account, who, f)
	}
	if err := s.enter(r.Context(), w, account); err != nil {
		return s.toLogin(w, r, err)
	}
	redirect(w, r, f.ReturnTo)
	return nil
}

// accountOf finds or makes the account of the person whom Google vouches for.
// It says link where a password account of the same address is not linked yet:
// who holds the Google account need not be who made that one.
func (s *Service) accountOf(ctx context.Context, who person) (a market.Account, link bool, err error) {
	for range 2 { // again when the same person comes in through two windows at once
		a, err = s.store.AccountByGoogle(ctx, who.Subject)
		if !errors.Is(err, market.ErrNotFound) {
			return a, false, err
		}
		a, err = s.store.AccountByEmail(ctx, who.Email)
		switch {
		case err == nil && a.Removed:
			return a, false, failure{code: failRemoved, cause: errors.New("the account was removed")}
		case err == nil && a.GoogleSub != "":
			return a, false, failure{code: failOther, cause: errors.New("the address is linked to another subject")}
		case !errors.Is(err, market.ErrNotFound):
			return a, err == nil, err
		}
		a, err = s.addGoogle(ctx, who)
		if !errors.Is(err, market.ErrExists) {
			return a, false, err
		}
	}
	return a, false, err
}

func (s *Service) addGoogle(ctx context.Context, who person) (market.Account, error) {
	now := s.clock.Now()
	a := market.Account{
		UID: market.NewID(now), Email: who.Email, GoogleSub: who.Subject,
		DisplayName: nameFor(who.Name, who.Email), Version: 1, CreatedAt: now,
	}
	if isPicture(who.Picture) {
		a.PhotoURL = who.Picture
	}
	return a, s.store.AddAccount(ctx, a)
}

// enter makes the person a buyer of the market if they are nobody yet, and
// signs the browser in.
func (s *Service) enter(ctx context.Context, w http.ResponseWriter, a market.Account) error {
	user, err := s.market.EnsureBuyer(ctx, a)
	if market.CodeOf(err) == market.CodeExists {
		return failure{code: failOther, cause: err}
	}
	if err != nil {
		return err
	}
	if user.Removed {
		return failure{code: failRemoved, cause: errors.New("the user was removed")}
	}
	return s.begin(ctx, w, a)
}

// toLogin sends the browser to the login screen with a code that it can put
// into words. The cause goes to the log, never to the browser.
func (s *Service) toLogin(w http.ResponseWriter, r *http.Request, err error) error {
	code := failGoogle
	if f := (failure{}); errors.As(err, &f) {
		code = f.code
	}
	s.log.WarnContext(r.Context(), "sign-in with Google failed", "code", code, "error", err)
	redirect(w, r, "/login?"+url.Values{"error": {code}}.Encode())
	return nil
}

func redirect(w http.ResponseWriter, r *http.Request, to string) {
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, to, http.StatusSeeOther)
}
