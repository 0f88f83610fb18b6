package clustertest_test

import (
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/datastore"
	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/nodetest"
	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// migration has a market in a folder, and the empty database to which it is moved.
type migration struct {
	t         *testing.T
	dir, uri  string
	old, next settings.Settings
}

// newMigration fills the folder with the demo.
func newMigration(t *testing.T) *migration {
	t.Helper()
	m := &migration{t: t, dir: t.TempDir(), uri: database(t)}
	m.old = nodetest.Settings(t, map[string]string{"DATA_DIR": m.dir, "DEMO": "1"})
	if err := startNode(t, m.old).stop(); err != nil {
		t.Fatal(err)
	}
	secret, err := os.ReadFile(filepath.Join(m.dir, "token-secret"))
	if err != nil {
		t.Fatal(err)
	}
	m.next = nodetest.Settings(t, map[string]string{
		"DEMO": "1", "MONGODB_URI": m.uri, "REDIS_URL": "none", "TOKEN_SECRET": strings.TrimSpace(string(secret)),
	})
	return m
}

// transferSettings returns the settings of an export or an import.
func transferSettings(t *testing.T, env map[string]string) settings.Settings {
	t.Helper()
	s, err := settings.ReadTransfer(func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (m *migration) oldSettings() settings.Settings {
	return transferSettings(m.t, map[string]string{"DATA_DIR": m.dir})
}

func (m *migration) newSettings() settings.Settings {
	return transferSettings(m.t, map[string]string{"MONGODB_URI": m.uri})
}

func noProgress(int, int) {}

// export writes a market into a new file.
func (m *migration) export(from settings.Settings) (file string) {
	m.t.Helper()
	file = filepath.Join(m.t.TempDir(), "market.tar")
	if _, err := datastore.Export(m.t.Context(), from, "test", file, noProgress); err != nil {
		m.t.Fatal(err)
	}
	return file
}

// move exports the old market and imports it into the new store.
func (m *migration) move() {
	m.t.Helper()
	if _, err := datastore.Import(m.t.Context(), m.newSettings(), m.export(m.oldSettings()), noProgress); err != nil {
		m.t.Fatal(err)
	}
}

// startError starts a server that must fail, and returns the error.
func startError(t *testing.T, s settings.Settings) error {
	t.Helper()
	a, err := app.New(t.Context(), s, app.Options{Version: "test", Log: slog.New(slog.DiscardHandler)})
	if err == nil {
		t.Error("the server started, want an error")
		return a.Close()
	}
	return err
}

// user is a signed-in user, or a visitor.
type user struct {
	*browser
	email string
}

// usersByRole has the demo's users by role, and a visitor.
type usersByRole map[string]user

func signInAll(r *appNode) usersByRole {
	all := usersByRole{"visitor": {browser: r.visitor()}}
	for i, login := range demo.Logins() {
		all[login.Role] = user{r.login(i), login.Email}
	}
	return all
}

// at returns the same users at another server.
func (all usersByRole) at(r *appNode) usersByRole {
	moved := usersByRole{}
	for name, p := range all {
		moved[name] = user{p.at(r), p.email}
	}
	return moved
}

// useMarket performs every action: adding a phone with a photo, booking, cancelling, paying,
// reporting, signing up and deletion. It returns the data that later steps need.
func useMarket(t *testing.T, r *appNode, all usersByRole) marketData {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("the seed is %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	data := marketData{}
	rafi, maya, adminBrowser := all["buyer"], all["buyer2"], all["admin"]
	free := rafi.advertised()
	random.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
	for i, phone := range free[:min(12, len(free))] {
		who, booking := []user{rafi, maya}[i%2], ""
		if i%4 != 3 {
			booking = who.book(phone.ID)
		}
		switch i % 4 {
		case 1:
			who.call(http.MethodDelete, "/bookings/"+booking, nil, nil)
		case 2:
			who.pay(booking, phone.Price, who.createIntent(booking, phone.Price))
		case 3:
			who.call(http.MethodPost, "/reportedItems", map[string]any{"productID": phone.ID, "reason": fmt.Sprint("Reason ", random.IntN(99))}, nil)
		}
	}
	data.held = free[12%len(free)]
	data.booking = rafi.book(data.held.ID)
	data.secret = rafi.createIntent(data.booking, data.held.Price)
	data.image = uploadPhoto(t, r)
	all["seller-verified"].addPhone(data.image, random.IntN(900)+1)
	var reports []market.ReportView
	adminBrowser.call(http.MethodGet, "/reportedItems", nil, &reports)
	adminBrowser.call(http.MethodDelete, "/reportedItems/"+reports[0].ID, nil, nil)
	for i := range 3 {
		data.signUpUser(r, adminBrowser.browser, fmt.Sprintf("new%d-%d@example.com", i, random.IntN(1000)), i == 0)
	}
	return data
}

// marketData has the data that later steps need.
type marketData struct {
	image        string
	held         phone
	booking      string // of the held phone
	secret       string // of its payment, which has not been confirmed
	deletedEmail string // the email of a deleted user
	keptEmail    string // the email of a user who was not deleted
}

// signUpUser signs up a user, and deletes the account again if deleted is true.
func (d *marketData) signUpUser(r *appNode, adminBrowser *browser, email string, deleted bool) {
	p := r.visitor()
	p.call(http.MethodPost, "/identity/sign-up", map[string]string{"email": email, "password": "secret-ring", "displayName": "New"}, nil)
	var added struct{ InsertedID string }
	p.call(http.MethodPost, "/users", map[string]string{"name": "New", "email": email, "accountType": "User"}, &added)
	if d.keptEmail = email; deleted {
		d.deletedEmail = email
		adminBrowser.call(http.MethodDelete, "/users/"+added.InsertedID, nil, nil)
	}
}

// addPhone adds a phone with a photo.
func (u user) addPhone(image string, price int) {
	u.t.Helper()
	var brands []brand
	u.call(http.MethodGet, "/allCategories", nil, &brands)
	phone := newPhone("One", brands[0], "Nusrat Jahan", u.email)
	phone["img"], phone["originalPrice"], phone["resalePrice"] = image, price+1, price
	u.call(http.MethodPost, "/products", phone, nil)
}

// createIntent creates a payment intent and returns its client secret.
func (b *browser) createIntent(booking string, price int) string {
	b.t.Helper()
	var opened struct{ ClientSecret string }
	b.call(http.MethodPost, "/create-payment-intent", map[string]any{"price": price, "bookingId": booking}, &opened)
	return opened.ClientSecret
}

// confirm confirms the payment at the provider, as a browser does.
func (b *browser) confirm(secret string) {
	b.t.Helper()
	var config struct {
		Stripe struct{ PublishableKey string }
	}
	b.call(http.MethodGet, "/config", nil, &config)
	intent, _, _ := strings.Cut(secret, "_secret_")
	form := url.Values{"client_secret": {secret}, "payment_method": {"pm_card_visa"}}
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost,
		b.URL()+"/sandbox/stripe/v1/payment_intents/"+intent+"/confirm", strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Authorization", "Bearer "+config.Stripe.PublishableKey)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		b.t.Fatalf("confirming the payment: %s, want 200", answer.Status)
	}
}

// pay confirms and records the payment of an intent, and returns its id.
func (u user) pay(booking string, price int, secret string) string {
	u.t.Helper()
	u.confirm(secret)
	return u.recordPayment(booking, price, secret)
}

// recordPayment records a payment that the provider has received, and returns its id.
func (u user) recordPayment(booking string, price int, secret string) string {
	u.t.Helper()
	intent, _, _ := strings.Cut(secret, "_secret_")
	var recorded struct{ InsertedID string }
	u.call(http.MethodPost, "/payments",
		map[string]any{"bookingId": booking, "price": price, "transactionId": intent, "email": u.email}, &recorded)
	return recorded.InsertedID
}

// version matches the version of an entity, which an import raises.
var version = regexp.MustCompile(`"version":\d+,?`)

// lists returns the length and the body of every list, by user and path.
func (all usersByRole) lists(t *testing.T, d marketData) map[string]string {
	t.Helper()
	result := map[string]string{}
	read := func(who, path string) {
		answer, body := all[who].send(http.MethodGet, path, nil)
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s of %s: %s %s", path, who, answer.Status, body)
		}
		result[who+" "+path] = answer.Header.Get("X-Total-Count") + " " + version.ReplaceAllString(string(body), "")
	}
	var brands []market.BrandView
	all["visitor"].call(http.MethodGet, "/allCategories", nil, &brands)
	paths := []string{
		"/productCategory", "/allCategories", "/categories", "/products/advertised", d.image,
		"/products/search?q=good", "/products/search?sort=price-up&limit=200", "/products/search?sort=saving&available=true&limit=50",
	}
	for who := range all {
		for _, path := range paths {
			read(who, path)
		}
		if who == "visitor" {
			continue
		}
		for _, b := range brands {
			read(who, "/categories/"+b.ID+"?limit=200")
		}
		for _, role := range []string{"admin", "buyer", "seller", "verified"} {
			read(who, "/users/"+role+"/"+all[who].email)
		}
	}
	for _, who := range []string{"buyer", "buyer2"} {
		read(who, "/bookings?email="+all[who].email)
	}
	for _, who := range []string{"seller", "seller-verified"} {
		read(who, "/products?limit=200&email="+all[who].email)
	}
	for _, path := range []string{"/users/buyers", "/users/sellers", "/reportedItems"} {
		read("admin", path)
	}
	return result
}

// compareLists fails the test for each list that differs.
func compareLists(t *testing.T, before, after map[string]string) {
	t.Helper()
	for key := range maps.Keys(before) {
		if before[key] != after[key] {
			t.Errorf("%s\nbefore: %.300s\nafter:  %.300s", key, before[key], after[key])
		}
	}
	if len(before) < 100 || len(before) != len(after) {
		t.Errorf("%d lists before and %d after, want the same number of at least 100", len(before), len(after))
	}
}
