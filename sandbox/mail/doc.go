// Package mail replaces the SMTP server in the demo. It stores the last emails in
// memory and shows them at /sandbox/mail.
//
// box.go stores emails and serves the page; page.html is its template.
package mail
