package google

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"secondring/market"
)

const (
	codeLifetime = time.Minute
	codeType     = "code"                // prevents that another token is accepted as a code
	codeRecord   = "sandbox.google.code" // the kind of the records of redeemed codes
)

// grant is the content of an authorization code. The code is the signed grant itself, so
// that any node can redeem it and issuing it stores nothing.
type grant struct {
	jwt.RegisteredClaims
	Who       Person `json:"who"`
	Nonce     string `json:"nonce"`
	Challenge string `json:"challenge"` // PKCE, S256
}

// codes issues codes and redeems them, each once.
type codes struct {
	records market.DocumentStore
	clock   market.Clock
	key     []byte
	parser  *jwt.Parser
}

func newCodes(records market.DocumentStore, clock market.Clock, key string) *codes {
	return &codes{records: records, clock: clock, key: []byte(key), parser: jwt.NewParser(
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
		jwt.WithExpirationRequired(),
		jwt.WithTimeFunc(clock.Now),
	)}
}

func (c *codes) issue(g grant) (string, error) {
	g.ID, g.ExpiresAt = rand.Text(), jwt.NewNumericDate(c.clock.Now().Add(codeLifetime))
	code := jwt.NewWithClaims(jwt.SigningMethodHS256, g)
	code.Header["typ"] = codeType
	return code.SignedString(c.key)
}

// redeem redeems a code. It returns false if this issuer did not issue the code, or if the code is
// used or expired.
func (c *codes) redeem(ctx context.Context, code string) (g grant, ok bool, err error) {
	if g, ok = c.read(code); !ok {
		return grant{}, false, nil
	}
	err = c.records.AddRecord(ctx, market.Record{Kind: codeRecord, ID: g.ID, Version: 1, Expires: c.clock.Now().Add(2 * codeLifetime)}, nil)
	if errors.Is(err, market.ErrExists) {
		return grant{}, false, nil
	}
	return g, err == nil, err
}

func (c *codes) read(code string) (g grant, ok bool) {
	token, err := c.parser.ParseWithClaims(code, &g, func(*jwt.Token) (any, error) { return c.key, nil })
	return g, err == nil && token.Header["typ"] == codeType
}
