package storetest

import (
	"strings"

	"secondring/market"
	"secondring/market/search"
)

// countAll is a limit of the count that is larger than any total of these tests.
const countAll = 1000

// wantFound fails the test unless the query finds exactly these phones, with any page size.
func (s env) wantFound(q search.Query, want ...market.Product) {
	s.Helper()
	wantPages(s, func(p market.Page) (market.List[market.Product], error) {
		return s.SearchProducts(s.Context(), q, p, countAll)
	}, func(p market.Product) string { return q.SortKey(p.Searchable()).String() }, want...)
}

// addPhoneWith adds a phone to which it applies change.
func (s env) addPhoneWith(b market.Brand, change func(*market.Product)) market.Product {
	s.Helper()
	p := phone(b, "sam")
	change(&p)
	s.ok(s.AddProduct(s.Context(), p, nil))
	return p
}

func (s env) addPhoneNamed(b market.Brand, name, description string) market.Product {
	s.Helper()
	return s.addPhoneWith(b, func(p *market.Product) { p.Name, p.Description = name, description })
}

func (s env) addPhonePriced(b market.Brand, original, resale int) market.Product {
	s.Helper()
	return s.addPhoneWith(b, func(p *market.Product) { p.OriginalPrice, p.ResalePrice = original, resale })
}

func text(words string) search.Query { return search.Query{Text: words} }

func sorted(by search.Sort) search.Query { return search.Query{Sort: by} }

var searchCases = cases{
	"all phones, newest first, or those of some brands": func(s env) {
		s.wantFound(search.Query{})
		a, b, c := s.addBrand("Apple"), s.addBrand("BlackBerry"), s.addBrand("Casio")
		p1, p2, p3, p4 := s.addPhone(a, "sam"), s.addPhone(b, "tom"), s.addPhone(c, "sam"), s.addPhone(a, "tom")
		s.wantFound(search.Query{}, p4, p3, p2, p1)
		s.wantFound(search.Query{Brands: []string{a.ID}}, p4, p1)
		s.wantFound(search.Query{Brands: []string{b.ID, a.ID, b.ID}}, p4, p2, p1)
		s.wantFound(search.Query{Brands: []string{"none"}})
		s.wantFound(search.Query{Brands: []string{"none", c.ID, `"]`}}, p3)
	},
	"each order has ties newest first": func(s env) {
		b := s.addBrand("Nokia")
		cheap, fair, newerFair := s.addPhonePriced(b, 100, 50), s.addPhonePriced(b, 300, 200), s.addPhonePriced(b, 250, 200)
		expensive, mostExpensive := s.addPhonePriced(b, 1000, 900), s.addPhonePriced(b, 900, 1000)
		for _, brands := range [][]string{nil, {b.ID}} {
			of := func(by search.Sort) search.Query { return search.Query{Sort: by, Brands: brands} }
			s.wantFound(of(search.SortNewest), mostExpensive, expensive, newerFair, fair, cheap)
			s.wantFound(of(search.SortPriceUp), cheap, newerFair, fair, expensive, mostExpensive)
			s.wantFound(of(search.SortPriceDown), mostExpensive, expensive, newerFair, fair, cheap)
			s.wantFound(of(search.SortSaving), cheap, fair, newerFair, expensive, mostExpensive)
		}
	},
	"savings that are nearly equal are sorted": func(s env) {
		b := s.addBrand("Nokia")
		more := s.addPhonePriced(b, 100_000, 33_333)
		third, same := s.addPhonePriced(b, 3, 1), s.addPhonePriced(b, 99_999, 33_333)
		less := s.addPhonePriced(b, 99_998, 33_333)
		none, unpriced := s.addPhonePriced(b, 7, 7), s.addPhonePriced(b, 0, 5)
		mostExpensive := s.addPhonePriced(b, 1, 100_000)
		s.wantFound(sorted(search.SortSaving), more, same, third, less, unpriced, none, mostExpensive)
	},
	"all words are in name, brand or description, one with a star as a prefix": func(s env) {
		nokia, lg := s.addBrand("Nokia"), s.addBrand("LG")
		older := s.addPhoneNamed(nokia, "3310 classic", "It still rings, and its battery is new.")
		slim := s.addPhoneNamed(lg, "G3", "As thin as a classic-looking coin; its box is there")
		s.wantFound(text("classic"), slim, older)
		s.wantFound(text("CLASS"))
		s.wantFound(text("CLASS*"), slim, older)
		s.wantFound(text("nokia CLASSIC"), older)
		s.wantFound(text("classic nok"))
		s.wantFound(text("classic nok*"), older)
		s.wantFound(text("nok* classic"))
		s.wantFound(text("lassic*"))
		s.wantFound(text("its classic rings"), older)
		s.wantFound(text("classic looking"), slim)
		s.wantFound(text("lg g3 coin"), slim)
		s.wantFound(text("331*"))
		s.wantFound(text("331 classic"))
		s.wantFound(text("nokia nokia"), older)
		s.wantFound(text("nokia lg"))
	},
	"words match without case and accents": func(s env) {
		b := s.addBrand("Bénévolat")
		p := s.addPhoneNamed(b, "ÉCRAN Größe Σίσυφος ЁЛКА", "naïve cafe\u0301 কিবোর্ড ΌΣΟΣ İzmir")
		for _, found := range []string{
			"ecran", "Écran", "e\u0301cran", "benevolat", "größe", "GRÖSSE", "grosse", "cafe", "café", "NAIVE", "елка",
			"ёлка", "σισυφος", "ΣΊΣΥΦΟΣ", "οσος", "ό*", "কিবোর্ড", "কি*", "izmir",
		} {
			if found == "GRÖSSE" || found == "grosse" { // ss is not ß
				s.wantFound(text(found))
				continue
			}
			s.wantFound(text(found), p)
		}
		s.wantFound(text("কবোর্ড")) // a vowel is not an accent
	},
	"no character of a query is an operator": func(s env) {
		b := s.addBrand("Nokia")
		p := s.addPhoneNamed(b, "One (two) near three", `Or "not" and 4.5" 100% @dhaka`)
		all := []string{
			`"one"`, `one"`, `"`, `""`, `one OR`, `one AND two`, `NOT`, `one*`, `*`, `^one`, `-one`, `+one`, `(one`, `)`,
			`one NEAR two`, `near(one two, 4)`, `{one}`, `\one`, `'one'; --`, `%`, `_`, `one_two`, "one\x00two", "\x00",
			`📱`, `📱one📱`, `4.5`, `100%`, "\u202eone", "\xff", "one\xfftwo", "$", ".*", "one.*", "@dhaka", ",", "one , two",
			strings.Repeat("one ", 500),
		}
		for _, query := range all {
			s.wantFound(text(query), p)
		}
		for _, query := range []string{`name:one`, `words : one`, `words`, `f`, "rank", `one OR nothing`, "o%e", "on.", "@dha one zwei"} {
			s.wantFound(text(query))
		}
	},
	"location and text are searched separately": func(s env) {
		b := s.addBrand("Nokia")
		addAt := func(location string) market.Product {
			return s.addPhoneWith(b, func(p *market.Product) { p.Location, p.Description = location, "Sold in Sylhet" })
		}
		dhaka, sylhet := addAt("Mirpur 10, Dhaka"), addAt("Zindabazar, Sylhet")
		s.wantFound(search.Query{Location: "dha"}, dhaka)
		s.wantFound(search.Query{Location: "Dhaka Mir"}, dhaka)
		s.wantFound(search.Query{Location: "dha mirpur"})
		s.wantFound(search.Query{Location: "Sylhet"}, sylhet)
		s.wantFound(search.Query{Location: "nokia"})
		s.wantFound(search.Query{Location: ", "}, sylhet, dhaka)
		s.wantFound(search.Query{Location: "@dhaka"}, dhaka)
		s.wantFound(text("sylhet"), sylhet, dhaka)
		s.wantFound(text("dhaka"))
		s.wantFound(text("@dhaka"))
		s.wantFound(search.Query{Text: "sylhet nok*", Location: "dhaka"}, dhaka)
		s.wantFound(search.Query{Text: "sylhet nok*", Location: "sold"})
	},
	"words and numbers may be joined or split, and no number is cut": func(s env) {
		plus, apple := s.addBrand("OnePlus"), s.addBrand("Apple")
		nord := s.addPhoneNamed(plus, "OnePlus Nord 4", "One owner, plus its box")
		twelve := s.addPhoneNamed(apple, "iPhone 12 mini", "")
		six := s.addPhoneNamed(apple, "iPhone 6+", "With a 5V charger and 12 cables")
		for query, want := range map[string][]market.Product{
			"one plus": {nord}, "oneplus": {nord}, "one-plus nord4": {nord}, "plus box": {nord}, "oneplusnord4": {nord},
			"iphone12": {six, twelve}, "iPhone-12": {six, twelve}, "iphone 12": {six, twelve}, "i phone 12 mini": {twelve}, "ｉＰｈｏｎｅ 12": {six, twelve}, "appleiphone12mini": {twelve},
			"12": {six, twelve}, "1": nil, "iphone 1": nil, "iphone 1*": nil, "iphone6plus": {six}, "iphone 6 plus": {six}, "5v": {six}, "5": nil,
			"iphone": {six, twelve}, "iph": nil, "iph*": {six, twelve}, "charger iphone 6": {six}, "on": nil, "nord on*": {nord},
		} {
			s.wantFound(text(query), want...)
			if !strings.HasSuffix(query, "12") { // the newest phone has 12 only in its description
				s.wantFound(search.Query{Text: query, Brands: []string{plus.ID, apple.ID}, Sort: search.SortAvailable}, want...)
			}
		}
	},
	"the order available: bought, held, sold; words in brand, name or storage first": func(s env) {
		b, other := s.addBrand("Google"), s.addBrand("Case")
		add := func(b market.Brand, name, description string, change func(*market.Product)) market.Product {
			p := s.addPhoneNamed(b, name, description)
			if change == nil {
				return p
			}
			p = nextVersion(p)
			p.Hold = held(p, noon).Hold
			change(&p)
			s.ok(s.SaveProduct(s.Context(), p, nil))
			return p
		}
		hold, sell := func(*market.Product) {}, func(p *market.Product) { p.Sold = true }
		soldTitle := add(b, "Pixel 7", "", sell)
		title := add(b, "Pixel 7", "", nil)
		heldText := add(other, "Box", "For a Pixel 7", hold)
		text := add(other, "Box", "For a Pixel 7", nil)
		heldTitle := add(b, "Pixel 7 Pro", "", hold)
		soldText := add(other, "Lid", "No Pixel of 7", sell)
		newest := add(b, "Pixel 7", "", nil)
		for _, brands := range [][]string{nil, {b.ID, other.ID}} {
			for query, want := range map[string][]market.Product{
				"":            {newest, text, title, heldTitle, heldText, soldText, soldTitle},
				"pixel":       {newest, title, text, heldTitle, heldText, soldTitle, soldText},
				"7 pix*":      {newest, title, text, heldTitle, heldText, soldTitle, soldText},
				"pixel7":      {newest, title, text, heldTitle, heldText, soldTitle, soldText},
				"case pixel":  {text, heldText, soldText},
				"google":      {newest, title, heldTitle, soldTitle},
				"pixel 7 pro": {heldTitle},
			} {
				s.wantFound(search.Query{Text: query, Sort: search.SortAvailable, Brands: brands}, want...)
			}
		}
		s.wantFound(search.Query{Text: "pixel", Sort: search.SortAvailable, Available: new(true)}, newest, title, text)
		s.wantFound(search.Query{Text: "pixel", Sort: search.SortAvailable, Available: new(false), MaxPrice: text.ResalePrice}, heldTitle, heldText, soldTitle, soldText)
	},
	"a search that finds nothing uses other words": func(s env) {
		plus, nokia := s.addBrand("OnePlus"), s.addBrand("Nokia")
		nine := s.addPhoneNamed(plus, "OnePlus 9", "Still rings")
		older := s.addPhoneNamed(nokia, "Lumia", "Still in its box, with charger")
		m := market.New(s, market.SystemClock{}, market.Rules{}, nil)
		for query, want := range map[string]struct {
			searched string
			leftOut  []string
			phones   []market.Product
		}{
			"lumia":             {"lumia", nil, []market.Product{older}},
			"lum":               {"lum*", nil, []market.Product{older}},
			"lumai":             {"lumia", nil, []market.Product{older}},
			"still lumai":       {"still lumia", nil, []market.Product{older}},
			"blue nokai":        {"nokia", []string{"blue"}, []market.Product{older}},
			"one plus 9":        {"one plus 9", nil, []market.Product{nine}},
			"oneplus9 pro":      {"oneplus 9", []string{"pro"}, []market.Product{nine}},
			"nokia 9 oneplus":   {"9 oneplus", []string{"nokia"}, []market.Product{nine}},
			"zzzz":              {"zzzz", nil, nil},
			"lumia 5g unlocked": {"lumia", []string{"5g", "unlocked"}, []market.Product{older}},
		} {
			in := market.Search{Query: search.Query{Text: query}, Page: market.Page{Limit: 5}}
			found := get[market.SearchResult](s)(m.Search(s.Context(), true, in))
			s.equal(found, market.SearchResult{
				List: market.List[market.Product]{Items: want.phones, Total: len(want.phones)}, Searched: search.Query{Text: want.searched},
				Words: search.Words{Text: want.searched, LeftOut: want.leftOut},
			})
		}
	},
	"the seller is not searched": func(s env) {
		b := s.addBrand("Nokia")
		p := s.addPhoneWith(b, func(p *market.Product) {
			p.SellerUID, p.SellerName, p.SellerEmail, p.Phone = "secretuid", "Secretname", "secret@mail.example", "0170099"
			p.Img, p.UsedTime, p.PostedOn, p.Condition = "/secretimg.jpg", "secretyears", "2026-11-01", "Good"
		})
		for _, word := range []string{"secret", "secretname", "mail", "0170099", "jpg", "2026", "good", p.ID, b.ID, "true", "1"} {
			s.wantFound(text(word))
			s.wantFound(search.Query{Location: word})
		}
	},
	"filters by condition, price, verified and available": func(s env) {
		b := s.addBrand("Nokia")
		add := func(condition string, price int, verified bool) market.Product {
			return s.addPhoneWith(b, func(p *market.Product) { p.Condition, p.ResalePrice, p.Verified = condition, price, verified })
		}
		excellent, good, fair, dented := add("Excellent", 300, true), add("Good", 200, false), add("Fair", 100, true), add("Dented", 100, false)
		in := func(conditions ...string) search.Query { return search.Query{Conditions: conditions} }
		s.wantFound(in("Excellent"), excellent)
		s.wantFound(in("Fair", "Good", "Fair"), fair, good)
		s.wantFound(in("Excellent", "Good", "Fair"), fair, good, excellent)
		s.wantFound(in("good"))
		s.wantFound(search.Query{MinPrice: 200}, good, excellent)
		s.wantFound(search.Query{MaxPrice: 200}, dented, fair, good)
		s.wantFound(search.Query{MinPrice: 101, MaxPrice: 299, Sort: search.SortPriceUp}, good)
		s.wantFound(search.Query{MinPrice: 100, MaxPrice: 100, Sort: search.SortPriceDown}, dented, fair)
		s.wantFound(search.Query{MinPrice: 301})
		s.wantFound(search.Query{Verified: new(true)}, fair, excellent)
		s.wantFound(search.Query{Verified: new(false)}, dented, good)
		s.wantFound(search.Query{Available: new(false)})
		taken := held(good, noon)
		s.ok(s.SaveProduct(s.Context(), taken, nil))
		sold := held(fair, noon)
		sold.Sold = true
		s.ok(s.SaveProduct(s.Context(), sold, nil))
		s.wantFound(search.Query{Available: new(true)}, dented, excellent)
		s.wantFound(search.Query{Available: new(false)}, sold, taken)
		s.wantFound(search.Query{Available: new(false), Verified: new(true), MaxPrice: 100, Conditions: []string{"Fair"}, Text: "on*"}, sold)
		available := nextVersion(taken)
		available.Hold = nil
		s.ok(s.SaveProduct(s.Context(), available, nil))
		s.wantFound(search.Query{Available: new(true), Sort: search.SortPriceUp}, dented, available, excellent)
	},
	"filter by storage": func(s env) {
		b := s.addBrand("Nokia")
		add := func(storage int) market.Product {
			return s.addPhoneWith(b, func(p *market.Product) { p.Storage = storage })
		}
		none, small, large := add(0), add(64), add(1024)
		s.wantFound(search.Query{}, large, small, none)
		s.wantFound(search.Query{MinStorage: 1}, large, small)
		s.wantFound(search.Query{MinStorage: 64, Sort: search.SortPriceUp, Brands: []string{b.ID}}, large, small)
		s.wantFound(search.Query{MinStorage: 65, Available: new(true)}, large)
		s.wantFound(search.Query{MinStorage: 2048})
		s.wantFound(search.Query{Storage: []int{64}}, small)
		s.wantFound(search.Query{Storage: []int{1024, 64, 2}, Sort: search.SortAvailable}, large, small)
		s.wantFound(search.Query{Storage: []int{128, 32}, Text: "nokia"})
		s.wantFound(search.Query{Storage: []int{64, 1024}, MinStorage: 65, Brands: []string{b.ID}}, large)
		named := s.addPhoneWith(b, func(p *market.Product) { p.Name = "Lumia 512GB" })
		s.wantFound(search.Query{Storage: []int{512}}, named)
		s.wantFound(search.Query{MinStorage: 512}, named, large)
		s.wantFound(text("lumia512gb"), named)
		s.wantFound(text("1024 gb"), large)
		s.ok(s.RemoveProduct(s.Context(), nextVersion(named), nil))
		larger := nextVersion(small)
		larger.Storage = 128
		s.ok(s.SaveProduct(s.Context(), larger, nil))
		s.wantFound(search.Query{MinStorage: 128}, large, larger)
		taken := held(larger, noon)
		s.ok(s.SaveProduct(s.Context(), taken, nil))
		s.wantFound(search.Query{MinStorage: 128, Available: new(false), Conditions: []string{taken.Condition}}, taken)
	},
	"filter by colour": func(s env) {
		b := s.addBrand("Nokia")
		add := func(colour, description string) market.Product {
			return s.addPhoneWith(b, func(p *market.Product) { p.Colour, p.Description = colour, description })
		}
		described, blue, grey := add("", "Blue, with a box"), add("Sky Blue", "With a red case"), add("Space Gray", "")
		colour := func(all ...string) search.Query { return search.Query{Colours: all} }
		s.wantFound(colour("blue"), blue, described)
		s.wantFound(colour("SKY-BLUE"), blue)
		s.wantFound(colour("red"))
		s.wantFound(colour("red", "grey", "sky blue"), grey, blue)
		s.wantFound(colour("space"))
		s.wantFound(search.Query{Colours: []string{"blue"}, Brands: []string{b.ID}, Sort: search.SortPriceUp}, blue, described)
		s.wantFound(search.Query{Colours: []string{"blue", "gray"}, Text: "nokia", Sort: search.SortAvailable}, grey, blue, described)
		s.wantFound(search.Query{Colours: []string{"blue"}, Text: "box", Sort: search.SortAvailable}, described)
		s.wantFound(search.Query{Colours: []string{"blue"}, Sort: search.SortAvailable, Available: new(true)}, blue, described)
		s.wantFound(search.Query{Colours: []string{"grey"}, MinPrice: blue.ResalePrice + 1})
		s.wantFound(text("skyblue"), blue)
		red := nextVersion(blue)
		red.Colour = "Red"
		s.ok(s.SaveProduct(s.Context(), red, nil))
		s.wantFound(colour("blue"), described)
		s.wantFound(colour("red"), red)
	},
	"a changed phone is found by its new fields only": func(s env) {
		a, b := s.addBrand("Apple"), s.addBrand("BlackBerry")
		p := s.addPhoneWith(a, func(p *market.Product) { p.Name, p.Location, p.Description = "Pear", "Dhaka", "" })
		p = nextVersion(p)
		p.BrandID, p.Brand, p.Name, p.Description, p.Location = b.ID, b.Name, "Bold", "Shiny", "Sylhet"
		p.OriginalPrice, p.ResalePrice, p.Condition, p.Verified = 1000, 10, "Fair", true
		s.ok(s.SaveProduct(s.Context(), p, nil))
		for _, q := range []search.Query{
			text("pear"), text("apple"),
			{Location: "dhaka"},
			{Brands: []string{a.ID}},
			{Conditions: []string{"Good"}},
			{MinPrice: 11},
			{Verified: new(false)},
		} {
			s.wantFound(q)
		}
		every := search.Query{
			Text: "bold shiny black*", Location: "sylhet", Brands: []string{b.ID}, Conditions: []string{"Fair"},
			MinPrice: 10, MaxPrice: 10, Verified: new(true), Available: new(true), Sort: search.SortSaving,
		}
		s.wantFound(every, p)
		s.wantError(s.SaveProduct(s.Context(), p, nil), market.ErrConflict)
		s.ok(s.RemoveProduct(s.Context(), nextVersion(p), nil))
		s.wantFound(every)
		s.wantFound(text("bold"))
		s.wantFound(search.Query{})
	},
	"a page begins after its position, even if that phone was removed": func(s env) {
		b := s.addBrand("Nokia")
		p1, p2, p3, p4 := s.addPhonePriced(b, 9, 1), s.addPhonePriced(b, 9, 2), s.addPhonePriced(b, 9, 2), s.addPhonePriced(b, 9, 3)
		q := sorted(search.SortPriceUp)
		s.ok(s.RemoveProduct(s.Context(), nextVersion(p3), nil))
		after := func(p market.Product) market.Page {
			return market.Page{Limit: 1, After: q.SortKey(p.Searchable()).String()}
		}
		find := func(page market.Page) market.List[market.Product] {
			return get[market.List[market.Product]](s)(s.SearchProducts(s.Context(), q, page, countAll))
		}
		s.equal(find(after(p1)), market.List[market.Product]{Items: []market.Product{p2}, Total: 3, More: true})
		s.equal(find(after(p3)), market.List[market.Product]{Items: []market.Product{p2}, Total: 3, More: true})
		s.equal(find(after(p2)), market.List[market.Product]{Items: []market.Product{p4}, Total: 3})
		s.equal(find(after(p4)), market.List[market.Product]{Total: 3})
	},
	"only queries that narrow are counted up to the limit": func(s env) {
		a, b := s.addBrand("Apple"), s.addBrand("BlackBerry")
		for i := range 9 {
			s.addPhoneNamed([]market.Brand{a, b}[i%2], "Same", "")
		}
		total := func(q search.Query, countTo int) int {
			return get[market.List[market.Product]](s)(s.SearchProducts(s.Context(), q, market.Page{Limit: 2}, countTo)).Total
		}
		for _, q := range []search.Query{
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
				s.equal(total(q, countTo), min(exact, countTo))
			}
		}
		s.equal(total(search.Query{}, 3), 9)
		s.equal(total(search.Query{Brands: []string{a.ID}, Sort: search.SortSaving}, 3), 5)
		s.equal(total(search.Query{Brands: []string{a.ID, b.ID, "none"}, Text: " , "}, 3), 9)
	},
}
