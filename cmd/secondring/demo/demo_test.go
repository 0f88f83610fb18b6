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

// now is the start of the demo, at the beginning of a day.
var now = time.Date(2027, time.March, 1, 0, 5, 0, 0, time.UTC)

func TestDatasetIsDeterministic(t *testing.T) {
	if diff := cmp.Diff(demo.New(now), demo.New(now)); diff != "" {
		t.Errorf("two calls differ:\n%s", diff)
	}
}

func TestDatasetSize(t *testing.T) {
	d := demo.New(now)
	if len(d.Brands) != 12 || len(d.Phones) != 300 {
		t.Errorf("%d brands and %d phones, want 12 and 300", len(d.Brands), len(d.Phones))
	}
	perBrand, advertised, booked, sellers := map[string]int{}, 0, 0, map[string]bool{}
	for _, p := range d.Phones {
		perBrand[p.Brand]++
		sellers[p.Seller] = true
		if p.Advertised {
			advertised++
		}
		if p.BookedBy != "" {
			booked++
		}
	}
	for _, b := range d.Brands {
		if perBrand[b.Name] < 8 {
			t.Errorf("%s has %d phones, want at least 8", b.Name, perBrand[b.Name])
		}
	}
	if advertised != 24 || booked == 0 || len(sellers) != 16 {
		t.Errorf("%d advertised, %d booked, %d sellers; want 24, some, 16", advertised, booked, len(sellers))
	}
}

func TestBrandsNewestFirstAreAlphabetical(t *testing.T) {
	brands := demo.Brands()
	slices.SortFunc(brands, func(a, b demo.Brand) int { return b.Created.Compare(a.Created) })
	if !slices.IsSortedFunc(brands, func(a, b demo.Brand) int { return strings.Compare(a.Name, b.Name) }) {
		t.Errorf("the brands, newest first, are %v", brands)
	}
}

func TestEveryPhoneIsValid(t *testing.T) {
	d := demo.New(now)
	people := peopleByEmail(d)
	conditions := []string{demo.Excellent, demo.Good, demo.Fair}
	previous := time.Time{}
	for _, p := range d.Phones {
		if p.ResalePrice < 1 || p.ResalePrice >= p.OriginalPrice || p.OriginalPrice > 100_000 {
			t.Errorf("%s has the price %d and the original price %d", p.Name, p.ResalePrice, p.OriginalPrice)
		}
		if !slices.Contains(conditions, p.Condition) {
			t.Errorf("%s has the condition %q", p.Name, p.Condition)
		}
		if day := p.Created.Format(time.DateOnly); day != p.PostedOn || p.Created.After(now) {
			t.Errorf("%s was posted on %s and created at %s", p.Name, p.PostedOn, p.Created)
		}
		if !p.Created.After(previous) {
			t.Errorf("%s is not newer than the phone before it", p.Name)
		}
		previous = p.Created
		for field, text := range map[string]string{
			"name": p.Name, "used": p.UsedTime, "description": p.Description, "seller": p.SellerName,
			"location": p.Location, "phone": p.ContactPhone, "img": p.Photos[0].URL, "alt": p.Photos[0].Alt,
		} {
			if strings.TrimSpace(text) == "" || len(text) > 600 || strings.ContainsAny(text, "{}[]") {
				t.Errorf("%s has the invalid %s %q", p.Name, field, text)
			}
		}
		seller := people[p.Seller]
		if seller.AccountType != demo.Seller || seller.Created.After(p.Created) {
			t.Errorf("%s has the seller %+v", p.Name, seller)
		}
		if p.Advertised && (!seller.Verified || p.BookedBy != "") {
			t.Errorf("%s is advertised by %+v and booked by %q; want a verified seller and no booking", p.Name, seller, p.BookedBy)
		}
	}
}

func TestDescriptionsVary(t *testing.T) {
	texts, sentences := map[string]string{}, map[string]int{}
	for _, p := range demo.New(now).Phones {
		if other, ok := texts[p.Description]; ok {
			t.Errorf("%s and %s have the same description: %s", p.Name, other, p.Description)
		}
		texts[p.Description] = p.Name
		for s := range strings.SplitSeq(p.Description, ". ") {
			sentences[strings.Trim(s, ".")]++
		}
	}
	if len(sentences) < 120 {
		t.Errorf("the descriptions have %d different sentences, want at least 120", len(sentences))
	}
	for s, n := range sentences {
		if n > 20 {
			t.Errorf("%q occurs %d times, want at most 20", s, n)
		}
	}
}

func TestLoginsHaveTheirRoles(t *testing.T) {
	d := demo.New(now)
	people, phones := peopleByEmail(d), map[string]int{}
	for _, p := range d.Phones {
		phones[p.Seller]++
		phones[p.BookedBy]++
	}
	for _, l := range demo.Logins() {
		p, ok := people[l.Email]
		valid := map[string]bool{
			"admin":           p.Admin,
			"seller-verified": p.AccountType == demo.Seller && p.Verified && phones[p.Email] > 4,
			"seller":          p.AccountType == demo.Seller && !p.Verified && phones[p.Email] > 4,
			"buyer":           p.AccountType == demo.User && !p.Admin && phones[p.Email] == 0,
			"buyer2":          p.AccountType == demo.User && !p.Admin && phones[p.Email] == 0,
		}
		if !ok || !valid[l.Role] || p.Password != l.Password || len(l.Password) < 6 {
			t.Errorf("the login %s is %+v with %d phones", l.Role, p, phones[p.Email])
		}
	}
}

func TestContactDataIsFictional(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range demo.New(now).People {
		if !strings.HasSuffix(p.Email, "@example.com") || seen[p.Email] || seen[p.Phone] {
			t.Errorf("%+v has an email or phone that is real or not unique", p)
		}
		seen[p.Email], seen[p.Phone] = true, true
	}
}

// Every picture of the dataset is served. In a build without photos it is the drawing.
func TestPicturesAreServed(t *testing.T) {
	server := httptest.NewServer(http.StripPrefix(demo.URLPrefix, http.FileServerFS(demo.Photos())))
	defer server.Close()
	d := demo.New(now)
	urls := map[string]bool{}
	for _, b := range d.Brands {
		urls[b.Img] = true
	}
	for _, p := range d.Phones {
		for _, photo := range p.Photos {
			urls[photo.URL] = true
		}
	}
	for url := range urls {
		response, err := http.Get(server.URL + url)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		contentType := response.Header.Get("Content-Type")
		if err != nil || response.StatusCode != http.StatusOK || len(body) < 500 || !strings.HasPrefix(contentType, "image/") {
			t.Errorf("%s: %s %s, %d bytes, %v", url, response.Status, contentType, len(body), err)
		}
		if len(body) > 150_000 {
			t.Errorf("%s has %d bytes, want at most 150000 for a card", url, len(body))
		}
	}
	for _, p := range d.Phones {
		if p.Drawn {
			continue
		}
		for i, photo := range p.Photos {
			checkVariants(t, photo.URL, i)
		}
	}
	if demo.Built() && len(urls) < 90 {
		t.Errorf("the dataset has %d different pictures, want at least 90", len(urls))
	}
}

// checkVariants checks the metadata and the smaller variants of a phone's photo. The first
// photo is in landscape format, as wide as a card; the others are in portrait format.
func checkVariants(t *testing.T, url string, index int) {
	t.Helper()
	width, variants := 640, 3
	if index > 0 {
		width, variants = 480, 2
	}
	metadata, err := demo.Metadata(url)
	if demo.Built() && (err != nil || metadata.Width != width || metadata.Height != 600 || metadata.Blur == "" || len(metadata.Widths) != variants) {
		t.Errorf("the metadata of %s is %+v, %v", url, metadata, err)
	}
	for _, width := range metadata.Widths {
		file, err := fs.ReadFile(demo.Photos(), strings.TrimPrefix(market.CopyURL(url, width), demo.URLPrefix))
		if err != nil || http.DetectContentType(file) != "image/webp" || len(file) > 100_000 {
			t.Errorf("%s %d wide: %d bytes, %v", url, width, len(file), err)
		}
	}
}

func TestMostPhonesHaveSeveralPhotos(t *testing.T) {
	if !demo.Built() {
		t.Log("this build has no photos, only the drawing")
		return
	}
	withThree := 0
	for _, p := range demo.New(now).Phones {
		urls, alts := map[string]bool{}, map[string]bool{}
		for _, photo := range p.Photos {
			urls[photo.URL], alts[photo.Alt] = true, true
			if !strings.Contains(photo.Alt, p.Colour) || len(photo.Alt) > 200 {
				t.Errorf("%s: the alt text %q is too long or does not contain the colour %s", p.Name, photo.Alt, p.Colour)
			}
		}
		if len(urls) != len(p.Photos) || len(alts) != len(p.Photos) || len(urls) > 4 {
			t.Errorf("%s: the photos %+v are not unique, or more than four", p.Name, p.Photos)
		}
		if len(p.Photos) > 2 {
			withThree++
		}
	}
	if withThree < 200 {
		t.Errorf("%d phones have three photos or more, want at least 200", withThree)
	}
}

func TestPhotosHaveCredits(t *testing.T) {
	if !demo.Built() {
		t.Log("this build has no photos, only the drawing")
		return
	}
	credits, err := fs.ReadFile(demo.Photos(), "CREDITS.txt")
	if err != nil || !strings.Contains(string(credits), "creativecommons.org/licenses/by-sa/4.0") {
		t.Errorf("CREDITS.txt does not name the licence: %v\n%s", err, credits)
	}
	for _, hidden := range []string{".", "manifest.json", ".gitkeep"} {
		if f, err := demo.Photos().Open(hidden); err == nil {
			f.Close()
			t.Errorf("%s is served", hidden)
		}
	}
	for _, p := range demo.New(now).Phones {
		if !p.Drawn && path.Ext(p.Photos[0].URL) != ".jpg" {
			t.Errorf("%s has %s instead of a photo", p.Name, p.Photos[0].URL)
		}
	}
}

// The names of pictures contain a hash of their content. A store has the names of the build
// that filled it, which may be an older one.
func TestPicturesOfAnEarlierBuildAreStillServed(t *testing.T) {
	if !demo.Built() {
		t.Log("this build has no photos, only the drawing")
		return
	}
	current := strings.TrimPrefix(demo.TilePath("BlackBerry"), demo.URLPrefix)
	old := "brand-blackberry-0123456789-640.webp"
	want, err := fs.ReadFile(demo.Photos(), current)
	if err != nil {
		t.Fatal(err)
	}
	got, err := fs.ReadFile(demo.Photos(), old)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not the same picture as %s: %v", old, current, err)
	}
	if tile, err := fs.ReadFile(demo.Photos(), "brand-blackberry-0123456789.jpg"); err != nil || len(tile) < len(want) {
		t.Errorf("the large picture of a brand in an older store has %d bytes, %v", len(tile), err)
	}
	variant := strings.TrimPrefix(market.CopyURL(demo.PhotoPath("iPhone_6"), 320), demo.URLPrefix)
	if want, err = fs.ReadFile(demo.Photos(), variant); err != nil {
		t.Fatal(err)
	}
	if got, err = fs.ReadFile(demo.Photos(), "iphone-6-0123456789-320.webp"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the variant with an old name is not %s: %v", variant, err)
	}
	for _, unknown := range []string{"brand-nobody-0123456789.jpg", "iphone-6-0123456789-321.webp", "iphone-6.jpg"} {
		if _, err := fs.ReadFile(demo.Photos(), unknown); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the unknown picture %s: %v, want ErrNotExist", unknown, err)
		}
	}
}

func TestMostPhonesAreRecent(t *testing.T) {
	recent, storage := 0, 0
	for _, p := range demo.New(now).Phones {
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

// Drawings are well-formed SVG. There is no drawing for an unknown name.
func TestDrawingsAreWellFormed(t *testing.T) {
	for _, p := range demo.New(now).Phones {
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
	for _, unknown := range []string{"drawn.nothing.punch.000000.both-0123456789.svg", "drawn.block.punch.000000.edge-0123456789.svg"} {
		if _, err := fs.ReadFile(demo.Photos(), unknown); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the unknown drawing %s: %v, want ErrNotExist", unknown, err)
		}
	}
}

func TestOrdersAreInEveryState(t *testing.T) {
	d := demo.New(now)
	people, ordered, states := peopleByEmail(d), map[int]bool{}, map[string]int{}
	for _, o := range d.Orders {
		p := d.Phones[o.Phone]
		if ordered[o.Phone] || p.Advertised || p.BookedBy != "" || people[o.Buyer].AccountType != demo.User {
			t.Errorf("the order %+v of the phone %+v is invalid", o, p)
		}
		booked := now.AddDate(0, 0, -o.Days)
		if p.Created.After(booked) || people[o.Buyer].Created.After(booked) {
			t.Errorf("the order %+v is older than its phone of %s or its buyer of %s", o, p.Created, people[o.Buyer].Created)
		}
		ordered[o.Phone] = true
		states[o.State]++
	}
	for _, state := range []string{
		demo.Held, demo.Expired, demo.Cancelled, demo.Refunded, demo.Waiting, demo.Sent, demo.Received, demo.Problem, demo.Released, demo.PaidOut,
	} {
		if states[state] == 0 {
			t.Errorf("no order is %s", state)
		}
	}
	for _, r := range d.Reports {
		if people[r.Reporter].AccountType != demo.User || r.Reason == "" {
			t.Errorf("the report %+v is invalid", r)
		}
	}
}

// So the demo starts with every limit of MAX_HOLDS.
func TestNoBuyerHoldsTwoPhones(t *testing.T) {
	holds := map[string]int{}
	for _, buyer := range demo.New(now).Holds() {
		if holds[buyer]++; holds[buyer] > 1 {
			t.Errorf("%s holds %d phones", buyer, holds[buyer])
		}
	}
	if len(holds) < 10 {
		t.Errorf("%d phones are held, want 10 or more", len(holds))
	}
}

func TestOtherPicturesHaveNoMetadata(t *testing.T) {
	for _, url := range []string{"", "/photos/", demo.URLPrefix + "drawing.svg", demo.TilePath("Apple"), "/images" + strings.TrimPrefix(demo.PhotoPath("iPhone_6"), "/photos")} {
		if metadata, err := demo.Metadata(url); !errors.Is(err, market.ErrNotFound) {
			t.Errorf("%s has the metadata %+v, %v; want ErrNotFound", url, metadata, err)
		}
	}
}

func peopleByEmail(d demo.Catalogue) map[string]demo.Person {
	all := map[string]demo.Person{}
	for _, p := range d.People {
		all[p.Email] = p
	}
	return all
}
