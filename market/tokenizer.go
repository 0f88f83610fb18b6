package market

import (
	"slices"
	"strings"
	"unicode"
)

// Words splits a text into words: sequences of letters, digits and marks, in lower case and
// without accents. Any other character separates words: spaces, punctuation, symbols,
// emoji, NUL. Order and repetitions are kept.
//
// The stores and the client compare only these words, so that all of them find the same
// phones.
func Words(text string) []string {
	var letters strings.Builder // of all words, without separators
	letters.Grow(len(text))
	ends := make([]int, 0, len(text)/wordLength) // the offset of each word's end in letters
	for _, c := range text {
		switch {
		case isAccent(c): // the letter before it is written without it
		case unicode.IsLetter(c) || unicode.IsNumber(c) || unicode.IsMark(c):
			letters.WriteRune(plain(c))
		case letters.Len() > lastOf(ends):
			ends = append(ends, letters.Len())
		}
	}
	if letters.Len() > lastOf(ends) {
		ends = append(ends, letters.Len())
	}
	if len(ends) == 0 {
		return nil
	}
	words := make([]string, 0, len(ends))
	begin := 0
	for _, end := range ends {
		words = append(words, letters.String()[begin:end])
		begin = end
	}
	return words
}

// wordLength is the approximate number of bytes of a word with its separator. It is used
// to allocate memory for the words of a text.
const wordLength = 5

// lastOf returns the end of the last word; 0 if there is none.
func lastOf(ends []int) int {
	if len(ends) == 0 {
		return 0
	}
	return ends[len(ends)-1]
}

// Term is one word of a query.
type Term struct {
	Word   string
	Prefix bool // words that begin with Word match too
}

// terms returns the terms of a query's text. The last one is a prefix, because the person
// may still be typing it.
func terms(text string) []Term {
	var all []Term
	words := Words(text)
	for i, word := range words {
		all = append(all, Term{Word: word, Prefix: i == len(words)-1})
	}
	return all
}

// in returns whether one of the words matches the term.
func (t Term) in(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return word == t.Word || t.Prefix && strings.HasPrefix(word, t.Word)
	})
}

// allIn returns whether each term matches one of the words.
func allIn(terms []Term, words []string) bool {
	for _, t := range terms {
		if !t.in(words) {
			return false
		}
	}
	return true
}

// isAccent returns whether the character is an accent that follows its letter. Marks of
// other scripts, such as the vowels of Bengali, distinguish words and are not accents.
func isAccent(c rune) bool { return 0x300 <= c && c <= 0x36f }

// plain returns the letter in lower case and without accents.
func plain(c rune) rune {
	c = unicode.ToLower(c)
	if c <= unicode.MaxASCII { // the table has no ASCII letters
		return c
	}
	if base, accented := bases[c]; accented {
		return base
	}
	return c
}

var bases = basesOf(accented)

func basesOf(table string) map[rune]rune {
	bases := map[rune]rune{}
	for row := range strings.FieldsSeq(table) {
		letters := []rune(row)
		for _, c := range letters[1:] {
			bases[c] = letters[0]
		}
	}
	return bases
}

// accented has a row for each plain letter: the letter, then all letters that Unicode
// decomposes into it and accents; and the final sigma with the sigma. The table is written
// out, because the package imports only the standard library. A test compares it with
// x/text/unicode/norm.
const accented = `
	aàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ bḃḅḇ cçćĉċčḉ dďḋḍḏḑḓ eèéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ fḟ gĝğġģǧǵḡ hĥȟḣḥḧḩḫẖ
	iìíîïĩīĭįǐȉȋḭḯỉị jĵǰ kķǩḱḳḵ lĺļľḷḹḻḽ mḿṁṃ nñńņňǹṅṇṉṋ oòóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ pṕṗ
	rŕŗřȑȓṙṛṝṟ sśŝşšșṡṣṥṧṩ tţťțṫṭṯṱẗ uùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự vṽṿ wŵẁẃẅẇẉẘ xẋẍ yýÿŷȳẏẙỳỵỷỹ zźżžẑẓẕ
	æǣǽ øǿ ſẛ ʒǯ
	αάἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ εέἐἑἒἓἔἕὲέ ηήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ ιΐίϊἰἱἲἳἴἵἶἷὶίῐῑῒΐῖῗ
	οόὀὁὂὃὄὅὸό ρῤῥ σς υΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ ωώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ ϒϓϔ
	аӑӓ гѓ еѐёӗ жӂӝ зӟ ийѝӣӥ кќ оӧ уўӯӱӳ чӵ ыӹ эӭ ії ѵѷ әӛ өӫ` + looksAlike

// looksAlike has letters that Unicode has twice. Some editors normalize them, so they are
// written as escapes.
const looksAlike = " α\u03ac\u1f71 ε\u03ad\u1f73 η\u03ae\u1f75 ι\u03af\u1f77\u0390\u1fd3 ο\u03cc\u1f79 υ\u03cd\u1f7b\u03b0\u1fe3 ω\u03ce\u1f7d"
