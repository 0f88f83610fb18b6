package search_test

import (
	"strings"
	"testing"

	"secondring/market/search"
)

// Each row has a search and the query that is made of it. A row with one column has no price,
// no storage and no colour, so the query is as it was typed.
func TestWordsBecomeFilters(t *testing.T) {
	for row := range strings.SplitSeq(strings.TrimSpace(wordCases), "\n") {
		typed, want, isChanged := strings.Cut(row, " => ")
		q := search.Query{Text: strings.TrimSpace(typed)}
		if !isChanged {
			want = q.Encode()
		}
		want = strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(want), "+", " "), "*", "%2A")
		if got := strings.ReplaceAll(q.WithFilters().Encode(), "+", " "); got != want {
			t.Errorf("%q becomes %q, want %q", q.Text, got, want)
		}
	}
}

const wordCases = `
pixel under 300 => q=pixel&maxPrice=300
Pixel Below $300 => q=pixel&maxPrice=300
max 300 pixel => q=pixel&maxPrice=300
iphone up to 300 => q=iphone&maxPrice=300
iphone less than 300 dollars => q=iphone&maxPrice=300
iphone < 300 => q=iphone&maxPrice=300
iphone <=300 => q=iphone&maxPrice=300
iphone ≤ $300 => q=iphone&maxPrice=300
under $20 => maxPrice=20
pixel under300 => q=pixel&maxPrice=300
iphone for 300 => q=iphone&maxPrice=300
iphone budget 300 => q=iphone&maxPrice=300
no more than 250 bucks galaxy s21 => q=galaxy s21&maxPrice=250
iphone 12 $300 => q=iphone 12&maxPrice=300
iphone 12 300$ => q=iphone 12&maxPrice=300
iphone 12 300 usd => q=iphone 12&maxPrice=300
iphone 12 US$300 => q=iphone 12&maxPrice=300
pixel price 300 => q=pixel&maxPrice=300
price: under 300 pixel => q=pixel&maxPrice=300
300 or less nokia => q=nokia&maxPrice=300
nokia 300 max => q=nokia&maxPrice=300
over 200 => minPrice=200
from 200 nokia => q=nokia&minPrice=200
at least 200 nokia => q=nokia&minPrice=200
min 200 nokia => q=nokia&minPrice=200
more than $1,250 iphone => q=iphone&minPrice=1250
> 200 nokia => q=nokia&minPrice=200
nokia 300+ => q=nokia&minPrice=300
nokia $300 and up => q=nokia&minPrice=300
iphone between 200 and 300 => q=iphone&minPrice=200&maxPrice=300
iphone between 300 and 200 => q=iphone&minPrice=200&maxPrice=300
iphone 200-300 => q=iphone&minPrice=200&maxPrice=300
iphone 200 – 300 => q=iphone&minPrice=200&maxPrice=300
iphone 200 to 300 => q=iphone&minPrice=200&maxPrice=300
iphone from 200 to 300 => q=iphone&minPrice=200&maxPrice=300
iphone $20-$40 => q=iphone&minPrice=20&maxPrice=40
iphone 1,000-1.5k => q=iphone&minPrice=1000&maxPrice=1500
over 100 under 300 nokia => q=nokia&minPrice=100&maxPrice=300
under 1.250 nokia => q=nokia&maxPrice=1250
under 1 250 nokia => q=nokia&maxPrice=1250
under 299.99 nokia => q=nokia&maxPrice=299
over 299.01 nokia => q=nokia&minPrice=300
under 1k nokia => q=nokia&maxPrice=1000
ｕｎｄｅｒ　３００ nokia => q=nokia&maxPrice=300
under ৩০০ nokia => q=nokia&maxPrice=300
phones under 300 => maxPrice=300
any phone below 150 => maxPrice=150
under 300 in dhaka => q=in dhaka&maxPrice=300
iphone under 300* => q=iphone&maxPrice=300
under 300 ipho* => q=ipho*&maxPrice=300
iphone 12
iphone 12-13
iphone 12, 13
12-13
pixel 7
nokia 3310
nokia 3310 - 300
galaxy s21
galaxy a50-a52
mi 11
mi max 3
redmi note 10
redmi note 10+
iphone 11 pro max
iphone 13 pro max 500
iphone 12 300
xperia 1 iii
moto g stylus 5g (2023)
phones from 2021
2019-2021 phones
battery over 80%
less than 6 months old
over 5000 mah
under 300 taka
iphone 6,7
max
under
$
128
iphone 12 128
8gb ram
iphone 8 8gb
pixel 128gb => q=pixel&storage=128
pixel 128 GB => q=pixel&storage=128
pixel 128 go => q=pixel&storage=128
pixel 128 gigs => q=pixel&storage=128
pixel 128 gig => q=pixel&storage=128
pixel 128 gigabytes => q=pixel&storage=128
pixel 128g => q=pixel&storage=128
pixel １２８ＧＢ => q=pixel&storage=128
128gb storage pixel => q=pixel&storage=128
pixel storage 128 gb => q=pixel&storage=128
1tb iphone => q=iphone&storage=1024
iphone 1 TB => q=iphone&storage=1024
1024gb => storage=1024
128gb or 256gb => storage=128&storage=256
128 or 256 gb => storage=128&storage=256
64/128 GB => storage=64&storage=128
64/128 => storage=64&storage=128
128gb, 256gb pixel => q=pixel&storage=128&storage=256
64-256gb => storage=64&storage=128&storage=256
between 64 and 256 gb => storage=64&storage=128&storage=256
128gb or more => minStorage=128
128gb+ pixel => q=pixel&minStorage=128
at least 128 gb => minStorage=128
over 128gb => minStorage=128
up to 64gb => storage=1&storage=2&storage=4&storage=8&storage=16&storage=32&storage=64
iphone 13 pro max 256gb => q=iphone 13 pro max&storage=256
iphone 13 pro max 512
mi 11 8/128 => q=mi 11 8&storage=128
mi 11 8+128 => q=mi 11 8&storage=128
mi 11 8gb/128gb => q=mi 11 8gb&storage=128
mi 11 12gb ram 256gb => q=mi 11 12gb ram&storage=256
mi 11 16gb ram 256gb => q=mi 11 16gb ram&storage=256
mi 11 16/256gb => q=mi 11 16&storage=256
iphone 16, 128gb => q=iphone 16&storage=128
iphone 16 128gb under $700 => q=iphone 16&maxPrice=700&storage=128
Motorola Edge 60 Max
edge 60 maximum
honor 90 max
BlackBerry Bold 9700+
Touch 9900+
nokia 3310+
9700+ => minPrice=9700
60 max => maxPrice=60
pixel $60 max => q=pixel&maxPrice=60
pixel price 60 max => q=pixel&maxPrice=60
edge 60 max 300 => q=edge 60&maxPrice=300
max price: $300 => maxPrice=300
iphone max price: 300 => q=iphone&maxPrice=300
maximum price is 300 nokia => q=nokia&maxPrice=300
nokia min price 200 max price 300 => q=nokia&minPrice=200&maxPrice=300
$0 - $300 => maxPrice=300
nokia 0-300 => q=nokia&maxPrice=300
nokia between 0 and 300 => q=nokia&maxPrice=300
$0
under $0
under 1 k => maxPrice=1000
nokia below $1.5 k => q=nokia&maxPrice=1500
range 200-300 => minPrice=200&maxPrice=300
price range 200-300 => minPrice=200&maxPrice=300
nokia price range: $20-40 => q=nokia&minPrice=20&maxPrice=40
budget 300 => maxPrice=300
iphone my budget is 300 => q=iphone&maxPrice=300
iphone budget: under 300 => q=iphone&maxPrice=300
iphone on a budget of 300 => q=iphone&maxPrice=300
iphone that costs under 300 => q=iphone&maxPrice=300
iphone that is below 300 => q=iphone&maxPrice=300
nokia priced at 300 => q=nokia&maxPrice=300
nokia price around 300 => q=nokia&maxPrice=300
nokia under 300 budget => q=nokia&maxPrice=300
nokia 200-300 price range => q=nokia&minPrice=200&maxPrice=300
nokia over 100 budget 300 => q=nokia&minPrice=100&maxPrice=300
samsung under 300 in good condition => q=samsung in good condition&maxPrice=300
budget nokia
nokia 3310 price
under-300 => maxPrice=300
nokia over-200 => q=nokia&minPrice=200
less then 300 => maxPrice=300
nokia cheaper then 300 => q=nokia&maxPrice=300
nokia more then 200 => q=nokia&minPrice=200
nokia 300 U.S. dollars => q=nokia&maxPrice=300
300 US dollar nokia => q=nokia&maxPrice=300
nokia US dollars 300 => q=nokia&maxPrice=300
nokia USD $300 => q=nokia&maxPrice=300
nokia U.S.$ 300 => q=nokia&maxPrice=300
200..300 => minPrice=200&maxPrice=300
nokia 200...300 => q=nokia&minPrice=200&maxPrice=300
nokia 200…300 => q=nokia&minPrice=200&maxPrice=300
nokia 12..13
max 64gb => storage=64
maximum 128 gb nokia => q=nokia&storage=128
iphone 13 pro max 64gb => q=iphone 13 pro max&storage=64
mi max 64gb => q=mi max&storage=64
storage 128 => storage=128
128 storage => storage=128
memory 128 => storage=128
nokia storage: 64 => q=nokia&storage=64
nokia 256 internal storage => q=nokia&storage=256
nokia 8gb ram 128 rom => q=nokia 8gb ram&storage=128
nokia storage over 128 => q=nokia&minStorage=128
iphone 16 storage 128 => q=iphone 16&storage=128
iphone 16 storage
storage 100
memory 16
pixel 7 128 gb 200-300 => q=pixel 7&minPrice=200&maxPrice=300&storage=128
blue samsung => q=samsung&colour=blue
Samsung Galaxy BLUE => q=samsung galaxy&colour=blue
iphone 13 in midnight => q=iphone 13&colour=midnight
iphone 13, midnight 128gb under 300 => q=iphone 13&maxPrice=300&storage=128&colour=midnight
space gray iphone => q=space iphone&colour=grey
golden iphone => q=iphone&colour=gold
blue colour iphone => q=iphone&colour=blue
iphone colour: blue => q=iphone&colour=blue
iphone black or white 64gb => q=iphone&storage=64&colour=black&colour=white
black/white iphone
blue ipho* => q=ipho*&colour=blue
blue => colour=blue
red phone => colour=red
blue, blue iphone => q=iphone&colour=blue
rose gold iphone
black or white or red => colour=black&colour=red&colour=white
black or white gold
red*
iphone red*
redmi note 12
black berry bold
black shark 4
red mi note 12
red magic 7
iphone in mint condition
blackview
`

// Filters of the words and of the parameters both apply.
func TestFiltersOfWordsAndParametersBothApply(t *testing.T) {
	for _, c := range []struct {
		q    search.Query
		want string
	}{
		{search.Query{Text: "nokia under 300", MaxPrice: 200}, "q=nokia&maxPrice=200"},
		{search.Query{Text: "nokia under 300", MaxPrice: 400, MinPrice: 5}, "q=nokia&minPrice=5&maxPrice=300"},
		{search.Query{Text: "over 100", MinPrice: 50, Sort: search.SortSaving}, "minPrice=100&sort=saving"},
		{search.Query{Text: "64gb or 128gb", Storage: []int{128, 256}}, "storage=128"},
		{search.Query{Text: "64gb", Storage: []int{128}}, "storage=64"},
		{search.Query{Text: "64gb or more", MinStorage: 128}, "minStorage=128"},
		{search.Query{Text: "blue or red nokia", Colours: []string{"Red", "green"}}, "q=nokia&colour=red"},
		{search.Query{Text: "gray nokia", Colours: []string{"grey"}}, "q=nokia&colour=grey"},
		{search.Query{Text: "blue nokia", Colours: []string{"green"}}, "q=blue+nokia&colour=green"},
		{search.Query{Text: "over 500", MaxPrice: 200}, "minPrice=500&maxPrice=200"},
	} {
		if got := c.q.WithFilters().Encode(); got != c.want {
			t.Errorf("%+v becomes %q, want %q", c.q, got, c.want)
		}
	}
}
