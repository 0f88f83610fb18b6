// Package identity is the identity provider: accounts, passwords, sessions, access tokens and
// sign-in with Google.
//
// routes.go lists its calls. account.go signs people up and in, password.go hashes passwords,
// and second_factor.go checks the codes of authenticator apps. session.go starts and ends
// sessions; token_cache.go caches valid access tokens. google.go, oidc.go and google_*.go have
// the sign-in with Google. recovery.go resets passwords and confirms email addresses, by the
// links of links.go in the emails of emails.go. limit.go limits all sign-ins, sign-ups, reset
// emails and changes of the email address.
package identity
