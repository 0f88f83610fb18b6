package search

import (
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
		v.add(Phone{Brand: brand, Name: name, Description: "described"})
	}
	return v
}

func TestWordsAreReplaced(t *testing.T) {
	v := newVocabulary("Apple: iPhone 12", "Apple: iPhone SE 128GB", "Samsung: Galaxy S21", "Samsung: Galaxy S20",
		"Google: Pixel 6a", "Google: Pixel 7", "Huawei: Nova 9", "LG: Wing", "LG: Wing 2", "Sony: Ray", "Sony: Ray 2", "OnePlus: OnePlus 9", "Nokia: Lumia 930", "Nokia: Lumix", "Nokia: Lumix 2", "Motorola: Moto G", "Sigma: Σίσυφος")
	for word, want := range map[string]string{
		"iphone":        "",
		"iphne":         "iphone",
		"samsng":        "samsung",
		"smasung":       "samsung",
		"pixl":          "pixel",
		"lumi":          "lumix", // lumia has the same distance, but lumix is in two names
		"mot":           "",      // too short
		"s22":           "",      // it could be another model
		"s2o":           "",
		"motto":         "moto",
		"mottto":        "moto", // two wrong letters of six
		"moottta":       "",
		"samsunggalxy":  "samsunggalaxy",
		"lumiasamsung":  "lumia samsung",
		"samsunggalaxy": "",
		"σισιφοσ":       "σισυφοσ",
		"descrobed":     "", // descriptions are not in the vocabulary
		"12s21":         "", // not split beside a digit
		"1220":          "", // no number is cut
		"s9":            "",
		"a52s":          "",
		"s2021":         "",
		"gpixel":        "pixel",
		"nov":           "",
		"nova9":         "",
		"gse":           "", // no part is a single letter
		"ixel":          "", // the first letter of a short word must be right
		"nokai":         "nokia",
		"noki":          "nokia",
		"luma":          "", // lumia is no brand and in one name
		"mott":          "",
		"gray":          "", // a colour is no typing error
		"wine":          "",
		"lite":          "",
		"fold":          "",
		"mini":          "",
		"3g":            "",
		"lte":           "",
		"phones":        "",
	} {
		if got := strings.Join(v.replacement(word), " "); got != want {
			t.Errorf("%q is replaced by %q, want %q", word, got, want)
		}
	}
}

// A word with one typing error is corrected to a word with an edit distance of one, which
// may be another than the original.
func TestOneTypingErrorIsCorrected(t *testing.T) {
	words := []string{"iphone", "galaxy", "samsung", "xperia", "lumia", "pixel", "nokia"}
	v := newVocabulary("Brand: "+strings.Join(words, " "), "Brand: "+strings.Join(words, " "))
	rapid.Check(t, func(r *rapid.T) {
		word := rapid.SampledFrom(words).Draw(r, "word")
		at, letter := rapid.IntRange(0, len(word)-1).Draw(r, "at"), rapid.StringMatching("[a-z]").Draw(r, "letter")
		misspelled := rapid.SampledFrom([]string{
			word[:at] + word[at+1:], word[:at] + letter + word[at:], word[:at] + letter + word[at+1:],
		}).Draw(r, "misspelled")
		if len(misspelled) == 4 && misspelled[0] != word[0] {
			return // it is too similar to other words
		}
		got := v.nearest(misspelled)
		if got == "" || editDistance([]rune(misspelled), []rune(got), 2) > 1 || utf8.RuneCountInString(got) < 4 {
			r.Errorf("%q is corrected to %q", misspelled, got)
		}
	})
}
