package sqlite

import (
	"database/sql"
	"errors"
	"strings"
	"unicode/utf8"

	"secondring/market"
)

// The full-text index has prefixes of up to indexedPrefix characters. For a longer
// prefix FTS5 first collects all matching phones, whatever LIMIT the statement has.
// Whole words need no such list. So a longer prefix is replaced by the words that
// begin with it, if there are at most maxSpellings.
const (
	indexedPrefix = 3 // as migration 4 has it
	maxSpellings  = 16
)

var qSpelling = query("SELECT term FROM search_spellings WHERE term >= ? LIMIT 1")

// buildMatch makes the FTS5 expression of the terms and brands. They have only letters,
// digits and marks, so none of them is an FTS5 operator.
func (sq *searchQuery) buildMatch(c *conn) error {
	var all []string
	for _, t := range sq.terms {
		match, err := c.matchTerm(t)
		if err != nil {
			return err
		}
		all = append(all, match)
	}
	if len(all) > 0 && len(sq.brands) > 0 {
		var brands []string
		for _, id := range sq.brands {
			brands = append(brands, quoted(brandWord(id)))
		}
		all = append(all, "("+strings.Join(brands, " OR ")+")")
	}
	sq.match = strings.Join(all, " AND ")
	return nil
}

// matchTerm makes the FTS5 expression of one term.
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
	case len(words) == 0: // no phone has such a word
		return quoted(t.Word), nil
	case len(words) > maxSpellings:
		return quoted(t.Word) + "*", nil
	}
	return "(" + strings.Join(words, " OR ") + ")", nil
}

// beginningWith returns the indexed words with the prefix, quoted, up to maxSpellings+1.
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
		from = word + "\x01" // words have no character below this one, so the next word follows
	}
	return words, nil
}

func quoted(word string) string { return `"` + word + `"` }
