package sqlite

import (
	"database/sql"
	"errors"
	"strings"
	"unicode/utf8"

	"secondring/market/search"
)

// The full-text index contains prefixes of up to maxIndexedPrefix characters. For a longer
// prefix FTS5 first collects all matching phones, even if the statement has a LIMIT. It does
// not do this for whole words. So a longer prefix is replaced by the words that begin with
// it, if there are at most maxPrefixWords.
const (
	maxIndexedPrefix = 3 // as in the option "prefix" of searchSchema
	maxPrefixWords   = 16
)

// matchOf returns the FTS5 expression of terms and the query's brands; "" for no terms. Their
// words are quoted and consist of letters, digits, marks and our own prefixes, so none of them
// is an FTS5 operator.
func (sq searchQuery) matchOf(c *conn, terms []search.Term) (string, error) {
	var all []string
	for _, term := range terms {
		var tokens []string
		for _, t := range term {
			words, err := c.matchToken(t)
			if err != nil {
				return "", err
			}
			tokens = append(tokens, words...)
		}
		all = append(all, anyOf(tokens))
	}
	if len(all) > 0 && len(sq.brands) > 0 {
		var brands []string
		for _, id := range sq.brands {
			brands = append(brands, ftsWord(brandWord(id)))
		}
		all = append(all, anyOf(brands))
	}
	return strings.Join(all, " AND "), nil
}

// anyOf returns the FTS5 expression that matches any of the words.
func anyOf(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return "(" + strings.Join(words, " OR ") + ")"
}

// matchToken returns the FTS5 words of which a phone with the token has one.
func (c *conn) matchToken(t search.Token) ([]string, error) {
	if !t.Prefix {
		return []string{ftsWord(t.Word)}, nil
	}
	if utf8.RuneCountInString(t.Word) <= maxIndexedPrefix {
		return []string{ftsWord(t.Word) + "*"}, nil
	}
	words, err := c.wordsWithPrefix(t.Word)
	switch {
	case err != nil:
		return nil, err
	case len(words) == 0: // no phone has such a word
		return []string{ftsWord(t.Word)}, nil
	case len(words) > maxPrefixWords:
		return []string{ftsWord(t.Word) + "*"}, nil
	}
	return words, nil
}

// wordsWithPrefix returns the indexed words with the prefix, quoted, up to maxPrefixWords+1.
func (c *conn) wordsWithPrefix(prefix string) (words []string, err error) {
	for from := prefix; len(words) <= maxPrefixWords; {
		var word string
		err := c.row("SELECT term FROM search_spellings WHERE term >= ? LIMIT 1", []any{&word}, from)
		if errors.Is(err, sql.ErrNoRows) || err == nil && !strings.HasPrefix(word, prefix) {
			break
		}
		if err != nil {
			return nil, err
		}
		words = append(words, ftsWord(word))
		from = word + "\x01" // the smallest character of a word is greater, so no word is skipped
	}
	return words, nil
}

// ftsWord returns a word as an FTS5 string.
func ftsWord(text string) string { return `"` + text + `"` }
