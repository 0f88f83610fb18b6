package search

import (
	"math"
	"slices"
	"strings"
)

// leastPrice is the lowest amount without a currency that is a price where the phrase may also
// be about models: "12-13", "max 3", "10+".
const leastPrice = 50

// "300 max" and "300+" without a currency are prices in this range. Other numbers are those of
// models: "Edge 60 Max", "Bold 9700+".
const leastRound, mostRound = 100, 2000

var (
	currencyBefore = phrases("us $,usd,usd $,$,u . s . $,us dollars,us dollar,u . s . dollars,dollars,dollar")
	currencyAfter  = phrases("us $,usd,$,us dollars,us dollar,u . s . $,u . s . dollars,u . s . dollar,dollars,dollar,bucks,buck")
	priceNames     = phrases("price,priced,prices,cost,costs,costing,for a price,range,price range,budget,budget range," +
		"my budget,my price,my range,my price range,with a budget,on a budget,that cost,that costs,which cost,which costs,that is,that are")
	pricesEnd = phrases("price,price range,range,budget,in price") // after a price
	joiners   = phrases(":,=,.,-,of,is,at,around,about")
	priceWord = phrases("price,budget") // "max price: 300"

	upTo = phrases("under,below,beneath,max,maximum,upto,up to,less than,less then,lower than,lower then,cheaper than,cheaper then," +
		"no more than,no more then,not more than,not more then,not over,not above,at most,within,until,till,<,< =,≤," +
		"for,for under,for less than,for less then")
	from = phrases("over,above,from,min,minimum,more than,more then,greater than,greater then,higher than,higher then," +
		"at least,no less than,no less then,not less than,not less then," +
		"not under,not below,starting at,starting from,>,> =,≥")
	orLess = phrases("or less,or under,or below,or cheaper,or lower,and under,and below,and less,max,maximum,tops,at most")
	orMore = phrases("or more,or above,or over,or higher,or up,and up,and above,and over,and more,+,min,minimum,upwards")

	between    = phrases("between,from")
	betweenAnd = phrases("and,&")
	rangeEnds  = phrases("-,–,—,to,until,. .,. . .")

	// vague are words of upTo, from and the like that also occur in names and other phrases.
	vague = []string{"max", "maximum", "for", "from", "within", "until", "till", "min", "minimum", "+"}
	// notDollars are words after a number that is no price.
	notDollars = phrases("mah,mp,megapixel,megapixels,hz,inch,inches,%,percent,year,years,month,months,day,days,week,weeks,hours," +
		"mb,gb,tb,gig,gigs,g,ram,mm,cm,km,w,watt,watts,core,cores,euro,euros,€,eur,£,gbp,pounds,taka,tk,৳,rs,inr,₹")
)

// firstYear and lastYear are the years that "from 2021" may mean.
const firstYear, lastYear = 2005, 2035

// WithFilters returns the query with the prices, storages and colours of its words as filters,
// and with the other words as its text. It is the query itself if the words have none.
func (q Query) WithFilters() Query { return q.WithAmounts().WithColours() }

// WithAmounts is WithFilters without the colours.
func (q Query) WithAmounts() Query {
	all := lexemesOf(normalize(q.Text))
	said := Query{}
	var rest []string
	isFound := false
	for i := 0; i < len(all); {
		next := said.storageAt(all, i)
		if next == i && afterMemory(all, i) {
			said.Storage = append(said.Storage, int(all[i].number))
			next++
		}
		if next == i {
			next = said.priceAt(all, i)
		}
		if next > i {
			isFound = true
			if len(rest) > 0 && rest[len(rest)-1] == "+" { // of "8gb+128gb"
				rest = rest[:len(rest)-1]
			}
			rest = append(rest, " ")
			i = next
			continue
		}
		if !all[i].glued {
			rest = append(rest, " ")
		}
		rest = append(rest, all[i].text)
		i++
	}
	if !isFound {
		return q
	}
	star := ""
	if end := len(rest) - 2; hasStar(q.Text) && end >= 0 && isWordLexeme(lexeme{text: rest[end]}) { // not after a filter
		star = "*"
	}
	q.Text = restOf(WordsOf(strings.Join(rest, "")), star)
	return q.and(said)
}

// restOf returns the words that remain beside filters. Words that every phone is are left out:
// "phones under 300".
func restOf(words []string, star string) string {
	isEmpty := func(word string) bool {
		return isWeak(word) || slices.Contains([]string{"a", "any", "in", "the", "with"}, word)
	}
	if !slices.ContainsFunc(words, func(word string) bool { return !isEmpty(word) }) {
		return ""
	}
	return strings.Join(words, " ") + star
}

// and returns the query with the prices and storages of another one: both apply. Storages that
// have no size in common cannot both apply, so the other's replace them.
func (q Query) and(other Query) Query {
	q.MinPrice, q.MinStorage = max(q.MinPrice, other.MinPrice), max(q.MinStorage, other.MinStorage)
	q.MaxPrice = lower(q.MaxPrice, other.MaxPrice)
	if len(other.Storage) > 0 {
		both := slices.DeleteFunc(Distinct(other.Storage), func(gb int) bool { return !among(q.Storage, gb) })
		q.Storage = both
		if len(both) == 0 {
			q.Storage = Distinct(other.Storage)
		}
	}
	return q
}

// lower returns the lower one of two limits, of which 0 is none.
func lower(a, b int) int {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// amount is a number that may be a price.
type amount struct {
	dollars     float64
	hasCurrency bool
	next        int // the index after it
}

// amountAt reads an amount at i; its next is i if there is none. After a word for a price it may
// have a blank between thousands.
func amountAt(all []lexeme, i int, afterWord bool) amount {
	before := phraseAt(all, i, currencyBefore)
	at := i + before
	if at >= len(all) || all[at].number < 0 || before == 0 && !afterWord && !isAlone(all, at) {
		return amount{next: i}
	}
	a := amount{dollars: all[at].number, hasCurrency: before > 0, next: at + 1}
	isGroup := a.next < len(all) && len(all[at].text) == 1 && len(all[a.next].text) == 3 && all[a.next].number >= 0 && !all[a.next].glued
	if isGroup && (afterWord || a.hasCurrency) {
		a.dollars, a.next = a.dollars*1000+all[a.next].number, a.next+1
	}
	isThousands := a.next < len(all) && all[a.next].text == "k" && !continues(all, a.next+1)
	if isThousands && (all[a.next].glued || afterWord || a.hasCurrency) {
		a.dollars, a.next = a.dollars*1000, a.next+1
	}
	after := phraseAt(all, a.next, currencyAfter)
	if after > 0 {
		a.hasCurrency, a.next = true, a.next+after
	} else if continues(all, a.next) || phraseAt(all, a.next, notDollars) > 0 {
		return amount{next: i}
	}
	if continues(all, a.next) || a.dollars > 0 && a.dollars < 1 {
		return amount{next: i}
	}
	return a
}

// priceAt reads a phrase about the price at i, adds it to the query and returns the index after
// it; i if there is none.
func (q *Query) priceAt(all []lexeme, i int) int {
	if !isAlone(all, i) {
		return i
	}
	named := phraseAt(all, i, priceNames)
	begin := i + named
	if named > 0 {
		begin += phraseAt(all, begin, joiners)
	}
	if low, high, next := rangeAt(all, begin, named > 0); next > begin {
		q.MinPrice = max(q.MinPrice, int(math.Ceil(low)))
		q.MaxPrice = lower(q.MaxPrice, int(high))
		return afterPrice(all, next)
	}
	below, above := phraseAt(all, begin, upTo), phraseAt(all, begin, from)
	at := begin + max(below, above)
	if at > begin {
		says := phraseAt(all, at, priceWord)
		named += says
		at += says
		at += phraseAt(all, at, joiners)
	}
	a := amountAt(all, at, at > begin)
	if a.next == at || a.dollars < 1 || a.dollars > MaxPrice && (below == 0 || above > 0) {
		return i
	}
	if below == 0 && above == 0 {
		return q.lonePrice(all, i, a, named > 0)
	}
	word := all[begin].text
	if word == "max" && begin > 0 && all[begin-1].text == "pro" { // the name of a model
		return i
	}
	if !a.hasCurrency && named == 0 && slices.Contains(vague, word) && !isPriceAfter(word, a.dollars) {
		return i
	}
	if above > below {
		q.MinPrice = max(q.MinPrice, int(math.Ceil(a.dollars)))
	} else {
		q.MaxPrice = lower(q.MaxPrice, min(int(a.dollars), MaxPrice))
	}
	return afterPrice(all, a.next)
}

// afterPrice returns the index after the words that follow a price and only say that it is one:
// "under 300 budget". They may also be the beginning of the next price.
func afterPrice(all []lexeme, i int) int {
	if words := phraseAt(all, i, pricesEnd); words > 0 && (&Query{}).priceAt(all, i) == i {
		return i + words
	}
	return i
}

// isPriceAfter returns whether an amount without a currency is a price after a vague word:
// "pro max 512" and "from 2021" have none.
func isPriceAfter(word string, n float64) bool {
	isYear := word == "from" && n >= firstYear && n <= lastYear
	return n >= leastPrice && !isYear && !(word == "max" && isSize(n))
}

// lonePrice adds an amount that no word precedes: "$300" and "300 dollars" mean up to 300,
// "300+" means at least 300. It returns i if the amount is no price.
func (q *Query) lonePrice(all []lexeme, i int, a amount, isNamed bool) int {
	isPrice := a.hasCurrency || a.dollars >= leastPrice
	more, less := phraseAt(all, a.next, orMore), phraseAt(all, a.next, orLess)
	if more > 0 && all[a.next].text == "+" && !all[a.next].glued {
		more = 0
	}
	isWhole := i == 0 && a.next+max(more, less) == len(all)
	isRound := a.dollars >= leastRound && a.dollars <= mostRound
	if max(more, less) > 0 && slices.Contains(vague, all[a.next].text) && !a.hasCurrency && !isNamed && !isWhole && !isRound {
		return i
	}
	switch {
	case !isPrice || a.dollars > MaxPrice:
		return i
	case more > 0 && !continues(all, a.next+more):
		q.MinPrice = max(q.MinPrice, int(math.Ceil(a.dollars)))
	case less > 0 || a.hasCurrency || isNamed:
		q.MaxPrice = lower(q.MaxPrice, int(a.dollars))
		more = less
	default:
		return i
	}
	return afterPrice(all, a.next+more)
}

// rangeAt reads a range of prices at i: "200-300", "200 to 300", "between 200 and 300". Its next
// is i if there is none. The range may be named: "price 20-40".
func rangeAt(all []lexeme, i int, isNamed bool) (low, high float64, next int) {
	word := phraseAt(all, i, between)
	a := amountAt(all, i+word, word > 0)
	if a.next == i+word {
		return 0, 0, i
	}
	ends := rangeEnds
	if word > 0 {
		ends = slices.Concat(rangeEnds, betweenAnd)
	}
	to := phraseAt(all, a.next, ends)
	b := amountAt(all, a.next+to, word > 0)
	if to == 0 || b.next == a.next+to {
		return 0, 0, i
	}
	low, high = a.dollars, b.dollars
	if word > 0 && low > high {
		low, high = high, low
	}
	hasCurrency := a.hasCurrency || b.hasCurrency || isNamed
	isYears := low >= firstYear && high <= lastYear && !hasCurrency
	isSizes := isSize(low) && isSize(high) && !hasCurrency && word == 0
	if low >= high || high > MaxPrice || !hasCurrency && (low > 0 && low < leastPrice || high < leastPrice) || isYears || isSizes {
		return 0, 0, i
	}
	return low, high, b.next
}
