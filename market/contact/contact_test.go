package contact_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"secondring/market/contact"
)

// table is that of the client, too (client/contact.cases.test.ts).
type table struct {
	Origin                           string
	Endings, WordEndings, Messengers []string
	Cases                            []struct {
		Rule, Text, Number string
		Paid               bool
		Want               contact.Finding
	}
}

func readTable(tb testing.TB) (all table) {
	tb.Helper()
	body, err := os.ReadFile("testdata/contact.json")
	if err == nil {
		err = json.Unmarshal(body, &all)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

func TestWhatATextContains(t *testing.T) {
	all := readTable(t)
	for _, c := range all.Cases {
		o := contact.Options{Origin: all.Origin, Paid: c.Paid}
		if c.Number != "" {
			o.Numbers = []string{c.Number}
		}
		if got := contact.Check(c.Text, o); got != c.Want {
			t.Errorf("%s: %+q contains %q, want %q", c.Rule, c.Text, got, c.Want)
		}
	}
}

// The lists are the table's: each of its words is found, and their numbers are equal.
func TestListsOfEndingsAndMessengers(t *testing.T) {
	all := readTable(t)
	check := func(text string, want contact.Finding) {
		t.Helper()
		if got := contact.Check(text, contact.Options{}); got != want {
			t.Errorf("%q contains %q, want %q", text, got, want)
		}
	}
	for _, ending := range all.Endings {
		check("cheap on phones."+ending, contact.Link)
	}
	for _, ending := range all.WordEndings {
		check("fine."+ending+" it works", contact.None)
		check("phones."+ending+"/ann", contact.Link)
	}
	for _, name := range all.Messengers {
		check("use "+name+" please", contact.Warning)
	}
	if e, w, m := contact.ListSizes(); e != len(all.Endings) || w != len(all.WordEndings) || m != len(all.Messengers) {
		t.Errorf("the lists have %d, %d and %d words, those of the table %d, %d and %d", e, w, m, len(all.Endings), len(all.WordEndings), len(all.Messengers))
	}
}

// adversarial are texts of 6 KB whose repetitions make slow patterns slow.
func adversarial() (all []string) {
	for _, part := range []string{
		" ", "a", "1", "1 ", ".", "a.", "a. ", "@", "a@", "a@a.", " at ", "a at ", "at a.", " dot ", "(", "( ", "(at", "[dot] ", "://", "http", "www.", "1.", "1-", "1.1.",
		"12.12.20", "2020-1-", "tk ", "$1", "00", "0.0 ", "01712 ", "\n", " \n", "whats ", "what's", "\u200b", "\u0332", "\ufdfa", "\u0660",
	} {
		all = append(all, strings.Repeat(part, 6<<10/len(part)))
	}
	return all
}

// Four times the text takes about four times as long; the bound is far above that.
func TestCheckIsLinear(t *testing.T) {
	spent := func(text string) time.Duration {
		start := time.Now()
		contact.Check(text, contact.Options{Origin: "https://phones.example", Numbers: []string{"01712345678"}})
		return time.Since(start)
	}
	for _, text := range adversarial() {
		if once, more := spent(text), spent(strings.Repeat(text, 4)); more > 16*once+200*time.Millisecond {
			t.Errorf("6 KB take %s, four times as much %s: %.20q…", once, more, text)
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, c := range readTable(f).Cases {
		f.Add(c.Text, c.Number, c.Paid)
	}
	f.Fuzz(func(t *testing.T, text, number string, paid bool) {
		got := contact.Check(text, contact.Options{Origin: "https://phones.example", Numbers: []string{number}, Paid: paid})
		if paid && got != contact.None && got != contact.Link {
			t.Errorf("%+q contains %q after the payment", text, got)
		}
		if again := contact.Check("\u200b"+text+"\ufeff", contact.Options{Origin: "https://phones.example", Numbers: []string{number}, Paid: paid}); again != got {
			t.Errorf("%+q contains %q, and %q with characters that nobody sees", text, got, again)
		}
	})
}
