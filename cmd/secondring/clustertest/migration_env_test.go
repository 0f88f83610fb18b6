package clustertest_test

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"secondring/cmd/secondring/datastore"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/move"
	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// migration is a market in a folder and the empty database that it moves into.
type migration struct {
	t         *testing.T
	dir, uri  string
	old, next settings.Settings
}

// newMigration fills the folder with a demo.
func newMigration(t *testing.T) *migration {
	t.Helper()
	m := &migration{t: t, dir: t.TempDir(), uri: database(t)}
	m.old = settingsFor(t, map[string]string{"DATA_DIR": m.dir, "DEMO": "1"})
	if err := start(t, m.old).stop(); err != nil {
		t.Fatal(err)
	}
	secret, err := os.ReadFile(filepath.Join(m.dir, "token-secret"))
	if err != nil {
		t.Fatal(err)
	}
	m.next = settingsFor(t, map[string]string{
		"DEMO": "1", "MONGODB_URI": m.uri, "REDIS_URL": "none", "TOKEN_SECRET": strings.TrimSpace(string(secret)),
	})
	return m
}

func readMigration(dir, uri string) (settings.Settings, error) {
	env := map[string]string{"DATA_DIR": dir, "MONGODB_URI": uri}
	return settings.ReadMigration(func(name string) string { return env[name] })
}

func (m *migration) migrate(tell func(move.Step)) (datastore.Migrated, error) {
	return m.migrateWhile(m.t.Context(), tell)
}

func (m *migration) migrateWhile(ctx context.Context, tell func(move.Step)) (datastore.Migrated, error) {
	s, err := readMigration(m.dir, m.uri)
	if err != nil {
		return datastore.Migrated{}, err
	}
	return datastore.Migrate(ctx, s, tell)
}

// tryStart starts a server that is to be refused.
func tryStart(t *testing.T, s settings.Settings) error {
	t.Helper()
	a, err := app.New(t.Context(), s, app.Options{Version: "test", Log: slog.New(slog.DiscardHandler)})
	if err == nil {
		t.Error("the server starts")
		return a.Close()
	}
	return err
}

// member is a user who stays signed in.
type member struct {
	*person
	email string
}

// people has one member of each role, and a visitor.
type people map[string]member

func everybody(r *running) people {
	all := people{"visitor": {person: r.visitor()}}
	for i, login := range demo.Logins() {
		all[login.Role] = member{r.login(i), login.Email}
	}
	return all
}

// at returns the same people at another server.
func (all people) at(r *running) people {
	there := people{}
	for name, p := range all {
		there[name] = member{p.at(r), p.email}
	}
	return there
}

// useMarket performs every action of a market: listing with photos, booking, cancelling,
// paying, reporting, signing up and deletion. It returns the data that later steps need.
func useMarket(t *testing.T, r *running, all people) day {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("the day's seed is %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	d := day{}
	rafi, maya, boss := all["buyer"], all["buyer2"], all["admin"]
	free := rafi.advertised()
	random.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
	for i, one := range free[:min(12, len(free))] {
		who, booking := []member{rafi, maya}[i%2], ""
		if i%4 != 3 {
			booking = who.books(one.ID)
		}
		switch i % 4 {
		case 1:
			who.call(http.MethodDelete, "/bookings/"+booking, nil, nil)
		case 2:
			who.pays(booking, one.Price, who.opens(booking, one.Price))
		case 3:
			who.call(http.MethodPost, "/reportedItems", map[string]any{"productID": one.ID, "reason": fmt.Sprint("Reason ", random.IntN(99))}, nil)
		}
	}
	d.held = free[12%len(free)]
	d.booking = rafi.books(d.held.ID)
	d.secret = rafi.opens(d.booking, d.held.Price)
	d.image = uploadPhoto(t, r)
	all["seller-verified"].lists(d.image, random.IntN(900)+1)
	var reports []market.ReportView
	boss.call(http.MethodGet, "/reportedItems", nil, &reports)
	boss.call(http.MethodDelete, "/reportedItems/"+reports[0].ID, nil, nil)
	for i := range 3 {
		d.newcomer(r, boss.person, fmt.Sprintf("new%d-%d@example.com", i, random.IntN(1000)), i == 0)
	}
	return d
}

// day has the data that later steps need.
type day struct {
	image   string
	held    phone
	booking string // of the held phone
	secret  string // of its payment, which has not been confirmed
	gone    string // the address of somebody who was deleted
	here    string // of somebody who was not
}

// newcomer signs up, and may be deleted again.
func (d *day) newcomer(r *running, boss *person, email string, deleted bool) {
	p := r.visitor()
	p.call(http.MethodPost, "/identity/sign-up", map[string]string{"email": email, "password": "secret-ring", "displayName": "New"}, nil)
	var added struct{ InsertedID string }
	p.call(http.MethodPost, "/users", map[string]string{"name": "New", "email": email, "accountType": "User"}, &added)
	if d.here = email; deleted {
		d.gone = email
		boss.call(http.MethodDelete, "/users/"+added.InsertedID, nil, nil)
	}
}

// lists lists a phone with a photo.
func (p member) lists(image string, price int) {
	p.t.Helper()
	var brands []market.BrandView
	p.call(http.MethodGet, "/allCategories", nil, &brands)
	p.call(http.MethodPost, "/products", map[string]any{
		"name": "One", "brand": brands[0].Name, "id": brands[0].ID, "originalPrice": price + 1, "resalePrice": price,
		"productCondition": "Good", "usedTime": "1 year", "description": "As new", "img": image, "sellerName": "Nusrat Jahan", "email": p.email,
		"location": "Dhaka", "phone": "01700000", "selling_post_date": "2026-11-01",
	}, nil)
}

// opens creates a payment intent and returns its client secret.
func (p *person) opens(booking string, price int) string {
	p.t.Helper()
	var opened struct{ ClientSecret string }
	p.call(http.MethodPost, "/create-payment-intent", map[string]any{"price": price, "bookingId": booking}, &opened)
	return opened.ClientSecret
}

// confirm confirms the payment at the provider, as a browser does.
func (p *person) confirm(secret string) {
	p.t.Helper()
	var config struct {
		Stripe struct{ PublishableKey string }
	}
	p.call(http.MethodGet, "/config", nil, &config)
	intent, _, _ := strings.Cut(secret, "_secret_")
	form := url.Values{"client_secret": {secret}, "payment_method": {"pm_card_visa"}}
	request, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost,
		p.URL()+"/sandbox/stripe/v1/payment_intents/"+intent+"/confirm", strings.NewReader(form.Encode()))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Authorization", "Bearer "+config.Stripe.PublishableKey)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		p.t.Fatalf("the confirmation: %s", answer.Status)
	}
}

// pays pays the opened intent and returns the id of the payment.
func (p member) pays(booking string, price int, secret string) string {
	p.t.Helper()
	p.confirm(secret)
	return p.records(booking, price, secret)
}

// records records a payment that the provider has received.
func (p member) records(booking string, price int, secret string) string {
	p.t.Helper()
	intent, _, _ := strings.Cut(secret, "_secret_")
	var recorded struct{ InsertedID string }
	p.call(http.MethodPost, "/payments",
		map[string]any{"bookingId": booking, "price": price, "transactionId": intent, "email": p.email}, &recorded)
	return recorded.InsertedID
}

// screens returns the body and the length of every list, by user and path.
func (all people) screens(t *testing.T, d day) map[string]string {
	t.Helper()
	seen := map[string]string{}
	look := func(who, path string) {
		answer, body := all[who].ask(http.MethodGet, path, nil)
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s of %s: %s %s", path, who, answer.Status, body)
		}
		seen[who+" "+path] = answer.Header.Get("X-Total-Count") + " " + string(body)
	}
	var brands []market.BrandView
	all["visitor"].call(http.MethodGet, "/allCategories", nil, &brands)
	paths := []string{
		"/productCategory", "/allCategories", "/categories", "/products/advertised", d.image,
		"/products/search?q=good", "/products/search?sort=price-up&limit=200", "/products/search?sort=saving&available=true&limit=50",
	}
	for who := range all {
		for _, path := range paths {
			look(who, path)
		}
		if who == "visitor" {
			continue
		}
		for _, b := range brands {
			look(who, "/categories/"+b.ID+"?limit=200")
		}
		for _, role := range []string{"admin", "buyer", "seller", "verified"} {
			look(who, "/users/"+role+"/"+all[who].email)
		}
	}
	for _, who := range []string{"buyer", "buyer2"} {
		look(who, "/bookings?email="+all[who].email)
	}
	for _, who := range []string{"seller", "seller-verified"} {
		look(who, "/products?limit=200&email="+all[who].email)
	}
	for _, path := range []string{"/users/buyers", "/users/sellers", "/reportedItems"} {
		look("admin", path)
	}
	return seen
}

// sameScreens fails the test for each list that differs.
func sameScreens(t *testing.T, before, after map[string]string) {
	t.Helper()
	for place := range maps.Keys(before) {
		if before[place] != after[place] {
			t.Errorf("%s\nbefore: %.300s\nafter:  %.300s", place, before[place], after[place])
		}
	}
	if len(before) < 100 || len(before) != len(after) {
		t.Errorf("%d screens before, %d after", len(before), len(after))
	}
}
