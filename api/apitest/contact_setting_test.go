package apitest_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"secondring/market"
)

const sellersNumber = "+880 1711 987654"

func afterPayment(s *setup) { s.rules.Contact = market.ContactAfterPayment }

// With CONTACT=after-payment the contact data are where they must be. Where they must not be, is in
// TestAccessMatrixWithContactAfterPayment.
func TestContactAfterPayment(t *testing.T) {
	e := newOrdersEnv(t, afterPayment)
	phone := e.seller.do(http.MethodPost, "/products", e.seller.phoneFields(e.brand).with("phone", sellersNumber)).insertedID()
	wantContact := func(want bool, p *person, path string, change ...func(*http.Request)) {
		t.Helper()
		e.runDueWork()
		a := p.get(path, change...).wantStatus(http.StatusOK)
		for _, secret := range []string{sellersNumber, e.seller.user.Email} {
			if strings.Contains(string(a.body), secret) != want {
				t.Errorf("%s for %s contains %s: %v, want %v", path, p.user.Name, secret, !want, want)
			}
		}
	}
	own := "/products?email=" + e.seller.user.Email
	wantContact(true, e.seller, own)
	wantContact(true, e.seller, "/products/"+phone)
	wantContact(true, e.admin, "/products/"+phone)
	wantContact(false, e.admin, own)
	wantContact(false, e.admin, "/categories/"+e.brand.ID)

	booking := e.buyer.book(phone)
	wantContact(false, e.buyer, "/booking/"+booking)
	wantContact(false, e.buyer, "/products/"+phone)
	wantContact(false, e.admin, "/orders")
	secret := e.buyer.createIntent(booking)
	e.confirm(secret, "pm_card_visa").wantStatus(http.StatusOK)
	e.buyer.postPayment(e.buyer.paymentFields(booking, secret)).insertedID()
	for _, path := range []string{"/booking/" + booking, "/bookings?email=" + e.buyer.user.Email} {
		wantContact(true, e.buyer, path)
	}
	wantContact(true, e.seller, "/bookings?side=seller&email="+e.seller.user.Email)
	wantContact(true, e.admin, "/orders")
	wantContact(false, e.buyer, "/products/"+phone)
}

// Open screens of the seller and of the buyer have the contact data in their events, others do not.
func TestEventsWithContactAfterPayment(t *testing.T) {
	e := newEnv(t, afterPayment)
	brand := e.brand("Nokia")
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	e.runDueWork()
	own, others := seller.connect(t), buyer.connect(t)
	own.subscribe(seller.ownProducts())
	others.subscribe(buyer.get("/categories/" + brand.ID))
	seller.do(http.MethodPost, "/products", seller.phoneFields(brand).with("phone", sellersNumber)).insertedID()
	e.runDueWork()
	if data := own.readEvents(1)[0].Data; data["phone"] != sellersNumber || data["email"] != seller.user.Email {
		t.Errorf("the seller gets the event %v", data)
	}
	if data := others.readEvents(1)[0].Data; data["phone"] != nil || data["email"] != nil || data["location"] != "Dhaka" {
		t.Errorf("a buyer gets the event %v", data)
	}
}

// recorder records what is published.
type recorder struct{ text strings.Builder }

func (r *recorder) Publish(_ context.Context, events []market.Event) error {
	for _, event := range events {
		if _, isBrand := market.BrandOfTopic(event.Topic); isBrand {
			r.text.Write(event.Data)
		}
	}
	return nil
}

// Events that were stored before a start with another value are published without contact data.
func TestStoredEventsAfterAChangeOfContact(t *testing.T) {
	e := newEnv(t)
	seller := e.seller("Sue")
	seller.do(http.MethodPost, "/products", seller.phoneFields(e.brand("Nokia")).with("phone", sellersNumber)).insertedID()
	published := &recorder{}
	restarted := market.New(e.store, e.clock, market.Rules{Contact: market.ContactAfterPayment}, e.stripe.gateway)
	must(t, market.NewRelay(restarted, published).Flush(t.Context()))
	text := published.text.String()
	if !strings.Contains(text, "Nexus 5") || strings.Contains(text, sellersNumber) || strings.Contains(text, seller.user.Email) {
		t.Errorf("after the start %s is published", text)
	}
}

// The texts of a phone have no contact data either. No text is confirmed, so numbers are refused, too.
func TestTextsOfPhonesWithContactAfterPayment(t *testing.T) {
	shown, hidden := newEnv(t), newEnv(t, afterPayment, func(s *setup) { s.rules.PublicURL = s.config.PublicURL })
	for _, c := range []struct{ field, text, want string }{
		{"description", "Write to ann@mail.example", "email address"},
		{"description", "More on www.shop.example", "link"},
		{"description", "Call 0171\u20132345678", "telephone"},
		{"description", "My other one: " + hidden.server.URL + "/phone/1", ""},
		{"name", "Nexus 5, ann at gmail dot com", "email address"},
		{"usedTime", "WhatsApp me", "messenger"},
		{"location", "Dhaka 01712345678", "telephone"},
		{"colour", "red 0171 2345678", "telephone"},
	} {
		for e, want := range map[*env]string{shown: "", hidden: c.want} {
			seller := e.seller("Sue")
			brand := e.brand(market.NewID(e.clock.Now()))
			body := seller.phoneFields(brand).with(c.field, c.text)
			for _, answer := range []response{
				seller.do(http.MethodPost, "/products", body),
				seller.do(http.MethodPatch, "/products/"+seller.addPhone(brand), fields{c.field: c.text}),
			} {
				wantFieldReason(t, answer, c.field, want)
			}
		}
	}
}

// wantFieldReason fails the test unless a call succeeds, or with a want is refused for this field.
func wantFieldReason(t *testing.T, answer response, field, want string) {
	t.Helper()
	if want == "" {
		answer.wantStatus(http.StatusOK)
		return
	}
	var refused struct{ Fields map[string]string }
	answer.wantStatus(http.StatusUnprocessableEntity).decode(&refused)
	if !strings.Contains(refused.Fields[field], want) {
		t.Errorf("the reasons are %v, want %q for %s", refused.Fields, want, field)
	}
}

// A text that was there before the setting may stay, while others change.
func TestOldTextsOfPhonesMayStay(t *testing.T) {
	e := newEnv(t)
	seller := e.seller("Sue")
	phone := seller.do(http.MethodPost, "/products", seller.phoneFields(e.brand("Nokia")).with("description", "Call 01712345678")).insertedID()
	restarted := market.New(e.store, e.clock, market.Rules{Contact: market.ContactAfterPayment}, e.stripe.gateway)
	who := market.Actor{User: seller.user}
	var err error
	who.User, err = e.store.User(t.Context(), seller.user.UID)
	must(t, err)
	same, price := "Call 01712345678", 99
	_, err = restarted.ChangeProduct(t.Context(), who, phone, market.ProductChange{Description: &same, ResalePrice: &price})
	must(t, err)
	other := "Call 01812345678"
	if _, err = restarted.ChangeProduct(t.Context(), who, phone, market.ProductChange{Description: &other}); market.CodeOf(err) != market.CodeInvalid {
		t.Errorf("a new number is answered with %v", err)
	}
}
