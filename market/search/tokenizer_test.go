package search_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"secondring/market/search"
)

func TestTextIsSplitIntoWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "",
		" \t\n.,;!?\x00📱\"*()":            "",
		"iPhone 6s Plus":                  "iphone 6s plus",
		"Wi-Fi/4G, 64GB; 4.7\" (white)":   "wi fi 4g 64gb 4 7 white",
		"a a A":                           "a a a",
		"Ångström café cafe\u0301":        "angstrom cafe cafe",
		"İSTANBUL ΌΣΟΣ ЁЛКА":              "istanbul οσοσ елка",
		"straße Łódź":                     "straße łodz",
		"কিবোর্ড":                         "কিবোর্ড",
		"m\u00b2 ½":                       "m2 1 2",
		"\u0301one\u0301\u0302 \u0301":    "one",
		"a\xffb":                          "a b",
		"@one #two_three":                 "one two three",
		"Ｎｏｋｉａ　３３１０":                      "nokia 3310",
		"ﬂip ① Ⅻ ㎇ ｶﾞ":                    "flip 1 xii gb ガ",
		"৩৩১০ ٣٣ १":                       "3310 33 1",
		"Note 10+ S21++ a+b + 5":          "note 10 plus s21 plus a b 5",
		"so\u00adft ze\u200bro \u202eone": "soft zero one",
		"Galaxy™ S21®":                    "galaxy s21",
	} {
		if got := strings.Join(search.WordsOf(text), " "); got != want {
			t.Errorf("the words of %q are %q, want %q", text, got, want)
		}
	}
}

// Unicode writes the same text in several forms. All of them have the same words.
func TestFormsOfUnicodeHaveTheSameWords(t *testing.T) {
	count := 0
	for c := rune(0x80); c <= unicode.MaxRune; c++ {
		if !unicode.IsLetter(c) && !unicode.IsNumber(c) {
			continue
		}
		text := "a" + string(c) + "1"
		for _, form := range []norm.Form{norm.NFC, norm.NFD, norm.NFKC, norm.NFKD} {
			if other := form.String(text); other != text {
				count++
				if got, want := search.WordsOf(other), search.WordsOf(text); !slices.Equal(got, want) {
					t.Errorf("%q has the words %q, and %q has %q", text, want, other, got)
				}
			}
		}
	}
	if count < 10_000 {
		t.Errorf("only %d forms, want at least 10,000", count)
	}
}

// A word has only letters, digits and marks, so it has no meaning as an operator or a quote
// to a search engine. Words that are joined by spaces are split into the same words again.
func TestWordsHaveNoOperators(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		words := search.WordsOf(rapid.String().Draw(r, "text"))
		for _, word := range words {
			if word == "" || strings.ContainsFunc(word, func(c rune) bool {
				return !unicode.IsLetter(c) && !unicode.IsNumber(c) && !unicode.IsMark(c)
			}) {
				r.Fatalf("the word %q has other characters", word)
			}
		}
		if again := search.WordsOf(strings.Join(words, " ")); !slices.Equal(again, words) {
			r.Fatalf("the words %q are split into %q", words, again)
		}
	})
}
