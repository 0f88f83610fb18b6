// Package texts cleans and checks what people type: names, descriptions, numbers and prices
// (docs/adr/0031-typed-texts.md).
//
//   - clean.go drops or replaces what nobody sees.
//   - display.go says whether a text displays as it was written, and what can be a name.
//   - dollars.go parses prices.
package texts

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The functions of this file clean a text that a person entered, before it is checked. Notes,
// chats, address books and word processors add characters that nobody sees, and write blanks,
// line ends, hyphens and digits in their own ways. Those are dropped, or replaced by what they
// mean. Passwords, tokens and keys are never cleaned. The client does the same
// (client/src/lib/cleanText.ts), and both pass the cases of testdata/texts.json. A cleaned text
// does not change when it is cleaned again.

// CleanLine cleans a text of one line. Runs of blanks and line ends become one blank, and those
// at the ends are dropped.
func CleanLine(text string) string { return strings.Join(strings.Fields(readable(text)), " ") }

// CleanLines cleans a text of several lines. Line ends become \n. Blanks at the ends of lines are
// dropped, and blanks and line ends at the ends of the text.
func CleanLines(text string) string {
	lines := strings.Split(readable(text), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], blanks)
	}
	return strings.Trim(strings.Join(lines, "\n"), blanks+"\n")
}

// CleanNumber cleans a line in which digits, letters and hyphens have one form: a tracking number.
// Digits of all scripts and full-width characters become ASCII, and every dash a hyphen.
func CleanNumber(text string) string { return CleanLine(strings.Map(asciiForm, readable(text))) }

// CleanCode cleans a code that is typed from another screen. It has no blanks and no hyphens.
func CleanCode(text string) string {
	return strings.NewReplacer(" ", "", "-", "").Replace(CleanNumber(text))
}

// CleanPhone cleans a telephone number as CleanNumber does, and drops the "tel:" of a link.
func CleanPhone(text string) string {
	text = CleanNumber(text)
	for hasPrefixFold(text, telScheme) {
		text = strings.TrimSpace(text[len(telScheme):])
	}
	return text
}

// CleanEmail cleans an email address, and takes it out of what surrounds it in links, lists and
// address books: "mailto:a@b.c?subject=x", "Ann <a@b.c>", "a@b.c,".
func CleanEmail(text string) string {
	text = asciiEmail(text)
	for {
		inner := innerEmail(text)
		if inner == text {
			return text
		}
		text = inner
	}
}

const (
	blanks       = " \t"
	telScheme    = "tel:"
	mailtoScheme = "mailto:"
)

// asciiEmail cleans an address as a number is cleaned, and replaces ideographic full stops.
func asciiEmail(text string) string {
	return strings.NewReplacer("\u3002", ".", "\uff61", ".").Replace(CleanNumber(text))
}

// quotes are the pairs that surround an address in address books.
var quotes = []struct{ open, end string }{{"<", ">"}, {`"`, `"`}, {"'", "'"}, {"\u201c", "\u201d"}, {"\u2018", "\u2019"}}

// innerEmail takes an address out of one surrounding.
func innerEmail(text string) string {
	text = strings.TrimSpace(strings.TrimRight(text, ".,;"))
	if hasPrefixFold(text, mailtoScheme) {
		address, _, _ := strings.Cut(text[len(mailtoScheme):], "?")
		if unescaped, err := url.PathUnescape(address); err == nil {
			address = asciiEmail(unescaped)
		}
		return address
	}
	if name := strings.LastIndex(text, "<"); name > 0 && strings.HasSuffix(text, ">") {
		return text[name:]
	}
	for _, quote := range quotes {
		inner, isOpen := strings.CutPrefix(text, quote.open)
		if inner, isClosed := strings.CutSuffix(inner, quote.end); isOpen && isClosed {
			return strings.TrimSpace(inner)
		}
	}
	return text
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// readable drops the characters that nobody sees, and replaces blanks, line ends and hyphens by
// the usual ones. Line ends become \n, and a tab stays.
func readable(text string) string {
	text = strings.Map(readableForm, strings.ReplaceAll(text, "\r\n", "\n"))
	if !strings.ContainsFunc(text, needsContext) {
		return text
	}
	var kept strings.Builder
	// The last character that was kept, and the last one that was more than a mark.
	before, base := rune(0), rune(0)
	inFlag := false // in a flag of tags, such as Scotland's
	for i, c := range text {
		next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(c):])
		switch {
		case IsJoiner(c):
			if IsJoiner(before) || !joins(base) || !joins(next) {
				continue
			}
		case isVariation(c):
			if !hasVariations(before) && !isKeycap(before, c, next) {
				continue
			}
		case isTag(c):
			if !inFlag {
				continue
			}
		case !unicode.Is(unicode.M, c):
			base = c
		}
		kept.WriteRune(c)
		before, inFlag = c, c == blackFlag || inFlag && isTag(c)
	}
	return kept.String()
}

// blackFlag begins the flags that consist of tags.
const blackFlag = '\U0001f3f4'

// lookLikeBlanks are characters that show as a blank but are letters or symbols: the fillers of
// Hangul, and the Braille cell without dots.
const lookLikeBlanks = "\u115f\u1160\u3164\uffa0\u2800"

// readableForm returns the character that stands for c, or -1 if c is dropped. Characters whose
// meaning depends on their neighbours stay.
func readableForm(c rune) rune {
	switch {
	case c == '\t' || c == '\n' || needsContext(c):
		return c
	case strings.ContainsRune("\r\v\f\u0085\u2028\u2029", c):
		return '\n'
	case unicode.Is(unicode.Zs, c) || strings.ContainsRune(lookLikeBlanks, c):
		return ' '
	case c == '\u2010' || c == '\u2011': // the hyphen of typesetting, and the one that does not break
		return '-'
	case isInvisible(c):
		return -1
	}
	return c
}

// isInvisible returns whether nobody sees a character, or every machine shows it differently:
// controls, formats, direction marks, private use, and what Unicode says to ignore. The formats
// that show as a sign over a number are visible.
func isInvisible(c rune) bool {
	return c == '\ufffc' || // the place of a picture
		unicode.In(c, unicode.Cc, unicode.Co, unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point) ||
		unicode.Is(unicode.Cf, c) && !unicode.Is(unicode.Prepended_Concatenation_Mark, c)
}

// needsContext returns whether a character's meaning depends on its neighbours.
func needsContext(c rune) bool { return IsJoiner(c) || isVariation(c) || isTag(c) }

// IsJoiner returns whether a character joins or separates its neighbours, and shows nothing itself.
func IsJoiner(c rune) bool { return c == '\u200c' || c == '\u200d' }

func isVariation(c rune) bool { return unicode.Is(unicode.Variation_Selector, c) }

func isTag(c rune) bool { return c >= 0xe0020 && c <= 0xe007f }

// joins returns whether a joiner beside the character has a meaning: beside emoji and their
// modifiers, and in scripts whose letters join.
func joins(c rune) bool {
	if c == utf8.RuneError { // also at the end of the text
		return false
	}
	if c > unicode.MaxLatin1 && unicode.In(c, unicode.So, unicode.Sk) || c == '\u2194' { // the arrow is part of emoji
		return true
	}
	return unicode.In(c, unicode.L, unicode.M) && !isVariation(c) &&
		!unicode.In(c, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Common)
}

// hasVariations returns whether a selector behind the character chooses one of its forms: of
// emoji and symbols, of characters in Japanese names, and of letters of a few scripts.
func hasVariations(c rune) bool {
	return strings.ContainsRune("©®‼⁉ℹ〰〽", c) ||
		c > unicode.MaxLatin1 && unicode.In(c, unicode.So, unicode.Sm, unicode.Sk) ||
		unicode.In(c, unicode.L, unicode.N) && unicode.In(c, unicode.Han, unicode.Mongolian, unicode.Myanmar, unicode.Phags_Pa)
}

// isKeycap returns whether the selector is that of a key, such as 1️⃣.
func isKeycap(before, selector, next rune) bool {
	return strings.ContainsRune("0123456789#*", before) && selector == '\ufe0f' && next == '\u20e3'
}

// asciiForm returns the ASCII form of a digit of any script, of a full-width character and of a
// dash. It returns any other character unchanged.
func asciiForm(c rune) rune {
	const fullWidth = '\uff01' - '!'
	switch {
	case c >= '\uff01' && c <= '\uff5e':
		return c - fullWidth
	case c > unicode.MaxASCII && unicode.Is(unicode.Nd, c):
		return '0' + DigitValue(c)
	case unicode.Is(unicode.Pd, c) || c == '\u2212': // the minus sign
		return '-'
	}
	return c
}

// DigitValue returns the value of a digit of any script. The digits of a script follow one another, and some scripts
// have several rows of ten.
func DigitValue(c rune) rune {
	n := rune(0)
	for unicode.Is(unicode.Nd, c-n-1) {
		n++
	}
	return n % 10
}
