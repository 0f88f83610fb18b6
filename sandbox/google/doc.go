// Package google is the sandbox for sign-in with Google: an OpenID provider for
// the demo. It asks for no password: anybody can sign in as any user, and its
// page says so. It has the authorization code flow with PKCE, as Google has, so
// the product needs one sign-in flow only.
package google
