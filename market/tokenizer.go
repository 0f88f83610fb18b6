package market

import (
	"slices"
	"strings"
	"unicode"
)

// Words are what a text is searched by: its runs of letters, digits and the
// marks that belong to them, in lower case and without accents. All else
// parts words: spaces, punctuation, symbols, emoji, NUL. The order and the
// repetitions are those of the text.
//
// An engine keeps or compares these words and no others, so that each engine,
// and a client, finds the same phones whatever its own idea of a word is.
func Words(text string) []string {
	var plainly strings.Builder // all words, one after the other
	plainly.Grow(len(text))
	ends := make([]int, 0, len(text)/wordLength)
	for _, c := range text {
		switch {
		case isAccent(c): // e and an accent is an e
		case unicode.IsLetter(c) || unicode.IsNumber(c) || unicode.IsMark(c):
			plainly.WriteRune(plain(c))
		case plainly.Len() > lastOf(ends):
			ends = append(ends, plainly.Len())
		}
	}
	if plainly.Len() > lastOf(ends) {
		ends = append(ends, plainly.Len())
	}
	if len(ends) == 0 {
		return nil
	}
	words := make([]string, 0, len(ends))
	begin := 0
	for _, end := range ends {
		words = append(words, plainly.String()[begin:end])
		begin = end
	}
	return words
}

// wordLength is about how long a word of a text is, with what parts it from the
// next: how much room is made for the ends of all.
const wordLength = 5

// lastOf is where the last word ends.
func lastOf(ends []int) int {
	if len(ends) == 0 {
		return 0
	}
	return ends[len(ends)-1]
}

// Term is one word that is looked for.
type Term struct {
	Word   string
	Prefix bool // the beginning of a word is enough
}

// terms are the words of what somebody types: the last one may still grow.
func terms(text string) []Term {
	var all []Term
	words := Words(text)
	for i, word := range words {
		all = append(all, Term{Word: word, Prefix: i == len(words)-1})
	}
	return all
}

// in tells whether the term is among the words.
func (t Term) in(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return word == t.Word || t.Prefix && strings.HasPrefix(word, t.Word)
	})
}

// allIn tells whether each term is among the words.
func allIn(terms []Term, words []string) bool {
	for _, t := range terms {
		if !t.in(words) {
			return false
		}
	}
	return true
}

// isAccent tells the accents that follow their letter. Marks of other scripts, such as the
// vowels of Bengali, make another word and stay.
func isAccent(c rune) bool { return 0x300 <= c && c <= 0x36f }

// plain returns the form of a letter that is compared.
func plain(c rune) rune {
	c = unicode.ToLower(c)
	if c <= unicode.MaxASCII { // the table has none of these
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

// accented has a row for each plain letter: itself, then all letters that Unicode
// decomposes into it and accents; and the final sigma with the sigma. It stands here because
// the market imports only the standard library; a test compares it with x/text/unicode/norm.
const accented = `
	aàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ bḃḅḇ cçćĉċčḉ dďḋḍḏḑḓ eèéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ fḟ gĝğġģǧǵḡ hĥȟḣḥḧḩḫẖ
	iìíîïĩīĭįǐȉȋḭḯỉị jĵǰ kķǩḱḳḵ lĺļľḷḹḻḽ mḿṁṃ nñńņňǹṅṇṉṋ oòóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ pṕṗ
	rŕŗřȑȓṙṛṝṟ sśŝşšșṡṣṥṧṩ tţťțṫṭṯṱẗ uùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự vṽṿ wŵẁẃẅẇẉẘ xẋẍ yýÿŷȳẏẙỳỵỷỹ zźżžẑẓẕ
	æǣǽ øǿ ſẛ ʒǯ
	αάἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ εέἐἑἒἓἔἕὲέ ηήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ ιΐίϊἰἱἲἳἴἵἶἷὶίῐῑῒΐῖῗ
	οόὀὁὂὃὄὅὸό ρῤῥ σς υΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ ωώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ ϒϓϔ
	аӑӓ гѓ еѐёӗ жӂӝ зӟ ийѝӣӥ кќ оӧ уўӯӱӳ чӵ ыӹ эӭ ії ѵѷ әӛ өӫ` + looksAlike

// looksAlike are letters that Unicode has twice, which some editors join.
const looksAlike = " α\u03ac\u1f71 ε\u03ad\u1f73 η\u03ae\u1f75 ι\u03af\u1f77\u0390\u1fd3 ο\u03cc\u1f79 υ\u03cd\u1f7b\u03b0\u1fe3 ω\u03ce\u1f7d"
