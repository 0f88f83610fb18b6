package server

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"secondring/api/rest"
	"secondring/market"
)

// admit finds out who makes the call, by the credentials that it takes, and puts
// them into the request's context. A bearer that was sent is the only credential,
// good or bad; without one the session cookie counts. The request it returns is
// to be used after an error too.
func (s *server) admit(r *http.Request, c rest.Route) (*http.Request, error) {
	sent := bearerSent(r)
	switch {
	case c.Access == rest.Cookie:
		return s.admitCookie(r)
	case c.Access == rest.Anyone: // a foreign page may not sign anybody in, or up, either
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			return r, nil
		}
		return r, s.sameSite(r)
	case sent != "":
		return s.admitBearer(r, sent)
	case !s.HasSession(r):
		if c.Access == rest.Optional {
			return r, nil
		}
		return r, rest.NewError(market.CodeNoToken, "Please sign in")
	}
	admitted, err := s.admitPerson(r)
	if c.Access == rest.Optional && isNobody(err) {
		return r, nil
	}
	return admitted, err
}

// isNobody tells whether a cookie belongs to nobody in the market: its session or
// account has ended, or the sign-up is not finished.
func isNobody(err error) bool {
	code := market.CodeOf(err)
	return code == market.CodeNoToken || code == market.CodeNoUser
}

// bearerSent returns the Authorization that was sent; "" for none, and for what a
// client sends that has no token yet.
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

func (s *server) admitBearer(r *http.Request, sent string) (*http.Request, error) {
	scheme, token, _ := strings.Cut(sent, " ")
	if token = strings.TrimSpace(token); token == "" || !strings.EqualFold(scheme, "Bearer") {
		return r, rest.NewError(market.CodeNoToken, "Please sign in")
	}
	var who market.Actor
	err := s.failed.lookUp(r.Context(), rest.Address(r.Context()), func(ctx context.Context) (err error) {
		who, _, err = s.Bearer(ctx, token)
		return err
	})
	if err != nil {
		return r, err
	}
	return r.WithContext(rest.WithActor(r.Context(), who)), nil
}

// admitCookie admits the account that the session cookie belongs to.
func (s *server) admitCookie(r *http.Request) (*http.Request, error) {
	in, err := s.cookieOwner(r)
	if err != nil {
		return r, err
	}
	return r.WithContext(rest.WithSignedIn(r.Context(), in)), nil
}

// admitPerson admits the market's user whose account the session cookie belongs
// to. CodeNoUser before POST /users.
func (s *server) admitPerson(r *http.Request) (*http.Request, error) {
	in, err := s.cookieOwner(r)
	if err != nil {
		return r, err
	}
	who, err := s.Market.SessionActor(r.Context(), in.Session)
	if err != nil {
		return r, err
	}
	return r.WithContext(rest.WithActor(rest.WithSignedIn(r.Context(), in), who)), nil
}

// cookieOwner finds whose session cookie came, for a page of our own.
func (s *server) cookieOwner(r *http.Request) (in rest.SignedIn, err error) {
	if err := s.sameSite(r); err != nil {
		return in, err
	}
	if !s.HasSession(r) {
		return in, rest.NewError(market.CodeNoToken, "Please sign in first")
	}
	err = s.failed.lookUp(r.Context(), rest.Address(r.Context()), func(ctx context.Context) (err error) {
		in, err = s.Cookie(ctx, r)
		return err
	})
	return in, err
}

// sameSite refuses what a page elsewhere makes a browser send, cookie and all:
// reads too, for nobody but our own pages has a use for their answers. A caller
// that is no browser names neither header and passes.
func (s *server) sameSite(r *http.Request) error {
	foreign := func(origin string) bool { return origin != "" && !s.ours(r, origin) }
	if r.Header.Get("Sec-Fetch-Site") == "cross-site" || slices.ContainsFunc(r.Header["Origin"], foreign) {
		return rest.NewError(market.CodeForbidden, "This call came from another site")
	}
	return nil
}

// ours tells whether an origin is the server's own, by its settings or by the
// very address the browser has reached it at, or one that is allowed beside it.
// Who is reached over https takes no word from an unencrypted page of the same
// name: anybody on the way can have written it.
func (s *server) ours(r *http.Request, origin string) bool {
	return slices.Contains(s.origins, origin) ||
		origin == "https://"+r.Host || (!s.https && origin == "http://"+r.Host)
}
