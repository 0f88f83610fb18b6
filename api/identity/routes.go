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
	PhotoURL    string `json:"photoURL" doc:"Empty when there is none"`

	EmailVerified bool `json:"emailVerified" doc:"The person has confirmed the address"`
	SecondFactor  bool `json:"secondFactor" doc:"The sign-in takes a code of an authenticator app"`
}

func view(a market.Account) SignedInUser {
	return SignedInUser{UID: a.UID, Email: a.Email, DisplayName: a.DisplayName, PhotoURL: a.PhotoURL, EmailVerified: !a.Unproven, SecondFactor: a.HasSecondFactor()}
}

// Routes returns the routes of the identity provider.
func (s *Service) Routes() []rest.Route {
	routes := append(s.accountRoutes(), s.profileRoutes()...)
	routes = append(routes, s.recoveryRoutes()...)
	routes = append(routes, s.emailRoutes()...)
	routes = append(routes, s.firstAdminRoutes()...)
	routes = append(routes, s.secondFactorRoutes()...)
	routes = append(routes, s.sessionRoutes()...)
	routes = append(routes, s.privacyRoutes()...)
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
			Summary: "Make an account and sign in: the answer sets the session cookie",
			Body:    SignUpBody{}, Response: SignedInUser{}, Status: http.StatusCreated,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusConflict, http.StatusTooManyRequests}, Handle: s.signUp,
		},
		{
			Method: http.MethodPost, Path: "/identity/sign-in", ID: "signIn", Access: rest.Anyone,
			Summary: "Sign in: the answer sets the session cookie",
			Body:    SignInBody{}, Response: SignedInUser{},
			ErrorStatuses: []int{http.StatusUnauthorized, http.StatusTooManyRequests}, Handle: s.signIn,
		},
		{
			Method: http.MethodPost, Path: "/identity/sign-out", ID: "signOut", Access: rest.Cookie,
			Summary: "End this session with its tokens and sockets",
			Status:  http.StatusNoContent, Handle: signedIn(s.signOut),
		},
		{
			Method: http.MethodGet, Path: "/jwt", ID: "getAccessToken", Access: rest.Cookie,
			Summary:       "An access token for the session's own email address, for one hour",
			Query:         []rest.Param{{Name: "email", Description: "The signed-in user's address", Required: true}},
			Response:      AccessToken{},
			ErrorStatuses: []int{http.StatusForbidden, http.StatusUnprocessableEntity}, Handle: signedIn(s.jwt),
		},
	}
}

func (s *Service) profileRoutes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/identity/me", ID: "getMe", Access: rest.Cookie,
			Summary: "Who is signed in", Response: SignedInUser{}, Handle: signedIn(s.me),
		},
		{
			Method: http.MethodPatch, Path: "/identity/me", ID: "changeMe", Access: rest.Cookie,
			Summary: "Change the name or the picture; what is left out stays",
			Body:    ProfileBody{}, Response: SignedInUser{}, Handle: signedIn(s.changeMe),
		},
		{
			Method: http.MethodPost, Path: "/identity/password", ID: "changePassword", Access: rest.Cookie,
			Summary: "Change the password; the person's other sessions end",
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
