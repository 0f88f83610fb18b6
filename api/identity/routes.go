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
}

func view(a market.Account) SignedInUser {
	return SignedInUser{UID: a.UID, Email: a.Email, DisplayName: a.DisplayName, PhotoURL: a.PhotoURL}
}

// Calls returns the rows of the table of calls that the provider serves.
func (s *Service) Calls() []rest.Call {
	calls := append(s.accountCalls(), s.profileCalls()...)
	calls = append(calls, s.privacyCalls()...)
	calls = append(calls, s.googleCalls()...)
	for i := range calls {
		calls[i].Tag = tag
		calls[i].Serve = withRetryAfter(calls[i].Serve)
	}
	return calls
}

func (s *Service) accountCalls() []rest.Call {
	return []rest.Call{
		{
			Method: http.MethodPost, Path: "/identity/sign-up", ID: "signUp", Access: rest.Anyone,
			Summary: "Make an account and sign in: the answer sets the session cookie",
			Body:    SignUpBody{}, Answer: SignedInUser{}, Status: http.StatusCreated,
			Refuses: []int{http.StatusForbidden, http.StatusConflict, http.StatusTooManyRequests}, Serve: s.signUp,
		},
		{
			Method: http.MethodPost, Path: "/identity/sign-in", ID: "signIn", Access: rest.Anyone,
			Summary: "Sign in: the answer sets the session cookie",
			Body:    SignInBody{}, Answer: SignedInUser{},
			Refuses: []int{http.StatusUnauthorized, http.StatusTooManyRequests}, Serve: s.signIn,
		},
		{
			Method: http.MethodPost, Path: "/identity/sign-out", ID: "signOut", Access: rest.Cookie,
			Summary: "End this session with its tokens and sockets",
			Status:  http.StatusNoContent, Serve: signedIn(s.signOut),
		},
		{
			Method: http.MethodGet, Path: "/jwt", ID: "getAccessToken", Access: rest.Cookie,
			Summary: "An access token for the session's own e-mail address, for one hour",
			Query:   []rest.Param{{Name: "email", About: "The signed-in user's address", Required: true}},
			Answer:  AccessToken{},
			Refuses: []int{http.StatusForbidden, http.StatusUnprocessableEntity}, Serve: signedIn(s.jwt),
		},
	}
}

func (s *Service) profileCalls() []rest.Call {
	return []rest.Call{
		{
			Method: http.MethodGet, Path: "/identity/me", ID: "getMe", Access: rest.Cookie,
			Summary: "Who is signed in", Answer: SignedInUser{}, Serve: signedIn(s.me),
		},
		{
			Method: http.MethodPatch, Path: "/identity/me", ID: "changeMe", Access: rest.Cookie,
			Summary: "Change the name or the picture; what is left out stays",
			Body:    ProfileBody{}, Answer: SignedInUser{}, Serve: signedIn(s.changeMe),
		},
		{
			Method: http.MethodPost, Path: "/identity/password", ID: "changePassword", Access: rest.Cookie,
			Summary: "Change the password; the person's other sessions end",
			Body:    PasswordBody{}, Status: http.StatusNoContent,
			Refuses: []int{http.StatusTooManyRequests}, Serve: signedIn(s.changePassword),
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
