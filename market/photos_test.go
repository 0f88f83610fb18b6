package market_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"secondring/market"
)

// imageHost has every picture under /images/, unless it has an error.
type imageHost struct{ err error }

var storedPicture = market.Picture{Width: 1600, Height: 1200, Blur: "data:,", Widths: []int{160, 640}}

func (h imageHost) Metadata(_ context.Context, url string) (market.Picture, error) {
	if h.err == nil && !strings.HasPrefix(url, "/images/") {
		return market.Picture{}, market.ErrNotFound
	}
	return storedPicture, h.err
}

func photos(urls ...string) (sent []market.PhotoRequest) {
	for _, url := range urls {
		sent = append(sent, market.PhotoRequest{URL: url})
	}
	return sent
}

// copies returns n photos with the same URL.
func copies(n int) []market.PhotoRequest {
	return photos(strings.Split(strings.Repeat("/images/a.jpg ", n), " ")[:n]...)
}

func TestFirstPhotoIsImg(t *testing.T) {
	e := newEnv(t)
	e.UsePictures(imageHost{})
	seller := e.seller()
	in := e.productRequest(seller)
	in.Img, in.Photos = "", []market.PhotoRequest{{URL: "/images/front.jpg", Alt: "The front"}, {URL: "https://i.example/back.jpg"}}
	p, err := e.AddProduct(e.ctx, seller, in)
	e.must(err)
	want := []market.Photo{{URL: "/images/front.jpg", Alt: "The front", Picture: storedPicture}, {URL: "https://i.example/back.jpg"}}
	p, err = e.Product(e.ctx, p.ID)
	e.must(err)
	if d := cmp.Diff(want, p.Photos); p.Img != "/images/front.jpg" || d != "" {
		t.Errorf("img %s, photos %s", p.Img, d)
	}
	const srcset = "/images/front-160.webp 160w, /images/front-640.webp 640w, /images/front.jpg 1600w"
	views := []market.PhotoView{
		{URL: "/images/front.jpg", Alt: "The front", Width: 1600, Height: 1200, Blur: "data:,", Srcset: srcset},
		{URL: "https://i.example/back.jpg"},
	}
	if d := cmp.Diff(views, p.ViewForVisitor().Photos); d != "" {
		t.Errorf("the shown photos differ (-want +got)\n%s", d)
	}
}

func TestImgAloneIsOnePhoto(t *testing.T) {
	e := newEnv(t) // without an image host
	p := e.phone(e.seller())
	if want := []market.Photo{{URL: p.Img}}; cmp.Diff(want, p.Photos) != "" {
		t.Errorf("photos %+v", p.Photos)
	}
	old := market.Product{Img: "/listed/before.jpg"} // stored before products had photos
	if d := cmp.Diff([]market.PhotoView{{URL: "/listed/before.jpg"}}, old.ViewWithContact().Photos); d != "" {
		t.Errorf("the shown photos differ (-want +got)\n%s", d)
	}
}

func TestPhotoValidation(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	p := e.phone(seller)
	long := []market.PhotoRequest{{URL: "/a.jpg"}, {URL: "/b.jpg", Alt: strings.Repeat("é", 201)}}
	for _, c := range []struct {
		field, img string
		photos     []market.PhotoRequest
	}{
		{"photos", "", copies(9)},
		{"photos[2].url", "", photos("/a.jpg", "/b.jpg", "javascript:alert(1)")},
		{"photos[0].url", "", photos("")},
		{"photos[1].alt", "", long},
		{"img", "/b.jpg", photos("/a.jpg", "/b.jpg")},
	} {
		t.Run(fmt.Sprint(c.field, c.img), func(t *testing.T) {
			in := e.productRequest(seller)
			in.Img, in.Photos = c.img, c.photos
			_, adding := e.AddProduct(e.ctx, seller, in)
			_, changing := e.ChangeProduct(e.ctx, seller, p.ID, market.ProductChange{Img: c.img, Photos: c.photos})
			for _, err := range []error{adding, changing} {
				var refusal *market.Error
				if !errors.As(err, &refusal) || len(refusal.Fields) != 1 || refusal.Fields[c.field] == "" {
					t.Errorf("the error is %#v, want one about %s", err, c.field)
				}
			}
		})
	}
	in := e.productRequest(seller)
	in.Img, in.Photos = "/images/a.jpg", copies(8)
	_, err := e.AddProduct(e.ctx, seller, in)
	e.must(err)
	_, err = e.ChangeProduct(e.ctx, seller, p.ID, market.ProductChange{Photos: []market.PhotoRequest{}})
	e.wantCode(err, market.CodeInvalid)
	in.Img, in.Photos = "", nil
	_, err = e.AddProduct(e.ctx, seller, in)
	e.wantCode(err, market.CodeInvalid)
}

func TestPhotosOfAvailablePhoneCanBeChanged(t *testing.T) {
	e := newEnv(t)
	e.UsePictures(imageHost{})
	seller := e.seller()
	p := e.phone(seller)
	change := func(sent ...market.PhotoRequest) int {
		t.Helper()
		n, err := e.ChangeProduct(e.ctx, seller, p.ID, market.ProductChange{Photos: sent})
		e.must(err)
		p, err = e.Product(e.ctx, p.ID)
		e.must(err)
		return n
	}
	if n := change(photos("/images/a.jpg", "/images/b.jpg")...); n != 1 || p.Img != "/images/a.jpg" {
		t.Errorf("adding photos changed %d, %+v", n, p)
	}
	if n := change(photos("/images/a.jpg", "/images/b.jpg")...); n != 0 {
		t.Errorf("setting the same photos changed %d", n)
	}
	if n := change(photos("/images/b.jpg", "/images/a.jpg")...); n != 1 || p.Img != "/images/b.jpg" || len(p.Photos) != 2 {
		t.Errorf("reordering changed %d, %+v", n, p)
	}
	if n := change(market.PhotoRequest{URL: "/images/b.jpg", Alt: "Back"}); n != 1 || p.Photos[0].Alt != "Back" || len(p.Photos) != 1 {
		t.Errorf("removing a photo changed %d, %+v", n, p)
	}
	e.mustBook(e.buyer(), p)
	_, err := e.ChangeProduct(e.ctx, seller, p.ID, market.ProductChange{Photos: photos("/images/c.jpg")})
	e.wantCode(err, market.CodeHeld)
}

func TestAddProductFailsDuringImageOutage(t *testing.T) {
	e := newEnv(t)
	outage := errors.New("the image host is unavailable")
	e.UsePictures(imageHost{err: outage})
	seller := e.seller()
	if _, err := e.AddProduct(e.ctx, seller, e.productRequest(seller)); !errors.Is(err, outage) {
		t.Errorf("the error is %v, want %v", err, outage)
	}
}
