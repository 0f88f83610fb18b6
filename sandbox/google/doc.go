// Package google is the sandbox for sign-in with Google: an OpenID provider for
// the demo. It asks for no password: anybody can sign in as any user, and its
// page says so. It implements the authorization code flow with PKCE, as Google does, so
// the product needs one sign-in flow only.
//
// Start at New in issuer.go, which lists the routes. authorize.go shows the page and gives
// a code, codes.go accepts each code once, token.go exchanges it for an ID token, and
// discovery.go has the configuration and the keys.
package google
