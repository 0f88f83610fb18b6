package market_test

import (
	"maps"
	"os"
	"regexp"
	"strings"
	"testing"

	"secondring/market"
)

// A letter and a screen tell the person concerned the same rule.
func TestScreensSayTheRulesAsLettersDo(t *testing.T) {
	texts, err := os.ReadFile("../client/src/texts/decisions.ts")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(texts), "const sentences")
	table, _, _ := strings.Cut(rest, "};")
	shown, want := map[string]string{}, map[string]string{}
	for _, line := range regexp.MustCompile(`(\w+): "([^"]+)"`).FindAllStringSubmatch(table, -1) {
		shown[line[1]] = line[2]
	}
	for rule := range shown {
		want[rule] = market.Rule(rule).Sentence()
	}
	if len(shown) != 9 || !maps.Equal(shown, want) {
		t.Errorf("the screens say %v, the letters %v", shown, want)
	}
}
