package rest

import (
	"context"
	"net/http"

	"secondring/market"
)

// Access says whose credentials a call takes.
type Access int

// The ways to make a call. The session cookie counts where no bearer was sent, and
// never for a page of another site.
const (
	Anyone   Access = iota // no credentials are looked at
	Optional               // as Bearer, or none; a bad bearer token is refused, an invalid cookie counts as none
	Bearer                 // a bearer, or the session cookie of a user of the market
	Cookie                 // the session cookie alone
)

// Route is one row of the product's table of calls.
type Route struct {
	Method        string
	Path          string // chi's pattern, which is OpenAPI's too
	ID            string // operationId
	Summary       string
	Tag           string // the resource it belongs to
	Access        Access
	Query         []Param
	Body          any               // a zero value of the JSON body's type; nil for none
	Form          any               // a zero value whose fields are the multipart form's, instead of Body
	Response      any               // a zero value of the JSON answer's type; nil for none
	Status        int               // of success; 200 when 0
	ErrorStatuses []int             // statuses beside those that Access and Body imply
	IsList        bool              // the answer is a page of a list
	Headers       map[string]string // further headers of the answer: what each tells
	MediaType     string            // the answer's type; application/json when ""
	Unlimited     bool              // RATE_LIMIT does not count it
	Handle        func(w http.ResponseWriter, r *http.Request) error

	// IsSearch tells whether a call is a search, which waits for its turn among
	// searches; nil for never.
	IsSearch func(r *http.Request) bool
}

// Param is one query parameter.
type Param struct {
	Name        string
	Description string
	Required    bool
	Type        any // a zero value of its type; a string when nil
}

// Success returns the status of a success.
func (c Route) Success() int {
	if c.Status == 0 {
		return http.StatusOK
	}
	return c.Status
}

type contextKey int

const (
	actorKey contextKey = iota
	sessionKey
)

// WithActor puts the market's user who makes the call into the context.
func WithActor(ctx context.Context, a market.Actor) context.Context {
	return context.WithValue(ctx, actorKey, a)
}

// Actor returns who makes the call; false for a visitor.
func Actor(ctx context.Context) (market.Actor, bool) {
	a, ok := ctx.Value(actorKey).(market.Actor)
	return a, ok
}

// SignedIn is who the session cookie belongs to.
type SignedIn struct {
	Account market.Account
	Session market.Session
}

// WithSignedIn puts the cookie's owner into the context.
func WithSignedIn(ctx context.Context, s SignedIn) context.Context {
	return context.WithValue(ctx, sessionKey, s)
}

// CookieOwner returns whose session cookie came with the call.
func CookieOwner(ctx context.Context) (SignedIn, bool) {
	s, ok := ctx.Value(sessionKey).(SignedIn)
	return s, ok
}
