package identity

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"secondring/api/rest"
	"secondring/market"
)

const (
	tokenLasts = time.Hour
	tokenType  = "at+jwt" // RFC 9068: distinguishes access tokens from ID tokens
	audience   = "secondring"
	// issuer is the same on all nodes, so a token of one node is valid on all. Deployments
	// have different keys.
	issuer = "secondring"
)

// AccessToken is the response of GET /jwt.
type AccessToken struct {
	AccessToken string `json:"accessToken" doc:"Valid for one hour, unless the session ends before"`
}

// claims are the claims of an access token: sub is the uid, sid the session.
type claims struct {
	jwt.RegisteredClaims
	Session string `json:"sid"`
}

// tokens signs and verifies access tokens.
type tokens struct {
	key    []byte
	clock  market.Clock
	parser *jwt.Parser
}

func newTokens(key []byte, clock market.Clock) *tokens {
	return &tokens{key: key, clock: clock, parser: jwt.NewParser(
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
		jwt.WithExpirationRequired(),
		jwt.WithIssuer(issuer),
		jwt.WithAudience(audience),
		jwt.WithTimeFunc(clock.Now),
	)}
}

func (t *tokens) make(uid, session string) (string, error) {
	now := t.clock.Now()
	token := jwt.NewWithClaims(jwt.SigningMethodHS256, claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: issuer, Subject: uid, Audience: jwt.ClaimStrings{audience},
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(tokenLasts)),
		},
		Session: session,
	})
	token.Header["typ"] = tokenType
	return token.SignedString(t.key)
}

func (t *tokens) read(raw string) (claims, bool) {
	var c claims
	token, err := t.parser.ParseWithClaims(raw, &c, func(*jwt.Token) (any, error) { return t.key, nil })
	ok := err == nil && token.Header["typ"] == tokenType && c.Subject != "" && c.Session != ""
	return c, ok
}

// Bearer returns the actor of an access token and when the token expires. It returns
// CodeNoToken if the token is invalid or expired, or its session or account has ended.
func (s *Service) Bearer(ctx context.Context, token string) (market.Actor, time.Time, error) {
	if entry, ok := s.cached(token); ok {
		return entry.actor, entry.expires, nil
	}
	c, ok := s.tokens.read(token)
	if !ok {
		return market.Actor{}, time.Time{}, logInAgain()
	}
	actor, err := s.loadActor(ctx, token, c)
	return actor, c.ExpiresAt.UTC(), err
}

// jwt issues an access token. The email must be that of the session's account.
func (s *Service) jwt(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	email := rest.EmailValue(r, "email")
	if email == "" {
		return market.Invalid("email", "Email Address is required")
	}
	if market.NormalEmail(email) != market.NormalEmail(in.Account.Email) {
		return rest.NewError(market.CodeForbidden, "You can only get a token for yourself")
	}
	user, err := s.store.User(r.Context(), in.Account.UID)
	switch {
	case errors.Is(err, market.ErrNotFound):
		return rest.NewError(market.CodeNoUser, "Finish your sign-up first")
	case err != nil:
		return err
	case user.Removed:
		return signInFirst()
	}
	if err := s.market.MayAct(user, in.Account.Access()); err != nil {
		return err
	}
	if user.Email != in.Account.Email { // a change of address was interrupted
		if err := s.followAccount(r.Context(), in.Account); err != nil {
			return err
		}
	}
	if err := s.extendSession(w, r, in); err != nil {
		return err
	}
	token, err := s.tokens.make(in.Account.UID, in.Session.ID)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	rest.JSON(w, http.StatusOK, AccessToken{AccessToken: token})
	return nil
}
