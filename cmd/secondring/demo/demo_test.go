package demo_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"secondring/cmd/secondring/demo"
	"secondring/market"
)

func TestDatasetIsDeterministic(t *testing.T) {
	if diff := cmp.Diff(demo.New(), demo.New()); diff != "" {
		t.Errorf("two calls differ:\n%s", diff)
	}
}

func TestDatasetSize(t *testing.T) {
	c := demo.New()
	if len(c.Brands) != 12 || len(c.Phones) != 300 {
		t.Errorf("%d brands and %d phones, want 12 and 300", len(c.Brands), len(c.Phones))
	}
	perBrand, advertised, booked, sellers := map[string]int{}, 0, 0, map[string]bool{}
	for _, p := range c.Phones {
		perBrand[p.Brand]++
		sellers[p.Seller] = true
		if p.Advertised {
			advertised++
		}
		if p.BookedBy != "" {
			booked++
		}
	}
	for _, b := range c.Brands {
		if perBrand[b.Name] < 8 {
			t.Errorf("%s has %d phones, want at least 8", b.Name, perBrand[b.Name])
		}
	}
	if advertised != 24 || booked == 0 || len(sellers) != 16 {
		t.Errorf("%d advertised, %d booked, %d sellers", advertised, booked, len(sellers))
	}
}

func TestBrandsNewestFirstAreAlphabetical(t *testing.T) {
	brands := demo.Brands()
	slices.SortFunc(brands, func(a, b demo.Brand) int { return b.Created.Compare(a.Created) })
	if !slices.IsSortedFunc(brands, func(a, b demo.Brand) int { return strings.Compare(a.Name, b.Name) }) {
		t.Errorf("newest first is %v", brands)
	}
}

func TestEveryPhoneIsValid(t *testing.T) {
	c := demo.New()
	people := peopleByEmail(c)
	conditions := []string{demo.Excellent, demo.Good, demo.Fair}
	last := time.Time{}
	for _, p := range c.Phones {
		if p.ResalePrice < 1 || p.ResalePrice >= p.OriginalPrice || p.OriginalPrice > 100_000 {
			t.Errorf("%s costs %d of %d", p.Name, p.ResalePrice, p.OriginalPrice)
		}
		if !slices.Contains(conditions, p.Condition) {
			t.Errorf("%s is %q", p.Name, p.Condition)
		}
		if day := p.Created.Format(time.DateOnly); day != p.PostedOn || p.Created.After(demo.Reference) {
			t.Errorf("%s was posted on %s and created %s", p.Name, p.PostedOn, p.Created)
		}
		if !p.Created.After(last) {
			t.Errorf("%s is not newer than the phone before it", p.Name)
		}
		last = p.Created
		for field, text := range map[string]string{
			"name": p.Name, "used": p.UsedTime, "description": p.Description, "seller": p.SellerName,
			"location": p.Location, "phone": p.ContactPhone, "img": p.Photos[0].URL, "alt": p.Photos[0].Alt,
		} {
			if strings.TrimSpace(text) == "" || len(text) > 600 || strings.ContainsAny(text, "{}[]") {
				t.Errorf("%s: %s is %q", p.Name, field, text)
			}
		}
		seller := people[p.Seller]
		if seller.AccountType != demo.Seller || seller.Created.After(p.Created) {
			t.Errorf("%s is sold by %+v", p.Name, seller)
		}
		if p.Advertised && (!seller.Verified || p.BookedBy != "") {
			t.Errorf("%s is advertised, by %+v, booked %q", p.Name, seller, p.BookedBy)
		}
	}
}

func TestDescriptionsVary(t *testing.T) {
	texts, sentences := map[string]string{}, map[string]int{}
	for _, p := range demo.New().Phones {
		if other, ok := texts[p.Description]; ok {
			t.Errorf("%s and %s are described alike: %s", p.Name, other, p.Description)
		}
		texts[p.Description] = p.Name
		for s := range strings.SplitSeq(p.Description, ". ") {
			sentences[strings.Trim(s, ".")]++
		}
	}
	if len(sentences) < 120 {
		t.Errorf("only %d different sentences", len(sentences))
	}
	for s, n := range sentences {
		if n > 20 {
			t.Errorf("%q is said %d times", s, n)
		}
	}
}

func TestLoginsHaveTheirRoles(t *testing.T) {
	c := demo.New()
	people, stock := peopleByEmail(c), map[string]int{}
	for _, p := range c.Phones {
		stock[p.Seller]++
		stock[p.BookedBy]++
	}
	for _, l := range demo.Logins() {
		p, ok := people[l.Email]
		is := map[string]bool{
			"admin":           p.Admin,
			"seller-verified": p.AccountType == demo.Seller && p.Verified && stock[p.Email] > 4,
			"seller":          p.AccountType == demo.Seller && !p.Verified && stock[p.Email] > 4,
			"buyer":           p.AccountType == demo.User && !p.Admin && stock[p.Email] == 0,
			"buyer2":          p.AccountType == demo.User && !p.Admin && stock[p.Email] == 0,
		}
		if !ok || !is[l.Role] || p.Password != l.Password || len(l.Password) < 6 {
			t.Errorf("%s is %+v with %d phones", l.Role, p, stock[p.Email])
		}
	}
}

func TestContactDataIsFictional(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range demo.New().People {
		if !strings.HasSuffix(p.Email, "@example.com") || seen[p.Email] || seen[p.Phone] {
			t.Errorf("%+v", p)
		}
		seen[p.Email], seen[p.Phone] = true, true
	}
}

// Every picture that the dataset names is served; in a build without photos it is the
// drawing.
func TestPicturesAreServed(t *testing.T) {
	server := httptest.NewServer(http.StripPrefix(demo.URLPrefix, http.FileServerFS(demo.Photos())))
	defer server.Close()
	c := demo.New()
	urls := map[string]bool{}
	for _, b := range c.Brands {
		urls[b.Img] = true
	}
	for _, p := range c.Phones {
		for _, photo := range p.Photos {
			urls[photo.URL] = true
		}
	}
	for url := range urls {
		answer, err := http.Get(server.URL + url)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		kind := answer.Header.Get("Content-Type")
		if err != nil || answer.StatusCode != http.StatusOK || len(body) < 500 || !strings.HasPrefix(kind, "image/") {
			t.Errorf("%s: %s %s, %d bytes, %v", url, answer.Status, kind, len(body), err)
		}
		if len(body) > 150_000 {
			t.Errorf("%s is %d bytes, too heavy for a card", url, len(body))
		}
	}
	for _, p := range c.Phones {
		if p.Drawn {
			continue
		}
		for place, photo := range p.Photos {
			checkCopies(t, photo.URL, place)
		}
	}
	if demo.Built() && len(urls) < 90 {
		t.Errorf("only %d different pictures", len(urls))
	}
}

// checkCopies checks the metadata of a phone's photo: the first photo is as wide as a
// card, the others are upright.
func checkCopies(t *testing.T, url string, place int) {
	t.Helper()
	width, copies := 640, 3
	if place > 0 {
		width, copies = 480, 2
	}
	about, err := demo.About(url)
	if demo.Built() && (err != nil || about.Width != width || about.Height != 600 || about.Blur == "" || len(about.Widths) != copies) {
		t.Errorf("%s: %+v, %v", url, about, err)
	}
	for _, width := range about.Widths {
		file, err := fs.ReadFile(demo.Photos(), strings.TrimPrefix(market.CopyURL(url, width), demo.URLPrefix))
		if err != nil || http.DetectContentType(file) != "image/webp" || len(file) > 100_000 {
			t.Errorf("%s %d wide: %d bytes, %v", url, width, len(file), err)
		}
	}
}

func TestMostPhonesHaveSeveralPhotos(t *testing.T) {
	if !demo.Built() {
		t.Log("this build has no photographs, only the drawing")
		return
	}
	several := 0
	for _, p := range demo.New().Phones {
		urls, alts := map[string]bool{}, map[string]bool{}
		for _, photo := range p.Photos {
			urls[photo.URL], alts[photo.Alt] = true, true
			if !strings.Contains(photo.Alt, p.Colour) || len(photo.Alt) > 200 {
				t.Errorf("%s: %q does not say that it is %s", p.Name, photo.Alt, p.Colour)
			}
		}
		if len(urls) != len(p.Photos) || len(alts) != len(p.Photos) || len(urls) > 4 {
			t.Errorf("%s: %+v", p.Name, p.Photos)
		}
		if len(p.Photos) > 2 {
			several++
		}
	}
	if several < 200 {
		t.Errorf("only %d of 300 are seen from several sides", several)
	}
}

func TestPhotosAreCreditedAndCounted(t *testing.T) {
	if !demo.Built() {
		t.Log("this build has no photographs, only the drawing")
		return
	}
	credits, err := fs.ReadFile(demo.Photos(), "CREDITS.txt")
	if err != nil || !strings.Contains(string(credits), "creativecommons.org/licenses/by-sa/4.0") {
		t.Errorf("credits: %v\n%s", err, credits)
	}
	for _, hidden := range []string{".", "manifest.json", ".gitkeep"} {
		if f, err := demo.Photos().Open(hidden); err == nil {
			f.Close()
			t.Errorf("%s can be read", hidden)
		}
	}
	for _, p := range demo.New().Phones {
		if !p.Drawn && path.Ext(p.Photos[0].URL) != ".jpg" {
			t.Errorf("%s has no photograph but %s", p.Name, p.Photos[0].URL)
		}
	}
}

// A store keeps the addresses of the build that filled it.
func TestPicturesOfAnEarlierBuildAreStillServed(t *testing.T) {
	if !demo.Built() {
		t.Log("this build has no photographs, only the drawing")
		return
	}
	now := strings.TrimPrefix(demo.TilePath("BlackBerry"), demo.URLPrefix)
	before := "brand-blackberry-0123456789-640.webp"
	want, err := fs.ReadFile(demo.Photos(), now)
	if err != nil {
		t.Fatal(err)
	}
	got, err := fs.ReadFile(demo.Photos(), before)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not %s: %v", before, now, err)
	}
	if tile, err := fs.ReadFile(demo.Photos(), "brand-blackberry-0123456789.jpg"); err != nil || len(tile) < len(want) {
		t.Errorf("the tile that stores of before show: %d bytes, %v", len(tile), err)
	}
	copied := strings.TrimPrefix(market.CopyURL(demo.PhotoPath("iPhone_6"), 320), demo.URLPrefix)
	if want, err = fs.ReadFile(demo.Photos(), copied); err != nil {
		t.Fatal(err)
	}
	if got, err = fs.ReadFile(demo.Photos(), "iphone-6-0123456789-320.webp"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("a copy of before is not %s: %v", copied, err)
	}
	for _, never := range []string{"brand-nobody-0123456789.jpg", "iphone-6-0123456789-321.webp", "iphone-6.jpg"} {
		if _, err := fs.ReadFile(demo.Photos(), never); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a picture that never was: %v", err)
		}
	}
}

func TestMostPhonesAreRecent(t *testing.T) {
	recent, storage := 0, 0
	for _, p := range demo.New().Phones {
		if p.Drawn {
			recent++
			if p.Storage > 0 {
				storage++
			}
		}
	}
	if recent < 200 || storage != recent {
		t.Errorf("%d phones of 2019 and later, %d with storage", recent, storage)
	}
}

// The drawings are well-formed, and a name that no drawing has is not drawn.
func TestDrawingsAreWellFormed(t *testing.T) {
	for _, p := range demo.New().Phones {
		if !p.Drawn {
			continue
		}
		for _, photo := range p.Photos {
			name := strings.TrimPrefix(photo.URL, demo.URLPrefix)
			svg, err := fs.ReadFile(demo.Photos(), name)
			if err != nil || len(svg) > 16_000 {
				t.Errorf("%s: %d bytes, %v", name, len(svg), err)
			}
			if err := xml.Unmarshal(svg, new(struct{})); err != nil || bytes.Contains(svg, []byte("NaN")) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for _, never := range []string{"drawn.nothing.punch.000000.both-0123456789.svg", "drawn.block.punch.000000.edge-0123456789.svg"} {
		if _, err := fs.ReadFile(demo.Photos(), never); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", never, err)
		}
	}
}

func TestOrdersAreInEveryState(t *testing.T) {
	c := demo.New()
	people, taken, states := peopleByEmail(c), map[int]bool{}, map[string]int{}
	for _, o := range c.Orders {
		p := c.Phones[o.Phone]
		if taken[o.Phone] || p.Advertised || p.BookedBy != "" || people[o.Buyer].AccountType != demo.User {
			t.Errorf("%+v of %+v", o, p)
		}
		taken[o.Phone] = true
		states[o.State]++
	}
	for _, state := range []string{demo.Held, demo.Paid, demo.Expired, demo.Cancelled, demo.Refunded} {
		if states[state] == 0 {
			t.Errorf("no order is %s", state)
		}
	}
	for _, r := range c.Reports {
		if people[r.Reporter].AccountType != demo.User || r.Reason == "" {
			t.Errorf("%+v", r)
		}
	}
}

func TestOtherPicturesHaveNoMetadata(t *testing.T) {
	for _, url := range []string{"", "/photos/", demo.URLPrefix + "drawing.svg", demo.TilePath("Apple"), "/images" + strings.TrimPrefix(demo.PhotoPath("iPhone_6"), "/photos")} {
		if about, err := demo.About(url); !errors.Is(err, market.ErrNotFound) {
			t.Errorf("%s: %+v, %v", url, about, err)
		}
	}
}

func peopleByEmail(c demo.Catalogue) map[string]demo.Person {
	all := map[string]demo.Person{}
	for _, p := range c.People {
		all[p.Email] = p
	}
	return all
}
