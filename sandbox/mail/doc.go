// Package mail stands in for an SMTP server in the demo: it keeps the last letters in
// memory and shows them at /sandbox/mail.
//
// box.go takes letters and answers; page.html is what people see.
package mail
