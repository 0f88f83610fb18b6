package market_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
	"secondring/market/search"
)

// wantedSearch is what a search finds: the number of phones, and the words that were searched and let
// go, as in wantSearch.
type wantedSearch struct {
	total    int
	searched string
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
	for text, want := range map[string]wantedSearch{
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
		e.wantSearch(search.Query{Text: text}, want.total, want.searched)
	}
	e.wantSearch(search.Query{Text: "a52 5g", Sort: search.SortAvailable}, 1, "a52, not 5g")
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
	for text, want := range map[string]wantedSearch{
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
		e.wantSearch(search.Query{Text: text}, want.total, want.searched)
	}
}

// The number of searches for a search that finds nothing is limited.
func TestSearchesForOtherWordsAreFew(t *testing.T) {
	store := &countedStore{}
	m := market.New(store, markettest.NewClock(time.UnixMilli(0)), defaultRules, nil)
	for _, text := range []string{"", "a", "one two three four five six seven eight", strings.Repeat("word ", 40)} {
		store.searches = 0
		if _, err := m.Search(t.Context(), true, firstPage(search.Query{Text: text})); err != nil {
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

func (s *countedStore) SearchProducts(_ context.Context, q search.Query, _ market.Page, _ int) (list market.List[market.Product], _ error) {
	s.searches++
	if len(q.Terms()) == 1 {
		list.Items, list.Total = []market.Product{{}}, 1
	}
	return list, nil
}
