package identity

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

const tag = "identity"

// SignedInUser is the signed-in user as the client sees it.
type SignedInUser struct {
	UID         string `json:"uid"`
	Email       string `json:"email"`
	DisplayName string `json:"displayName"`
	PhotoURL    string `json:"photoURL" doc:"Empty if there is none"`
	SellerKey   string `json:"sellerKey" doc:"The sellerKey of one's own phones"`

	EmailVerified bool `json:"emailVerified" doc:"Whether the email address is confirmed"`
	SecondFactor  bool `json:"secondFactor" doc:"Whether sign-in requires a second factor: a code of an authenticator app"`

	Address  *market.Address `json:"address,omitempty" doc:"The address that is remembered for the next order. In the responses of GET and PATCH /identity/me only; absent if there is none"`
	Phone    string          `json:"phone,omitempty" doc:"The phone number that forms begin with. In the responses of GET and PATCH /identity/me only; absent if there is none"`
	Location string          `json:"location,omitempty" doc:"The location that forms begin with. In the responses of GET and PATCH /identity/me only; absent if there is none"`
}

// view returns the user with an absolute photoURL.
func (s *Service) view(a market.Account) SignedInUser {
	photo := market.AbsoluteURL(s.public.String(), a.PhotoURL)
	return SignedInUser{UID: a.UID, SellerKey: market.SellerKey(a.UID), Email: a.Email, DisplayName: a.DisplayName, PhotoURL: photo, EmailVerified: !a.Unconfirmed, SecondFactor: a.HasSecondFactor()}
}

// ownView returns the user with what the account remembers for the forms.
func (s *Service) ownView(a market.Account) SignedInUser {
	v := s.view(a)
	v.Address, v.Phone, v.Location = a.Address, a.Phone, a.Location
	return v
}

// Routes returns the routes of the identity provider.
func (s *Service) Routes() []rest.Route {
	routes := append(s.accountRoutes(), s.profileRoutes()...)
	routes = append(routes, s.recoveryRoutes()...)
	routes = append(routes, s.emailRoutes()...)
	routes = append(routes, s.firstAdminRoutes()...)
	routes = append(routes, s.secondFactorRoutes()...)
	routes = append(routes, s.sessionRoutes()...)
	routes = append(routes, s.exportRoutes()...)
	routes = append(routes, s.deletionRoutes()...)
	routes = append(routes, s.googleRoutes()...)
	for i := range routes {
		routes[i].Tag = tag
		routes[i].Handle = withRetryAfter(routes[i].Handle)
	}
	return routes
}

func (s *Service) accountRoutes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodPost, Path: "/identity/sign-up", ID: "signUp", Access: rest.Anyone,
			Summary: "Create an account and sign in. The response sets the session cookie",
			Body:    SignUpBody{}, Response: SignedInUser{}, Status: http.StatusCreated,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusConflict, http.StatusTooManyRequests}, Handle: s.signUp,
		},
		{
			Method: http.MethodPost, Path: "/identity/sign-in", ID: "signIn", Access: rest.Anyone,
			Summary: "Sign in. The response sets the session cookie. Status 401 with the code second_factor: finish with POST /identity/second-factor",
			Body:    SignInBody{}, Response: SignedInUser{},
			ErrorStatuses: []int{http.StatusUnauthorized, http.StatusTooManyRequests}, Handle: s.signIn,
		},
		{
			Method: http.MethodPost, Path: "/identity/sign-out", ID: "signOut", Access: rest.Cookie,
			Summary: "Sign out: end this session, with its access tokens and live connections",
			Status:  http.StatusNoContent, Handle: signedIn(s.signOut),
		},
		{
			Method: http.MethodGet, Path: "/jwt", ID: "getAccessToken", Access: rest.Cookie,
			Summary:       "Get an access token, valid for one hour",
			Query:         []rest.Param{{Name: "email", Description: "Your own email address", Required: true}},
			Response:      AccessToken{},
			ErrorStatuses: []int{http.StatusForbidden, http.StatusUnprocessableEntity}, Handle: signedIn(s.jwt),
		},
	}
}

func (s *Service) profileRoutes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/identity/me", ID: "getMe", Access: rest.Cookie,
			Summary: "Get your account", Response: SignedInUser{}, Handle: signedIn(s.me),
		},
		{
			Method: http.MethodPatch, Path: "/identity/me", ID: "changeMe", Access: rest.Cookie,
			Summary: "Change your name, your picture, and the phone number and location that forms begin with. Absent fields stay unchanged",
			Body:    ProfileBody{}, Response: SignedInUser{},
			ErrorStatuses: []int{http.StatusTooManyRequests}, Handle: signedIn(s.changeMe),
		},
		{
			Method: http.MethodPost, Path: "/identity/password", ID: "changePassword", Access: rest.Cookie,
			Summary: "Change your password. All your other sessions end",
			Body:    PasswordBody{}, Status: http.StatusNoContent,
			ErrorStatuses: []int{http.StatusTooManyRequests}, Handle: signedIn(s.changePassword),
		},
	}
}

// withRetryAfter adds the Retry-After header, in seconds, to rate limit errors.
func withRetryAfter(serve func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		err := serve(w, r)
		if early := (*tooManyTries)(nil); errors.As(err, &early) {
			seconds := math.Ceil(max(early.after, time.Second).Seconds())
			w.Header().Set("Retry-After", strconv.Itoa(int(seconds)))
		}
		return err
	}
}
