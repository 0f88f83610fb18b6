package market_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"secondring/market"
)

func TestAddProductPublishesToBrand(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	e.drain()
	p := e.phone(seller)
	if p.Verified || p.Booked() || p.Advertised || p.Sold || p.SellerUID != seller.User.UID {
		t.Errorf("the added phone is %+v", p)
	}
	want := []string{"brand:" + e.brand.ID + " product.added", "me:" + seller.User.UID + " product.added"}
	if got := e.publishedEvents(); !slices.Equal(got, want) {
		t.Errorf("published %q, want %q", got, want)
	}
}

func TestProductValidation(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	for field, invalidate := range map[string]func(*market.ProductRequest){
		"name":              func(p *market.ProductRequest) { p.Name = "  " },
		"id":                func(p *market.ProductRequest) { p.BrandID = "nope" },
		"brand":             func(p *market.ProductRequest) { p.Brand = "Apple" },
		"img":               func(p *market.ProductRequest) { p.Img = "javascript:alert(1)" },
		"originalPrice":     func(p *market.ProductRequest) { p.OriginalPrice = 0 },
		"resalePrice":       func(p *market.ProductRequest) { p.ResalePrice = 100_001 },
		"storage":           func(p *market.ProductRequest) { p.Storage = -1 },
		"colour":            func(p *market.ProductRequest) { p.Colour = strings.Repeat("x", 41) },
		"productCondition":  func(p *market.ProductRequest) { p.Condition = "Mint" },
		"usedTime":          func(p *market.ProductRequest) { p.UsedTime = "" },
		"description":       func(p *market.ProductRequest) { p.Description = strings.Repeat("x", 5000) },
		"sellerName":        func(p *market.ProductRequest) { p.SellerName = "Somebody Else" },
		"location":          func(p *market.ProductRequest) { p.Location = "" },
		"phone":             func(p *market.ProductRequest) { p.Phone = "\x00" },
		"selling_post_date": func(p *market.ProductRequest) { p.PostedOn = "2026-02-30" },
		"wrong":             func(p *market.ProductRequest) { p.Wrong = wrongField("wrong", "must be a text") },
	} {
		t.Run(field, func(t *testing.T) {
			in := e.productRequest(seller)
			invalidate(&in)
			_, err := e.AddProduct(e.ctx, seller, in)
			var refusal *market.Error
			if !errors.As(err, &refusal) || refusal.Code != market.CodeInvalid || refusal.Fields[field] == "" {
				t.Errorf("the error is %#v, want one about the field %s", err, field)
			}
		})
	}
}

func TestPictureURLValidation(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	for img, ok := range map[string]bool{
		"https://i.example/a.jpg": true, "http://i.example/a.jpg": true, "/images/a.jpg": true,
		"//evil.example/a.jpg": false, `/\evil.example`: false, "data:image/png;base64,AA": false, "images/a.jpg": false,
	} {
		in := e.productRequest(seller)
		in.Img = img
		if _, err := e.AddProduct(e.ctx, seller, in); (err == nil) != ok {
			t.Errorf("the picture URL %s returned %v", img, err)
		}
	}
}

func TestAddProductPermissions(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	for _, who := range []market.Actor{e.buyer(), e.admin()} {
		_, err := e.AddProduct(e.ctx, who, e.productRequest(who))
		e.wantCode(err, market.CodeForbidden)
	}
	ofAnother := e.productRequest(e.seller())
	_, err := e.AddProduct(e.ctx, seller, ofAnother)
	e.wantCode(err, market.CodeForbidden)
}

func TestAdvertisingNeedsVerification(t *testing.T) {
	e := newEnv(t)
	seller, admin := e.seller(), e.admin()
	p := e.phone(seller)
	_, err := e.Advertise(e.ctx, seller, p.ID)
	e.wantCode(err, market.CodeNotVerified)
	_, err = e.VerifySeller(e.ctx, admin, seller.User.ID, market.VerifyRequest{})
	e.must(err)
	seller = e.reload(seller)
	e.drain()
	n, err := e.Advertise(e.ctx, seller, p.ID)
	if e.must(err); n != 1 {
		t.Fatalf("changed %d", n)
	}
	if publishedEvents := e.publishedEvents(); !slices.Contains(publishedEvents, "advertised advertised.changed") {
		t.Errorf("no event for Home: %q", publishedEvents)
	}
	if n, err = e.Advertise(e.ctx, seller, p.ID); err != nil || n != 0 {
		t.Errorf("advertising again changed %d, %v", n, err)
	}
	_, err = e.Advertise(e.ctx, e.seller(), p.ID)
	e.wantCode(err, market.CodeForbidden)

	b := e.mustBook(e.buyer(), p)
	list, err := e.Advertised(e.ctx, market.Page{Limit: 10})
	if e.must(err); len(list.Items) != 0 || list.Total != 0 {
		t.Errorf("a booked phone is still advertised: %+v", list)
	}
	e.must(e.cancelAsBuyer(b))
	if list, err = e.Advertised(e.ctx, market.Page{Limit: 10}); err != nil || len(list.Items) != 1 {
		t.Errorf("a released phone is not advertised again: %+v, %v", list, err)
	}
	e.drain()
	_, err = e.RemoveProduct(e.ctx, seller, p.ID, market.RemovalReason{})
	e.must(err)
	for _, event := range e.drain() {
		if event.Topic != market.TopicAdvertised {
			continue
		}
		var view market.ProductView
		e.must(json.Unmarshal(event.Data, &view))
		if view.Advertise || view.Phone != "" || view.Email != "" || view.Location != "" {
			t.Errorf("the event for Home is %s", event.Data)
		}
		return
	}
	t.Error("no event for Home about the removal")
}

func TestStopAdvertising(t *testing.T) {
	rules := defaultRules
	rules.Advertise = market.AdvertiseAll
	e := newEnvWith(t, rules)
	seller := e.seller()
	p := e.phone(seller)
	for _, want := range []int{0, 1, 0} { // before, while and after it is advertised
		e.drain()
		n, err := e.StopAdvertising(e.ctx, seller, p.ID)
		if e.must(err); n != want || e.stored(p).Advertised {
			t.Fatalf("changed %d, want %d: %+v", n, want, e.stored(p))
		}
		publishedEvents := e.publishedEvents()
		for _, event := range []string{"advertised advertised.changed", "brand:" + p.BrandID + " product.changed"} {
			if slices.Contains(publishedEvents, event) != (want == 1) {
				t.Errorf("stopping changed %d and published %q", n, publishedEvents)
			}
		}
		if want == 0 {
			_, err = e.Advertise(e.ctx, seller, p.ID)
			e.must(err)
		}
	}
	for _, who := range []market.Actor{e.seller(), e.buyer(), e.admin()} {
		_, err := e.StopAdvertising(e.ctx, who, p.ID)
		e.wantCode(err, market.CodeForbidden)
	}
	_, err := e.StopAdvertising(e.ctx, seller, "none")
	e.wantCode(err, market.CodeNotFound)

	// Advertising was stopped while it was booked, so it is not advertised when it is
	// available again.
	b := e.mustBook(e.buyer(), p)
	_, err = e.StopAdvertising(e.ctx, seller, p.ID)
	e.must(err)
	e.must(e.cancelAsBuyer(b))
	if now := e.stored(p); now.Advertised || now.Booked() {
		t.Errorf("the phone is %+v", now)
	}
}

func TestAdvertiseSetting(t *testing.T) {
	for setting, code := range map[string]market.Code{
		market.AdvertiseAll: "", market.AdvertiseOff: market.CodeForbidden,
	} {
		rules := defaultRules
		rules.Advertise = setting
		e := newEnvWith(t, rules)
		seller := e.seller()
		_, err := e.Advertise(e.ctx, seller, e.phone(seller).ID)
		e.wantCode(err, code)
	}
}

func TestUpdateProduct(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	p := e.phone(seller)
	cheaper, same, tooLow := 35, 35, 0
	n, err := e.ChangeProduct(e.ctx, seller, p.ID, market.ProductChange{ResalePrice: &cheaper})
	if e.must(err); n != 1 || e.stored(p).ResalePrice != 35 {
		t.Fatalf("changed %d: %+v", n, e.stored(p))
	}
	if n, err = e.ChangeProduct(e.ctx, seller, p.ID, market.ProductChange{ResalePrice: &same}); err != nil || n != 0 {
		t.Errorf("setting the same price changed %d, %v", n, err)
	}
	_, err = e.ChangeProduct(e.ctx, seller, p.ID, market.ProductChange{ResalePrice: &tooLow})
	e.wantCode(err, market.CodeInvalid)
	_, err = e.ChangeProduct(e.ctx, e.admin(), p.ID, market.ProductChange{ResalePrice: &cheaper})
	e.wantCode(err, market.CodeForbidden)
	e.mustBook(e.buyer(), p)
	higher := 90
	_, err = e.ChangeProduct(e.ctx, seller, p.ID, market.ProductChange{ResalePrice: &higher})
	e.wantCode(err, market.CodeHeld)
}

func TestUpdateProductNeedsCurrentVersion(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	p := e.phone(seller)
	changePrice := func(dollars int, seen int64) (int, error) {
		version := int(seen)
		return e.ChangeProduct(e.ctx, seller, p.ID, market.ProductChange{ResalePrice: &dollars, Version: &version})
	}
	n, err := changePrice(35, p.Version)
	if e.must(err); n != 1 {
		t.Errorf("changed %d", n)
	}
	_, err = changePrice(40, p.Version)
	e.wantCode(err, market.CodeConflict)
	n, err = changePrice(35, p.Version) // the response was lost, and the request is sent again
	if e.must(err); n != 0 || e.stored(p).ResalePrice != 35 {
		t.Errorf("repeating the request changed %d: %+v", n, e.stored(p))
	}
	e.mustBook(e.buyer(), p)
	_, err = changePrice(40, p.Version)
	e.wantCode(err, market.CodeHeld)
}

func TestBookedPhoneCannotBeDeleted(t *testing.T) {
	e := newEnv(t)
	seller, admin := e.seller(), e.admin()
	p := e.phone(seller)
	b := e.mustBook(e.buyer(), p)
	_, err := e.RemoveProduct(e.ctx, seller, p.ID, market.RemovalReason{})
	e.wantCode(err, market.CodeHeld)
	e.must(e.cancelAsBuyer(b))
	_, err = e.RemoveProduct(e.ctx, e.seller(), p.ID, market.RemovalReason{})
	e.wantCode(err, market.CodeForbidden)
	e.drain()
	n, err := e.RemoveProduct(e.ctx, admin, p.ID, market.RemovalReason{})
	if e.must(err); n != 1 {
		t.Errorf("removed %d, want 1", n)
	}
	_, err = e.RemoveProduct(e.ctx, admin, p.ID, market.RemovalReason{})
	e.wantCode(err, market.CodeNotFound)
}

func TestBrandWithPhonesCannotBeRemoved(t *testing.T) {
	e := newEnv(t)
	_, err := e.AddBrand(e.ctx, "nokia", "/photos/n.jpg")
	e.wantCode(err, market.CodeExists)
	seller := e.seller()
	p := e.phone(seller)
	e.wantCode(e.RemoveBrand(e.ctx, "NOKIA"), market.CodeHeld)
	_, err = e.RemoveProduct(e.ctx, seller, p.ID, market.RemovalReason{})
	e.must(err)
	e.must(e.RemoveBrand(e.ctx, "NOKIA"))
	e.wantCode(e.RemoveBrand(e.ctx, "NOKIA"), market.CodeNotFound)
}
