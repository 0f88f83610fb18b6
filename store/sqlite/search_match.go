package sqlite

import (
	"database/sql"
	"errors"
	"strings"
	"unicode/utf8"

	"secondring/market"
)

// The full-text index looks the beginning of a word up directly if it has up to
// indexedPrefix characters. The phones of a longer beginning it first puts into
// one list, all of them, whatever limit the statement has. The words themselves
// need no such list, so a beginning is replaced by the words that begin with it,
// where there are at most maxSpellings.
const (
	indexedPrefix = 3 // as migration 4 has it
	maxSpellings  = 16
)

var qSpelling = query("SELECT term FROM search_spellings WHERE term >= ? LIMIT 1")

// buildMatch writes the terms down for the full-text index, and the brands with them.
// They are letters, digits and marks alone, so that nothing in them means
// anything to FTS5.
func (h *searchQuery) buildMatch(c *conn) error {
	var all []string
	for _, t := range h.terms {
		match, err := c.matchTerm(t)
		if err != nil {
			return err
		}
		all = append(all, match)
	}
	if len(all) > 0 && len(h.brands) > 0 {
		var brands []string
		for _, id := range h.brands {
			brands = append(brands, quoted(brandWord(id)))
		}
		all = append(all, "("+strings.Join(brands, " OR ")+")")
	}
	h.match = strings.Join(all, " AND ")
	return nil
}

// matchTerm is one term for the full-text index.
func (c *conn) matchTerm(t market.Term) (string, error) {
	if !t.Prefix {
		return quoted(t.Word), nil
	}
	if utf8.RuneCountInString(t.Word) <= indexedPrefix {
		return quoted(t.Word) + "*", nil
	}
	words, err := c.beginningWith(t.Word)
	switch {
	case err != nil:
		return "", err
	case len(words) == 0: // no phone has it
		return quoted(t.Word), nil
	case len(words) > maxSpellings:
		return quoted(t.Word) + "*", nil
	}
	return "(" + strings.Join(words, " OR ") + ")", nil
}

// beginningWith returns the words of phones that begin so, quoted: all of them,
// or the first maxSpellings and one.
func (c *conn) beginningWith(prefix string) (words []string, err error) {
	for from := prefix; len(words) <= maxSpellings; {
		var word string
		err := c.row(qSpelling, []any{&word}, from)
		if errors.Is(err, sql.ErrNoRows) || err == nil && !strings.HasPrefix(word, prefix) {
			break
		}
		if err != nil {
			return nil, err
		}
		words = append(words, quoted(word))
		from = word + "\x01" // the next: no word has a character as low as this
	}
	return words, nil
}

func quoted(word string) string { return `"` + word + `"` }
