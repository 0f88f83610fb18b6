package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// vocabulary has the tokens of names and brands of phones. A search without results is
// corrected to these.
type vocabulary struct {
	phones map[string]int  // the number of phones that have the token in their title
	brands map[string]bool // the tokens of brands
}

// add counts the words of a phone.
func (v vocabulary) add(p Phone) {
	for _, token := range newTokenSet(p.TitleTokens()) {
		v.phones[token]++
	}
	for _, token := range titleTokens(p.Brand) {
		v.brands[token] = true
	}
}

// hasPrefix returns whether a token begins with the word.
func (v vocabulary) hasPrefix(word string) bool {
	for token := range v.phones {
		if strings.HasPrefix(token, word) {
			return true
		}
	}
	return false
}

// replacement returns the word or the two words that were probably meant: one with a wrong
// letter ("iphne"), or two that are written as one ("samsungnexus"). It is nil if the word is
// known or meant as it is (isFixed), or no word is similar enough. A word is never split beside a
// digit, and no part is a single letter: that would make other models of "s9".
func (v vocabulary) replacement(word string) []string {
	if v.phones[word] > 0 || isFixed(word) {
		return nil
	}
	if near := v.nearest(word); near != "" {
		return []string{near}
	}
	for i := len(word) - 1; i > 0; i-- { // do not split inside a character
		isAtDigit := isDigit(word[i-1]) || isDigit(word[i])
		isLetter := utf8.RuneCountInString(word[:i]) == 1 || utf8.RuneCountInString(word[i:]) == 1
		if !isAtDigit && !isLetter && v.phones[word[:i]] > 0 && v.phones[word[i:]] > 0 {
			return []string{word[:i], word[i:]}
		}
	}
	return nil
}

// nearest returns the word with the smallest edit distance, and of several the one that
// most phones have; "" if none is near enough. Words with a digit name different models
// ("S20", "S21") and are never replaced by one another. Words for networks say nothing about
// what was meant: "lite" is not "lte". A word of four letters is similar to many, so its first
// letter must be right, and the other word a brand or in several phones.
func (v vocabulary) nearest(word string) string {
	letters, best := []rune(word), ""
	limit := maxEdits(len(letters))
	if limit == 0 || hasDigit(word) {
		return ""
	}
	for other, phones := range v.phones {
		if diff := utf8.RuneCountInString(other) - len(letters); diff > limit || diff < -limit || hasDigit(other) || isNetwork(other) {
			continue
		}
		isSure := []rune(other)[0] == letters[0] && (v.brands[other] || phones > 1)
		if len(letters) == 4 && !isSure {
			continue
		}
		edits := editDistance(letters, []rune(other), limit)
		if edits > limit {
			continue
		}
		isBetter := edits < limit || best == "" || phones > v.phones[best] || phones == v.phones[best] && other < best
		if isBetter {
			best, limit = other, edits
		}
	}
	return best
}

// maxEdits is how many letters of a word may be wrong. Short words are too similar to each
// other.
func maxEdits(letters int) int {
	switch {
	case letters < 4:
		return 0
	case letters < 6:
		return 1
	default:
		return 2
	}
}

func hasDigit(word string) bool { return strings.ContainsFunc(word, unicode.IsNumber) }

// editDistance returns the number of letters that must be inserted, removed, replaced or
// exchanged with the next one to make a into b, each letter at most once (the optimal
// string alignment distance). It returns limit+1 if there are more than limit.
func editDistance(a, b []rune, limit int) int {
	// Three rows of the distance table: row[j] is the distance between the beginning of a
	// so far and b[:j].
	last, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, letter := range a {
		next[0] = i + 1
		for j, other := range b {
			replaced := row[j]
			if letter != other {
				replaced++
			}
			next[j+1] = min(replaced, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && letter == b[j-1] && a[i-1] == other {
				next[j+1] = min(next[j+1], last[j-1]+1)
			}
		}
		if slices.Min(next) > limit {
			return limit + 1
		}
		last, row, next = row, next, last
	}
	return min(row[len(b)], limit+1)
}
