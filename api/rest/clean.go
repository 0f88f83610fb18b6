package rest

import "secondring/market/texts"

// cleaners are the functions that clean the texts of bodies, by the field's name, before anything
// else reads them. A field that is not here is one line (texts.CleanLine).
var cleaners = map[string]func(string) string{
	"description":       texts.CleanLines,
	"reason":            texts.CleanLines,
	"phone":             texts.CleanPhone,
	"email":             texts.CleanEmail,
	"confirm":           texts.CleanEmail, // the address, to delete an account without a password
	"code":              texts.CleanCode,
	"tracking":          texts.CleanNumber,
	"selling_post_date": texts.CleanNumber,
	"password":          asSent,
	"current":           asSent, // a password
	"new":               asSent, // a password
	"token":             asSent,
	"key":               asSent,
	"id":                asSent,
	"productID":         asSent,
	"bookingId":         asSent,
	"transactionId":     asSent,
	"upTo":              asSent,
}

// asSent is for passwords, tokens, keys and IDs, which are never changed.
func asSent(text string) string { return text }

// cleanText cleans a text of a body by the name of its field. Other values than a *string stay
// as they are.
func cleanText(value any, name string) {
	text, isText := value.(*string)
	if !isText {
		return
	}
	if cleaner, ok := cleaners[name]; ok {
		*text = cleaner(*text)
	} else {
		*text = texts.CleanLine(*text)
	}
}
