// Package page serves the HTML pages of the sandboxes: the sign-in of google, the payout
// setup of stripe and the mailbox of mail. The pages need no script and no inline style,
// and their policy allows neither.
//
// page.go sends a page; style.css is the style sheet of all of them. Each sandbox
// has its own template and serves the style sheet under its own path.
package page
