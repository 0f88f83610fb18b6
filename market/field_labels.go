package market

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// labels are the names of fields in sentences, where they differ from the words of the field.
var labels = map[string]string{
	"id":                "Brand",
	"img":               "Photo",
	"url":               "Photo",
	"alt":               "Description of the photo",
	"photoURL":          "Picture",
	"displayName":       "Name",
	"userName":          "Name",
	"sellerName":        "Name of the seller",
	"productName":       "Name of the phone",
	"productID":         "Phone",
	"phone":             "Phone number",
	"productCondition":  "Condition",
	"selling_post_date": "Date",
	"bookingId":         "Booking",
	"transactionId":     "Payment",
	"minPrice":          "Lowest price",
	"maxPrice":          "Highest price",
	"minStorage":        "Smallest storage",
	"q":                 "Search text",
	"upTo":              "Notification",
	"current":           "Password",
	"new":               "New password",
}

// sentence makes a reason without a subject a sentence: "must be a list" of the field photos is
// "Photos must be a list".
func sentence(field, reason string) string {
	if first, _ := utf8.DecodeRuneInString(reason); !unicode.IsLower(first) {
		return reason
	}
	return label(field) + " " + reason
}

// label returns the name of a field in a sentence. Of a field in a list it is that of the last part:
// of photos[1].alt that of alt.
func label(field string) string {
	field = field[strings.LastIndex(field, ".")+1:]
	if named, ok := labels[field]; ok {
		return named
	}
	var words strings.Builder
	for i, c := range field {
		switch {
		case i == 0:
			words.WriteRune(unicode.ToUpper(c))
		case unicode.IsUpper(c):
			words.WriteString(" " + string(unicode.ToLower(c)))
		default:
			words.WriteRune(c)
		}
	}
	return words.String()
}
