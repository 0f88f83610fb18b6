package market_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"secondring/market"
)

func TestTextIsSplitIntoWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "",
		" \t\n.,;!?\x00📱\"*()":          "",
		"iPhone 6s Plus":                "iphone 6s plus",
		"Wi-Fi/4G, 64GB; 4.7\" (white)": "wi fi 4g 64gb 4 7 white",
		"a a A":                         "a a a",
		"Ångström café cafe\u0301":      "angstrom cafe cafe",
		"İSTANBUL ΌΣΟΣ ЁЛКА":            "istanbul οσοσ елка",
		"straße Łódź":                   "straße łodz",
		"কিবোর্ড":                       "কিবোর্ড",
		"m\u00b2 ½":                     "m² ½",
		"\u0301one\u0301\u0302 \u0301":  "one",
		"a\xffb":                        "a b",
		"@one #two_three":               "one two three",
	} {
		if got := strings.Join(market.Words(text), " "); got != want {
			t.Errorf("the words of %q are %q, want %q", text, got, want)
		}
	}
}

// Words removes the accents of exactly those letters that Unicode decomposes into a letter
// and accents. So the table in tokenizer.go is complete and has no other letters.
func TestAccentsAreRemovedAsUnicodeDecomposes(t *testing.T) {
	accent := func(c rune) bool { return 0x300 <= c && c <= 0x36f }
	count := 0
	for c := rune(0x80); c <= unicode.MaxRune; c++ {
		if !unicode.IsLetter(c) {
			continue
		}
		want := unicode.ToLower(c)
		parts := []rune(norm.NFD.String(string(want)))
		switch {
		case c == 'ς':
			want = 'σ'
		case len(parts) > 1 && !slices.ContainsFunc(parts[1:], func(c rune) bool { return !accent(c) }):
			want = parts[0]
			count++
		}
		if got := market.Words(string(c)); len(got) != 1 || got[0] != string(want) {
			t.Errorf("the word of %q is %q, want %q", c, got, want)
		}
	}
	if count < 700 {
		t.Errorf("only %d letters have accents, want at least 700", count)
	}
}

// A word has only letters, digits and marks, so it has no meaning as an operator or a quote
// to a search engine. Words that are joined by spaces are split into the same words again.
func TestWordsHaveNoOperators(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		words := market.Words(rapid.String().Draw(r, "text"))
		for _, word := range words {
			if word == "" || strings.ContainsFunc(word, func(c rune) bool {
				return !unicode.IsLetter(c) && !unicode.IsNumber(c) && !unicode.IsMark(c)
			}) {
				r.Fatalf("the word %q has other characters", word)
			}
		}
		if again := market.Words(strings.Join(words, " ")); !slices.Equal(again, words) {
			r.Fatalf("the words %q are split into %q", words, again)
		}
	})
}
