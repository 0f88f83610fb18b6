package google

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const idTokenLifetime = time.Hour

// idToken has the claims of an ID token (OpenID Connect Core 1.0, section 2 and 5.1).
type idToken struct {
	jwt.RegisteredClaims
	Nonce    string `json:"nonce,omitempty"`
	Email    string `json:"email"`
	Verified bool   `json:"email_verified"`
	Name     string `json:"name"`
	Picture  string `json:"picture,omitempty"`
}

// token redeems a code (OpenID Connect Core 1.0, 3.1.3).
func (i *Issuer) token(w http.ResponseWriter, r *http.Request) {
	if r.ParseForm() != nil || r.PostForm.Get("grant_type") != "authorization_code" {
		writeError(w, http.StatusBadRequest, "unsupported_grant_type")
		return
	}
	if !i.isClient(r) {
		w.Header().Set("WWW-Authenticate", `Basic realm="sandbox"`)
		writeError(w, http.StatusUnauthorized, "invalid_client")
		return
	}
	// The code is redeemed even if the rest of the request is wrong, so that a stolen one can
	// be tried only once.
	g, ok, err := i.codes.redeem(r.Context(), r.PostForm.Get("code"))
	if err != nil {
		writeError(w, http.StatusServiceUnavailable, "temporarily_unavailable")
		return
	}
	if !ok || r.PostForm.Get("redirect_uri") != i.config.Redirect || !g.matchesChallenge(r.PostForm.Get("code_verifier")) {
		writeError(w, http.StatusBadRequest, "invalid_grant")
		return
	}
	id, err := i.sign(g)
	if err != nil {
		writeError(w, http.StatusInternalServerError, "server_error")
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"access_token": rand.Text(), // never used: the ID token has everything
		"token_type":   "Bearer",
		"expires_in":   int(idTokenLifetime.Seconds()),
		"id_token":     id,
	})
}

func writeError(w http.ResponseWriter, status int, code string) {
	writeJSON(w, status, map[string]string{"error": code})
}

// isClient reports whether the request has the ID and the secret of the client, in one of the two
// ways of RFC 6749, 2.3.1.
func (i *Issuer) isClient(r *http.Request) bool {
	id, secret := r.PostForm.Get("client_id"), r.PostForm.Get("client_secret")
	if user, pass, ok := r.BasicAuth(); ok {
		var idErr, secretErr error
		id, idErr = url.QueryUnescape(user)
		secret, secretErr = url.QueryUnescape(pass)
		if idErr != nil || secretErr != nil {
			return false
		}
	}
	return secureEqual(id, i.config.ClientID) && secureEqual(secret, i.config.ClientSecret)
}

// matchesChallenge reports whether the client that redeems the code is the one that requested it
// (RFC 7636, 4.6).
func (g grant) matchesChallenge(verifier string) bool {
	sum := sha256.Sum256([]byte(verifier))
	return secureEqual(base64.RawURLEncoding.EncodeToString(sum[:]), g.Challenge)
}

func (i *Issuer) sign(g grant) (string, error) {
	key, err := i.key()
	if err != nil {
		return "", err
	}
	now := i.config.Clock.Now()
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, idToken{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: i.config.Issuer, Subject: g.Who.Subject, Audience: jwt.ClaimStrings{i.config.ClientID},
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(idTokenLifetime)),
		},
		Nonce: g.Nonce, Email: g.Who.Email, Verified: !g.Who.Unverified, Name: g.Who.Name, Picture: g.Who.Picture,
	})
	token.Header["kid"] = keyID
	return token.SignedString(key)
}
