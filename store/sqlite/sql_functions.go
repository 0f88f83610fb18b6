package sqlite

import (
	"database/sql/driver"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"modernc.org/sqlite"

	"secondring/market"
)

// locationMark is the prefix of the words of a location. No word of a text begins with it, so
// a search for a text never matches a location.
const locationMark = "@"

// titleMark is the prefix of the words of brand, name and storage, which the index has a second
// time with it. So a search finds the phones that have all its words there.
const titleMark = "="

// brandMark is the prefix of a word that stands for a brand's ID. Each phone of the brand has
// this word, so the full-text index can search within one brand. No word of a location
// begins with brandMark.
const brandMark = "@@"

// brandWord returns the word that stands for a brand.
func brandWord(id string) string { return brandMark + hex.EncodeToString([]byte(id)) }

// init registers the SQL functions that the migrations and search.go call. Texts are passed
// as blobs, because a text would end at a NUL.
func init() {
	sqlite.MustRegisterDeterministicScalarFunction("search_words", -1, searchWords)
	sqlite.MustRegisterDeterministicScalarFunction("search_saving", 2, searchSaving)
	sqlite.MustRegisterDeterministicScalarFunction("search_facets", 3, searchFacets)
	sqlite.MustRegisterDeterministicScalarFunction("search_has", 3, searchHas)
}

// searchWords implements the SQL function search_words, which returns wordsOf for a name, a
// brand, a description, a location and a brand ID. Migration 4 does not pass the brand ID.
func searchWords(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	var texts [5]string
	for i, arg := range args {
		text, isBlob := arg.([]byte)
		if !isBlob && arg != nil { // an empty blob is passed as nil
			return nil, fmt.Errorf("search_words: a text has the type %T", arg)
		}
		texts[i] = string(text)
	}
	p := market.Product{Name: texts[0], Brand: texts[1], Description: texts[2], Location: texts[3], BrandID: texts[4]}
	return wordsOf(p), nil
}

// wordsOf returns the tokens of a phone without duplicates, with a space before and after each.
// It returns a single space for a phone without words.
func wordsOf(p market.Product) string { return make(wordSet).wordsOf(p) }

// wordSet removes duplicate words. One set is reused for many phones, which saves allocations.
type wordSet map[string]struct{}

// wordsOf does the same as the function wordsOf.
func (s wordSet) wordsOf(p market.Product) string {
	words := strings.Builder{}
	words.Grow(4*(len(p.Name)+len(p.Brand)+len(p.Location)) + len(p.Description) + 2*len(p.BrandID))
	words.WriteByte(' ')
	title := p.TitleTokens()
	s.add(&words, "", slices.Concat(title, p.TextTokens()))
	s.add(&words, titleMark, title)
	s.add(&words, locationMark, p.PlaceTokens())
	if p.BrandID != "" {
		s.add(&words, "", []string{brandWord(p.BrandID)})
	}
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

// searchSaving implements the SQL function search_saving, which returns Product.Saving for
// the original price and the resale price.
func searchSaving(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	original, ok1 := args[0].(int64)
	resale, ok2 := args[1].(int64)
	if !ok1 || !ok2 {
		return nil, fmt.Errorf("search_saving: the prices have the types %T and %T", args[0], args[1])
	}
	return market.Product{OriginalPrice: int(original), ResalePrice: int(resale)}.Saving(), nil
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
