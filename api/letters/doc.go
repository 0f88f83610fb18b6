// Package letters sends email. It has an outbox in the store, and an SMTP client.
//
// A letter is stored with the write that causes it, or in a write of its own if people can
// request it repeatedly (queue.go). A sender on every node takes the letters that are due,
// renders their text, and sends them to the SMTP server (sender.go, smtp.go). A letter is
// stored without its text and without a secret: both are created when it is sent.
//
// content.go has the type of a letter's text; content.html and content.txt are its
// templates. The text of each letter is in the package that sends it, such as api/identity.
package letters
