package market_test

import (
	"encoding/json"
	"strings"
	"testing"

	"secondring/market"
)

const publicURL = "https://phones.example"

func TestStoredURLIsTheReverseOfAbsoluteURL(t *testing.T) {
	for sent, want := range map[string]string{
		"/images/a.jpg":                                "/images/a.jpg",
		"https://phones.example/images/a.jpg":          "/images/a.jpg",
		"HTTPS://Phones.Example/images/a.jpg":          "/images/a.jpg",
		"https://phones.example:443/images/a.jpg":      "/images/a.jpg",
		"https://phones.example/photos/one-320.webp":   "/photos/one-320.webp",
		"https://phones.example/a.jpg?size=2#top":      "/a.jpg?size=2#top",
		"https://phones.example/%C3%A9.jpg":            "/%C3%A9.jpg",
		"http://phones.example/images/a.jpg":           "http://phones.example/images/a.jpg",
		"https://phones.example:8443/images/a.jpg":     "https://phones.example:8443/images/a.jpg",
		"https://phones.example.evil.test/a.jpg":       "https://phones.example.evil.test/a.jpg",
		"https://phones.example@evil.test/a.jpg":       "https://phones.example@evil.test/a.jpg",
		"https://user:word@phones.example/a.jpg":       "https://user:word@phones.example/a.jpg",
		"https://cdn.example/https://phones.example/a": "https://cdn.example/https://phones.example/a",
		"https://phones.example//evil.test/a.jpg":      "https://phones.example//evil.test/a.jpg",
		`https://phones.example/\evil.test/a.jpg`:      `https://phones.example/\evil.test/a.jpg`,
		"https://phones.example":                       "https://phones.example",
		"":                                             "",
		"not an address":                               "not an address",
	} {
		stored := market.StoredURL(publicURL, sent)
		if stored != want {
			t.Errorf("%s is stored as %s, want %s", sent, stored, want)
		}
		if again := market.StoredURL(publicURL, market.AbsoluteURL(publicURL, stored)); again != stored {
			t.Errorf("after a round trip %s is stored as %s", stored, again)
		}
	}
	if got := market.StoredURL("", "https://phones.example/a.jpg"); got != "https://phones.example/a.jpg" {
		t.Errorf("without PUBLIC_URL it is stored as %s", got)
	}
}

// What clients get of pictures in answers and events has absolute URLs. If they send them back, nothing
// changes.
func TestPicturesAreAbsoluteInEventsAndStoredAsPaths(t *testing.T) {
	rules := defaultRules
	rules.PublicURL = publicURL
	e := newEnvWith(t, rules)
	e.UsePictures(imageHost{})
	seller := e.seller()
	in := e.productRequest(seller)
	in.Img = publicURL + "/images/front.jpg"
	in.Photos = []market.PhotoRequest{{URL: "/images/front.jpg"}, {URL: "https://i.example/back.jpg"}, {URL: publicURL + "/photos/side.jpg"}}
	p, err := e.AddProduct(e.ctx, seller, in)
	e.must(err)
	p, err = e.Product(e.ctx, p.ID)
	e.must(err)
	if p.Img != "/images/front.jpg" || p.Photos[0].URL != p.Img || p.Photos[2].URL != "/photos/side.jpg" {
		t.Errorf("stored are %s and %+v", p.Img, p.Photos)
	}
	buyer := e.buyer()
	b := e.mustBook(buyer, p)
	if b.Img != "/images/front.jpg" {
		t.Errorf("the order has the picture %s", b.Img)
	}

	events, err := e.store.PendingEvents(e.ctx, 100)
	e.must(err)
	seen := 0
	for _, event := range events {
		var v struct {
			Img    string
			Photos []market.PhotoView
		}
		e.must(json.Unmarshal(event.Data, &v))
		if v.Img != "" {
			seen++
			if v.Img != publicURL+"/images/front.jpg" {
				t.Errorf("%s on %s has the picture %s", event.Type, event.Topic, v.Img)
			}
		}
		for i, photo := range v.Photos {
			want := []string{publicURL + "/images/front.jpg", "https://i.example/back.jpg", publicURL + "/photos/side.jpg"}[i]
			if photo.URL != want {
				t.Errorf("%s: photo %d is %s", event.Type, i, photo.URL)
			}
			for candidate := range strings.SplitSeq(photo.Srcset, ", ") {
				if photo.Srcset != "" && !strings.HasPrefix(candidate, "https://phones.example/images/front") {
					t.Errorf("%s: srcset %s", event.Type, photo.Srcset)
				}
			}
		}
	}
	if seen < 5 {
		t.Errorf("%d events have a picture", seen)
	}
	_, err = e.CancelBooking(e.ctx, buyer, b.ID)
	e.must(err)
	p, err = e.Product(e.ctx, p.ID)
	e.must(err)
	shown := market.Absolute(e.Market, p.ViewForSeller())
	var back []market.PhotoRequest
	for _, photo := range shown.Photos {
		back = append(back, market.PhotoRequest{URL: photo.URL, Alt: photo.Alt})
	}
	if n, err := e.ChangeProduct(e.ctx, seller, p.ID, market.ProductChange{Img: shown.Img, Photos: back}); n != 0 || err != nil {
		t.Errorf("the same photos again: %d changed, %v", n, err)
	}
}
