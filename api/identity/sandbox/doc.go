// Package sandbox is an OpenID provider for the demo: it stands in for Google
// where there is none. Anybody may be anybody here, and its page says so. It
// speaks the authorization code flow with PKCE, as Google does, so that the
// product signs people in by the same code.
package sandbox
