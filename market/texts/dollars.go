package texts

import (
	"regexp"
	"strconv"
	"strings"
)

// Limits of the digits, and the reasons why a text is no price.
const (
	// maxDollarDigits is far above every price, and every number of that length is exact in the client.
	maxDollarDigits = 12

	notWholeDollars = "must be in whole dollars, without cents"
	notAPrice       = "must be a price in whole US dollars, such as 250 or 1,250"
)

var (
	// currency is what people write before or behind an amount in US dollars.
	currency = `(?:us ?\$|u\.s\. ?\$|us ?dollars?|dollars?|usd ?\$?|\$)`
	// priceForm is a currency, a whole number with or without groups, and cents. Groups have three
	// digits, in India and Bangladesh two before the last three.
	priceForm = regexp.MustCompile(`^(?:` + currency + ` ?)?` +
		`(\d+|` + grouped(`,`) + `|` + grouped(`\.`) + `|` + grouped(` `) + `|` + grouped(`'`) + `)` +
		`(?:([.,\x{066b}])(\d{1,2}|-)?)?(?: ?` + currency + `)?$`)
	// separators replaces the Arabic separators of groups, forms of the apostrophe, and the small $.
	separators = strings.NewReplacer("\u066c", ",", "\u060c", ",", "\u2019", "'", "\u2018", "'", "\u00b4", "'", "`", "'", "\ufe69", "$")
	noGroups   = strings.NewReplacer(",", "", ".", "", " ", "", "'", "")
)

// grouped returns the pattern of a number whose groups have this separator.
func grouped(separator string) string {
	return `[1-9]\d{0,2}(?:` + separator + `\d{3})+|[1-9]\d?(?:` + separator + `\d{2})+` + separator + `\d{3}`
}

// ParseDollars parses a price as people write it: with or without groups, cents that are zero and
// the sign or the name of the currency, in the digits of any script. A separator before three
// digits separates groups: 1.250 is 1250. It returns the reason if the text is no price in whole
// dollars, and "" otherwise. The client does the same (client/src/lib/dollars.ts), and both pass
// the cases of testdata/dollars.json.
func ParseDollars(text string) (dollars int, reason string) {
	text = strings.ToLower(separators.Replace(CleanNumber(text)))
	parts := priceForm.FindStringSubmatch(text)
	if parts == nil {
		return 0, notAPrice
	}
	whole, sign, cents := parts[1], parts[2], parts[3]
	if sign != "" && strings.Contains(whole, sign) {
		return 0, notAPrice // 1,250,00
	}
	if strings.Trim(cents, "0-") != "" {
		return 0, notWholeDollars
	}
	whole = noGroups.Replace(whole)
	if len(whole) > maxDollarDigits {
		return 0, notAPrice
	}
	dollars, _ = strconv.Atoi(whole) // these digits are always a number
	return dollars, ""
}
