// Package identity is the identity provider: accounts, passwords, sessions, access tokens and
// sign-in with Google.
//
// Start at routes.go, which lists its calls, and service.go, which has the Service. The files,
// by subject:
//
//   - accounts: account.go (sign-up, sign-in, sign-out), create_account.go (accounts without a
//     browser), profile.go, change_email.go, data_export.go, delete_account.go, validation.go
//   - changes of how an account is entered: credentials.go checks the owner, and ends other sessions
//   - passwords: password.go (hashes and changes them), common_passwords.go, recovery.go (resets
//     them, and confirms email addresses)
//   - second factor: second_factor.go checks the codes of authenticator apps,
//     second_factor_setup.go switches them on and off
//   - sessions: session.go starts and ends them, session_list.go shows them to their owner,
//     device.go recognizes browsers
//   - access tokens: token.go; token_cache.go caches valid ones
//   - Google: google.go (the calls), oidc.go (the protocol), google_account.go (the account of an
//     identity), google_link.go (the link to an account with a password), return_to.go (the page
//     after the sign-in)
//   - emails: emails.go writes them, links.go has the links in them
//   - admins: admin.go (the commands), first_admin.go (the link to the first admin)
//   - limits: limit.go limits all sign-ins, sign-ups, reset emails and changes of the email
//     address; keyed_semaphore.go limits concurrent attempts
//   - secrets: secrets.go (random texts and their hashes), sealer.go (encryption)
package identity
