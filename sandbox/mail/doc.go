// Package mail replaces the SMTP server in the demo. It stores the last letters in
// memory and shows them at /sandbox/mail.
//
// box.go stores letters and serves the page; page.html is its template.
package mail
