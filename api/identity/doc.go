// Package identity is the identity provider: accounts, passwords, sessions,
// access tokens and sign-in with Google. routes.go lists its calls; session.go
// starts and ends sessions; google.go, oidc.go and google_*.go have the sign-in with
// Google; limit.go limits failed attempts; token_cache.go caches valid access tokens.
package identity
