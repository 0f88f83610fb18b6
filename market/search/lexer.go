package search

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// lexeme is a number, a word of letters or another character of a search.
type lexeme struct {
	text   string
	number float64 // of a number; else -1
	glued  bool    // nothing is between it and the lexeme before
}

var (
	lexemes = regexp.MustCompile(`\d(?:[.,]?\d)*|[\p{L}\p{M}]+|[^\s]`)
	// wholeNumber has groups of three digits, with cents; simpleNumber has only cents.
	commaGroups  = regexp.MustCompile(`^\d{1,3}(,\d{3})+(\.\d{1,2})?$`)
	pointGroups  = regexp.MustCompile(`^\d{1,3}(\.\d{3})+(,\d{1,2})?$`)
	simpleNumber = regexp.MustCompile(`^\d+([.,]\d{1,2})?$`)
)

// lexemesOf splits a normalized text.
func lexemesOf(text string) []lexeme {
	var all []lexeme
	end := -1
	for _, at := range lexemes.FindAllStringIndex(text, -1) {
		part := text[at[0]:at[1]]
		all = append(all, lexeme{part, numberOf(part), at[0] == end})
		end = at[1]
	}
	return all
}

// numberOf parses "1250", "1,250", "1.250" and "1250.50"; it returns -1 for anything else.
func numberOf(text string) float64 {
	switch {
	case commaGroups.MatchString(text):
		text = strings.ReplaceAll(text, ",", "")
	case pointGroups.MatchString(text):
		text = strings.ReplaceAll(strings.ReplaceAll(text, ".", ""), ",", ".")
	case simpleNumber.MatchString(text):
		text = strings.ReplaceAll(text, ",", ".")
	default:
		return -1
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(n, 0) {
		return -1
	}
	return n
}

// phraseAt returns the number of lexemes at i that are one of the phrases, the longest; 0 if
// none is there.
func phraseAt(all []lexeme, i int, phrases [][]string) int {
	longest := 0
	for _, phrase := range phrases {
		if len(phrase) > longest && i >= 0 && i+len(phrase) <= len(all) &&
			slices.EqualFunc(all[i:i+len(phrase)], phrase, func(l lexeme, word string) bool { return l.text == word }) {
			longest = len(phrase)
		}
	}
	return longest
}

// phrases splits phrases that are separated by commas into their words.
func phrases(list string) [][]string {
	var all [][]string
	for phrase := range strings.SplitSeq(list, ",") {
		all = append(all, strings.Fields(phrase))
	}
	return all
}

// isAlone returns whether no letter or digit is directly before the lexeme at i.
func isAlone(all []lexeme, i int) bool {
	return i == 0 || !all[i].glued || !isWordLexeme(all[i-1])
}

// isWordLexeme returns whether it is a number or a word.
func isWordLexeme(l lexeme) bool { return len(WordsOf(l.text)) > 0 }

// continues returns whether a letter or digit is directly at i, after another lexeme.
func continues(all []lexeme, i int) bool {
	return i < len(all) && all[i].glued && isWordLexeme(all[i])
}
