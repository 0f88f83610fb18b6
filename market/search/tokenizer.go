package search

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"secondring/market/texts"
)

// Searches compare tokens (docs/adr/0032-search-words.md). The stores and the client compare
// only these, so that all of them find the same phones.

// maxTitleParts is how many neighbouring parts of a brand, name or place are joined to a token at
// most.
const maxTitleParts = 8

// normalize returns a text as searches compare it: NFKC, in lower case, with ASCII digits,
// without accents and characters that nobody sees.
func normalize(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	text = strings.Map(func(c rune) rune {
		switch {
		case isAccent(c), unicode.Is(unicode.Cf, c):
			return -1
		case c == 'ς':
			return 'σ'
		case c > unicode.MaxASCII && unicode.Is(unicode.Nd, c):
			return '0' + texts.DigitValue(c)
		}
		return unicode.ToLower(c)
	}, norm.NFKD.String(withoutMarks.Replace(text)))
	return norm.NFC.String(text)
}

// withoutMarks replaces trademark signs, which NFKD would turn into letters.
var withoutMarks = strings.NewReplacer("™", " ", "℠", " ")

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] > unicode.MaxASCII {
			return false
		}
	}
	return true
}

// isAccent returns whether the character is an accent that follows its letter. Marks of
// other scripts, such as the vowels of Bengali, distinguish words and are not accents.
func isAccent(c rune) bool { return 0x300 <= c && c <= 0x36f }

// WordsOf splits a text into words: sequences of letters, digits and marks, normalized. A plus
// directly after one is the word "plus". Any other character separates words. Order and
// repetitions are kept.
func WordsOf(text string) []string {
	var all []string
	word := strings.Builder{}
	end := func() {
		if word.Len() > 0 {
			all = append(all, word.String())
			word.Reset()
		}
	}
	runes := []rune(normalize(text))
	for i, c := range runes {
		switch {
		case isLetter(c), word.Len() > 0 && unicode.IsMark(c):
			word.WriteRune(c)
		case c == '+' && word.Len() > 0 && (i+1 == len(runes) || !isLetter(runes[i+1])):
			end()
			all = append(all, "plus")
		default:
			end()
		}
	}
	end()
	return all
}

// isLetter returns whether a word may begin with the character.
func isLetter(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// parts splits a word between letters and digits.
func parts(word string) []string {
	var all []string
	begin := 0
	for i := 1; i < len(word); i++ {
		if isDigit(word[i]) != isDigit(word[i-1]) {
			all = append(all, word[begin:i])
			begin = i
		}
	}
	return append(all, word[begin:])
}

// split splits a word between letters and digits, so that "pixel7pro" is the same as
// "pixel 7 pro". A single letter stays with its number: "a52s".
func split(word string) []string {
	var all []string
	own := parts(word)
	for i, part := range own {
		if i == 0 || len([]rune(letters(own[i-1], part))) > 1 {
			all = append(all, part)
		} else {
			all[len(all)-1] += part
		}
	}
	return all
}

// letters returns which one of two neighbouring parts is not a number.
func letters(a, b string) string {
	if isDigit(a[0]) {
		return b
	}
	return a
}

// splitWords returns the words of a text, each split.
func splitWords(text string) []string {
	var all []string
	for _, word := range WordsOf(text) {
		all = append(all, split(word)...)
	}
	return all
}

// titleTokens returns the tokens of a text whose words may be joined: each sequence of up to
// maxTitleParts neighbouring parts that is one word when it is split. Two numbers are never
// joined.
func titleTokens(text string) []string {
	var own, all []string
	for _, word := range WordsOf(text) {
		own = append(own, parts(word)...)
	}
	for i := range own {
		token := ""
		for _, part := range own[i:min(i+maxTitleParts, len(own))] {
			isTwoNumbers := token != "" && isDigit(token[len(token)-1]) && isDigit(part[0])
			if token += part; isTwoNumbers || len(split(token)) > 1 {
				break
			}
			all = append(all, token)
		}
	}
	return all
}

// Token is a token that a phone must have, or the beginning of one.
type Token struct {
	Word   string
	Prefix bool
}

// Term is one word of a query. A phone must have one of the tokens: the word alone, or joined
// with a neighbour.
type Term []Token

// terms returns the terms of a query's text. The last word is the beginning of a token if
// prefix is set, but never if it ends with a digit: no number is cut.
func terms(text string, prefix bool) []Term {
	words := splitWords(text)
	var all []Term
	for i, word := range words {
		isPrefix := func(end int) bool {
			return prefix && end == len(words)-1 && !isDigit(words[end][len(words[end])-1])
		}
		term := Term{{Word: word, Prefix: isPrefix(i)}}
		if i > 0 && meetInLetters(words[i-1], word) {
			term = append(term, Token{words[i-1] + word, isPrefix(i)})
		}
		if i+1 < len(words) && meetInLetters(word, words[i+1]) {
			term = append(term, Token{word + words[i+1], isPrefix(i + 1)})
		}
		all = append(all, term)
	}
	return all
}

// meetInLetters returns whether two neighbouring words may be one in a phone. Where a digit is
// at the border, the phone has both words as tokens anyway.
func meetInLetters(a, b string) bool { return !isDigit(a[len(a)-1]) && !isDigit(b[0]) }

// tokenSet has tokens in alphabetical order.
type tokenSet []string

func newTokenSet(tokens []string) tokenSet {
	slices.Sort(tokens)
	return slices.Compact(tokens)
}

// hasAll returns whether each term has one of its tokens in the set.
func (s tokenSet) hasAll(terms []Term) bool {
	for _, term := range terms {
		if !slices.ContainsFunc(term, s.has) {
			return false
		}
	}
	return true
}

func (s tokenSet) has(t Token) bool {
	i, isExact := slices.BinarySearch(s, t.Word)
	return isExact || t.Prefix && i < len(s) && strings.HasPrefix(s[i], t.Word)
}
