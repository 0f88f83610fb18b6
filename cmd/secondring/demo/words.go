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

// orders are the orders of the parts of a description. Half of them begin with the state of
// the phone, half with its history.
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

// writer writes descriptions. It counts the uses of each sentence, so that they are used
// equally often and no text occurs twice.
type writer struct {
	r     *rand.Rand
	used  map[string]int
	texts map[string]bool
}

// describe returns a description that is true of the phone.
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

// pick chooses at random among the fitting sentences that were used least.
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
