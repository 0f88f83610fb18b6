package market

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"secondring/market/search"
	"secondring/market/texts"
)

// The longest texts, in characters, and the lowest price, in whole US dollars.
const (
	maxName   = 100
	maxEmail  = 254
	maxTitle  = 120
	maxShort  = 120
	maxColour = 40 // of Product.Colour
	maxLong   = 4000
	maxURL    = 500
	minPrice  = 1
	dayLayout = "2006-01-02"
	// firstPostingDay is before every phone that is sold here.
	firstPostingDay = "2000-01-01"
	// firstTimeZone is the time zone in which a day begins first. So tomorrow of every caller is accepted.
	firstTimeZone = 14 * time.Hour
)

// maxEntity is the largest size of an entity as JSON, in bytes. Each change of it is sent
// to every screen that shows it, and kept in the history for clients that reconnect.
const maxEntity = 8 << 10

// tooLarge returns the error of the field that makes an entity too large.
func tooLarge(field string) error {
	return Invalid(field, fmt.Sprintf("is too long: all fields together may have %d KB", maxEntity>>10))
}

// mustFit returns an error if the phone is too large, unless it was as large before.
func (p Product) mustFit(before int) error {
	size := p.size()
	if size <= maxEntity || size <= before {
		return nil
	}
	if len(encode(p.Photos)) > len(encode(p.Description)) {
		return tooLarge("photos")
	}
	return tooLarge("description")
}

// size returns the size of the phone as JSON, in bytes.
func (p Product) size() int { return len(encode(p.ViewWithContact())) }

// conditions are those that a phone may be in.
var conditions = []string{"Excellent", "Good", "Fair"}

const cannotBeShown = "contains characters that cannot be shown"

// text requires one line with a visible character and at most max characters.
func (f Fields) text(name, value string, max int) { f.required(name, value, max, false) }

// words requires one line of letters of any script, digits, spaces and hyphens. So it cannot be
// a link or an address.
func (f Fields) words(name, value string, max int) {
	f.text(name, value, max)
	if strings.ContainsFunc(value, func(c rune) bool {
		return !unicode.In(c, unicode.L, unicode.M, unicode.Nd, unicode.Zs, unicode.Pd) && !texts.IsJoiner(c)
	}) {
		f.Add(name, "may contain only letters, digits, spaces and hyphens")
	}
}

// multiline requires a text like text does, which may have several lines.
func (f Fields) multiline(name, value string, max int) { f.required(name, value, max, true) }

// optional requires one line of at most max characters, or none.
func (f Fields) optional(name, value string, max int) { f.showable(name, value, max, false) }

func (f Fields) required(name, value string, max int, lines bool) {
	if !texts.HasVisible(value) && texts.IsDisplayable(value, true) {
		f.Add(name, "is required")
		return
	}
	f.showable(name, value, max, lines)
}

func (f Fields) showable(name, value string, max int, lines bool) {
	switch {
	case utf8.RuneCountInString(value) > max:
		f.Add(name, fmt.Sprintf("is longer than %d characters", max))
	case !texts.IsDisplayable(value, lines):
		f.Add(name, cannotBeShown)
	}
}

// Limits of a telephone number.
const (
	minPhone       = 6 // characters
	maxPhone       = 20
	minPhoneDigits = 6
)

// telephone requires a valid telephone number in the field phone.
func (f Fields) telephone(value string) {
	digits := 0
	for _, c := range value {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case !strings.ContainsRune("+()-. ", c):
			f.Add("phone", "may contain only digits, spaces and + ( ) - .")
			return
		}
	}
	switch {
	case value == "":
		f.Add("phone", "is required")
	case digits < minPhoneDigits, len(value) < minPhone, len(value) > maxPhone:
		f.Add("phone", fmt.Sprintf("must be a phone number of %d to %d characters with at least %d digits", minPhone, maxPhone, minPhoneDigits))
	}
}

// Reach requires what an account remembers for its owner's forms: a telephone number and a place as in
// a booking. Each may be empty; nil is not checked.
func (f Fields) Reach(phone, location *string) {
	if phone != nil && *phone != "" {
		f.telephone(*phone)
	}
	if location != nil {
		f.optional("location", *location, maxShort)
	}
}

func (f Fields) oneOf(name, value string, choices ...string) {
	switch {
	case value == "":
		f.Add(name, "is required")
	case !slices.Contains(choices, value):
		f.Add(name, "must be one of "+strings.Join(choices, ", "))
	}
}

func (f Fields) price(name string, dollars int) {
	switch {
	case dollars == 0:
		f.Add(name, "is required, in whole US dollars")
	case dollars < minPrice || dollars > search.MaxPrice:
		f.Add(name, fmt.Sprintf("must be between %d and %d whole US dollars", minPrice, search.MaxPrice))
	}
}

// delivers requires what a seller can offer.
func (f Fields) delivers(value Delivery) {
	f.oneOf("delivers", string(value), string(DeliveryMeet), string(DeliverySend), string(DeliveryBoth))
}

// postage requires an amount that is no part of the price.
func (f Fields) postage(dollars int) {
	if dollars < 0 || dollars > MaxPostage {
		f.Add("postage", fmt.Sprintf("must be between 0 and %d whole US dollars", MaxPostage))
	}
}

// storage requires whole GB, or 0 for not given.
func (f Fields) storage(name string, gigabytes int) {
	if gigabytes < 0 || gigabytes > search.MaxStorage {
		f.Add(name, fmt.Sprintf("must be between 1 and %d whole GB", search.MaxStorage))
	}
}

// postingDay requires a day from 2000 to tomorrow.
func (f Fields) postingDay(name, value string, now time.Time) {
	day, err := time.Parse(dayLayout, value)
	switch {
	case value == "":
		f.Add(name, "is required")
	case err != nil:
		f.Add(name, "must be a date like 2026-01-31")
	case value < firstPostingDay || day.After(now.UTC().Add(firstTimeZone).AddDate(0, 0, 1)):
		f.Add(name, "must be from "+firstPostingDay+" to tomorrow")
	}
}

// image requires an http(s) or site-relative URL.
func (f Fields) image(name, value string) {
	f.text(name, value, maxURL)
	u, err := url.Parse(value)
	relative := err == nil && u.Scheme == "" && u.Host == "" &&
		strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "//") && !strings.Contains(value, `\`)
	absolute := err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
	if !relative && !absolute {
		f.Add(name, "must be the web address of a photo")
	}
}

// agrees requires a payload's field to equal the stored value, without case and surrounding
// blanks. The field may be empty.
func (f Fields) agrees(name, sent, stored string) {
	if sent = strings.TrimSpace(sent); sent != "" && !sameText(sent, stored) {
		f.Add(name, "does not match our records")
	}
}

// sameText compares two names without case and surrounding blanks.
func sameText(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}
