package identity

import (
	"fmt"
	"net/url"
	"regexp"
	"unicode/utf8"

	"secondring/market"
	"secondring/market/texts"
)

// Limits, in characters. maxPassword limits the cost of hashing.
const (
	minPassword = 6
	maxPassword = 1024
	maxEmail    = 254
	maxName     = 100
	maxPhoto    = 2000
)

// emailForm is the pattern of browsers for email fields (HTML Living Standard, "valid
// e-mail address"). It allows only ASCII, so that two addresses that look alike are the
// same.
var emailForm = regexp.MustCompile("^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@" +
	`[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$`)

// check collects the field errors of a body.
type check struct{ market.Fields }

func newCheck() check { return check{market.Fields{}} }

// checkOf is newCheck with the errors that the decoder found.
func checkOf(wrong market.Fields) check { return check{market.FieldsOf(wrong)} }

// email refuses blanks and line ends, so that an address cannot add a header to an email.
func (c check) email(value string) {
	switch {
	case value == "":
		c.Add("email", "Email Address is required")
	case len(value) > maxEmail || !emailForm.MatchString(value):
		c.Add("email", "Email Address is not valid")
	}
}

func (c check) required(name, value, message string) {
	if value == "" {
		c.Add(name, message)
	}
}

func (c check) newPassword(name, value string) {
	switch n := utf8.RuneCountInString(value); {
	case n == 0:
		c.Add(name, "Password is required")
	case n < minPassword:
		c.Add(name, "Password must be atleast 6 characters or longer")
	case n > maxPassword:
		c.Add(name, fmt.Sprintf("Password is longer than %d characters", maxPassword))
	case isCommon(value):
		c.Add(name, "This password is one of the most common ones. Please choose another")
	}
}

func (c check) name(name, value string) {
	switch {
	case value == "":
		c.Add(name, "is required")
	case utf8.RuneCountInString(value) > maxName:
		c.Add(name, fmt.Sprintf("is longer than %d characters", maxName))
	case !texts.IsName(value):
		c.Add(name, "contains characters that cannot be shown")
	}
}

// photo accepts an empty value, an http(s) URL or a path on this site.
func (c check) photo(name, value string) {
	if value != "" && !isPicture(value) {
		c.Add(name, "must be the web address of a photo")
	}
}

func isPicture(value string) bool {
	u, err := url.Parse(value)
	if err != nil || len(value) > maxPhoto {
		return false
	}
	if (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" {
		return true
	}
	return siteRelative(value)
}
