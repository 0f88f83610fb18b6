package search

import (
	"slices"
	"strings"
)

// colours are the words for basic colours. They are whole words, never the beginning of one: "red"
// is not meant to be "Redmi". The client has the same list (productQuery/colours.ts).
var colours = strings.Fields("black white red blue green yellow gold golden silver grey gray pink purple violet orange brown " +
	"beige cream coral bronze copper rose lilac lavender mint navy cyan teal turquoise graphite midnight " +
	"plum lime wine ivory olive burgundy maroon")

// spellings are other spellings of colours.
var spellings = map[string]string{"gray": "grey", "golden": "gold"}

// notColours are phrases in which a colour is a part of a name, or says something else.
var notColours = phrases("black berry,black shark,red mi,red magic,mint condition")

// Words that only say that the word beside them is a colour: "in blue", "blue colour".
var (
	beforeColour = strings.Fields("in colour color")
	afterColour  = strings.Fields("colour color coloured colored")
)

func isColour(word string) bool { return slices.Contains(colours, word) }

// spelled returns the usual spelling of a colour, and any other word as it is.
func spelled(word string) string {
	if usual, ok := spellings[word]; ok {
		return usual
	}
	return word
}

// ColourKey returns the form of a colour that is compared: "Space Gray" and "space-grey" are the
// same. It is "" if there is no letter or digit.
func ColourKey(colour string) string {
	words := splitWords(colour)
	for i, word := range words {
		words[i] = spelled(word)
	}
	return strings.Join(words, "")
}

// ColourTerms returns the term that a phone's Colours must meet; none if the query allows any.
func (q Query) ColourTerms() []Term {
	if len(q.Colours) == 0 {
		return nil
	}
	var term Term
	for _, key := range q.colourKeys() {
		term = append(term, Token{Word: key})
	}
	return []Term{term}
}

func (q Query) colourKeys() []string {
	var keys []string
	for _, colour := range q.Colours {
		keys = append(keys, ColourKey(colour))
	}
	return keys
}

// WithColours returns the query with the colour of its words as a filter, or with several that are
// joined by "or". Several colours otherwise stay words: "rose gold", "blue black". They also stay
// words if they contradict the query's own filter, so that both apply.
func (q Query) WithColours() Query {
	words := WordsOf(q.Text)
	var found, rest []string
	ors := 0
	for i := 0; i < len(words); i++ {
		isNext := i+1 < len(words) && isColourAt(words, i+1)
		switch {
		case isColourAt(words, i) && (i < len(words)-1 || !hasStar(q.Text)):
			found = append(found, spelled(words[i]))
			if i+1 < len(words) && slices.Contains(afterColour, words[i+1]) {
				i++
			}
		case words[i] == "or" && i > 0 && isColourAt(words, i-1) && isNext:
			ors++
		case isNext && slices.Contains(beforeColour, words[i]):
		default:
			rest = append(rest, words[i])
		}
	}
	if len(found) == 0 || len(Distinct(found)) > ors+1 {
		return q
	}
	star := ""
	if hasStar(q.Text) {
		star = "*"
	}
	found = Distinct(found)
	if len(q.Colours) > 0 {
		own := q.colourKeys()
		found = slices.DeleteFunc(found, func(colour string) bool { return !slices.Contains(own, colour) })
		if len(found) == 0 {
			return q
		}
	}
	q.Text, q.Colours = restOf(rest, star), found
	return q
}

// isColourAt returns whether the word at i is a colour, and not a part of a name.
func isColourAt(words []string, i int) bool {
	isPhrase := func(phrase []string) bool {
		return len(words) > i+1 && words[i] == phrase[0] && words[i+1] == phrase[1]
	}
	return isColour(words[i]) && !slices.ContainsFunc(notColours, isPhrase)
}
