package storetest

import "secondring/market"

var pictureCases = cases{
	"photos are shown until they are replaced or the phone is removed": func(s env) {
		p := phone(s.addBrand("Nokia"), "sam")
		p.Img, p.Photos = "/images/1.jpg", photosAt("/images/1.jpg", "/images/2.jpg", "https://phones.example/images/3.jpg")
		s.ok(s.AddProduct(s.Context(), p, nil))
		s.wantShown("/images/1.jpg", "/images/2.jpg", "https://phones.example/images/3.jpg")
		s.wantNotShown("/images/3.jpg", "/images/1.JPG", "/images/", "")

		p = held(p, noon) // a booked phone is still shown
		s.ok(s.SaveProduct(s.Context(), p, nil))
		s.wantShown("/images/1.jpg", "/images/2.jpg")
		p = nextVersion(p)
		p.Img, p.Photos = "/images/2.jpg", photosAt("/images/2.jpg", "/images/4.jpg")
		s.ok(s.SaveProduct(s.Context(), p, nil))
		s.wantShown("/images/2.jpg", "/images/4.jpg")
		s.wantNotShown("/images/1.jpg", "https://phones.example/images/3.jpg")

		stale := p
		stale.Img, stale.Photos = "/images/5.jpg", nil
		s.wantError(s.SaveProduct(s.Context(), stale, nil), market.ErrConflict)
		s.wantNotShown("/images/5.jpg")
		s.ok(s.RemoveProduct(s.Context(), nextVersion(p), nil))
		s.wantNotShown("/images/2.jpg", "/images/4.jpg")
	},
	"a phone with only its first photo shows that": func(s env) {
		p := phone(s.addBrand("Nokia"), "sam")
		p.Img = "/images/1.jpg"
		s.ok(s.AddProduct(s.Context(), p, nil))
		s.wantShown("/images/1.jpg")
		p = nextVersion(p)
		p.Photos = photosAt("/images/1.jpg")
		s.ok(s.SaveProduct(s.Context(), p, nil))
		s.wantShown("/images/1.jpg")
		p = nextVersion(p)
		p.Img, p.Photos = "", nil
		s.ok(s.SaveProduct(s.Context(), p, nil))
		s.wantNotShown("/images/1.jpg")
	},
	"a picture of several phones is shown until the last is removed": func(s env) {
		b := s.addBrand("Nokia")
		one, two := phone(b, "sam"), phone(b, "tom")
		one.Img, two.Photos = "/images/1.jpg", photosAt("/images/0.jpg", "/images/1.jpg", "/images/1.jpg")
		for _, p := range []market.Product{one, two} {
			s.ok(s.AddProduct(s.Context(), p, nil))
		}
		for _, p := range []market.Product{one, two} {
			s.wantShown("/images/1.jpg")
			p.Version++
			s.ok(s.RemoveProduct(s.Context(), p, nil))
		}
		s.wantNotShown("/images/1.jpg", "/images/0.jpg")
	},
	"orders, reports, brands and accounts show pictures too": func(s env) {
		o, r, a, b := booking("ann", "p"), report("p", "ann"), account("ann", "ann@example.com"), brand("Nokia")
		o.Img, r.Img, a.PhotoURL, b.Img = "/images/o.jpg", "/images/r.jpg", "/images/a.jpg", "/images/b.jpg"
		s.wantNotShown(o.Img, r.Img, a.PhotoURL, b.Img)
		s.ok(s.AddBooking(s.Context(), o, 1, nil))
		s.wantShown(o.Img)
		s.ok(s.AddReport(s.Context(), r, nil))
		s.wantShown(r.Img)
		s.ok(s.AddAccount(s.Context(), a, nil))
		s.wantShown(a.PhotoURL)
		s.ok(s.AddBrand(s.Context(), b))
		s.wantShown(b.Img)

		r.Version++
		s.ok(s.RemoveReport(s.Context(), r, nil))
		a.PhotoURL, a.Version = "", 2
		s.ok(s.SaveAccount(s.Context(), a, nil))
		s.ok(s.RemoveBrand(s.Context(), b.ID))
		s.wantNotShown(r.Img, "/images/a.jpg", b.Img, "")
		s.wantShown(o.Img)
	},
}

func photosAt(urls ...string) (photos []market.Photo) {
	for _, url := range urls {
		photos = append(photos, market.Photo{URL: url})
	}
	return photos
}

// wantShown fails the test unless each of these addresses is shown, and so all of them
// together.
func (s env) wantShown(urls ...string) {
	s.Helper()
	for _, url := range urls {
		if !get[bool](s)(s.ShowsPicture(s.Context(), []string{"/images/none.jpg", url})) {
			s.Errorf("%q is not shown", url)
		}
	}
}

// wantNotShown fails the test if one of these addresses is shown.
func (s env) wantNotShown(urls ...string) {
	s.Helper()
	for _, url := range urls {
		if get[bool](s)(s.ShowsPicture(s.Context(), []string{url})) {
			s.Errorf("%q is shown", url)
		}
	}
	if get[bool](s)(s.ShowsPicture(s.Context(), urls)) {
		s.Errorf("one of %q is shown", urls)
	}
}
