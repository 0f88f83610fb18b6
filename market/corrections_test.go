package market_test

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

// newStockedEnv returns a market with an iPhone 12 of Apple, a Galaxy S21 of Samsung, and a
// OnePlus 9.
func newStockedEnv(t *testing.T) (*env, map[string]market.Product) {
	t.Helper()
	e := newEnv(t)
	seller := e.seller()
	phones := map[string]market.Product{}
	for _, phone := range [][2]string{{"Apple", "iPhone 12"}, {"Samsung", "Galaxy S21"}, {"OnePlus", "OnePlus 9"}} {
		phones[phone[0]] = e.addPhoneOf(seller, e.mustAddBrand(phone[0]), phone[1])
	}
	return e, phones
}

// mustAddBrand adds a brand with this name.
func (e *env) mustAddBrand(name string) market.Brand {
	e.t.Helper()
	b, err := e.AddBrand(e.ctx, name, "/b.jpg")
	e.must(err)
	return b
}

// addPhoneOf adds a phone of a brand with this name.
func (e *env) addPhoneOf(seller market.Actor, b market.Brand, name string) market.Product {
	e.t.Helper()
	e.clock.Pass(time.Millisecond) // IDs begin with the time
	in := e.productRequest(seller)
	in.Brand, in.BrandID, in.Name = b.Name, b.ID, name
	p, err := e.AddProduct(e.ctx, seller, in)
	e.must(err)
	return p
}

// wantSearch fails the test unless the query finds this many phones with these words, without
// the ones that were let go: "iphone, not blue 5g". "" means the words as typed.
func (e *env) wantSearch(q market.Query, total int, searched string) {
	e.t.Helper()
	found, err := e.Search(e.ctx, true, firstPage(q))
	got := found.Words.Text
	if len(found.Words.LeftOut) > 0 {
		got += ", not " + strings.Join(found.Words.LeftOut, " ")
	}
	if want := cmp.Or(searched, q.Text); found.Total != total || len(found.Items) != total || got != want {
		e.t.Errorf("%+v found %d phones of %q, want %d of %q", q, found.Total, got, total, want)
	}
	for _, word := range found.Words.LeftOut {
		if !strings.Contains(strings.ToLower(q.Text), word) {
			e.t.Errorf("%q: %q was let go, which nobody typed", q.Text, word)
		}
	}
	e.must(err)
}

func TestSearchCorrectsTypingErrors(t *testing.T) {
	e, phones := newStockedEnv(t)
	for text, want := range map[string]string{
		"iphone 12":              "", // it has no typing error
		"iphne 12":               "iphone 12",
		"iphne12":                "iphone 12",
		"samsng":                 "samsung",
		"sams":                   "sams*",
		"galaxy s21 sam":         "galaxy s21 sam*",
		"Galxy S21":              "galaxy s21",
		"galaxysamsung":          "galaxy samsung",
		"samsung galxy":          "samsung galaxy",
		"one plus":               "",
		"iphone* zzz*":           "iphone, not zzz",
		"iphone12":               "",
		"appleiphone":            "",
		"blue samsung":           "samsung, not blue",
		"samsung in red":         "samsung, not in red",
		"purple iphne":           "iphone, not purple",
		"galaxy samsng iphone":   "galaxy samsung, not iphone",
		"iphone galaxi":          "iphone, not galaxi", // as typed, not as corrected
		"iphone of samsung":      "iphone, not of samsung",
		"still iphne":            "still iphone", // the word is in its description
		"still blue iph":         "still iph*, not blue",
		"xyz rings oneplus":      "rings oneplus, not xyz", // no phone has xyz
		"galxy rings still mint": "galaxy rings still, not mint",
	} {
		e.wantSearch(market.Query{Text: text}, 1, want)
	}
	for _, text := range []string{"zzzzzz", "dhaka", "dhak", "s20", "red", "1 2 3 4 5 6 7 8 iphne", "s2"} {
		e.wantSearch(market.Query{Text: text}, 0, "")
	}

	t.Run("with all filters", func(t *testing.T) {
		apple := []string{phones["Apple"].BrandID}
		e.wantSearch(market.Query{Text: "iphne", Brands: apple, MaxPrice: 40}, 1, "iphone")
		e.wantSearch(market.Query{Text: "samsng", Brands: apple}, 0, "")
		e.wantSearch(market.Query{Text: "iphne", MaxPrice: 39}, 0, "")
		e.wantSearch(market.Query{Text: "iphone", MaxPrice: 39}, 0, "")
		e.wantSearch(market.Query{Text: "blue iphne under 40"}, 1, "iphone, not blue")
		e.wantSearch(market.Query{Text: "still iphone under $39"}, 0, "still iphone") // no other phone that still rings
	})
	t.Run("in a brand", func(t *testing.T) {
		found, err := e.SearchBrand(e.ctx, true, phones["Apple"].BrandID, firstPage(market.Query{Text: "iphne"}))
		if e.must(err); found.Total != 1 || found.Words.Text != "iphone" {
			t.Errorf("%+v", found)
		}
	})
	t.Run("on the first page only", func(t *testing.T) {
		in := firstPage(market.Query{Text: "iphne"})
		in.Page.After = market.SortKey{ID: "x"}.String()
		found, err := e.Search(e.ctx, true, in)
		if e.must(err); found.Total != 0 || found.Words.Text != "iphne" {
			t.Errorf("%+v", found)
		}
	})
}

// Words are let go one at a time: first those that no phone has, then those that distinguish no
// models or are in no name, then the most frequent. One word is enough if leaving it out is.
func TestWordsAreLetGoRarestLast(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	samsung, xiaomi, google := e.mustAddBrand("Samsung"), e.mustAddBrand("Xiaomi"), e.mustAddBrand("Google")
	for _, phone := range []struct {
		brand market.Brand
		name  string
	}{
		{samsung, "Galaxy A52s"},
		{samsung, "Galaxy A51"},
		{samsung, "Galaxy S21 5G"},
		{samsung, "Galaxy Note"},
		{xiaomi, "Redmi Note 10 Pro"},
		{xiaomi, "Mi 11"},
		{google, "Pixel 7 Pro"},
		{google, "Pixel 7"},
	} {
		e.addPhoneOf(seller, phone.brand, phone.name) // each costs $40 and still rings
	}
	for text, want := range map[string]struct {
		total    int
		searched string
	}{
		"a52 5g":                  {1, "a52, not 5g"},
		"galaxy a52 5g":           {1, "galaxy a52, not 5g"},
		"Galaxy A52s 5G":          {1, "galaxy a52s, not 5g"},
		"s21 5g":                  {1, ""},
		"galaxys21 5g":            {1, ""},
		"galaxy s 21 5 g":         {1, ""},
		"pixel 7 pro 5G unlocked": {1, "pixel 7 pro, not 5g unlocked"},
		"red":                     {0, ""}, // no Redmi
		"red pixel":               {2, "pixel, not red"},
		"pixel red":               {2, "pixel, not red"},
		"mi":                      {1, ""},
		"re":                      {1, "re*"},
		"blue galaxy a51":         {1, "galaxy a51, not blue"},
		"smartphone mi 11 8gb":    {1, "mi 11, not smartphone 8gb"},
		"samsung mi 11":           {1, "mi 11, not samsung"},
		"galaxy pixel":            {2, "pixel, not galaxy"}, // there are more of Galaxy
		"rings redmi note 11":     {1, "rings redmi note, not 11"},
		"samsung rings pixel 7":   {2, "rings pixel 7, not samsung"},
		"pixel under 39":          {0, "pixel"},
		"pixel rings under 39":    {0, "pixel rings"},
		"redmi note 10 5g 128 gb": {0, "redmi note 10 5g"},
		"10 or note":              {1, "10 note, not or"},
	} {
		e.wantSearch(market.Query{Text: text}, want.total, want.searched)
	}
	e.wantSearch(market.Query{Text: "a52 5g", Sort: market.SortAvailable}, 1, "a52, not 5g")
}

// Words of models are searched as they were typed or let go, and are named as they were typed.
func TestWordsOfModelsBecomeNoOtherModels(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	brands := map[string]string{}
	for _, phone := range [][3]string{ // brand, name and description
		{"Samsung", "Galaxy A52", "It has s size, for a good price."},
		{"Samsung", "Galaxy S10", "Bright."},
		{"Samsung", "Galaxy S4", "Small."},
		{"Huawei", "Nova 9", "The letter m and 2 cards."},
		{"Huawei", "P30 Pro", "Bright, with lte."},
		{"Sony", "Xperia Ray", "Small."},
		{"Sony", "Xperia Ray 2", "Small."},
		{"LG", "Wing", "Unfolds."},
		{"LG", "Wing 2", "Unfolds."},
		{"Blu", "Bold 4", "Small."},
		{"Blu", "Bold Life", "Small."},
		{"Apple", "iPhone 6 Plus", "Large."},
		{"Apple", "iPhone 11", "With a box."},
		{"Apple", "iPhone 12", "A professional phone, new. The display has 6.1 inch."},
		{"Apple", "iPhone 12 mini", "Small and used for a year."},
		{"Google", "Pixel 6", "A phone and a box, the best for 3 people."},
		{"Google", "Pixel 6", "Bright."},
		{"Google", "Pixel 7", "Bright."},
	} {
		if brands[phone[0]] == "" {
			brands[phone[0]] = e.mustAddBrand(phone[0]).ID
		}
		in := e.productRequest(seller)
		in.Brand, in.BrandID, in.Name, in.Description = phone[0], brands[phone[0]], phone[1], phone[2]
		_, err := e.AddProduct(e.ctx, seller, in)
		e.must(err)
	}
	for text, want := range map[string]struct {
		total    int
		searched string
	}{
		// A letter stays with its number.
		"a52s 5g":            {1, "a52, not a52s 5g"},
		"samsung a52s":       {1, "samsung a52, not a52s"},
		"s10e":               {1, "s10, not s10e"},
		"iphone 11s":         {1, "iphone 11, not 11s"},
		"11k apple":          {4, "apple, not 11k"}, // not a version of an 11
		"s9":                 {0, ""},
		"a5":                 {0, ""},
		"m3":                 {0, ""},
		"poco x3":            {0, ""},
		"galaxy s9+":         {3, "galaxy, not s9 +"},
		"apple iphone 11 3g": {1, "apple iphone 11, not 3g"},
		"200mp":              {0, ""},
		"nova 200mp":         {1, "nova, not 200mp"},
		// Colours, suffixes and series are no typing errors.
		"gray":               {0, ""},
		"gray xperia":        {2, "xperia, not gray"},
		"mint iphone 12":     {2, "iphone 12, not mint"},
		"plum iphone 11":     {1, "iphone 11, not plum"},
		"wine lg":            {2, "lg, not wine"},
		"lime blu":           {2, "blu, not lime"},
		"fold4":              {0, ""},
		"galaxy fold4":       {3, "galaxy, not fold4"},
		"p30 lite":           {1, "p30, not lite"},
		"red/gray iphone 12": {2, "iphone 12, not red gray"},
		"pixel 6 3g":         {2, "pixel 6, not 3g"},
		"xperia galaxi ray":  {2, "xperia ray, not galaxi"},
		// A word that says nothing hides no phones.
		"pixel 6 phone":         {2, "pixel 6, not phone"},
		"the pixel 6":           {2, "pixel 6, not the"},
		"pixel 6 for sale":      {2, "pixel 6, not for sale"},
		"best pixel 6 phone 5g": {2, "pixel 6, not best phone 5g"},
		"iphone 12 new":         {2, "iphone 12, not new"},
		"iphone AND 12":         {2, "iphone 12, not and"},
		"used iphone 12":        {2, "iphone 12, not used"},
		"galaxy a 52 phone":     {1, "galaxy a 52, not phone"},
		"bright pixel 6":        {1, ""},
		// A known last word is no beginning of a word.
		"iphone 12 pro":  {2, "iphone 12, not pro"},
		"iphone 12 prof": {1, "iphone 12 prof*"},
		// A number with groups is not cut.
		"pixel 1,250":       {3, "pixel, not 1,250"},
		"iphone 6.1 inch":   {1, ""},
		"pixel 6.1 inch":    {3, "pixel, not 6.1 inch"},
		"pixel 1,250mah":    {3, "pixel, not 1,250mah"},
		"nova 6.2":          {1, "nova, not 6.2"},
		"iphone 2,340.50 6": {2, "iphone 6, not 2,340.50"},
		// A brand or model is let go after what is only a part of it.
		"s10+":             {1, "s10, not +"},
		"s10 plus":         {1, "s10, not plus"},
		"apple iphone 11+": {1, "apple iphone 11, not +"},
		"pixel 12":         {3, "pixel, not 12"},
		"iphne 7":          {4, "iphone, not 7"},
		"z flip 4":         {0, ""},
		"nord 2":           {0, ""},
		"a71s 5g":          {0, ""},
		"red nord 2":       {0, ""},
	} {
		e.wantSearch(market.Query{Text: text}, want.total, want.searched)
	}
}

// The number of searches for a search that finds nothing is limited.
func TestSearchesForOtherWordsAreFew(t *testing.T) {
	store := &countedStore{}
	m := market.New(store, markettest.NewClock(time.UnixMilli(0)), defaultRules, nil)
	for _, text := range []string{"", "a", "one two three four five six seven eight", strings.Repeat("word ", 40)} {
		store.searches = 0
		if _, err := m.Search(t.Context(), true, firstPage(market.Query{Text: text})); err != nil {
			t.Fatal(err)
		}
		if store.searches > 50 {
			t.Errorf("%q made %d searches, want at most 50", text, store.searches)
		}
	}
}

// countedStore has a phone with each word alone, and counts the searches.
type countedStore struct {
	market.Store
	searches int
}

func (s *countedStore) SearchProducts(_ context.Context, q market.Query, _ market.Page, _ int) (list market.List[market.Product], _ error) {
	s.searches++
	if len(q.Terms()) == 1 {
		list.Total = 1
	}
	return list, nil
}

// The words of a new phone are used at once. The words of a renamed phone are used after
// ten minutes.
func TestCorrectionsUseTheWordsOfCurrentPhones(t *testing.T) {
	e, phones := newStockedEnv(t)
	e.wantSearch(market.Query{Text: "iphne"}, 1, "iphone")
	seller := e.seller()
	e.wantSearch(market.Query{Text: "zenfnoe"}, 0, "")
	zenfone := e.addPhoneOf(seller, e.mustAddBrand("Asus"), "Zenfone 8")
	e.wantSearch(market.Query{Text: "zenfnoe"}, 1, "zenfone")
	name := "Padfone"
	_, err := e.ChangeProduct(e.ctx, seller, zenfone.ID, market.ProductChange{Name: &name})
	e.must(err)
	e.wantSearch(market.Query{Text: "zenfnoe"}, 0, "")
	e.wantSearch(market.Query{Text: "padfnoe"}, 0, "")
	e.clock.Pass(11 * time.Minute)
	e.wantSearch(market.Query{Text: "padfnoe"}, 1, "padfone")
	iphone := e.stored(phones["Apple"])
	iphone.Version++
	e.must(e.store.RemoveProduct(e.ctx, iphone, nil))
	e.wantSearch(market.Query{Text: "iphne"}, 0, "")
}

// largeStore has size phones, all named Lumia, and counts the phones that it returns.
type largeStore struct {
	market.Store
	size, read int
}

func (s *largeStore) SearchProducts(_ context.Context, q market.Query, page market.Page, _ int) (list market.List[market.Product], err error) {
	if q.Text != "" {
		return list, nil
	}
	after, paged := market.ParseSortKey(page.After)
	for i := s.size; i > 0 && len(list.Items) < page.Limit; i-- {
		if id := fmt.Sprintf("%024x", i); !paged || id < after.ID {
			list.Items = append(list.Items, market.Product{ID: id, Name: "Lumia"})
		}
	}
	s.read += len(list.Items)
	list.Total, list.More = s.size, len(list.Items) == page.Limit
	return list, nil
}

// A correction reads at most the newest 10,000 phones, once, and later only new phones.
func TestCorrectionsReadFewPhones(t *testing.T) {
	store := &largeStore{size: 100_000}
	m := market.New(store, markettest.NewClock(time.UnixMilli(0)), defaultRules, nil)
	for _, limit := range []int{13_000, 50, 3_000} {
		store.read = 0
		if _, err := m.Search(t.Context(), true, firstPage(market.Query{Text: "lumiia"})); err != nil {
			t.Fatal(err)
		}
		if store.read > limit {
			t.Errorf("%d phones were read, want at most %d", store.read, limit)
		}
		if limit == 50 {
			store.size += 100
		}
	}
}

// pausedStore blocks the reads of all phones once reading is set.
type pausedStore struct {
	market.Store
	reading, resume chan struct{}
}

func (s *pausedStore) SearchProducts(ctx context.Context, q market.Query, page market.Page, countTo int) (market.List[market.Product], error) {
	if s.reading != nil && q.Text == "" {
		s.reading <- struct{}{}
		<-s.resume
	}
	return s.Store.SearchProducts(ctx, q, page, countTo)
}

func TestCorrectionsDoNotWaitForReading(t *testing.T) {
	e, _ := newStockedEnv(t)
	store := &pausedStore{Store: e.store}
	m := market.New(store, e.clock, defaultRules, nil)
	corrected := func() string {
		found, err := m.Search(t.Context(), true, firstPage(market.Query{Text: "iphne"}))
		if err != nil {
			t.Error(err)
		}
		return found.Words.Text
	}
	if got := corrected(); got != "iphone" {
		t.Fatalf("the first search is corrected to %q", got)
	}
	store.reading, store.resume = make(chan struct{}), make(chan struct{})
	done := make(chan string)
	go func() { done <- corrected() }()
	<-store.reading
	if got := corrected(); got != "iphone" {
		t.Errorf("a search during the reading is corrected to %q", got)
	}
	close(store.resume)
	if got := <-done; got != "iphone" {
		t.Errorf("the search that reads is corrected to %q", got)
	}
}
