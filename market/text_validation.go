package market

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsDisplayable returns whether a text displays as it was written. Letters of every script,
// their marks, and emoji do. So do the direction marks that Arabic and Hebrew keyboards
// write, because they do not reverse other characters. These do not:
//
//   - controls such as NUL; line ends and tabs are allowed only if lines is true;
//   - characters that change the direction of the text around them: embeddings,
//     overrides and isolates, as U+202E, which shows "exe.jpg" as "gpj.exe";
//   - invisible characters and those that look like a space, as U+200B, the byte order
//     mark, the Hangul fillers, a Braille cell without dots;
//   - the joiner and the non-joiner outside of scripts that use them: Persian and
//     Bengali words and emoji need them, within Latin words they only make two names
//     that look the same;
//   - private use characters, which every machine displays differently, and tags,
//     except those of a flag;
//   - stacks of marks that cover the lines above and below.
//
// Letters of two scripts that look alike are allowed, because names do not identify
// users here: accounts differ by their uid, and a verified seller is marked beside the
// name.
func IsDisplayable(text string, lines bool) bool {
	before, marks, flag := rune(0), 0, false
	for i, c := range text {
		switch {
		case lines && (c == '\n' || c == '\r' || c == '\t'):
		case isJoiner(c):
			after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(c):])
			if !joins(before) || !joins(after) {
				return false
			}
		case isTag(c):
			if !flag {
				return false
			}
		case unicode.IsControl(c) || c > unicode.MaxLatin1 && isInvisible(c):
			return false
		}
		if marks++; c <= unicode.MaxLatin1 || !unicode.In(c, unicode.Mn, unicode.Me) {
			marks = 0
		}
		if marks > maxMarks {
			return false
		}
		before, flag = c, c == blackFlag || flag && isTag(c)
	}
	return true
}

// maxMarks is how many marks a letter may have: Hebrew with points and accents needs four.
const maxMarks = 5

// blackFlag begins the flags that consist of tags, such as Scotland's.
const blackFlag = '\U0001f3f4'

// invisible are characters that are invisible, look like a space but are none, or change the
// direction of the text around them.
const invisible = "\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060\u2061\u2062\u2063\u2064\u2065\u206a\u206b\u206c\u206d\u206e\u206f" +
	"\u2800\u3164\ufeff\uffa0\ufff9\ufffa\ufffb\ufffc" +
	"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

func isInvisible(c rune) bool {
	return unicode.In(c, unicode.Co, unicode.Zl, unicode.Zp) || strings.ContainsRune(invisible, c)
}

func isJoiner(c rune) bool { return c == '\u200c' || c == '\u200d' }

func isTag(c rune) bool { return c >= 0xe0000 && c <= 0xe007f }

// joins returns whether a joiner beside the character has a meaning: beside emoji and their
// modifiers, and in scripts whose letters join.
func joins(c rune) bool {
	if c == utf8.RuneError { // also at the end of the text
		return false
	}
	if unicode.In(c, unicode.So, unicode.Sk) || c == '\ufe0f' || isTag(c) || c == '\u2640' || c == '\u2642' {
		return true
	}
	return unicode.In(c, unicode.L, unicode.M) &&
		!unicode.In(c, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Common)
}

// hasVisible returns whether a text has a visible character.
func hasVisible(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool {
		return unicode.IsLetter(c) || unicode.IsNumber(c) || unicode.IsPunct(c) || unicode.IsSymbol(c)
	})
}

// IsName returns whether a text can be a person's name: one IsDisplayable line with a visible
// character.
func IsName(text string) bool { return hasVisible(text) && IsDisplayable(text, false) }
