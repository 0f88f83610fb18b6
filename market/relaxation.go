package market

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// maxRelaxed is the maximum number of words of a search that is tried with other words: each
// word may need several more searches.
const maxRelaxed = 8

// networks are words for what nearly every phone can do, whether its seller says so or not.
var networks = strings.Fields("5g 4g 3g lte volte")

// weak are words that distinguish no models. They and networks are let go first.
var weak = strings.Fields("phone phones smartphone smartphones mobile mobiles cell cellphone cellphones handset handsets " +
	"dual sim esim unlocked used secondhand second hand refurbished cheap best good " +
	"original genuine new android ios a an the and or with of in for buy sale")

// colours are whole words, never the beginning of one: "red" is not meant to be "Redmi".
var colours = strings.Fields("black white red blue green yellow gold golden silver grey gray pink purple violet orange brown " +
	"beige cream coral bronze copper rose lilac lavender mint navy cyan teal turquoise graphite midnight")

func isNetwork(word string) bool { return slices.Contains(networks, word) }
func isWeak(word string) bool    { return isNetwork(word) || slices.Contains(weak, word) }
func isColour(word string) bool  { return slices.Contains(colours, word) }

// mayBegin returns whether a word may be the beginning of another one. A number is never cut.
func mayBegin(word string) bool { return !isDigit(word[len(word)-1]) && !isColour(word) }

// SearchedWords are the words that were searched instead of those that were typed.
type SearchedWords struct {
	Text    string   // Query.Text
	LeftOut []string // the words that were let go, in the order in which they were typed
}

// withoutNetworks returns the words of a text without networks; false if it has none, or no other
// words.
func withoutNetworks(text string) (words SearchedWords, ok bool) {
	var kept []string
	for _, word := range splitWords(text) {
		if isNetwork(word) {
			words.LeftOut = append(words.LeftOut, word)
		} else {
			kept = append(kept, word)
		}
	}
	words.Text = strings.Join(kept, " ")
	return words, len(kept) > 0 && len(words.LeftOut) > 0
}

// relaxation looks for words that find phones, after the typed ones found none.
type relaxation struct {
	known vocabulary
	store ProductStore
	// try searches with other words. It returns whether that found phones.
	try func(text string) (bool, error)
	// typedAs has the typed word of each corrected one.
	typedAs map[string]string
}

// run tries other words until some find phones: the last one as the beginning of a word, then
// corrected words, then fewer words. It returns false if none do.
func (r *relaxation) run(ctx context.Context, text string) (found SearchedWords, ok bool, err error) {
	typed := splitWords(text)
	if len(typed) == 0 || len(typed) > maxRelaxed {
		return found, false, nil
	}
	last := typed[len(typed)-1]
	if !hasStar(text) && mayBegin(last) {
		found.Text = strings.Join(typed, " ") + "*"
		if ok, err := r.try(found.Text); ok || err != nil {
			return found, ok, err
		}
	}
	words, unknown, err := r.respell(ctx, typed)
	if err != nil || len(words) == 0 {
		return found, false, err
	}
	if found = (SearchedWords{strings.Join(words, " "), unknown}); found.Text != strings.Join(typed, " ") {
		if ok, err := r.try(found.Text); ok || err != nil {
			return found, ok, err
		}
	}
	return r.letGo(words, unknown, typed)
}

// respell returns the words with corrections of those that no phone has, and the words that it
// found no correction for. A word that may be unfinished ends with a star.
func (r *relaxation) respell(ctx context.Context, typed []string) (words, unknown []string, err error) {
	for i, word := range typed {
		isKnown := r.known.phones[word] > 0
		if !isKnown {
			if isKnown, err = r.exists(ctx, word); err != nil {
				return nil, nil, err
			}
		}
		better := r.known.replacement(word)
		switch {
		case isKnown || r.isHalf(typed, i):
			words = append(words, word)
		case better != nil:
			words = append(words, better...)
			if len(better) == 1 {
				r.typedAs[better[0]] = word
			}
		case i == len(typed)-1 && mayBegin(word) && r.known.hasPrefix(word):
			words = append(words, word+"*")
		default:
			unknown = append(unknown, word)
		}
	}
	return words, unknown, nil
}

// isHalf returns whether the word and a neighbour are one word of a phone: "one plus".
func (r *relaxation) isHalf(typed []string, i int) bool {
	return i > 0 && r.known.phones[typed[i-1]+typed[i]] > 0 || i+1 < len(typed) && r.known.phones[typed[i]+typed[i+1]] > 0
}

// exists returns whether any phone has the word.
func (r *relaxation) exists(ctx context.Context, word string) (bool, error) {
	list, err := r.store.SearchProducts(ctx, Query{Text: word}, Page{Limit: 1}, 1)
	return list.Total > 0, err
}

// letGo lets words go until the others find phones. If leaving out any one of them is enough,
// only that one is let go, otherwise the first one and then others. The last word of a name or
// brand is never let go.
func (r *relaxation) letGo(words, leftOut, typed []string) (found SearchedWords, ok bool, err error) {
	for len(words) > 1 {
		order := r.order(words)
		for _, i := range order {
			rest := slices.Delete(slices.Clone(words), i, i+1)
			found = SearchedWords{strings.Join(rest, " "), inOrderOf(typed, append(slices.Clone(leftOut), r.asTyped(words[i])))}
			if ok, err := r.try(found.Text); ok || err != nil {
				return found, ok, err
			}
		}
		if len(order) == 0 {
			break
		}
		leftOut = append(slices.Clone(leftOut), r.asTyped(words[order[0]]))
		words = slices.Delete(slices.Clone(words), order[0], order[0]+1)
	}
	return SearchedWords{}, false, nil
}

// order returns the indexes of the words that may be let go, the first one first: words that
// distinguish no models, words that are in no name or brand, then the others, the most frequent
// first. Of equal words the last one is first.
func (r *relaxation) order(words []string) []int {
	names := 0
	rank := func(i int) (class, frequency int) {
		word := strings.TrimSuffix(words[i], "*")
		n := r.known.phones[word]
		switch {
		case isWeak(word):
			return 0, n
		case n == 0 && word == words[i]:
			return 1, n
		}
		return 2, n
	}
	var all []int
	for i := range words {
		all = append(all, i)
		if class, _ := rank(i); class == 2 {
			names++
		}
	}
	slices.SortStableFunc(all, func(a, b int) int {
		classA, nA := rank(a)
		classB, nB := rank(b)
		return cmp.Or(cmp.Compare(classA, classB), cmp.Compare(nB, nA), cmp.Compare(b, a))
	})
	if names == 1 {
		all = all[:len(all)-1]
	}
	return all
}

// asTyped returns a word of the search as the person typed it.
func (r *relaxation) asTyped(word string) string {
	if typed, isCorrected := r.typedAs[word]; isCorrected {
		return typed
	}
	return strings.TrimSuffix(word, "*")
}

// inOrderOf returns the words in the order in which they were typed.
func inOrderOf(typed, words []string) []string {
	place := func(word string) int { return slices.Index(typed, word) }
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
	return words
}
