package market

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestEditDistance(t *testing.T) {
	for _, row := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"nokia", "nokia", 0},
		{"", "abc", 3},
		{"iphne", "iphone", 1},
		{"iphoone", "iphone", 1},
		{"ibhone", "iphone", 1},
		{"ihpone", "iphone", 1},
		{"samsng", "samsung", 1},
		{"galxay", "galaxy", 1},
		{"nexsu", "nexus", 1},
		{"ca", "abc", 3}, // each letter is edited once at most
		{"kitten", "sitting", 3},
		{"σισυφοσ", "σισυφο", 1},
	} {
		for _, limit := range []int{0, 1, 2, 9} {
			if got := editDistance([]rune(row.a), []rune(row.b), limit); got != min(row.want, limit+1) {
				t.Errorf("the distance of %q and %q up to %d is %d, want %d", row.a, row.b, limit, got, row.want)
			}
		}
	}
}

// The result equals that of the recursive definition, up to the limit, in both directions.
func TestEditDistanceEqualsDefinition(t *testing.T) {
	word := rapid.StringOfN(rapid.RuneFrom([]rune("abcé")), 0, 6, -1)
	rapid.Check(t, func(r *rapid.T) {
		a, b, limit := []rune(word.Draw(r, "a")), []rune(word.Draw(r, "b")), rapid.IntRange(0, 4).Draw(r, "limit")
		want := min(distanceByDefinition(a, b), limit+1)
		if got := editDistance(a, b, limit); got != want {
			r.Errorf("the distance of %q and %q is %d, want %d", string(a), string(b), got, want)
		}
		if reverse := editDistance(b, a, limit); reverse != want {
			r.Errorf("the distance of %q and %q is %d, want %d", string(b), string(a), reverse, want)
		}
	})
}

func distanceByDefinition(a, b []rune) int {
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	m, n := len(a)-1, len(b)-1
	best := distanceByDefinition(a[:m], b[:n])
	if a[m] != b[n] {
		best++
	}
	best = min(best, distanceByDefinition(a[:m], b)+1, distanceByDefinition(a, b[:n])+1)
	if m > 0 && n > 0 && a[m] == b[n-1] && a[m-1] == b[n] {
		best = min(best, distanceByDefinition(a[:m-1], b[:n-1])+1)
	}
	return best
}

func FuzzEditDistance(f *testing.F) {
	f.Add("iphne", "iphone", 2)
	f.Add("σισυφοσ", "", 1)
	f.Fuzz(func(t *testing.T, a, b string, limit int) {
		limit = min(max(limit, 0), 5)
		from, to := []rune(a), []rune(b)
		got := editDistance(from, to, limit)
		difference := len(from) - len(to)
		if got < min(max(difference, -difference), limit+1) || got > min(max(len(from), len(to)), limit+1) || (got == 0) != slices.Equal(from, to) {
			t.Errorf("the distance of %q and %q up to %d is %d", a, b, limit, got)
		}
	})
}

// newVocabulary returns the vocabulary of phones that are given as "brand: name".
func newVocabulary(phones ...string) vocabulary {
	v := vocabulary{map[string]int{}, map[string]bool{}}
	for _, phone := range phones {
		brand, name, _ := strings.Cut(phone, ": ")
		v.add(Product{Brand: brand, Name: name, Description: "described"})
	}
	return v
}

func TestWordsAreRespelled(t *testing.T) {
	v := newVocabulary("Apple: iPhone 12", "Apple: iPhone SE 128GB", "Samsung: Galaxy S21", "Samsung: Galaxy S20",
		"Google: Pixel 6a", "OnePlus: OnePlus 9", "Nokia: Lumia 930", "Nokia: Lumix", "Nokia: Lumix 2", "Motorola: Moto G", "Sigma: Σίσυφος")
	for text, want := range map[string]string{
		"iphone 12":       "iphone 12",
		"iphne 12":        "iphone 12",
		"samsng":          "samsung",
		"smasung galxy":   "samsung galaxy",
		"pixl":            "pixel",
		"lumi":            "lumix", // lumia has the same distance, but lumix is in two names
		"mot":             "mot",   // too short
		"s22":             "s22",   // it could be another model
		"s2o 13":          "s2o 13",
		"galaxy5":         "galaxy5",
		"motto":           "moto",
		"mottto":          "moto", // two wrong letters of six
		"mtto":            "moto",
		"moottta":         "moottta",
		"one plus":        "oneplus",
		"one plus9":       "one plus9",
		"iphone12":        "iphone 12",
		"galaxys21":       "galaxy s21",
		"128 gb iphne":    "128gb iphone",
		"σισιφοσ":         "σισυφοσ",
		"descrobed":       "descrobed", // descriptions are not in the vocabulary
		"charger iphonee": "charger iphone",
	} {
		got, err := v.respell(Words(text), func(int) (bool, error) { return false, nil })
		if strings.Join(got, " ") != want || err != nil {
			t.Errorf("%q is corrected to %q, %v, want %q", text, got, err, want)
		}
	}
}

func TestWordsWithResultsAreNotCorrected(t *testing.T) {
	v := newVocabulary("Apple: iPhone 12", "Apple: iPhone 12")
	words, checked := []string{"iphne", "iphome", "iphone"}, []int{}
	got, err := v.respell(words, func(i int) (bool, error) {
		checked = append(checked, i)
		return i == 0, nil
	})
	if !slices.Equal(got, []string{"iphne", "iphone", "iphone"}) || !slices.Equal(checked, []int{0, 1}) || err != nil {
		t.Errorf("the words are %q, after checks of the words %v, %v", got, checked, err)
	}
	failed := errors.New("unavailable")
	if _, err := v.respell(words, func(int) (bool, error) { return false, failed }); !errors.Is(err, failed) {
		t.Errorf("the error is %v, want %v", err, failed)
	}
}

// A word with one typing error is corrected to a word with an edit distance of one, which
// may be another than the original.
func TestOneTypingErrorIsCorrected(t *testing.T) {
	words := []string{"iphone", "galaxy", "samsung", "xperia", "lumia", "pixel", "nokia"}
	v := newVocabulary("Brand: " + strings.Join(words, " "))
	rapid.Check(t, func(r *rapid.T) {
		word := rapid.SampledFrom(words).Draw(r, "word")
		at, letter := rapid.IntRange(0, len(word)-1).Draw(r, "at"), rapid.StringMatching("[a-z]").Draw(r, "letter")
		misspelled := rapid.SampledFrom([]string{
			word[:at] + word[at+1:], word[:at] + letter + word[at:], word[:at] + letter + word[at+1:],
		}).Draw(r, "misspelled")
		got := v.nearest(misspelled)
		if got == "" || editDistance([]rune(misspelled), []rune(got), 2) > 1 || utf8.RuneCountInString(got) < 4 {
			r.Errorf("%q is corrected to %q", misspelled, got)
		}
	})
}
