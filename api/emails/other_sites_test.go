package emails_test

import (
	"strings"
	"testing"

	"secondring/api/emails"
)

const shop = "https://shop.example.com"

func TestTextsContainNoOtherSites(t *testing.T) {
	for text, want := range map[string]string{
		"Nokia 3310": "Nokia 3310",
		"pay again at https://evil.example/pay?x=1":    "pay again at [link removed]",
		"HTTP://EVIL.EXAMPLE":                          "[link removed]",
		"pay (https://evil.example), or":               "pay [link removed]), or",
		"see(https://evil.example)now":                 "[link removed]",
		"é.https://evil.example":                       "[link removed]",
		`ftp:\\evil.example`:                           "[link removed]",
		"www.evil.example/pay now":                     "[link removed] now",
		"(WWW.evil)":                                   "[link removed])",
		"evil.example":                                 "evil. example",
		"evil.example/pay":                             "evil. example/pay",
		"a.b.c.evil.example:8080":                      "a.b.c. evil. example:8080",
		"xn--e1afmkfd.xn--p1ai":                        "xn--e1afmkfd. xn--p1ai",
		"пример.рф":                                    "пример. рф",
		"evil。example ｅｖｉｌ．ｃｏｍ":                        "evil. example ｅｖｉｌ. ｃｏｍ",
		"//evil.example/pay":                           "//evil. example/pay",
		"support@evil.example":                         "support@evil. example",
		"Galaxy S5.2 with 6.5 inches, e.g. for $1.50":  "Galaxy S5.2 with 6.5 inches, e.g. for $1.50",
		"The screen is fine.It was cleaned. Really.":   "The screen is fine. It was cleaned. Really.",
		"network 203.0.113.7, 14:05 UTC":               "network 203.0.113.7, 14:05 UTC",
		shop + "/phone/17?a=b#c.d and " + shop + ".":   shop + "/phone/17?a=b#c.d and " + shop + ".",
		"(shop.example.com)":                           "(shop.example.com)",
		"shop.example.com.evil.example":                "shop. example. com. evil. example",
		"evil.shop.example.com":                        "evil. shop. example. com",
		shop + ".evil.example/":                        "[link removed]",
		shop + "@evil.example/":                        "[link removed]",
		"evil\u00ad.com evil.c\u00adom evil\u200e.com": "evil. com evil. com evil. com",
		"evil.\u200dcom a\u200cb":                      "evil. com a\u200cb",
		"💩.la or i❤.ws or evil’.com or evil).com":      "💩. la or i❤. ws or evil’. com or evil). com",
		shop + `/"evil.com/pay`:                        "[link removed]",
		"mailto:x ｈ：／／evil 1.2.3.4/pay":                "[link removed] [link removed] [link removed]",
		"network 203.0.113.7, at 14:05 UTC.":           "network 203.0.113.7, at 14:05 UTC.",
		shop + `\@evil.example`:                        "[link removed]",
		shop + "/?to=https://evil.example":             "[link removed]",
		"http://shop.example.com/":                     "[link removed]",
		"Your account uses o'neil+x@mail.example.":     "Your account uses o'neil+x@mail.example.",
		"line\nhttps://evil.example\tend":              "line\n[link removed]\tend",
		"no\u00a0https://evil.example\u3000end":        "no\u00a0[link removed]\u3000end",
	} {
		if got := emails.TextWithoutOtherSites(text, shop, []string{"", "o'neil+x@mail.example"}); got != want {
			t.Errorf("%q became\n%q, want\n%q", text, got, want)
		}
	}
}

// Each part of an email may contain a text of a stranger.
func TestNoPartOfAnEmailNamesAnotherSite(t *testing.T) {
	const bad = "at https://evil.example or evil.example"
	own := shop + "/do?q=a%2Eb#token=a.b"
	link := emails.Action{Label: bad, URL: shop + "/do?q=a.b#token=a.b"}
	m, err := emails.Content{
		Subject: bad, Greeting: bad, Paragraphs: []string{bad}, Groups: []emails.Group{{Title: bad, Links: []emails.Action{link}}},
		Action: &link, Note: []string{bad}, Settings: &emails.Action{Label: "Settings", URL: shop + "/settings"},
	}.Message(emails.Brand{Name: "SecondRing", URL: shop, Contact: "help@example.com"})
	must(t, err)
	for part, text := range map[string]string{"subject": m.Subject, "text": m.Text, "HTML": m.HTML} {
		if strings.Contains(text, "evil.example") || !strings.Contains(text, "evil. example") {
			t.Errorf("the %s names another site:\n%s", part, text)
		}
		if part != "subject" && !strings.Contains(text, own) {
			t.Errorf("the %s does not contain %s:\n%s", part, own, text)
		}
	}
}
