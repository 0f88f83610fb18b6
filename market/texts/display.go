package texts

import (
	"strings"
	"unicode"
)

// IsDisplayable returns whether a text displays as it was written: cleaning does not change its
// characters (CleanLine, CleanLines), and no letter has a stack of marks, which covers the lines
// above and below. Line ends and tabs are allowed only if lines is true.
//
// Letters of two scripts that look alike are allowed, because names do not identify
// users here: accounts differ by their uid, and a verified seller is marked beside the
// name.
func IsDisplayable(text string, lines bool) bool {
	return text == readable(text) && (lines || !strings.ContainsAny(text, "\n\t")) && !hasMarkStack(text)
}

// maxMarks is how many marks a letter may have: Hebrew with points and accents needs four.
const maxMarks = 5

func hasMarkStack(text string) bool {
	marks := 0
	for _, c := range text {
		if marks++; !unicode.In(c, unicode.Mn, unicode.Me) {
			marks = 0
		}
		if marks > maxMarks {
			return true
		}
	}
	return false
}

// HasVisible returns whether a text has a visible character.
func HasVisible(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool {
		return unicode.IsLetter(c) || unicode.IsNumber(c) || unicode.IsPunct(c) || unicode.IsSymbol(c)
	})
}

// IsName returns whether a text can be a person's name: one IsDisplayable line with a visible
// character.
func IsName(text string) bool { return HasVisible(text) && IsDisplayable(text, false) }
