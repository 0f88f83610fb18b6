package rest

import (
	"context"
	"log/slog"
	"net/http"

	"secondring/market"
)

// Access is the kind of credentials that a call requires.
type Access int

// The kinds of access. The session cookie counts if no bearer was sent, and never for a
// page of another site.
const (
	Anyone   Access = iota // credentials are ignored
	Optional               // like Bearer, or none; an invalid bearer is refused, an invalid cookie is ignored
	Bearer                 // a bearer, or the session cookie of a user of the market
	Cookie                 // the session cookie only
)

// Route is one row of the table of routes: a call of the API, its description and its handler.
type Route struct {
	Method        string
	Path          string // the pattern, valid for chi and OpenAPI
	ID            string // the operationId
	Summary       string
	Tag           string // the resource it belongs to
	Access        Access
	Query         []Param
	Body          any               // a zero value of the JSON body's type; nil for none
	OptionalBody  bool              // the body may be missing or empty
	Form          any               // a zero value of a struct with the multipart form's fields, instead of Body
	Response      any               // a zero value of the JSON response's type; nil for none
	Status        int               // of success; 0 means 200
	ErrorStatuses []int             // error statuses beside those that Access and Body imply
	IsList        bool              // the response is a page of a list
	Headers       map[string]string // further response headers with their descriptions
	MediaType     string            // the response's type; application/json when ""
	Unlimited     bool              // neither RATE_LIMIT nor the limit of concurrent calls applies
	NoRateLimit   bool              // RATE_LIMIT does not apply
	Handle        func(w http.ResponseWriter, r *http.Request) error

	// Fail sends the errors of all calls of this path; nil means the function Fail.
	Fail func(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error)

	// CallsProvider returns whether a call of this person reaches the card provider, which has
	// its own rate limit; nil for never.
	CallsProvider func(market.Actor) bool

	// IsSearch returns whether a request is a search, which has its own concurrency limit;
	// nil for never.
	IsSearch func(r *http.Request) bool
}

// AllCalls is a Route.CallsProvider.
func AllCalls(market.Actor) bool { return true }

// Param is one query parameter.
type Param struct {
	Name        string
	Description string
	Required    bool
	Type        any // a zero value of its type; nil means a string
}

// Success returns the status of a successful response.
func (r Route) Success() int {
	if r.Status == 0 {
		return http.StatusOK
	}
	return r.Status
}

type contextKey int

const (
	actorKey contextKey = iota
	sessionKey
)

// WithActor returns a context with the user who makes the call.
func WithActor(ctx context.Context, a market.Actor) context.Context {
	return context.WithValue(ctx, actorKey, a)
}

// Actor returns the user who makes the call; false for a visitor.
func Actor(ctx context.Context) (market.Actor, bool) {
	a, ok := ctx.Value(actorKey).(market.Actor)
	return a, ok
}

// SignedIn is the owner of the session cookie.
type SignedIn struct {
	Account market.Account
	Session market.Session
}

// WithSignedIn returns a context with the cookie's owner.
func WithSignedIn(ctx context.Context, s SignedIn) context.Context {
	return context.WithValue(ctx, sessionKey, s)
}

// CookieOwner returns the owner of the call's session cookie.
func CookieOwner(ctx context.Context) (SignedIn, bool) {
	s, ok := ctx.Value(sessionKey).(SignedIn)
	return s, ok
}
