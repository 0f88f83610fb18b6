package api

import (
	"net/http"
	"slices"
	"strings"

	"secondring/api/rest"
	"secondring/market"
)

// admit looks at the credentials that the call takes and puts their owner into
// the request's context. The request it returns is to be used after an error too.
func (a *api) admit(r *http.Request, c rest.Call) (*http.Request, error) {
	sent := r.Header.Get("Authorization")
	switch c.Access {
	case rest.Bearer:
		return a.admitBearer(r, sent)
	case rest.Optional:
		if sent == "" {
			return r, nil
		}
		return a.admitBearer(r, sent)
	case rest.Either:
		if sent != "" {
			return a.admitBearer(r, sent)
		}
		return a.admitCookie(r)
	case rest.Cookie:
		return a.admitCookie(r)
	default: // a foreign page may not sign anybody in, or up, either
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			return r, nil
		}
		return r, a.sameSite(r)
	}
}

func (a *api) admitBearer(r *http.Request, sent string) (*http.Request, error) {
	scheme, token, _ := strings.Cut(sent, " ")
	if token = strings.TrimSpace(token); token == "" || !strings.EqualFold(scheme, "Bearer") {
		return r, rest.Refuse(market.CodeNoToken, "Please sign in")
	}
	if a.Known != nil && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		if who, ok := a.Known(token); ok {
			return r.WithContext(rest.WithActor(r.Context(), *who)), nil
		}
	}
	who, _, err := a.Bearer(r.Context(), token)
	if err != nil {
		return r, err
	}
	return r.WithContext(rest.WithActor(r.Context(), who)), nil
}

func (a *api) admitCookie(r *http.Request) (*http.Request, error) {
	if err := a.sameSite(r); err != nil {
		return r, err
	}
	who, err := a.Cookie(r.Context(), r)
	if err != nil {
		return r, err
	}
	return r.WithContext(rest.WithSignedIn(r.Context(), who)), nil
}

// sameSite refuses what a page elsewhere makes a browser send, cookie and all:
// reads too, for nobody but our own pages has a use for their answers. A caller
// that is no browser names neither header and passes.
func (a *api) sameSite(r *http.Request) error {
	foreign := func(origin string) bool { return origin != "" && !a.ours(r, origin) }
	if r.Header.Get("Sec-Fetch-Site") == "cross-site" || slices.ContainsFunc(r.Header["Origin"], foreign) {
		return rest.Refuse(market.CodeForbidden, "This call came from another site")
	}
	return nil
}

// ours tells whether an origin is the server's own, by its settings or by the
// very address the browser has reached it at, or one that is allowed beside it.
// Who is reached over https takes no word from an unencrypted page of the same
// name: anybody on the way can have written it.
func (a *api) ours(r *http.Request, origin string) bool {
	return slices.Contains(a.origins, origin) ||
		origin == "https://"+r.Host || (!a.https && origin == "http://"+r.Host)
}
