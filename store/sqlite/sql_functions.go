package sqlite

import (
	"database/sql/driver"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"modernc.org/sqlite"

	"secondring/store"
)

// locationMark is the prefix of the words of a location. No word of a text begins with it, so
// a search for a text never matches a location.
const locationMark = "@"

// titleMark is the prefix of the words of brand, name, storage and colour, which the index has a second
// time with it. So a search finds the phones that have all its words there.
const titleMark = "="

// colourMark is the prefix of the colours of a phone. No word of a location begins with it.
const colourMark = "@="

// brandMark is the prefix of a word that stands for a brand's ID. Each phone of the brand has
// this word, so the full-text index can search within one brand. No word of a location
// begins with brandMark.
const brandMark = "@@"

// brandWord returns the word that stands for a brand.
func brandWord(id string) string { return brandMark + hex.EncodeToString([]byte(id)) }

// init registers the SQL function that search.go calls.
func init() {
	sqlite.MustRegisterDeterministicScalarFunction("search_has", 3, searchHas)
}

// wordSet removes duplicate words. One set is reused for many documents, which saves allocations.
type wordSet map[string]struct{}

// wordsOf returns the tokens of a document without duplicates, with a space before and after each.
func (s wordSet) wordsOf(v store.SearchEntry) string {
	words := strings.Builder{}
	words.WriteByte(' ')
	s.add(&words, "", slices.Concat(v.Title, v.Text))
	s.add(&words, titleMark, v.Title)
	s.add(&words, locationMark, v.Place)
	s.add(&words, colourMark, v.Colours)
	s.add(&words, "", []string{brandWord(v.Brand)})
	return words.String()
}

// add appends the words to a text, without duplicates, each after the mark.
func (s wordSet) add(to *strings.Builder, mark string, words []string) {
	clear(s)
	for _, word := range words {
		if _, exists := s[word]; !exists {
			s[word] = struct{}{}
			to.WriteString(mark)
			to.WriteString(word)
			to.WriteByte(' ')
		}
	}
}

// These separate the terms of search_has, and the substrings of a term.
const (
	termEnd      = "\n"
	substringEnd = "\t"
)

// searchHas implements the SQL function search_has, which returns whether the words of a phone
// (see wordsOf) contain a substring of each of the first terms (see the function substrings), and
// not one of each of the second terms. The second terms may be NULL.
func searchHas(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	words, ok1 := args[0].(string)
	terms, ok2 := args[1].(string)
	without, ok3 := args[2].(string)
	if !ok1 || !ok2 || !ok3 && args[2] != nil {
		return nil, fmt.Errorf("search_has: the arguments have the types %T, %T and %T", args[0], args[1], args[2])
	}
	return either(hasTerms(words, terms) && (!ok3 || !hasTerms(words, without)), 1, 0), nil
}

// hasTerms returns whether the words contain a substring of each term.
func hasTerms(words, terms string) bool {
	for term := range strings.SplitSeq(terms, termEnd) {
		isFound := false
		for substring := range strings.SplitSeq(term, substringEnd) {
			isFound = isFound || strings.Contains(words, substring)
		}
		if !isFound {
			return false
		}
	}
	return true
}
