package storetest

import (
	"strings"

	"secondring/market"
)

// enough is larger than any total here.
const enough = 1000

// finds fails the test unless the query finds exactly these phones, in pages of any size.
func (s env) finds(q market.Query, want ...market.Product) {
	s.Helper()
	pages(s, func(p market.Page) (market.List[market.Product], error) {
		return s.SearchProducts(s.Context(), q, p, enough)
	}, func(p market.Product) string { return q.SortKey(p).String() }, want...)
}

// offered adds a phone with a change.
func (s env) offered(b market.Brand, change func(*market.Product)) market.Product {
	s.Helper()
	p := phone(b, "sam")
	change(&p)
	s.ok(s.AddProduct(s.Context(), p, nil))
	return p
}

func (s env) called(b market.Brand, name, description string) market.Product {
	s.Helper()
	return s.offered(b, func(p *market.Product) { p.Name, p.Description = name, description })
}

func (s env) priced(b market.Brand, original, resale int) market.Product {
	s.Helper()
	return s.offered(b, func(p *market.Product) { p.OriginalPrice, p.ResalePrice = original, resale })
}

func text(words string) market.Query { return market.Query{Text: words} }

func sorted(by market.Sort) market.Query { return market.Query{Sort: by} }

var searchCases = cases{
	"all phones, newest first, or those of some brands": func(s env) {
		s.finds(market.Query{})
		a, b, c := s.stocked("Apple"), s.stocked("BlackBerry"), s.stocked("Casio")
		p1, p2, p3, p4 := s.listed(a, "sam"), s.listed(b, "tom"), s.listed(c, "sam"), s.listed(a, "tom")
		s.finds(market.Query{}, p4, p3, p2, p1)
		s.finds(market.Query{Brands: []string{a.ID}}, p4, p1)
		s.finds(market.Query{Brands: []string{b.ID, a.ID, b.ID}}, p4, p2, p1)
		s.finds(market.Query{Brands: []string{"none"}})
		s.finds(market.Query{Brands: []string{"none", c.ID, `"]`}}, p3)
	},
	"each order has ties newest first": func(s env) {
		b := s.stocked("Nokia")
		cheap, fair, twin := s.priced(b, 100, 50), s.priced(b, 300, 200), s.priced(b, 250, 200)
		dear, dearer := s.priced(b, 1000, 900), s.priced(b, 900, 1000)
		for _, brands := range [][]string{nil, {b.ID}} {
			of := func(by market.Sort) market.Query { return market.Query{Sort: by, Brands: brands} }
			s.finds(of(market.SortNewest), dearer, dear, twin, fair, cheap)
			s.finds(of(market.SortPriceUp), cheap, twin, fair, dear, dearer)
			s.finds(of(market.SortPriceDown), dearer, dear, twin, fair, cheap)
			s.finds(of(market.SortSaving), cheap, fair, twin, dear, dearer)
		}
	},
	"savings that are nearly equal are sorted": func(s env) {
		b := s.stocked("Nokia")
		more := s.priced(b, 100_000, 33_333)
		third, same := s.priced(b, 3, 1), s.priced(b, 99_999, 33_333)
		less := s.priced(b, 99_998, 33_333)
		none, unpriced := s.priced(b, 7, 7), s.priced(b, 0, 5)
		dearer := s.priced(b, 1, 100_000)
		s.finds(sorted(market.SortSaving), more, same, third, less, unpriced, none, dearer)
	},
	"all words are in name, brand or description, the last one as a prefix": func(s env) {
		nokia, lg := s.stocked("Nokia"), s.stocked("LG")
		brick := s.called(nokia, "3310 classic", "It still rings, and its battery is new.")
		slim := s.called(lg, "G3", "As thin as a classic-looking coin; its box is there")
		s.finds(text("classic"), slim, brick)
		s.finds(text("CLASS"), slim, brick)
		s.finds(text("nokia CLASSIC"), brick)
		s.finds(text("classic nok"), brick)
		s.finds(text("nok classic"))
		s.finds(text("lassic"))
		s.finds(text("its classic rings"), brick)
		s.finds(text("classic looking"), slim)
		s.finds(text("lg g3 coin"), slim)
		s.finds(text("331"), brick)
		s.finds(text("331 classic"))
		s.finds(text("nokia nokia"), brick)
		s.finds(text("nokia lg"))
	},
	"words match without case and accents": func(s env) {
		b := s.stocked("Bénévolat")
		p := s.called(b, "ÉCRAN Größe Σίσυφος ЁЛКА", "naïve cafe\u0301 কিবোর্ড ΌΣΟΣ İzmir")
		for _, found := range []string{
			"ecran", "Écran", "e\u0301cran", "benevolat", "größe", "GRÖSSE", "grosse", "cafe", "café", "NAIVE", "елка",
			"ёлка", "σισυφος", "ΣΊΣΥΦΟΣ", "οσος", "ό", "কিবোর্ড", "কি", "izmir",
		} {
			if found == "GRÖSSE" || found == "grosse" { // ss is not ß
				s.finds(text(found))
				continue
			}
			s.finds(text(found), p)
		}
		s.finds(text("কবোর্ড")) // a vowel is not an accent
	},
	"no character of a query is an operator": func(s env) {
		b := s.stocked("Nokia")
		p := s.called(b, "One (two) near three", `Or "not" and 4.5" 100% @dhaka`)
		all := []string{
			`"one"`, `one"`, `"`, `""`, `one OR`, `one AND two`, `NOT`, `one*`, `*`, `^one`, `-one`, `+one`, `(one`, `)`,
			`one NEAR two`, `near(one two, 4)`, `{one}`, `\one`, `'one'; --`, `%`, `_`, `one_two`, "one\x00two", "\x00",
			`📱`, `📱one📱`, `4.5`, `100%`, "\u202eone", "\xff", "one\xfftwo", "$", ".*", "one.*", "@dhaka", ",", "one , two",
			strings.Repeat("one ", 500),
		}
		for _, typed := range all {
			s.finds(text(typed), p)
		}
		for _, typed := range []string{`name:one`, `words : one`, `words`, `f`, "rank", `one OR nothing`, "o%e", "on.", "@dha one zwei"} {
			if typed == "on." { // the beginning of one, and a dot
				s.finds(text(typed), p)
				continue
			}
			s.finds(text(typed))
		}
	},
	"location and text are searched separately": func(s env) {
		b := s.stocked("Nokia")
		at := func(place string) market.Product {
			return s.offered(b, func(p *market.Product) { p.Location, p.Description = place, "Sold in Sylhet" })
		}
		dhaka, sylhet := at("Mirpur 10, Dhaka"), at("Zindabazar, Sylhet")
		s.finds(market.Query{Location: "dha"}, dhaka)
		s.finds(market.Query{Location: "Dhaka Mir"}, dhaka)
		s.finds(market.Query{Location: "dha mirpur"})
		s.finds(market.Query{Location: "Sylhet"}, sylhet)
		s.finds(market.Query{Location: "nokia"})
		s.finds(market.Query{Location: ", "}, sylhet, dhaka)
		s.finds(market.Query{Location: "@dhaka"}, dhaka)
		s.finds(text("sylhet"), sylhet, dhaka)
		s.finds(text("dhaka"))
		s.finds(text("@dhaka"))
		s.finds(market.Query{Text: "sylhet nok", Location: "dhaka"}, dhaka)
		s.finds(market.Query{Text: "sylhet nok", Location: "sold"})
	},
	"a slip is corrected by the words of phones": func(s env) {
		nokia, plus := s.stocked("Nokia"), s.stocked("OnePlus")
		brick := s.called(nokia, "Lumia 930", "It still rings.")
		nine := s.called(plus, "9 Pro", "Like new, with charger")
		m := market.New(s, market.SystemClock{}, market.Rules{}, nil)
		for typed, want := range map[string]struct {
			corrected string
			phones    []market.Product
		}{
			"lumia":         {"", []market.Product{brick}},
			"lumai":         {"lumia", []market.Product{brick}},
			"still lumai":   {"still lumia", []market.Product{brick}},
			"chargr nine":   {"", nil},
			"charge one":    {"", nil},
			"blue nokai":    {"nokia", []market.Product{brick}},
			"one plus 9":    {"oneplus 9", []market.Product{nine}},
			"oneplus9 pro":  {"oneplus 9 pro", []market.Product{nine}},
			"nokia oneplus": {"", nil},
		} {
			in := market.Search{Query: market.Query{Text: typed}, Page: market.Page{Limit: 5}}
			found := get[market.Found](s)(m.Search(s.Context(), true, in))
			s.same(found, market.Found{List: market.List[market.Product]{Items: want.phones, Total: len(want.phones)}, Corrected: want.corrected})
		}
	},
	"the seller is not searched": func(s env) {
		b := s.stocked("Nokia")
		p := s.offered(b, func(p *market.Product) {
			p.SellerUID, p.SellerName, p.SellerEmail, p.Phone = "secretuid", "Secretname", "secret@mail.example", "0170099"
			p.Img, p.UsedTime, p.PostedOn, p.Condition = "/secretimg.jpg", "secretyears", "2026-11-01", "Good"
		})
		for _, word := range []string{"secret", "secretname", "mail", "0170099", "jpg", "2026", "good", p.ID, b.ID, "true", "1"} {
			s.finds(text(word))
			s.finds(market.Query{Location: word})
		}
	},
	"filters by condition, price, verified and available": func(s env) {
		b := s.stocked("Nokia")
		make := func(condition string, price int, verified bool) market.Product {
			return s.offered(b, func(p *market.Product) { p.Condition, p.ResalePrice, p.Verified = condition, price, verified })
		}
		top, good, fair, odd := make("Excellent", 300, true), make("Good", 200, false), make("Fair", 100, true), make("Dented", 100, false)
		in := func(conditions ...string) market.Query { return market.Query{Conditions: conditions} }
		s.finds(in("Excellent"), top)
		s.finds(in("Fair", "Good", "Fair"), fair, good)
		s.finds(in("Excellent", "Good", "Fair"), fair, good, top)
		s.finds(in("good"))
		s.finds(market.Query{MinPrice: 200}, good, top)
		s.finds(market.Query{MaxPrice: 200}, odd, fair, good)
		s.finds(market.Query{MinPrice: 101, MaxPrice: 299, Sort: market.SortPriceUp}, good)
		s.finds(market.Query{MinPrice: 100, MaxPrice: 100, Sort: market.SortPriceDown}, odd, fair)
		s.finds(market.Query{MinPrice: 301})
		s.finds(market.Query{Verified: new(true)}, fair, top)
		s.finds(market.Query{Verified: new(false)}, odd, good)
		s.finds(market.Query{Available: new(false)})
		taken := held(good, noon)
		s.ok(s.SaveProduct(s.Context(), taken, nil))
		sold := held(fair, noon)
		sold.Sold = true
		s.ok(s.SaveProduct(s.Context(), sold, nil))
		s.finds(market.Query{Available: new(true)}, odd, top)
		s.finds(market.Query{Available: new(false)}, sold, taken)
		s.finds(market.Query{Available: new(false), Verified: new(true), MaxPrice: 100, Conditions: []string{"Fair"}, Text: "on"}, sold)
		free := raised(taken)
		free.Hold = nil
		s.ok(s.SaveProduct(s.Context(), free, nil))
		s.finds(market.Query{Available: new(true), Sort: market.SortPriceUp}, odd, free, top)
	},
	"filter by storage": func(s env) {
		b := s.stocked("Nokia")
		make := func(storage int) market.Product {
			return s.offered(b, func(p *market.Product) { p.Storage = storage })
		}
		none, small, large := make(0), make(64), make(1024)
		s.finds(market.Query{}, large, small, none)
		s.finds(market.Query{MinStorage: 1}, large, small)
		s.finds(market.Query{MinStorage: 64, Sort: market.SortPriceUp, Brands: []string{b.ID}}, large, small)
		s.finds(market.Query{MinStorage: 65, Available: new(true)}, large)
		s.finds(market.Query{MinStorage: 2048})
		larger := raised(small)
		larger.Storage = 128
		s.ok(s.SaveProduct(s.Context(), larger, nil))
		s.finds(market.Query{MinStorage: 128}, large, larger)
		taken := held(larger, noon)
		s.ok(s.SaveProduct(s.Context(), taken, nil))
		s.finds(market.Query{MinStorage: 128, Available: new(false), Conditions: []string{taken.Condition}}, taken)
	},
	"a changed phone is found by its new fields only": func(s env) {
		a, b := s.stocked("Apple"), s.stocked("BlackBerry")
		p := s.offered(a, func(p *market.Product) { p.Name, p.Location, p.Description = "Pear", "Dhaka", "" })
		p = raised(p)
		p.BrandID, p.Brand, p.Name, p.Description, p.Location = b.ID, b.Name, "Bold", "Shiny", "Sylhet"
		p.OriginalPrice, p.ResalePrice, p.Condition, p.Verified = 1000, 10, "Fair", true
		s.ok(s.SaveProduct(s.Context(), p, nil))
		for _, gone := range []market.Query{
			text("pear"), text("apple"),
			{Location: "dhaka"},
			{Brands: []string{a.ID}},
			{Conditions: []string{"Good"}},
			{MinPrice: 11},
			{Verified: new(false)},
		} {
			s.finds(gone)
		}
		whole := market.Query{
			Text: "bold shiny black", Location: "sylhet", Brands: []string{b.ID}, Conditions: []string{"Fair"},
			MinPrice: 10, MaxPrice: 10, Verified: new(true), Available: new(true), Sort: market.SortSaving,
		}
		s.finds(whole, p)
		s.refused(s.SaveProduct(s.Context(), p, nil), market.ErrConflict)
		s.ok(s.RemoveProduct(s.Context(), raised(p), nil))
		s.finds(whole)
		s.finds(text("bold"))
		s.finds(market.Query{})
	},
	"a page begins after its position, even if that phone was removed": func(s env) {
		b := s.stocked("Nokia")
		p1, p2, p3, p4 := s.priced(b, 9, 1), s.priced(b, 9, 2), s.priced(b, 9, 2), s.priced(b, 9, 3)
		q := sorted(market.SortPriceUp)
		s.ok(s.RemoveProduct(s.Context(), raised(p3), nil))
		after := func(p market.Product) market.Page { return market.Page{Limit: 1, After: q.SortKey(p).String()} }
		find := func(page market.Page) market.List[market.Product] {
			return get[market.List[market.Product]](s)(s.SearchProducts(s.Context(), q, page, enough))
		}
		s.same(find(after(p1)), market.List[market.Product]{Items: []market.Product{p2}, Total: 3, More: true})
		s.same(find(after(p3)), market.List[market.Product]{Items: []market.Product{p2}, Total: 3, More: true})
		s.same(find(after(p2)), market.List[market.Product]{Items: []market.Product{p4}, Total: 3})
		s.same(find(after(p4)), market.List[market.Product]{Total: 3})
	},
	"only queries that narrow are counted up to the limit": func(s env) {
		a, b := s.stocked("Apple"), s.stocked("BlackBerry")
		for i := range 9 {
			s.called([]market.Brand{a, b}[i%2], "Same", "")
		}
		total := func(q market.Query, countTo int) int {
			return get[market.List[market.Product]](s)(s.SearchProducts(s.Context(), q, market.Page{Limit: 2}, countTo)).Total
		}
		for _, q := range []market.Query{
			text("same"),
			{Location: "x", Text: "same"},
			{MinPrice: 1},
			{MaxPrice: 500},
			{Conditions: []string{"Good"}},
			{Verified: new(false)},
			{Available: new(true)},
			{Available: new(true), Brands: []string{a.ID}},
			{Text: "same", Brands: []string{b.ID, a.ID}},
			{Text: "same", Brands: []string{a.ID}},
		} {
			exact := 9
			if q.Location != "" {
				exact = 0
			} else if len(q.Brands) == 1 {
				exact = 5
			}
			for _, countTo := range []int{3, 4, 5, 9, 10} {
				s.same(total(q, countTo), min(exact, countTo))
			}
		}
		s.same(total(market.Query{}, 3), 9)
		s.same(total(market.Query{Brands: []string{a.ID}, Sort: market.SortSaving}, 3), 5)
		s.same(total(market.Query{Brands: []string{a.ID, b.ID, "none"}, Text: " , "}, 3), 9)
	},
}
