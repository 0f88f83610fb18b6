package texts_test

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"secondring/market/texts"
)

var cleaners = map[string]func(string) string{
	"line": texts.CleanLine, "lines": texts.CleanLines, "number": texts.CleanNumber,
	"code": texts.CleanCode, "phone": texts.CleanPhone, "email": texts.CleanEmail,
}

// textCases is the table that the client passes, too.
type textCases struct {
	Cases      []struct{ Kind, Text, Want string }
	Characters []struct{ From, To, Want string }
}

func readTable(t *testing.T, name string, into any) {
	t.Helper()
	body, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(body, into); err != nil {
		t.Fatal(err)
	}
}

func TestTextsAreCleaned(t *testing.T) {
	var table textCases
	readTable(t, "texts.json", &table)
	for _, c := range table.Cases {
		clean := cleaners[c.Kind]
		if got := clean(c.Text); got != c.Want {
			t.Errorf("%s %+q becomes %+q, want %+q", c.Kind, c.Text, got, c.Want)
		} else if again := clean(got); again != got {
			t.Errorf("%s %+q becomes %+q when it is cleaned again", c.Kind, got, again)
		}
	}
}

// Every character of Unicode that the table does not name stays.
func TestEveryCharacterInALine(t *testing.T) {
	var table textCases
	readTable(t, "texts.json", &table)
	want := map[rune]string{}
	for _, r := range table.Characters {
		for c := runeOf(t, r.From); c <= runeOf(t, r.To); c++ {
			want[c] = r.Want
		}
	}
	for c := range rune(unicode.MaxRune + 1) {
		if c >= 0xd800 && c <= 0xdfff { // half a character
			continue
		}
		replaced, isNamed := want[c]
		if !isNamed {
			replaced = string(c)
		}
		if got := texts.CleanLine("x" + string(c) + "y"); got != "x"+replaced+"y" {
			t.Errorf("U+%04X becomes %+q, want %+q", c, got, "x"+replaced+"y")
		}
	}
}

func runeOf(t *testing.T, hex string) rune {
	t.Helper()
	n, err := strconv.ParseInt(hex, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	return rune(n)
}

func TestDigitsOfEveryScript(t *testing.T) {
	for _, r := range unicode.Nd.R16 {
		checkDigits(t, rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range unicode.Nd.R32 {
		checkDigits(t, rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
}

// checkDigits checks that a range has rows of ten digits, and that each becomes its value.
func checkDigits(t *testing.T, low, high, stride rune) {
	t.Helper()
	if stride != 1 || (high-low+1)%10 != 0 {
		t.Errorf("the digits U+%04X to U+%04X are no rows of ten", low, high)
	}
	for c := low; c <= high; c++ {
		if got, want := texts.CleanNumber(string(c)), strconv.Itoa(int(c-low)%10); got != want {
			t.Errorf("the digit U+%04X becomes %q, want %q", c, got, want)
		}
	}
}

// FuzzClean checks that a cleaned text stays the same when it is cleaned again, and that only marks
// can make it impossible to show.
func FuzzClean(f *testing.F) {
	for _, seed := range []string{"Bob", "علی\u200cرضا", "👩\u200d👧\ufe0f\u200d\ufe0fx", "B\u202eob", "\xff\x00", "🏴\U000e0067\U000e007f", "mailto:mailto:%25%32%35@x", "<<a@b>>.,", "'\"a@b\"'"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for kind, clean := range cleaners {
			once := clean(text)
			if twice := clean(once); twice != once {
				t.Errorf("%s %+q becomes %+q, and then %+q", kind, text, once, twice)
			}
			if !texts.IsDisplayable(once, kind == "lines") && !texts.IsDisplayable(strings.Map(withoutMarks, once), kind == "lines") {
				t.Errorf("%s %+q becomes %+q, which cannot be shown", kind, text, once)
			}
		}
	})
}

func withoutMarks(c rune) rune {
	if unicode.In(c, unicode.M) || c == '\u200c' || c == '\u200d' {
		return -1
	}
	return c
}
