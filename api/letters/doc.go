// Package letters sends email: an outbox in the store, and an SMTP client.
//
// A letter is stored with the write that causes it, or by itself where people can ask for
// it again and again (queue.go). A sender on every node takes the letters that are due,
// has their text made, and hands them to the SMTP server (sender.go, smtp.go). A letter
// is stored without its text and without a secret: both are made when it is sent.
//
// content.go is the text of a letter, content.html and content.txt what it looks like.
// What each letter says belongs to the package that asks for it, such as api/identity.
package letters
