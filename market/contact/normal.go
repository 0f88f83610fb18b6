package contact

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"secondring/market/texts"
)

var (
	blanks    = regexp.MustCompile(` +`)
	lineEnds  = regexp.MustCompile(` ?\n[\n ]*`)
	atSigns   = regexp.MustCompile(`[ \n]?[\[({<] ?(?:at|@) ?[\])}>][ \n]?`)
	dots      = regexp.MustCompile(`[ \n]?[\[({<] ?(?:dot|\.) ?[\])}>][ \n]?|[ \n]dot[ \n]`)
	fullStops = "\u3002" // the ideographic one; others are full stops in NFKC
)

// normal returns a text as the rules compare it: NFKC in lower case, without marks and what nobody
// sees, with ASCII digits, hyphens and single blanks. 'at' and 'dot' in brackets, and 'dot' between
// blanks, are the signs.
func normal(text string) string {
	text = strings.Map(plainForm, norm.NFKC.String(text))
	text = lineEnds.ReplaceAllString(blanks.ReplaceAllString(text, " "), "\n")
	return dots.ReplaceAllString(atSigns.ReplaceAllString(text, "@"), ".")
}

// plainForm returns the character that stands for c, or -1 if c is dropped.
func plainForm(c rune) rune {
	switch {
	case c >= ' ' && c < 0x7f:
		return unicode.ToLower(c)
	case strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", c):
		return '\n'
	case c == '\t' || c == '\u2800' || unicode.Is(unicode.Zs, c): // U+2800 is the Braille cell without dots
		return ' '
	case strings.ContainsRune(fullStops, c):
		return '.'
	case unicode.In(c, unicode.Cc, unicode.Cf, unicode.M, unicode.Other_Default_Ignorable_Code_Point):
		return -1
	case unicode.Is(unicode.Nd, c):
		return '0' + texts.DigitValue(c)
	case unicode.Is(unicode.Pd, c) || c == '\u2212': // the minus sign
		return '-'
	}
	return unicode.ToLower(c)
}
