// Package notificationemails writes the emails about notifications.
//
// market.Emailer decides who gets one, and adds it to the outbox with Send. The text is
// made when the email is sent (Compose), from the notifications that are unread and wanted
// then. One notification is an email with its text; several are lists, one for each kind
// and saved search (texts.go). The sentence of a notification is in market/notices.go.
package notificationemails
