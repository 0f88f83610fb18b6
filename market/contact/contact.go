// Package contact finds contact data in what people write to each other: addresses, links, telephone
// numbers and names of messengers (docs/adr/0040-contact.md). The client finds the same
// (client/src/lib/contact.ts). Both pass the cases of testdata/contact.json.
//
//   - contact.go: the rules, and their order
//   - normal.go: the form in which texts are compared
//   - telephone.go: which digits are a telephone number
package contact

import (
	"regexp"
	"strings"
)

// Finding is what a text contains. Its value is the code of the API.
type Finding string

// The findings. A text has the first of them that applies.
const (
	None    Finding = ""
	Address Finding = "contact"         // an email address
	Link    Finding = "link"            // a link to another site
	Warning Finding = "contact_warning" // a telephone number, or the name of a messenger
)

// Options say what a text may contain.
type Options struct {
	// Origin is this site's, like https://phones.example. Links to it pass. It may be empty.
	Origin string
	// Numbers are telephone numbers that pass.
	Numbers []string
	// Paid finds links only: the two sides of a paid order know each other's contact data.
	Paid bool
}

// endings are the last parts of names of sites that make a word a link. Those that are also words of
// English, which follow a full stop without a blank ("works.no scratches"), are wordEndings: they
// make a link only before a path, as in t.me/ann.
const (
	endings = "com net org info biz io co app dev shop store online site xyz link click ai ly gl cc gg " +
		"de fr nl es pl ru br cn jp au ca ch se dk cz tr bd pk lk ng ke za"
	wordEndings = "me be to in it us is am at so no my uk eu tv id"
	// messengers are separated by commas.
	messengers = "whatsapp,whats app,what's app,whats-app,whatsap,watsapp,whatapp,telegram,viber,wechat,messenger,imo," +
		"skype,snapchat,instagram,insta,facebook,fb,discord,kakaotalk,zalo,botim,threema,signal app,line app"
)

var (
	anyEnding = strings.ReplaceAll(endings, " ", "|")
	// written is an address with an @, which ends in letters.
	written = regexp.MustCompile(`[^\s@]@(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}`)
	// spoken is an address with blanks, or with the word "at". It ends in an ending of the list, so that
	// "meet at the station" is none.
	spoken = regexp.MustCompile(`[^\s@][ \n]?(?:@|[ \n]at[ \n])[ \n]?(?:[\p{L}\p{N}_-]+ ?\. ?)+(?:` + anyEnding + `)\b`)
	// marked is a link that says so; named is a word with an ending of the lists.
	marked = regexp.MustCompile(`[a-z\d]://|\bhttps?:|\bwww\d?\.[\p{L}\p{N}]`)
	named  = regexp.MustCompile(`[\p{L}\p{N}]\.(?:` + anyEnding + `)(?:[^\p{L}\p{N}_]|$)` +
		`|[\p{L}\p{N}]\.(?:` + strings.ReplaceAll(wordEndings, " ", "|") + `)/\S`)
	messenger = regexp.MustCompile(`\b(?:` + strings.ReplaceAll(messengers, ",", "|") + `)\b`)
	words     = regexp.MustCompile(`[^ \n]+`)
)

// Check returns what a text contains. Its time is linear in the text.
func Check(text string, o Options) Finding {
	text = normal(text)
	if !o.Paid && written.MatchString(text) {
		return Address
	}
	text = withoutOwnLinks(text, o.Origin)
	switch {
	case marked.MatchString(text):
		return Link
	case !o.Paid && spoken.MatchString(text):
		return Address
	case named.MatchString(written.ReplaceAllString(text, " ")):
		return Link
	}
	if !o.Paid && (messenger.MatchString(text) || hasTelephone(text, o.Numbers)) {
		return Warning
	}
	return None
}

// withoutOwnLinks drops the words that are a link to this site. Behind the site's name they may have
// no dot, colon or @, so that no address and no other site is dropped with them.
func withoutOwnLinks(text, origin string) string {
	_, host, _ := strings.Cut(strings.ToLower(origin), "://")
	if host == "" {
		return text
	}
	own := regexp.MustCompile(`^(?:https?://)?` + regexp.QuoteMeta(host) + `(?:[/?#][\p{L}\p{N}/_?&=+%#-]*)?$`)
	return words.ReplaceAllStringFunc(text, func(word string) string {
		if own.MatchString(strings.Trim(word, `.,;:!?()[]<>"'`)) {
			return ""
		}
		return word
	})
}
