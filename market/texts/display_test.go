package texts_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"secondring/market/texts"
)

func TestRealNamesAreAccepted(t *testing.T) {
	for _, name := range []string{
		"Bob", "Zoë Müller", "O'Neill-Łukasz", "Đặng Thị Ánh", "Ну́ла", "Γιώργος",
		"محمد عبد الله", "سید حسین\u200cزاده", "علی\u200cرضا", "יוֹסֵף", "בְּרֵאשִׁ֖ית",
		"রহিম উদ্দিন", "শ্রীকান্ত", "র\u200d্যাব", "क्\u200dष", "ශ්\u200dරී", "สมชาย", "ñandú", "王小明", "やまだ", "김철수",
		"👩\u200d👧\u200d👦", "👩🏽\u200d🚀 Ada", "🏳️\u200d🌈", "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", "🧔\u200d♂️", "❤️", "№ 7", "7",
	} {
		if !texts.IsName(name) {
			t.Errorf("%s (%+q) is not accepted as a name", name, name)
		}
	}
}

func TestInvalidNamesAreRefused(t *testing.T) {
	for problem, name := range map[string]string{
		"nothing": "", "spaces": " \u00a0\u3000\u2003", "NUL": "Bob\x00", "escape": "\x1b[31mBob", "C1": "Bob\u0085", "line": "Bob\nAdmin", "line separator": "Bob\u2028",
		"override": "Bob\u202egnp", "embedding": "\u202bBob", "pop": "Bob\u202c", "isolate": "\u2067Bob\u2069", "first strong": "\u2068Bob",
		"zero width space": "B\u200bob", "word joiner": "Bob\u2060", "invisible times": "Bob\u2062", "BOM": "\ufeffBob", "joiner in Latin": "B\u200dob", "non-joiner at the end": "Bob\u200c",
		"joiner alone": "\u200d", "non-joiner behind Persian": "علی\u200c", "joiner before Latin": "علی\u200dBob", "Hangul filler": "\u3164", "half-width filler": "Bob\uffa0", "choseong": "\u115f",
		"Braille blank": "\u2800", "Mongolian separator": "Bob\u180e", "grapheme joiner": "B\u034fob", "annotation": "\ufff9Bob", "object": "Bob\ufffc",
		"tags": "Bob\U000e0041\U000e0042", "private": "Bob\ue000", "last private": "\U0010fffdBob", "marks alone": "\u0301\u0301", "direction marks alone": "\u200f\u200e",
		"40 marks on a letter": "B" + strings.Repeat("\u0316", 40) + "ob", "old format": "Bob\u206e", "direction mark": "דוד\u200f", "Arabic letter mark": "\u061cمريم",
	} {
		if texts.IsName(name) {
			t.Errorf("%s: %+q is accepted as a name", problem, name)
		}
	}
}

func TestLineBreaksInTexts(t *testing.T) {
	for text, want := range map[string]bool{"one\n\ttwo": true, "one\r\ntwo": false, "one\u2028two": false, "one\x0btwo": false, "one\u202etwo": false, "": true} {
		if got := texts.IsDisplayable(text, true); got != want {
			t.Errorf("%+q is showable: %t, want %t", text, got, want)
		}
	}
}

// FuzzIsDisplayable checks that a text that is accepted in one line is accepted in several, is
// accepted when repeated, and has no invisible control characters.
func FuzzIsDisplayable(f *testing.F) {
	for _, seed := range []string{"Bob", "علی\u200cرضا", "👩\u200d👧", "B\u202eob", "\xff\x00", "🏴\U000e0067\U000e007f"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		one, many := texts.IsDisplayable(text, false), texts.IsDisplayable(text, true)
		if one && !many {
			t.Errorf("%+q is showable in one line, but not in several", text)
		}
		if one && strings.ContainsAny(text, "\x00\n\u202e\u200b\u2066\ufeff") {
			t.Errorf("%+q is showable", text)
		}
		if twice := text + " " + text; one && utf8.ValidString(text) && !texts.IsDisplayable(twice, false) {
			t.Errorf("%+q is showable, but not twice in a text", text)
		}
	})
}
