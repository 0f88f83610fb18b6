package apitest_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"

	"secondring/market"
)

// The roles of users, in the order of the columns of the table in access_test.go.
const (
	asVisitor = iota
	asBuyer
	asOtherBuyer
	asSeller
	asOtherSeller
	asVerified // a seller whom an admin has verified
	asAdmin
	asModerator // an admin who does not handle money
	asDeleted   // an admin has deleted their account
	asExpired   // their token and session have expired
	roleCount
	asUnrelated = roleCount // a user who sends no request
)

var roleNames = [roleCount + 1]string{
	"a visitor", "the buyer", "another buyer", "the seller", "another seller", "the verified seller", "the admin", "the moderator",
	"the deleted user", "the user with an expired token", "an unrelated user",
}

// roleEnv is an env with one user of each role. Each value that not all users may read
// contains a marker text, so that tests find it in responses, events and the log.
type roleEnv struct {
	*env
	brand   market.Brand
	people  [roleCount]*person
	contact string // the setting CONTACT
	picture string // the URL of an uploaded image
	uploads int    // the number of images that pictureOf has uploaded

	mu      sync.Mutex
	markers []marker
	secrets map[string]marker // values that cannot contain a marker
}

// marker says what a value is, and which roles may read it.
type marker struct {
	what    string
	mayRead func(role int) bool
}

// markerPattern matches marker texts. No random text matches it by chance: request IDs, ETags,
// cursors and positions contain no dots, and the parts between the dots of an access token are
// longer.
var markerPattern = regexp.MustCompile(`zq\.(\d+)\.x`)

// markerText returns the marker text of a number.
func markerText(n int) string { return fmt.Sprintf("zq.%d.x", n) }

// markersIn returns the markers whose texts are in a text.
func (c *roleEnv) markersIn(tb testing.TB, where, text string) []marker {
	tb.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []marker
	for _, found := range markerPattern.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(found[1])
		if err != nil || n >= len(c.markers) {
			tb.Errorf("%s: the marker %s is unknown", where, found[0])
			continue
		}
		all = append(all, c.markers[n])
	}
	return all
}

// newMarker returns a unique marker text.
func (c *roleEnv) newMarker(what string, mayRead func(role int) bool) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.markers = append(c.markers, marker{what, mayRead})
	return markerText(len(c.markers) - 1)
}

// only allows these roles and both admins to read.
func only(readers ...int) func(int) bool {
	return func(role int) bool { return role == asAdmin || role == asModerator || slices.Contains(readers, role) }
}

// ofOrder allows these roles and the admin to read, and not the moderator.
func ofOrder(readers ...int) func(int) bool {
	return func(role int) bool { return role != asModerator && only(readers...)(role) }
}

// exactlyOne allows one role to read, and not the admin.
func exactlyOne(reader int) func(int) bool { return func(role int) bool { return role == reader } }

func anyone(int) bool { return true }

func nobody(int) bool { return false }

// signedIn returns whether a role may see the contact data of a phone's seller.
func signedIn(role int) bool { return role != asVisitor && role != asDeleted && role != asExpired }

// contactOf returns who may see the number and the address of a seller. With ContactAfterPayment it is the
// buyer who has paid, and not the one who has only booked.
func (c *roleEnv) contactOf(seller int) func(role int) bool {
	if c.contact == market.ContactAfterPayment {
		return only(seller, asBuyer)
	}
	return signedIn
}

// wantNoLeak fails the test if a text contains a value that a reader of this role may not read.
func (c *roleEnv) wantNoLeak(tb testing.TB, role int, where, text string) {
	tb.Helper()
	for _, m := range c.markersIn(tb, where, text) {
		if !m.mayRead(role) {
			tb.Errorf("%s shows %s %s", where, roleNames[role], m.what)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for secret, m := range c.secrets {
		if strings.Contains(text, secret) && !m.mayRead(role) {
			tb.Errorf("%s shows %s %s", where, roleNames[role], m.what)
		}
	}
}

const password = "correct horse"

// cheapHash returns the hash of a password with the lowest cost.
func cheapHash() string {
	salt := []byte("a salt of 16 by.")
	b64 := base64.RawStdEncoding.EncodeToString
	return "$argon2id$v=19$m=64,t=1,p=1$" + b64(salt) + "$" + b64(argon2.IDKey([]byte(password), salt, 1, 64, 1, 32))
}

// signUp adds a user of that role with markers in all fields, and a session of that length.
// mayName and mayMail return who may read the name and the email address.
func (c *roleEnv) signUp(role int, accountType string, lasts time.Duration, mayName, mayMail func(int) bool) *person {
	c.t.Helper()
	name := "Pat " + c.newMarker("the name of "+roleNames[role], mayName)
	now := c.clock.Now()
	a := market.Account{
		UID:         c.newMarker("the uid of "+roleNames[role], exactlyOne(role)),
		Email:       c.newMarker("the email address of "+roleNames[role], mayMail) + "@phones.example",
		DisplayName: name, PasswordHash: cheapHash(), GoogleSub: c.newMarker("the Google subject of "+roleNames[role], exactlyOne(role)),
		PhotoURL: "/images/" + c.newMarker("the picture of "+roleNames[role], exactlyOne(role)) + ".jpg", Version: 1, CreatedAt: now,
		Phone: c.number("the remembered phone number of "+roleNames[role], exactlyOne(role)), Location: c.newMarker("the remembered location of "+roleNames[role], exactlyOne(role)),
	}
	must(c.t, c.store.AddAccount(c.t.Context(), a, nil))
	p := &person{env: c.env, user: market.User{UID: a.UID, Email: a.Email, Name: name}}
	p = c.newSession(p, role, lasts)
	if accountType != "" {
		p.withCookie(http.MethodPost, "/users", fields{"name": name, "email": a.Email, "accountType": accountType}).wantStatus(http.StatusOK)
		p.refreshToken()
	}
	return p
}

// newSession returns the same user with another session.
func (c *roleEnv) newSession(p *person, role int, lasts time.Duration) *person {
	c.t.Helper()
	now := c.clock.Now()
	other := *p
	other.cookie = c.newMarker("the session cookie of "+roleNames[role], nobody)
	hash := sha256.Sum256([]byte(other.cookie))
	id := hex.EncodeToString(hash[:])
	account, err := c.store.Account(c.t.Context(), p.user.UID)
	must(c.t, err)
	must(c.t, c.store.AddSession(c.t.Context(), market.Session{
		ID: id, UID: p.user.UID, CreatedAt: now, ExpiresAt: now.Add(lasts), CredentialsVersion: account.CredentialsVersion,
	}))
	c.mu.Lock()
	c.secrets[id] = marker{"the id of a session of " + roleNames[role], exactlyOne(role)}
	c.mu.Unlock()
	return &other
}

// newRoleEnv makes a user of each role and the entities that the requests name.
func newRoleEnv(t *testing.T) *roleEnv { return newRoleEnvWith(t, market.ContactShown) }

// newRoleEnvWith is newRoleEnv with this setting CONTACT.
func newRoleEnvWith(t *testing.T, contact string) *roleEnv {
	t.Helper()
	c := &roleEnv{contact: contact, env: newEnv(t, func(s *setup) { s.rules.MaxHolds, s.rules.Contact = 1000, contact }), secrets: map[string]marker{
		"$argon2id$": {"a password's hash", nobody}, stripeSecretKey: {"Stripe's secret key", nobody},
		stripeWebhookSecret: {"the webhook's secret", nobody}, "_secret_": {"a payment's secret", exactlyOne(asBuyer)},
	}}
	c.brand = c.env.brand("Nokia")
	expired := c.signUp(asExpired, market.AccountUser, month, only(asExpired), only(asExpired))
	expired = c.newSession(expired, asExpired, time.Hour) // a session that ends with its first token
	c.clock.Pass(2 * time.Hour)                           // the token was valid for one hour
	c.people = [roleCount]*person{
		asVisitor: c.visitor(),
		// The seller may read the buyer's name and address, because the buyer has paid,
		asBuyer: c.signUp(asBuyer, market.AccountUser, month, only(asBuyer, asSeller), only(asBuyer, asSeller)),
		// and that buyer's name, because they have written to the seller.
		asOtherBuyer:  c.signUp(asOtherBuyer, market.AccountUser, month, only(asOtherBuyer, asSeller), only(asOtherBuyer)),
		asSeller:      c.signUp(asSeller, market.AccountSeller, month, anyone, c.contactOf(asSeller)),
		asOtherSeller: c.signUp(asOtherSeller, market.AccountSeller, month, anyone, c.contactOf(asOtherSeller)),
		asVerified:    c.signUp(asVerified, market.AccountSeller, month, anyone, c.contactOf(asVerified)),
		asAdmin:       c.signUp(asAdmin, "", month, only(), only()),
		asModerator:   c.signUp(asModerator, "", month, only(), only()),
		asDeleted:     c.signUp(asDeleted, market.AccountUser, month, only(asDeleted), only(asDeleted)),
		asExpired:     expired,
	}
	for role, granted := range map[int]market.AdminRole{asAdmin: market.FullAdmin, asModerator: market.Moderator} {
		u := c.people[role].user
		_, err := c.market.GrantAdmin(t.Context(), market.Account{UID: u.UID, Email: u.Email, DisplayName: u.Name}, granted)
		must(t, err)
		c.people[role].refreshToken()
	}
	admin := c.people[asAdmin]
	admin.do(http.MethodPut, "/users/seller/"+c.people[asVerified].user.ID, nil).wantStatus(http.StatusOK)
	c.people[asVerified].refreshToken()
	admin.do(http.MethodDelete, "/users/"+c.people[asDeleted].user.ID, nil).wantStatus(http.StatusOK)
	for role, p := range c.people {
		if p.token != "" {
			c.secrets[p.token[strings.LastIndex(p.token, ".")+1:]] = marker{"the access token of " + roleNames[role], exactlyOne(role)}
		}
	}
	c.createEntities(t)
	return c
}

// createEntities creates a paid phone, a held one, an available one, an advertised one,
// and a report.
func (c *roleEnv) createEntities(t *testing.T) {
	t.Helper()
	sold, held := c.phoneOf(asSeller), c.phoneOf(asSeller)
	booking := c.bookingOf(asBuyer, sold, asSeller)
	secret := c.people[asBuyer].createIntent(booking)
	c.confirm(secret, "pm_card_visa").wantStatus(http.StatusOK)
	c.people[asBuyer].postPayment(c.people[asBuyer].paymentFields(booking, secret)).insertedID()
	c.bookingOf(asOtherBuyer, held)
	c.phoneOf(asSeller)
	c.people[asVerified].advertise(c.phoneOf(asVerified)).wantStatus(http.StatusOK)
	c.reportOf(asOtherBuyer)
	c.picture = "/images/" + c.pictureOf()
	c.runDueWork()
}

// pictureOf uploads a new picture as a seller and returns its name.
func (c *roleEnv) pictureOf() string {
	c.t.Helper()
	c.uploads++
	form, contentType := photoFormOfWidth(c.t, 64+c.uploads)
	return strings.TrimPrefix(c.people[asSeller].upload(form, contentType), "/images/")
}

// phoneFieldsOf returns a valid body of POST /products of this seller. Only signed-in
// users may read where the seller is.
func (c *roleEnv) phoneFieldsOf(role int) fields {
	return c.people[role].phoneFields(c.brand).
		with("phone", "+880 "+c.newMarker("a phone number of "+roleNames[role], c.contactOf(role))).
		with("location", "Street "+c.newMarker("where "+roleNames[role]+" lives", signedIn))
}

func (c *roleEnv) phoneOf(role int) string {
	c.t.Helper()
	return c.people[role].do(http.MethodPost, "/products", c.phoneFieldsOf(role)).insertedID()
}

// bookingFieldsOf returns a valid body of PUT /bookings. The buyer and the named roles
// may read its contact data.
func (c *roleEnv) bookingFieldsOf(role int, phone string, readers ...int) fields {
	readers = append(readers, role)
	return c.people[role].bookingFields(phone).
		with("phone", c.number("a phone number of "+roleNames[role], ofOrder(readers...))).
		with("location", "Street "+c.newMarker("where "+roleNames[role]+" lives", ofOrder(readers...)))
}

// number returns a unique telephone number, because a marker text would be invalid.
func (c *roleEnv) number(what string, mayRead func(role int) bool) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	number := fmt.Sprintf("+880 (17) %08d", 31415900+len(c.secrets))
	c.secrets[number] = marker{what, mayRead}
	return number
}

func (c *roleEnv) bookingOf(role int, phone string, readers ...int) string {
	c.t.Helper()
	id := c.people[role].putBooking(c.bookingFieldsOf(role, phone, readers...)).insertedID()
	mayRead := func(reader int) bool { return reader == role || slices.Contains(readers, reader) }
	c.people[role].do(http.MethodPut, "/bookings/"+id+"/delivery", fields{"delivery": "send", "address": fields{
		"name": "Pat", "street": c.newMarker("the postal address of "+roleNames[role], mayRead), "postcode": "1209", "town": "Dhaka",
	}}).wantStatus(http.StatusOK)
	return id
}

// reportOf reports a new phone.
func (c *roleEnv) reportOf(role int) string {
	c.t.Helper()
	return c.people[role].do(http.MethodPost, "/reportedItems", fields{
		"productID": c.phoneOf(asOtherSeller), "reason": "Stolen " + c.newMarker("what was reported", only(role)),
	}).insertedID()
}
