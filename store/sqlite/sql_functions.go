package sqlite

import (
	"database/sql/driver"
	"encoding/hex"
	"fmt"
	"strings"

	"modernc.org/sqlite"

	"secondring/market"
)

// locationMark begins the words of a location: no word of a text begins with it,
// so that neither is found in place of the other.
const locationMark = "@"

// brandMark begins the word that each phone of a brand has, which no place can
// have: so the full-text index finds words in one brand alone.
const brandMark = "@@"

// brandWord is the word of a brand.
func brandWord(id string) string { return brandMark + hex.EncodeToString([]byte(id)) }

// The functions that migration 4, and walks, call. Texts come
// to them as blobs: as texts they would end at a NUL.
func init() {
	sqlite.MustRegisterDeterministicScalarFunction("search_words", -1, searchWords)
	sqlite.MustRegisterDeterministicScalarFunction("search_saving", 2, searchSaving)
	sqlite.MustRegisterDeterministicScalarFunction("search_facets", 3, searchFacets)
	sqlite.MustRegisterDeterministicScalarFunction("search_has", 2, searchHas)
}

// searchWords makes words of name, brand, description and location, and of the
// brand's ID, which migration 4 leaves out.
func searchWords(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	var texts [5]string
	for i, arg := range args {
		text, isBlob := arg.([]byte)
		if !isBlob && arg != nil { // of an empty blob nothing is left but nil
			return nil, fmt.Errorf("search_words: a text came as %T", arg)
		}
		texts[i] = string(text)
	}
	p := market.Product{Name: texts[0], Brand: texts[1], Description: texts[2], Location: texts[3], BrandID: texts[4]}
	return wordsOf(p), nil
}

// wordsOf is what a phone is found by, each word once, between blanks. Of a
// phone without words a blank is left.
func wordsOf(p market.Product) string { return make(wordSet).of(p) }

// wordSet are words that a phone is found by already; one for many phones, so that
// it need not be made for each.
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
		return nil, fmt.Errorf("search_saving: prices came as %T and %T", args[0], args[1])
	}
	return market.Product{OriginalPrice: int(original), ResalePrice: int(resale)}.Saving(), nil
}

// needleEnd separates the needles of search_has.
const needleEnd = "\n"

// searchHas tells whether words, as searchWords makes them, have all that is
// looked for, as needles makes it.
func searchHas(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	words, ok1 := args[0].(string)
	wanted, ok2 := args[1].(string)
	if !ok1 || !ok2 {
		return nil, fmt.Errorf("search_has: words came as %T and %T", args[0], args[1])
	}
	for needle := range strings.SplitSeq(wanted, needleEnd) {
		if !strings.Contains(words, needle) {
			return int64(0), nil
		}
	}
	return int64(1), nil
}
