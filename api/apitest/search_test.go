package apitest_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

// searchEnv is an env with three phones of Nokia, the cheapest of which is the newest, and one
// of Sony.
type searchEnv struct {
	*env
	nokia, sony                         market.Brand
	seller, buyer, visitor              *person
	expensive, middle, cheap, sonyPhone string
}

func newSearchEnv(t *testing.T) *searchEnv {
	t.Helper()
	s := &searchEnv{env: newEnv(t)}
	s.nokia, s.sony = s.brand("Nokia"), s.brand("Sony")
	s.seller, s.buyer, s.visitor = s.verified("Vera"), s.env.buyer("Bob"), s.env.visitor()
	s.expensive = s.addPhoneWith(s.nokia, fields{"name": "Lumia 930", "originalPrice": 600, "resalePrice": 500, "productCondition": "Excellent"})
	s.middle = s.addPhoneWith(s.nokia, fields{"name": "Lumia 520", "originalPrice": 200, "resalePrice": 90, "location": "Uttara, Dhaka"})
	s.cheap = s.addPhoneWith(s.nokia, fields{"name": "3310", "originalPrice": 130, "resalePrice": 40, "productCondition": "Fair", "location": "Sylhet"})
	unverified := s.env.seller("Sue")
	s.sonyPhone = unverified.do(http.MethodPost, "/products", unverified.phoneFields(s.sony).with("description", "Naïve café\u0301 screen")).insertedID()
	s.buyer.book(s.cheap)
	return s
}

func (s *searchEnv) addPhoneWith(brand market.Brand, change fields) string {
	s.t.Helper()
	return s.seller.do(http.MethodPost, "/products", s.seller.phoneFields(brand).and(change)).insertedID()
}

// ids returns the IDs of a list in its order.
func (a response) ids() []string {
	a.t.Helper()
	ids := []string{}
	for _, item := range a.items() {
		id, _ := item["_id"].(string)
		ids = append(ids, id)
	}
	return ids
}

func TestSearch(t *testing.T) {
	s := newSearchEnv(t)
	wantFound := func(who *person, path string, want ...string) {
		t.Helper()
		response := who.get(path)
		if got := response.ids(); !slices.Equal(got, want) && len(got)+len(want) > 0 {
			t.Errorf("%s returns %v, want %v", path, got, want)
		}
		if total := response.Header.Get("X-Total-Count"); total != fmt.Sprint(len(want)) {
			t.Errorf("%s: X-Total-Count is %q, want %d", path, total, len(want))
		}
	}
	t.Run("200 for each parameter, in a brand and in the market", func(t *testing.T) {
		for query, want := range map[string][]string{
			"": {s.cheap, s.middle, s.expensive},
			"q=&sort=&condition=&minPrice=&verified=": {s.cheap, s.middle, s.expensive},
			"q=lum":                              {s.middle, s.expensive},
			"q=lumia+520":                        {s.middle},
			"q=lumia520":                         {s.middle},
			"storage=64,128":                     {},
			"q=NOKIA%20few":                      {s.cheap, s.middle, s.expensive},
			"q=mia":                              {}, // a longer word would be corrected
			"condition=Excellent":                {s.expensive},
			"condition=Excellent,Fair":           {s.cheap, s.expensive},
			"condition=Fair&condition=Excellent": {s.cheap, s.expensive},
			"minPrice=90":                        {s.middle, s.expensive},
			"maxPrice=90":                        {s.cheap, s.middle},
			"minPrice=90&maxPrice=90":            {s.middle},
			"location=dhaka":                     {s.middle, s.expensive},
			"location=Syl":                       {s.cheap},
			"verified=true":                      {s.cheap, s.middle, s.expensive},
			"verified=false":                     {},
			"available=true":                     {s.middle, s.expensive},
			"available=false":                    {s.cheap},
			"sort=newest":                        {s.cheap, s.middle, s.expensive},
			"sort=price-up":                      {s.cheap, s.middle, s.expensive},
			"sort=price-down":                    {s.expensive, s.middle, s.cheap},
			"sort=saving":                        {s.cheap, s.middle, s.expensive},
			"q=nokia&available=true&sort=price-up&minPrice=1&condition=Good,Excellent&location=dhaka": {s.middle, s.expensive},
		} {
			wantFound(s.buyer, "/categories/"+s.nokia.ID+"?"+query, want...)
			if !strings.Contains(query, "sort=") || strings.Contains(query, "sort=&") {
				query = "sort=newest&" + query // in the whole market, the default is another one
			}
			wantFound(s.buyer, "/products/search?brand="+s.nokia.ID+"&"+query, want...)
		}
		wantFound(s.buyer, "/products/search", s.sonyPhone, s.middle, s.expensive, s.cheap)
		wantFound(s.buyer, "/products/search?q=cafe+naive", s.sonyPhone)
		wantFound(s.buyer, "/products/search?verified=false", s.sonyPhone)
		wantFound(s.buyer, "/products/search?brand="+s.sony.ID+","+s.nokia.ID+"&sort=price-down", s.expensive, s.sonyPhone, s.middle, s.cheap)
		wantFound(s.buyer, "/products/search?brand="+s.sony.ID+"&brand=none", s.sonyPhone)
		wantFound(s.buyer, "/products/search?brand=none")
		wantFound(s.buyer, "/categories/"+s.nokia.ID+"?brand="+s.sony.ID, s.cheap, s.middle, s.expensive)
	})
	t.Run("200 for each spelling of a sort", func(t *testing.T) {
		for _, spelled := range []string{"price-up", "priceUp", "price_up", "PRICE-ASC", "price+asc", "price.ascending"} {
			wantFound(s.visitor, "/products/search?sort="+spelled, s.cheap, s.middle, s.sonyPhone, s.expensive)
		}
		wantFound(s.visitor, "/products/search?sort=priceDesc", s.expensive, s.sonyPhone, s.middle, s.cheap)
	})
	t.Run("200 for any text", func(t *testing.T) {
		for _, typed := range []string{`"`, `lumia"`, "lumia OR", "NOT lumia*", "^lumia", "lumia\x00", "📱 lumia", "lumia);--", "words:", "lumia NEAR 930", "%", strings.Repeat("📱", 200)} {
			s.visitor.get("/products/search?q=" + url.QueryEscape(typed)).wantStatus(http.StatusOK)
		}
		wantFound(s.visitor, "/products/search?q="+url.QueryEscape("\"930\" * 📱\x00lumia"), s.expensive)
	})
	t.Run("422 by parameter, after 401, 400 and 404", func(t *testing.T) {
		for query, field := range map[string]string{
			"q=" + strings.Repeat("x", 201): "q", "q=%ff": "q", "condition=good": "condition", "condition=Good,Mint": "condition",
			"minPrice=1.5": "minPrice", "minPrice=-1": "minPrice", "minPrice=100001": "minPrice", "minPrice=x": "minPrice",
			"maxPrice=0": "maxPrice", "maxPrice=1e3": "maxPrice", "maxPrice=100001": "maxPrice", "minPrice=9&maxPrice=8": "maxPrice",
			"maxPrice=99999999999999999999": "maxPrice", "verified=yes": "verified", "available=1": "available",
			"sort=price": "sort", "sort=best": "sort", "location=" + strings.Repeat("x", 201): "location", "location=%ff": "location",
		} {
			s.buyer.get("/products/search?" + query).wantInvalid(field)
			s.buyer.get("/categories/" + s.nokia.ID + "?" + query).wantInvalid(field)
			s.buyer.get("/categories/none?"+query).wantError(http.StatusNotFound, market.CodeNotFound)
			s.buyer.get("/categories/none?limit=0&"+query).wantError(http.StatusBadRequest, market.CodeBadRequest)
			s.buyer.get("/products/search?cursor=x&"+query).wantError(http.StatusBadRequest, market.CodeBadRequest)
			s.visitor.get("/categories/none?"+query).wantError(http.StatusNotFound, market.CodeNotFound)
		}
		s.buyer.get("/products/search?sort=x&q=%ff&verified=x").wantInvalid("sort", "q", "verified")
		many := strings.Repeat("a,", 10)
		s.buyer.get("/products/search?brand=" + many).wantStatus(http.StatusOK)
		brands := make([]string, 21)
		for i := range brands {
			brands[i] = fmt.Sprint(i)
		}
		s.buyer.get("/products/search?brand=" + strings.Join(brands, ",")).wantInvalid("brand")
	})
}

func TestSearchForVisitors(t *testing.T) {
	s := newSearchEnv(t)
	path := "/products/search?q=lumia"

	t.Run("200 without contact data, with a token with it", func(t *testing.T) {
		wantNoContactData(t, s.visitor.get(path).product(s.expensive), "Lumia 930")
		if p := s.buyer.get(path).product(s.expensive); p["phone"] == nil || p["email"] == nil || p["location"] != "Dhaka" {
			t.Errorf("a buyer gets the phone %v, want it with contact data", p)
		}
	})
	t.Run("422 for a location, because visitors could infer where sellers live", func(t *testing.T) {
		for _, place := range []string{"Dhaka", "Nowhere", "D"} {
			s.visitor.get("/products/search?location=" + place).wantInvalid("location")
			s.visitor.get("/categories/" + s.nokia.ID + "?location=" + place).wantInvalid("location")
		}
		s.visitor.get("/products/search?location=").wantStatus(http.StatusOK)
		for _, list := range []string{"/products/search", "/categories/" + s.nokia.ID} {
			if ids := s.visitor.get(list + "?q=sylhet").ids(); len(ids) != 0 {
				t.Errorf("q finds a location in %s: %v", list, ids)
			}
		}
	})
	t.Run("401 for a bad token", func(t *testing.T) {
		s.visitor.get(path, header("Authorization", "Bearer x")).wantError(http.StatusUnauthorized, market.CodeNoToken)
		s.visitor.get("/categories/"+s.nokia.ID+"?q=lumia", header("Authorization", "Bearer x")).wantError(http.StatusUnauthorized, market.CodeNoToken)
	})
	t.Run("200 with a cache policy, and 304 for the same reader until a change", func(t *testing.T) {
		tags := map[string]bool{}
		for who, policy := range map[*person]string{s.visitor: "no-cache", s.buyer: "private, no-cache"} {
			response := who.get(path)
			if h := response.Header; h.Get("Cache-Control") != policy || !varies(h, "Authorization") || h.Get("Live-Position") != "" {
				t.Errorf("the headers are %v", h)
			}
			again := who.get(path, header("If-None-Match", response.Header.Get("ETag"))).wantStatus(http.StatusNotModified)
			if again.Header.Get("X-Total-Count") != "2" {
				t.Errorf("the 304 has the headers %v", again.Header)
			}
			tags[response.Header.Get("ETag")] = true
		}
		if len(tags) != 2 {
			t.Errorf("visitors and buyers have the ETags %v, want two", tags)
		}
		tag := s.visitor.get(path).Header.Get("ETag")
		s.seller.do(http.MethodPatch, "/products/"+s.expensive, fields{"resalePrice": 450}).wantCount("modifiedCount", 1)
		s.visitor.get(path, header("If-None-Match", tag)).wantStatus(http.StatusOK)
	})
}

func TestSearchPages(t *testing.T) {
	s := newSearchEnv(t)
	want := map[string]int{}
	for i := range 23 {
		id := s.addPhoneWith(s.nokia, fields{"name": fmt.Sprint("Asha ", 200+i), "resalePrice": 50 + i%3*10, "originalPrice": 100 + i%2})
		want[id] = 50 + i%3*10
	}
	t.Run("200 with each phone once and in order, while sellers add and delete phones", func(t *testing.T) {
		for _, base := range []string{"/categories/" + s.nokia.ID + "?q=asha", "/products/search?q=asha&available=true&brand=" + s.nokia.ID} {
			for _, by := range []string{"newest", "price-up", "price-down", "saving"} {
				extra := ""
				got := s.buyer.listIDs(base+"&limit=4&sort="+by, func() {
					if extra != "" {
						s.seller.do(http.MethodDelete, "/products/"+extra, nil).wantCount("deletedCount", 1)
					}
					extra = s.addPhoneWith(s.nokia, fields{"name": "Asha new", "resalePrice": 60, "originalPrice": 1000})
				})
				s.seller.do(http.MethodDelete, "/products/"+extra, nil).wantCount("deletedCount", 1)
				known, last := 0, 0
				for _, id := range got {
					price, exists := want[id]
					if !exists {
						continue
					}
					known++
					if by == "price-up" && price < last || by == "price-down" && last > 0 && price > last {
						t.Errorf("sorted by %s the price %d follows %d", by, price, last)
					}
					last = price
				}
				if known != len(want) {
					t.Errorf("the pages of %s sorted by %s have %d phones, want %d", base, by, known, len(want))
				}
			}
		}
	})
	first := s.buyer.get("/products/search?limit=2&q=asha&sort=price-up&condition=Good,Fair&minPrice=1")
	t.Run("200 with a link to the next page that has the query", func(t *testing.T) {
		link, err := url.Parse(first.nextPage())
		must(t, err)
		query := link.Query()
		if query.Get("q") != "asha" || query.Get("sort") != "price-up" || query.Get("condition") != "Good,Fair" ||
			query.Get("minPrice") != "1" || query.Get("limit") != "2" || link.Path != "/products/search" {
			t.Errorf("Link is %s", link)
		}
		if second := s.buyer.get(first.nextPage()); len(second.ids()) != 2 || second.Header.Get("X-Total-Count") != "23" {
			t.Errorf("the second page has the phones %v, want 2 of 23", second.ids())
		}
	})
	t.Run("200 for the same query in another form", func(t *testing.T) {
		s.buyer.get("/products/search?q=ASHA&sort=priceUp&condition=Fair&condition=Good&minPrice=1&cursor=" +
			first.nextCursor()).wantStatus(http.StatusOK)
	})
	t.Run("400 for the cursor of another query and for a forged cursor", func(t *testing.T) {
		cursor := first.nextCursor()
		same := "q=asha&sort=price-up&condition=Good,Fair&minPrice=1"
		wantRefused := func(path string) {
			t.Helper()
			s.buyer.get(path).wantError(http.StatusBadRequest, market.CodeBadRequest)
		}
		for _, other := range []string{
			"", "q=asha", same + "&maxPrice=9", same + "&verified=true", same + "&brand=" + s.nokia.ID, same + "&location=x",
			strings.Replace(same, "price-up", "price-down", 1), strings.Replace(same, "asha", "ash", 1), same + "&sort=saving&q=x&available=true",
		} {
			wantRefused("/products/search?cursor=" + cursor + "&" + other)
		}
		wantRefused("/categories/" + s.nokia.ID + "?cursor=" + cursor)
		wantRefused("/categories/" + s.nokia.ID + "?" + same + "&cursor=" + cursor)
		ofBrand := s.buyer.get("/categories/" + s.nokia.ID + "?limit=1").nextCursor()
		wantRefused("/products/search?cursor=" + ofBrand)
		wantRefused("/categories/" + s.nokia.ID + "?q=asha&cursor=" + ofBrand)
		raw, err := base64.RawURLEncoding.DecodeString(cursor)
		must(t, err)
		for _, forged := range []string{
			string(raw) + "0", string(raw[:len(raw)-1]), strings.Replace(string(raw), ":", ";", 1), "2:::" + market.NewID(time.Now()),
			strings.Replace(string(raw), ":-", ":--", 1), strings.Replace(string(raw), ":-", ":-0", 1),
		} {
			wantRefused("/products/search?" + same + "&cursor=" + base64.RawURLEncoding.EncodeToString([]byte(forged)))
		}
		wantRefused("/products/search?" + same + "&cursor=")
		wantRefused("/products/search?" + same + "&limit=201")
	})
}

// A filtered list has the position of its brand's topic. Its reader gets all later events,
// whether the phones match the filter or not.
func TestNoEventIsLostBetweenSearchAndSubscription(t *testing.T) {
	s := newSearchEnv(t)
	s.runDueWork()
	list := s.buyer.get("/categories/" + s.nokia.ID + "?q=lumia&sort=price-up&limit=1")
	if topic, _, _ := strings.Cut(list.Header.Get("Live-Position"), "="); topic != "brand:"+s.nokia.ID {
		t.Fatalf("Live-Position is %q", list.Header.Get("Live-Position"))
	}
	s.buyer.book(s.expensive)
	s.seller.do(http.MethodPatch, "/products/"+s.middle, fields{"name": "Other"}).wantCount("modifiedCount", 1)
	s.runDueWork()
	socket := s.buyer.connect(t)
	socket.subscribe(list)
	socket.wantEvents("product.booked", "product.changed")
	if ids := s.buyer.get("/categories/" + s.nokia.ID + "?q=lumia&available=true").ids(); len(ids) != 0 {
		t.Errorf("the search for available phones finds %v", ids)
	}
}
