package server

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"secondring/api/rest"
	"secondring/market"
)

// admit checks the credentials of a call and returns a context with the caller. If a bearer
// was sent, valid or not, it is the only credential; otherwise the session cookie counts.
func (s *server) admit(ctx context.Context, r *http.Request, route rest.Route) (context.Context, error) {
	sent := bearerSent(r)
	switch {
	case route.Access == rest.Cookie:
		return s.admitCookie(ctx, r)
	case route.Access == rest.Anyone: // pages of other sites may not sign users in or up
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			return ctx, nil
		}
		return ctx, s.sameSite(r)
	case sent != "":
		return s.admitBearer(ctx, sent)
	case !s.HasSession(r):
		if route.Access == rest.Optional {
			return ctx, nil
		}
		return ctx, rest.NewError(market.CodeNoToken, "Please log in")
	}
	admitted, err := s.admitPerson(ctx, r)
	if route.Access == rest.Optional && isInvalidSession(err) {
		return ctx, nil
	}
	return admitted, err
}

// isInvalidSession returns whether a session cookie belongs to no user: the session or the
// account has ended, or the sign-up is not finished.
func isInvalidSession(err error) bool {
	code := market.CodeOf(err)
	return code == market.CodeNoToken || code == market.CodeNoUser
}

// bearerSent returns the Authorization header; "" for none, and for the "Bearer null" and
// "Bearer undefined" of a client without a token.
func bearerSent(r *http.Request) string {
	for _, sent := range r.Header["Authorization"] {
		scheme, token, _ := strings.Cut(sent, " ")
		token = strings.TrimSpace(token)
		none := strings.EqualFold(scheme, "Bearer") && (token == "null" || token == "undefined")
		if sent != "" && !none {
			return sent
		}
	}
	return ""
}

func (s *server) admitBearer(ctx context.Context, sent string) (context.Context, error) {
	scheme, token, _ := strings.Cut(sent, " ")
	if token = strings.TrimSpace(token); token == "" || !strings.EqualFold(scheme, "Bearer") {
		return ctx, rest.NewError(market.CodeNoToken, "Please log in")
	}
	var who market.Actor
	err := s.credentialLimiter.lookUp(ctx, func(ctx context.Context) (err error) {
		who, _, err = s.Bearer(ctx, token)
		return err
	})
	if err != nil {
		return ctx, err
	}
	return rest.WithActor(ctx, who), nil
}

// admitCookie returns a context with the account of the session cookie.
func (s *server) admitCookie(ctx context.Context, r *http.Request) (context.Context, error) {
	in, err := s.cookieOwner(ctx, r)
	if err != nil {
		return ctx, err
	}
	return rest.WithSignedIn(ctx, in), nil
}

// admitPerson returns a context with the user whose account the session cookie belongs to.
// It returns CodeNoUser before POST /users.
func (s *server) admitPerson(ctx context.Context, r *http.Request) (context.Context, error) {
	in, err := s.cookieOwner(ctx, r)
	if err != nil {
		return ctx, err
	}
	who, err := s.Market.SessionActor(ctx, in.Session, in.Account)
	if err != nil {
		return ctx, err
	}
	return rest.WithActor(rest.WithSignedIn(ctx, in), who), nil
}

// cookieOwner returns the owner of the session cookie, if one of the product's own pages
// sent it.
func (s *server) cookieOwner(ctx context.Context, r *http.Request) (in rest.SignedIn, err error) {
	if err := s.sameSite(r); err != nil {
		return in, err
	}
	if !s.HasSession(r) {
		return in, rest.NewError(market.CodeNoToken, "Please log in first")
	}
	err = s.credentialLimiter.lookUp(ctx, func(ctx context.Context) (err error) {
		in, err = s.Cookie(ctx, r)
		return err
	})
	return in, err
}

// sameSite returns an error for requests that a page of another site makes a browser send.
// It refuses reads too, because only the product's own pages need the responses. A client
// that is not a browser sends neither header and is accepted.
func (s *server) sameSite(r *http.Request) error {
	foreign := func(origin string) bool { return origin != "" && !s.isOwnOrigin(r, origin) }
	if r.Header.Get("Sec-Fetch-Site") == "cross-site" || slices.ContainsFunc(r.Header["Origin"], foreign) {
		return rest.NewError(market.CodeForbidden, "This call came from another site")
	}
	return nil
}

// isOwnOrigin returns whether an origin is the server's own: by its settings, or by the
// address at which the browser has reached it. A server that is reached over https does not
// accept http origins of the same name, because an attacker on the network can forge such
// pages.
func (s *server) isOwnOrigin(r *http.Request, origin string) bool {
	return slices.Contains(s.origins, origin) ||
		origin == "https://"+r.Host || (!s.https && origin == "http://"+r.Host)
}
