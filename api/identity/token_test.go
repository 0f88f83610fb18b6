package identity_test

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"maps"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"secondring/api/identity"
	"secondring/market"
)

func TestTokenIsIssuedForOwnAddressOnly(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	e.member("bob@example.com")
	a := b.do("GET", "/jwt?email=ADA%40example.com", nil)
	token, _ := a.is(200)["accessToken"].(string)
	if a.Header.Get("Cache-Control") != "no-store" {
		t.Error("a token may be cached")
	}
	actor, expires, err := e.service.Bearer(t.Context(), token)
	must(t, err)
	if actor.User.Email != ada || !expires.Equal(e.clock.Now().Add(time.Hour)) {
		t.Errorf("the token is %s's until %s", actor.User.Email, expires)
	}
	e.browser().do("GET", "/jwt?email="+ada, nil).refused(401, market.CodeNoToken, "")
	for _, other := range []string{"bob@example.com", "nobody@example.com", ada + ".evil.com", "Ada", "%00", "ada%FF@example.com"} {
		b.do("GET", "/jwt?email="+other, nil).is(map[bool]int{true: 422, false: 403}[other == "ada%FF@example.com"])
	}
	b.do("GET", "/jwt", nil).field("email", "Email Address is required")
}

func TestNoTokenWithoutUser(t *testing.T) {
	e := newEnv(t)
	b := e.browser()
	b.signUp(ada, adaPass).is(201)
	b.do("GET", "/jwt?email="+ada, nil).refused(403, market.CodeNoUser, "")
	_, err := e.market.AddUser(t.Context(), e.account(ada), market.UserRequest{Name: "Ada", Email: ada, AccountType: market.AccountSeller})
	must(t, err)
	b.token(ada)
}

func TestTokenLastsOneHourAndRenews(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	old := b.token(ada)
	e.clock.Pass(time.Hour - time.Second)
	_, _, err := e.service.Bearer(t.Context(), old)
	must(t, err)
	fresh := b.token(ada)
	e.clock.Pass(time.Second)
	if _, _, err := e.service.Bearer(t.Context(), old); market.CodeOf(err) != market.CodeNoToken {
		t.Errorf("after an hour: %v", err)
	}
	_, _, err = e.service.Bearer(t.Context(), fresh)
	must(t, err)
}

// forge returns a token with these claims, signed with this method and key.
func forge(t *testing.T, method jwt.SigningMethod, key any, header, claims map[string]any) string {
	t.Helper()
	token := jwt.NewWithClaims(method, jwt.MapClaims(claims))
	maps.Copy(token.Header, header)
	raw, err := token.SignedString(key)
	must(t, err)
	return raw
}

func TestForgedTokensAreRefused(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	good := b.token(ada)
	actor, _, err := e.service.Bearer(t.Context(), good)
	must(t, err)
	key, now := identity.TokenKey(e.service), e.clock.Now()
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	der, err := x509.MarshalPKIXPublicKey(&rsaKey.PublicKey)
	must(t, err)
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	header := map[string]any{"typ": "at+jwt"}
	claims := func(change map[string]any) map[string]any {
		all := map[string]any{
			"iss": "secondring", "aud": "secondring", "sub": actor.User.UID, "sid": actor.Session,
			"iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
		}
		for name, value := range change {
			if all[name] = value; value == nil {
				delete(all, name)
			}
		}
		return all
	}
	hs := func(change map[string]any) string {
		return forge(t, jwt.SigningMethodHS256, key, header, claims(change))
	}
	if _, _, err := e.service.Bearer(t.Context(), hs(nil)); err != nil {
		t.Fatalf("the forge does not work: %v", err)
	}
	ahead := hs(map[string]any{"iat": now.Add(time.Minute).Unix()})
	if _, _, err := e.service.Bearer(t.Context(), ahead); err != nil {
		t.Errorf("of a node whose clock is ahead: %v", err)
	}
	parts := strings.Split(good, ".")
	mine := bytes.Repeat([]byte("m"), 32)
	tricks := func(names map[string]any) string { // a token that names the key it is signed with
		return forge(t, jwt.SigningMethodHS256, mine, with(header, names), claims(nil))
	}
	for name, token := range map[string]string{
		"empty":             "",
		"no token":          "what is this?",
		"signature cut":     parts[0] + "." + parts[1] + ".",
		"two parts":         parts[0] + "." + parts[1],
		"other payload":     parts[0] + "." + payload(t, claims(map[string]any{"sub": "somebody"})) + "." + parts[2],
		"none":              forge(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, header, claims(nil)),
		"RS256":             forge(t, jwt.SigningMethodRS256, rsaKey, header, claims(nil)),
		"HS256 with RS key": forge(t, jwt.SigningMethodHS256, public, header, claims(nil)),
		"HS512":             forge(t, jwt.SigningMethodHS512, key, header, claims(nil)),
		"foreign secret":    forge(t, jwt.SigningMethodHS256, bytes.Repeat([]byte("x"), 32), header, claims(nil)),
		"the secret itself": forge(t, jwt.SigningMethodHS256, secret, header, claims(nil)),
		"empty secret":      forge(t, jwt.SigningMethodHS256, []byte{}, header, claims(nil)),
		"other type":        forge(t, jwt.SigningMethodHS256, key, map[string]any{"typ": "JWT"}, claims(nil)),
		"kid of a file":     tricks(map[string]any{"kid": "../../../../dev/null"}),
		"kid of a query":    tricks(map[string]any{"kid": "x' UNION SELECT 'mmmm"}),
		"kid of an address": tricks(map[string]any{"kid": "http://127.0.0.1:1/key"}),
		"empty key's kid":   forge(t, jwt.SigningMethodHS256, []byte{}, with(header, map[string]any{"kid": ""}), claims(nil)),
		"jku":               tricks(map[string]any{"jku": "https://evil.example/jwks.json", "kid": "1"}),
		"x5u":               tricks(map[string]any{"x5u": "https://evil.example/cert.pem"}),
		"x5c":               tricks(map[string]any{"x5c": []string{encode(der)}}),
		"jwk":               tricks(map[string]any{"jwk": map[string]string{"kty": "oct", "k": base64.RawURLEncoding.EncodeToString(mine)}}),
		"crit":              tricks(map[string]any{"crit": []string{"exp"}}),
		"None":              recased(t, claims(nil)),
		"jwk of RSA":        forge(t, jwt.SigningMethodRS256, rsaKey, with(header, map[string]any{"jwk": map[string]string{"kty": "RSA"}}), claims(nil)),
		"exp as text":       hs(map[string]any{"exp": "tomorrow"}),
		"exp below zero":    hs(map[string]any{"exp": -1}),
		"ours among aud":    hs(map[string]any{"aud": []string{"secondring.evil.example", "SECONDRING"}}),
		"ended this moment": hs(map[string]any{"exp": now.Unix()}),
		"an ID token":       forge(t, jwt.SigningMethodHS256, key, map[string]any{"typ": "JWT"}, claims(map[string]any{"nonce": "n"})),
		"padding":           good + "==",
		"a fourth part":     good + ".e30",
		"spaces":            " " + good,
		"no exp":            hs(map[string]any{"exp": nil}),
		"expired":           hs(map[string]any{"exp": now.Add(-time.Second).Unix()}),
		"not yet":           hs(map[string]any{"nbf": now.Add(time.Minute).Unix()}),
		"wrong aud":         hs(map[string]any{"aud": "elsewhere"}),
		"no aud":            hs(map[string]any{"aud": nil}),
		"wrong iss":         hs(map[string]any{"iss": "https://elsewhere.example.com"}),
		"no iss":            hs(map[string]any{"iss": nil}),
		"no sub":            hs(map[string]any{"sub": nil}),
		"other sub":         hs(map[string]any{"sub": "somebody"}),
		"no sid":            hs(map[string]any{"sid": nil}),
		"other sid":         hs(map[string]any{"sid": "some session"}),
	} {
		if _, _, err := e.service.Bearer(t.Context(), token); market.CodeOf(err) != market.CodeNoToken {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// with returns a header with more fields.
func with(header, more map[string]any) map[string]any {
	all := maps.Clone(header)
	maps.Copy(all, more)
	return all
}

// recased returns an unsigned token whose alg is "none" in other letter cases.
func recased(t *testing.T, claims map[string]any) string {
	t.Helper()
	head := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"nOnE","typ":"at+jwt"}`))
	return head + "." + payload(t, claims) + "."
}

func payload(t *testing.T, claims map[string]any) string {
	t.Helper()
	raw, err := json.Marshal(claims)
	must(t, err)
	return base64.RawURLEncoding.EncodeToString(raw)
}

func TestTokenOfAnotherUsersSessionIsRefused(t *testing.T) {
	e := newEnv(t)
	a, _, err := e.service.Bearer(t.Context(), e.member(ada).token(ada))
	must(t, err)
	const bob = "bob@example.com"
	b, _, err := e.service.Bearer(t.Context(), e.member(bob).token(bob))
	must(t, err)
	now := e.clock.Now()
	mixed := forge(t, jwt.SigningMethodHS256, identity.TokenKey(e.service), map[string]any{"typ": "at+jwt"}, map[string]any{
		"iss": "secondring", "aud": "secondring", "sub": a.User.UID, "sid": b.Session,
		"iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
	})
	if _, _, err := e.service.Bearer(t.Context(), mixed); market.CodeOf(err) != market.CodeNoToken {
		t.Errorf("taken: %v", err)
	}
}

func TestShortSecretsAreRefused(t *testing.T) {
	public := &url.URL{Scheme: "http", Host: "localhost:8080"}
	for _, short := range [][]byte{nil, []byte("secret"), bytes.Repeat([]byte("s"), identity.MinSecret-1)} {
		if _, err := identity.New(identity.Config{Secret: short, PublicURL: public, Clock: market.SystemClock{}}); err == nil {
			t.Errorf("%d bytes were taken", len(short))
		}
	}
}
