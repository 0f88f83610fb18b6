// Package emails sends email. It has an outbox in the store, and an SMTP client.
//
// An email is stored with the write that causes it, or in a write of its own if people can
// request it repeatedly (queue.go). A sender on every node takes the emails that are due,
// renders their text, and sends them to the SMTP server (sender.go, smtp.go). An email is
// stored without its text and without a secret: both are created when it is sent.
//
// content.go has the type of an email's text; content.html and content.txt are its
// templates. The text of each email is in the package that sends it, such as api/identity.
package emails
