package demo

import (
	_ "embed"
	"math/rand/v2"
	"strings"
	"sync"

	"secondring/cmd/secondring/demo/models"
)

// sentences.txt holds what sellers say, one sentence a line under headings in
// brackets. A heading names the part of the text and then what must be true of
// the phone: a condition, a trait, "!trait" for its absence, "short" and
// "long" for use under and over two years.
//
//go:embed sentences.txt
var sentencesText string

// sentence is one pattern. {used}, {colour} and {model} are filled in.
type sentence struct {
	text  string
	part  string
	wants []string
}

var readSentences = sync.OnceValue(func() []sentence {
	var all []sentence
	var heading []string
	for line := range strings.Lines(sentencesText) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case strings.HasPrefix(line, "["):
			heading = strings.Fields(strings.Trim(line, "[]"))
		default:
			all = append(all, sentence{text: line, part: heading[0], wants: heading[1:]})
		}
	}
	return all
})

// orders are the ways a description is put together: sellers begin with the
// state of the phone as often as with its story.
var orders = [][]string{
	{"story", "state", "battery", "extras", "deal"},
	{"state", "story", "extras", "deal"},
	{"story", "state", "about", "extras"},
	{"state", "battery", "about", "deal"},
	{"story", "state", "extras"},
	{"about", "state", "battery", "extras", "deal"},
	{"state", "extras", "deal"},
	{"story", "battery", "state", "deal"},
}

// writer writes descriptions and remembers what it has said, so that no
// sentence is worn out and no text comes twice.
type writer struct {
	r     *rand.Rand
	used  map[string]int
	texts map[string]bool
}

// describe says something honest about one phone.
func (w *writer) describe(m models.Model, colour, condition string, months int) string {
	facts := append([]string{condition}, m.Traits...)
	if months < 24 {
		facts = append(facts, "short")
	} else {
		facts = append(facts, "long")
	}
	if m.Year <= 2011 {
		facts = append(facts, "classic")
	}
	fill := strings.NewReplacer("{used}", usedTime(months), "{colour}", colour, "{model}", m.Name)
	for {
		var said []string
		for _, part := range orders[w.r.IntN(len(orders))] {
			if s, ok := w.pick(part, facts); ok {
				said = append(said, fill.Replace(s))
			}
		}
		text := strings.Join(said, " ")
		if !w.texts[text] {
			w.texts[text] = true
			return text
		}
	}
}

// pick draws from the fitting sentences those said least so far.
func (w *writer) pick(part string, facts []string) (string, bool) {
	var fitting []string
	least := 0
	for _, s := range readSentences() {
		if s.part != part || !fits(s.wants, facts) {
			continue
		}
		n := w.used[s.text]
		if len(fitting) == 0 || n < least {
			fitting, least = fitting[:0], n
		}
		if n == least {
			fitting = append(fitting, s.text)
		}
	}
	if len(fitting) == 0 {
		return "", false
	}
	s := fitting[w.r.IntN(len(fitting))]
	w.used[s]++
	return s, true
}

func fits(wants, facts []string) bool {
	for _, want := range wants {
		unwanted, not := strings.CutPrefix(want, "!")
		found := false
		for _, fact := range facts {
			found = found || fact == unwanted
		}
		if found == not {
			return false
		}
	}
	return true
}
