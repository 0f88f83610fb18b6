// Package identity is the identity provider: accounts, passwords, sessions,
// access tokens and sign-in with Google.
package identity
