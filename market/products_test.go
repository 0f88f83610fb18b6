package market_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"secondring/market"
)

func TestAddingAPhoneTellsItsBrand(t *testing.T) {
	w := newEnv(t)
	seller := w.seller()
	w.drain()
	p := w.phone(seller)
	if p.Verified || p.Booked() || p.Advertised || p.Sold || p.SellerUID != seller.User.UID {
		t.Errorf("added: %+v", p)
	}
	want := []string{"brand:" + w.brand.ID + " product.added", "me:" + seller.User.UID + " product.added"}
	if got := w.told(); !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}

func TestWhatAPhoneForSaleMustSay(t *testing.T) {
	w := newEnv(t)
	seller := w.seller()
	for field, spoil := range map[string]func(*market.NewProduct){
		"name":              func(p *market.NewProduct) { p.Name = "  " },
		"id":                func(p *market.NewProduct) { p.BrandID = "nope" },
		"brand":             func(p *market.NewProduct) { p.Brand = "Apple" },
		"img":               func(p *market.NewProduct) { p.Img = "javascript:alert(1)" },
		"originalPrice":     func(p *market.NewProduct) { p.OriginalPrice = 0 },
		"resalePrice":       func(p *market.NewProduct) { p.ResalePrice = 100_001 },
		"storage":           func(p *market.NewProduct) { p.Storage = -1 },
		"productCondition":  func(p *market.NewProduct) { p.Condition = "Mint" },
		"usedTime":          func(p *market.NewProduct) { p.UsedTime = "" },
		"description":       func(p *market.NewProduct) { p.Description = strings.Repeat("x", 5000) },
		"sellerName":        func(p *market.NewProduct) { p.SellerName = "Somebody Else" },
		"location":          func(p *market.NewProduct) { p.Location = "" },
		"phone":             func(p *market.NewProduct) { p.Phone = "\x00" },
		"selling_post_date": func(p *market.NewProduct) { p.PostedOn = "2026-02-30" },
		"wrong":             func(p *market.NewProduct) { p.Wrong = market.Fields{"wrong": "must be a text"} },
	} {
		t.Run(field, func(t *testing.T) {
			in := w.offer(seller)
			spoil(&in)
			_, err := w.AddProduct(w.ctx, seller, in)
			var refusal *market.Error
			if !errors.As(err, &refusal) || refusal.Code != market.CodeInvalid || refusal.Fields[field] == "" {
				t.Errorf("got %#v", err)
			}
		})
	}
}

func TestPicturesAreWebAddresses(t *testing.T) {
	w := newEnv(t)
	seller := w.seller()
	for img, ok := range map[string]bool{
		"https://i.example/a.jpg": true, "http://i.example/a.jpg": true, "/images/a.jpg": true,
		"//evil.example/a.jpg": false, `/\evil.example`: false, "data:image/png;base64,AA": false, "images/a.jpg": false,
	} {
		in := w.offer(seller)
		in.Img = img
		if _, err := w.AddProduct(w.ctx, seller, in); (err == nil) != ok {
			t.Errorf("%s: %v", img, err)
		}
	}
}

func TestWhoMaySell(t *testing.T) {
	w := newEnv(t)
	seller := w.seller()
	for _, who := range []market.Actor{w.buyer(), w.admin()} {
		_, err := w.AddProduct(w.ctx, who, w.offer(who))
		w.refused(err, market.CodeForbidden)
	}
	as := w.offer(w.seller())
	_, err := w.AddProduct(w.ctx, seller, as)
	w.refused(err, market.CodeForbidden)
}

func TestAdvertisingWaitsForAnAdmin(t *testing.T) {
	w := newEnv(t)
	seller, admin := w.seller(), w.admin()
	p := w.phone(seller)
	_, err := w.Advertise(w.ctx, seller, p.ID)
	w.refused(err, market.CodeNotVerified)
	_, err = w.VerifySeller(w.ctx, admin, seller.User.ID)
	w.must(err)
	seller = w.again(seller)
	w.drain()
	n, err := w.Advertise(w.ctx, seller, p.ID)
	if w.must(err); n != 1 {
		t.Fatalf("changed %d", n)
	}
	if told := w.told(); !slices.Contains(told, "advertised advertised.changed") {
		t.Errorf("Home was not told: %q", told)
	}
	if n, err = w.Advertise(w.ctx, seller, p.ID); err != nil || n != 0 {
		t.Errorf("advertised twice: %d, %v", n, err)
	}
	_, err = w.Advertise(w.ctx, w.seller(), p.ID)
	w.refused(err, market.CodeForbidden)

	b := w.booked(w.buyer(), p)
	list, err := w.Advertised(w.ctx, market.Page{Limit: 10})
	if w.must(err); len(list.Items) != 0 || list.Total != 0 {
		t.Errorf("a booked phone is still advertised: %+v", list)
	}
	_, err = w.cancelAs(b)
	w.must(err)
	if list, err = w.Advertised(w.ctx, market.Page{Limit: 10}); err != nil || len(list.Items) != 1 {
		t.Errorf("a freed phone is not advertised again: %+v, %v", list, err)
	}
	w.drain()
	_, err = w.RemoveProduct(w.ctx, seller, p.ID)
	w.must(err)
	for _, e := range w.drain() {
		if e.Topic != market.TopicAdvertised {
			continue
		}
		var view market.ProductView
		w.must(json.Unmarshal(e.Data, &view))
		if view.Advertise || view.Phone != "" || view.Email != "" || view.Location != "" {
			t.Errorf("Home was told %s", e.Data)
		}
		return
	}
	t.Error("Home was not told of the removal")
}

func (w *env) cancelAs(b market.Booking) (int, error) {
	buyer, err := w.Actor(w.ctx, b.BuyerUID, "s"+b.BuyerUID)
	w.must(err)
	return w.CancelBooking(w.ctx, buyer, b.ID)
}

func TestAdvertiseSetting(t *testing.T) {
	for setting, code := range map[string]market.Code{
		market.AdvertiseAll: "", market.AdvertiseOff: market.CodeForbidden,
	} {
		rules := plainRules
		rules.Advertise = setting
		w := newEnvWith(t, rules)
		seller := w.seller()
		_, err := w.Advertise(w.ctx, seller, w.phone(seller).ID)
		w.refused(err, code)
	}
}

func TestChangingAPhone(t *testing.T) {
	w := newEnv(t)
	seller := w.seller()
	p := w.phone(seller)
	cheaper, same, low := 35, 35, 0
	n, err := w.ChangeProduct(w.ctx, seller, p.ID, market.ProductChange{ResalePrice: &cheaper})
	if w.must(err); n != 1 || w.stored(p).ResalePrice != 35 {
		t.Fatalf("changed %d: %+v", n, w.stored(p))
	}
	if n, err = w.ChangeProduct(w.ctx, seller, p.ID, market.ProductChange{ResalePrice: &same}); err != nil || n != 0 {
		t.Errorf("nothing to change: %d, %v", n, err)
	}
	_, err = w.ChangeProduct(w.ctx, seller, p.ID, market.ProductChange{ResalePrice: &low})
	w.refused(err, market.CodeInvalid)
	_, err = w.ChangeProduct(w.ctx, w.admin(), p.ID, market.ProductChange{ResalePrice: &cheaper})
	w.refused(err, market.CodeForbidden)
	w.booked(w.buyer(), p)
	dearer := 90
	_, err = w.ChangeProduct(w.ctx, seller, p.ID, market.ProductChange{ResalePrice: &dearer})
	w.refused(err, market.CodeHeld)
}

func TestAChangeIsOfTheVersionItWasMadeFrom(t *testing.T) {
	w := newEnv(t)
	seller := w.seller()
	p := w.phone(seller)
	price := func(dollars int, from int64) (int, error) {
		version := int(from)
		return w.ChangeProduct(w.ctx, seller, p.ID, market.ProductChange{ResalePrice: &dollars, Version: &version})
	}
	n, err := price(35, p.Version)
	if w.must(err); n != 1 {
		t.Errorf("changed %d", n)
	}
	_, err = price(40, p.Version)
	w.refused(err, market.CodeConflict)
	n, err = price(35, p.Version) // the answer was lost, and it is sent again
	if w.must(err); n != 0 || w.stored(p).ResalePrice != 35 {
		t.Errorf("the same again changed %d: %+v", n, w.stored(p))
	}
	w.booked(w.buyer(), p)
	_, err = price(40, p.Version)
	w.refused(err, market.CodeHeld)
}

func TestABookedPhoneCannotBeDeleted(t *testing.T) {
	w := newEnv(t)
	seller, admin := w.seller(), w.admin()
	p := w.phone(seller)
	b := w.booked(w.buyer(), p)
	_, err := w.RemoveProduct(w.ctx, seller, p.ID)
	w.refused(err, market.CodeHeld)
	_, err = w.cancelAs(b)
	w.must(err)
	_, err = w.RemoveProduct(w.ctx, w.seller(), p.ID)
	w.refused(err, market.CodeForbidden)
	w.drain()
	n, err := w.RemoveProduct(w.ctx, admin, p.ID)
	if w.must(err); n != 1 {
		t.Errorf("removed %d", n)
	}
	_, err = w.RemoveProduct(w.ctx, admin, p.ID)
	w.refused(err, market.CodeNotFound)
}

func TestReportsOncePerPhoneAndReporter(t *testing.T) {
	w := newEnv(t)
	admin, buyer := w.admin(), w.buyer()
	p := w.phone(w.seller())
	w.drain()
	in := market.NewReport{ProductID: p.ID, Reason: "Not a 3310"}
	r, err := w.AddReport(w.ctx, buyer, in)
	w.must(err)
	_, err = w.AddReport(w.ctx, buyer, in)
	w.refused(err, market.CodeReported)
	_, err = w.AddReport(w.ctx, buyer, market.NewReport{ProductID: p.ID})
	w.refused(err, market.CodeInvalid)
	_, err = w.AddReport(w.ctx, buyer, market.NewReport{ProductID: "nope", Reason: "x"})
	w.refused(err, market.CodeNotFound)
	_, err = w.Reports(w.ctx, buyer, market.Page{Limit: 10})
	w.refused(err, market.CodeForbidden)
	list, err := w.Reports(w.ctx, admin, market.Page{Limit: 10})
	if w.must(err); len(list.Items) != 1 || list.Items[0].Reason != "Not a 3310" {
		t.Errorf("reports: %+v", list)
	}
	n, err := w.RemoveReport(w.ctx, admin, r.ID)
	if w.must(err); n != 1 {
		t.Errorf("removed %d", n)
	}
	if got := w.told(); !slices.Equal(got, []string{"admin report.created", "admin report.removed", "admin trail.added"}) {
		t.Errorf("told %q", got)
	}
}

func TestBrandsStayWhileTheyHavePhones(t *testing.T) {
	w := newEnv(t)
	_, err := w.AddBrand(w.ctx, "nokia", "/photos/n.jpg")
	w.refused(err, market.CodeExists)
	seller := w.seller()
	p := w.phone(seller)
	w.refused(w.RemoveBrand(w.ctx, "NOKIA"), market.CodeHeld)
	_, err = w.RemoveProduct(w.ctx, seller, p.ID)
	w.must(err)
	w.must(w.RemoveBrand(w.ctx, "NOKIA"))
	w.refused(w.RemoveBrand(w.ctx, "NOKIA"), market.CodeNotFound)
}

func TestWhoMayHearWhat(t *testing.T) {
	w := newEnv(t)
	buyer, admin := w.buyer(), w.admin()
	brand := market.TopicBrand(w.brand.ID)
	for _, c := range []struct {
		uid, name, want string
	}{
		{"", "advertised", "advertised"},
		{"", brand, market.TopicBrandForVisitors(w.brand.ID)},
		{"", market.TopicBrandForVisitors(w.brand.ID), ""},
		{buyer.User.UID, market.TopicBrandForVisitors(w.brand.ID), ""},
		{"", "brand:nope", ""},
		{"", "me", ""},
		{"", "admin", ""},
		{buyer.User.UID, brand, brand},
		{buyer.User.UID, "brand:nope", ""},
		{buyer.User.UID, "me", "me:" + buyer.User.UID},
		{buyer.User.UID, "me:" + admin.User.UID, ""},
		{buyer.User.UID, "admin", ""},
		{buyer.User.UID, "control", ""},
		{admin.User.UID, "admin", "admin"},
	} {
		topic, ok, err := w.Topic(w.ctx, c.uid, c.name)
		if w.must(err); topic != c.want && ok || ok != (c.want != "") {
			t.Errorf("%q hears %q as %q, %v; want %q", c.uid, c.name, topic, ok, c.want)
		}
	}
}

// Visitors hear the same of a brand as the signed in, but for how to reach the
// seller and until when a phone is held.
func TestVisitorsHearABrandWithoutContacts(t *testing.T) {
	w := newEnv(t)
	seller := w.seller()
	p := w.phone(seller)
	w.booked(w.buyer(), p)
	other := w.phone(seller)
	_, err := w.RemoveProduct(w.ctx, seller, other.ID)
	w.must(err)
	heard := map[string][]string{}
	for _, e := range w.drain() {
		heard[e.Topic] = append(heard[e.Topic], fmt.Sprint(e.Type, " ", e.Entity, " ", e.Version))
		if e.Topic != market.TopicBrandForVisitors(w.brand.ID) {
			continue
		}
		for _, secret := range []string{"heldUntil", p.Phone, p.SellerEmail, p.Location, `"buyer"`} {
			if strings.Contains(string(e.Data), secret) {
				t.Errorf("visitors hear %q in %s", secret, e.Data)
			}
		}
	}
	signedIn, visitors := heard[market.TopicBrand(w.brand.ID)], heard[market.TopicBrandForVisitors(w.brand.ID)]
	if len(visitors) != 4 || !slices.Equal(signedIn, visitors) {
		t.Errorf("the signed in hear %q, visitors %q", signedIn, visitors)
	}
}
