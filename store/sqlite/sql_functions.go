package sqlite

import (
	"database/sql/driver"
	"encoding/hex"
	"fmt"
	"strings"

	"modernc.org/sqlite"

	"secondring/market"
)

// locationMark is the prefix of a location's words. No word of a text begins with it,
// so a text never matches a location.
const locationMark = "@"

// brandMark is the prefix of the word that each phone of a brand has, by which the
// full-text index finds words within one brand. No location's word begins with it.
const brandMark = "@@"

// brandWord returns the word that each phone of the brand has.
func brandWord(id string) string { return brandMark + hex.EncodeToString([]byte(id)) }

// The SQL functions of migration 4 and of search.go. Texts are passed as blobs, because a
// text would end at a NUL.
func init() {
	sqlite.MustRegisterDeterministicScalarFunction("search_words", -1, searchWords)
	sqlite.MustRegisterDeterministicScalarFunction("search_saving", 2, searchSaving)
	sqlite.MustRegisterDeterministicScalarFunction("search_facets", 3, searchFacets)
	sqlite.MustRegisterDeterministicScalarFunction("search_has", 2, searchHas)
}

// searchWords is wordsOf in SQL: of name, brand, description, location and, except in
// migration 4, the brand's ID.
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

// wordsOf returns the words of a phone, each once, with a space before and after each;
// a single space for a phone without words.
func wordsOf(p market.Product) string { return make(wordSet).of(p) }

// wordSet removes repeated words. It is used again for each phone to save allocations.
type wordSet map[string]struct{}

func (s wordSet) of(p market.Product) string {
	words := strings.Builder{}
	words.Grow(len(p.Name) + len(p.Brand) + len(p.Description) + len(p.Location) + len(brandMark) + 2*len(p.BrandID) + len("   @  "))
	words.WriteByte(' ')
	s.add(&words, "", p.Words())
	s.add(&words, locationMark, p.PlaceWords())
	if p.BrandID != "" {
		s.add(&words, "", []string{brandWord(p.BrandID)})
	}
	return words.String()
}

func (s wordSet) add(to *strings.Builder, mark string, words []string) {
	clear(s)
	for _, word := range words {
		if _, before := s[word]; !before {
			s[word] = struct{}{}
			to.WriteString(mark)
			to.WriteString(word)
			to.WriteByte(' ')
		}
	}
}

func searchSaving(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	original, ok1 := args[0].(int64)
	resale, ok2 := args[1].(int64)
	if !ok1 || !ok2 {
		return nil, fmt.Errorf("search_saving: the prices have the types %T and %T", args[0], args[1])
	}
	return market.Product{OriginalPrice: int(original), ResalePrice: int(resale)}.Saving(), nil
}

// substringEnd separates the substrings of search_has.
const substringEnd = "\n"

// searchHas tells whether the words of a phone (see wordsOf) contain all substrings
// (see the function substrings).
func searchHas(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	words, ok1 := args[0].(string)
	wanted, ok2 := args[1].(string)
	if !ok1 || !ok2 {
		return nil, fmt.Errorf("search_has: the arguments have the types %T and %T", args[0], args[1])
	}
	for substring := range strings.SplitSeq(wanted, substringEnd) {
		if !strings.Contains(words, substring) {
			return int64(0), nil
		}
	}
	return int64(1), nil
}
