package search

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxRelaxed is the maximum number of words of a search that is tried with other words: each
// word may need several more searches.
const maxRelaxed = 8

// networks are words for what nearly every phone can do, whether its seller says so or not.
var networks = strings.Fields("5g 4g 3g 2g lte volte")

// weak are words that distinguish no models. They and networks are let go first.
var weak = strings.Fields("phone phones smartphone smartphones mobile mobiles cell cellphone cellphones handset handsets " +
	"dual sim esim unlocked used secondhand second hand refurbished cheap best good like condition price " +
	"original genuine new android ios a an the and or with of in for buy sale")

// suffixes distinguish models with the same name. Without a name they say nothing.
var suffixes = strings.Fields("pro plus max mini lite ultra fe se air")

// series are words for kinds of models of several brands. They are names, as "galaxy" is.
var series = strings.Fields("fold flip note edge neo")

func isNetwork(word string) bool { return slices.Contains(networks, word) }
func isWeak(word string) bool    { return isNetwork(word) || slices.Contains(weak, word) }
func isSuffix(word string) bool  { return slices.Contains(suffixes, word) }

// isFixed returns whether the word is meant as it is, even if no phone has it.
func isFixed(word string) bool {
	return isWeak(word) || isColour(word) || isSuffix(word) || slices.Contains(series, word)
}

// isNumber returns whether the word has no letters: "12", "6.1".
func isNumber(word string) bool { return !strings.ContainsFunc(word, unicode.IsLetter) }

// mayBeName returns whether the word may be a brand or a model. A number, a suffix or a single
// letter is only a part of a name.
func mayBeName(word string) bool {
	return utf8.RuneCountInString(word) > 1 && !isNumber(word) && !isSuffix(word) && !isWeak(word) && !isColour(word)
}

// mayBegin returns whether a word may be the beginning of another one. A number is never cut.
func mayBegin(word string) bool { return !isDigit(word[len(word)-1]) && !isColour(word) }

// Words are the words that were searched instead of those that were typed.
type Words struct {
	Text    string   // Query.Text
	LeftOut []string // the words that were let go, as they were typed and in that order
}

// typedWord is a word of a search, or a part of one (split).
type typedWord struct {
	typed string // as it was typed
	text  string // what is searched for it, with a star if it is the beginning of a word
	whole string // the typed word that it is a part of
	index int    // which typed word that is
	state wordState
}

// wordState is what became of a typed word.
type wordState int

const (
	kept      wordState = iota
	corrected           // text is another word that was meant
	shortened           // text is the word without its last letter, which is let go: "a52" for "a52s"
	leftOut
)

// groupedNumber is a number with a point or with commas between thousands: "6.1", "1,250mah".
var groupedNumber = regexp.MustCompile(`^(\d+(\.\d+)+|\d{1,3}(,\d{3})+(\.\d+)?)\pL*$`)

// typedWords returns the words of a text. A number with groups is one word.
func typedWords(text string) []typedWord {
	var all []typedWord
	index := 0
	for field := range strings.FieldsSeq(normalize(text)) {
		if number := strings.Trim(field, `.,;:!?()"'$*`); groupedNumber.MatchString(number) {
			all = append(all, typedWord{typed: number, text: number, whole: number, index: index})
			index++
			continue
		}
		for _, word := range WordsOf(field) {
			whole := word
			if word == "plus" && !strings.Contains(field, word) {
				whole = "+"
			}
			for _, part := range split(word) {
				typed := part
				if whole == "+" {
					typed = whole
				}
				all = append(all, typedWord{typed: typed, text: part, whole: whole, index: index})
			}
			index++
		}
	}
	return all
}

// searched returns the words that are searched, and those that were let go.
func searched(words []typedWord) Words {
	var texts, out []string
	for begin := 0; begin < len(words); {
		end := begin
		var gone []string
		for ; end < len(words) && words[end].index == words[begin].index; end++ {
			w := words[end]
			if w.state != leftOut {
				texts = append(texts, w.text)
			}
			if w.state == leftOut || w.state == shortened {
				gone = append(gone, w.typed)
			}
		}
		if len(gone) == end-begin {
			gone = []string{words[begin].whole}
		}
		out = append(out, gone...)
		begin = end
	}
	return Words{strings.Join(texts, " "), out}
}

// without returns the words, of which one is let go.
func without(words []typedWord, i int) []typedWord {
	rest := slices.Clone(words)
	rest[i].state = leftOut
	return rest
}

// WithoutWeak returns the words of a text without those that distinguish no models: first without
// weak words except networks, then without networks too.
func WithoutWeak(text string) []Words {
	var all []Words
	words := typedWords(text)
	if n := len(words); n > 0 && hasStar(text) {
		words[n-1].text += "*"
	}
	for _, isLetGo := range []func(string) bool{func(word string) bool { return isWeak(word) && !isNetwork(word) }, isWeak} {
		rest := slices.Clone(words)
		for i, w := range rest {
			isModel := w.typed == "a" && i+1 < len(words) && isDigit(words[i+1].typed[0]) // "a 52"
			if isLetGo(w.typed) && !isModel {
				rest[i].state = leftOut
			}
		}
		found := searched(rest)
		isSame := len(all) > 0 && all[len(all)-1].Text == found.Text
		if found.Text != "" && len(found.LeftOut) > 0 && !isSame {
			all = append(all, found)
		}
	}
	return all
}

// relaxation looks for words that find phones, after the typed ones found none.
type relaxation struct {
	known vocabulary
	find  Find
	try   func(text string) (bool, error)
}

// run tries other words until some find phones; see Corrector.Relax.
func (r *relaxation) run(ctx context.Context, text string) (found Words, ok bool, err error) {
	typed := typedWords(text)
	if len(typed) == 0 || len(typed) > maxRelaxed {
		return found, false, nil
	}
	asTyped := searched(typed)
	last := typed[len(typed)-1].text
	if !hasStar(text) && mayBegin(last) && r.known.phones[last] == 0 {
		found.Text = asTyped.Text + "*"
		if ok, err := r.try(found.Text); ok || err != nil {
			return found, ok, err
		}
	}
	words, err := r.respell(ctx, typed)
	if err != nil || !saysAsMuch(words, typed) {
		return found, false, err
	}
	if found = searched(words); found.Text != asTyped.Text {
		if ok, err := r.try(found.Text); ok || err != nil {
			return found, ok, err
		}
	}
	return r.letGo(words)
}

// saysAsMuch returns whether the words still have one that may be a name, if the typed ones have.
// Otherwise "nord 2" would find every phone with a 2.
func saysAsMuch(words, typed []typedWord) bool {
	left, isNamed := 0, false
	for _, w := range words {
		if w.state != leftOut {
			left++
			isNamed = isNamed || mayBeName(strings.TrimSuffix(w.text, "*"))
		}
	}
	return left > 0 && (isNamed || !slices.ContainsFunc(typed, func(w typedWord) bool { return mayBeName(w.typed) }))
}

// respell returns the words with corrections of those that no phone has. Words without a
// correction are let go. A word that may be unfinished ends with a star.
func (r *relaxation) respell(ctx context.Context, typed []typedWord) (words []typedWord, err error) {
	for i, w := range typed {
		isKnown := r.known.phones[w.text] > 0
		if !isKnown {
			if isKnown, err = r.exists(ctx, w.text); err != nil {
				return nil, err
			}
		}
		if isKnown || r.isHalf(typed, i) {
			words = append(words, w)
			continue
		}
		better, shorter := r.known.replacement(w.text), withoutLastLetter(w.text)
		switch {
		case len(better) == 1:
			w.text, w.state = better[0], corrected
		case len(better) == 2:
			first := w
			first.typed, first.text = better[0], better[0]
			words = append(words, first)
			w.typed, w.text = better[1], better[1]
		case i == len(typed)-1 && mayBegin(w.text) && r.known.hasPrefix(w.text):
			w.text += "*"
		case !isFixed(w.text) && r.known.phones[shorter] > 0:
			w.text, w.state = shorter, shortened
		default:
			w.state = leftOut
		}
		words = append(words, w)
	}
	return withoutNumbersOf(words), nil
}

// withoutNumbersOf lets numbers go whose letters were let go: "4" of "fold4" is no other 4.
func withoutNumbersOf(words []typedWord) []typedWord {
	rest := slices.Clone(words)
	for i, w := range words {
		isOfGone := func(other typedWord) bool { return other.index == w.index && other.state == leftOut }
		if isNumber(w.text) && slices.ContainsFunc(words, isOfGone) {
			rest[i].state = leftOut
		}
	}
	return rest
}

// withoutLastLetter returns the model before a letter of another version of it: "a52" of "a52s"; ""
// if there is none. Other letters are mostly units: "4k".
func withoutLastLetter(word string) string {
	rest := strings.TrimRight(word, "aest")
	if rest == "" || len(rest) != len(word)-1 || !isDigit(rest[len(rest)-1]) {
		return ""
	}
	return rest
}

// isHalf returns whether the word and a neighbour are one word of a phone: "one plus".
func (r *relaxation) isHalf(typed []typedWord, i int) bool {
	return i > 0 && r.known.phones[typed[i-1].text+typed[i].text] > 0 ||
		i+1 < len(typed) && r.known.phones[typed[i].text+typed[i+1].text] > 0
}

// exists returns whether any phone has the word.
func (r *relaxation) exists(ctx context.Context, word string) (bool, error) {
	found, _, err := r.find(ctx, Query{Text: word}.WithColours(), 1, "")
	return len(found) > 0, err
}

// letGo lets words go until the others find phones. If leaving out any one of them is enough,
// only that one is let go, otherwise the first one and then others. The last word of a name or
// brand is never let go.
func (r *relaxation) letGo(words []typedWord) (found Words, ok bool, err error) {
	for {
		order := r.order(words)
		for _, i := range order {
			found = searched(without(words, i))
			if ok, err := r.try(found.Text); ok || err != nil {
				return found, ok, err
			}
		}
		if len(order) == 0 {
			return Words{}, false, nil
		}
		words = without(words, order[0])
	}
}

// order returns the indexes of the words that may be let go, the first one first: words that
// distinguish no models, words that are in no name or brand, corrected ones, suffixes, numbers,
// then the others, the most frequent first. Of equal words the last one is first.
func (r *relaxation) order(words []typedWord) []int {
	rank := func(i int) (class, frequency int) {
		w := words[i]
		word := strings.TrimSuffix(w.text, "*")
		n := r.known.phones[word]
		switch {
		case isWeak(word):
			return 0, n
		case n == 0 && word == w.text:
			return 1, n
		case w.state == corrected:
			return 2, n
		case isSuffix(word):
			return 3, n
		case !mayBeName(word):
			return 4, n
		}
		return 5, n
	}
	var all, names []int
	for i, w := range words {
		if w.state == leftOut {
			continue
		}
		all = append(all, i)
		if class, _ := rank(i); class == 5 || class == 2 && mayBeName(w.text) {
			names = append(names, i)
		}
	}
	slices.SortStableFunc(all, func(a, b int) int {
		classA, nA := rank(a)
		classB, nB := rank(b)
		return cmp.Or(cmp.Compare(classA, classB), cmp.Compare(nB, nA), cmp.Compare(b, a))
	})
	if len(names) == 1 {
		all = slices.DeleteFunc(all, func(i int) bool { return i == names[0] })
	} else if len(all) == 1 {
		return nil
	}
	return all
}
