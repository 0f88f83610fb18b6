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
	asRival // another buyer
	asSeller
	asOther // another seller
	asVerified
	asAdmin
	asRemoved // an admin has deleted their account
	asExpired // their token and session have expired
	kinds
	asUnrelated = kinds // a user who sends no request
)

var kindNames = [kinds + 1]string{
	"a visitor", "the buyer", "another buyer", "the seller", "another seller", "the verified seller", "the admin",
	"the deleted user", "whose token has expired", "an unrelated user",
}

// roleEnv is an env with one user of each role. Each value that not all users may read
// has its own marker text.
type roleEnv struct {
	*env
	brand   market.Brand
	people  [kinds]*person
	picture string // the URL of an uploaded image
	// pictures counts the images that pictureOf has made.
	pictures int

	mu      sync.Mutex
	marks   []mark
	secrets map[string]mark // values that cannot contain a marker
}

// mark is a marker text, its value, and who may read it.
type mark struct {
	what string
	may  func(kind int) bool
}

// marked finds marker texts. The dots keep random texts from containing one by chance: there
// are none in request IDs, ETags, cursors and positions, and the parts between the dots of an
// access token are longer.
var marked = regexp.MustCompile(`zq\.(\d+)\.x`)

// markerText returns the marker text of a number.
func markerText(n int) string { return fmt.Sprintf("zq.%d.x", n) }

// marksIn returns the marks whose texts are in a text.
func (c *roleEnv) marksIn(tb testing.TB, where, text string) []mark {
	tb.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []mark
	for _, found := range marked.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(found[1])
		if err != nil || n >= len(c.marks) {
			tb.Errorf("%s: the mark %s is unknown", where, found[0])
			continue
		}
		all = append(all, c.marks[n])
	}
	return all
}

// mark returns a unique marker text.
func (c *roleEnv) mark(what string, may func(kind int) bool) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.marks = append(c.marks, mark{what, may})
	return markerText(len(c.marks) - 1)
}

// only allows these roles and the admin to read.
func only(readers ...int) func(int) bool {
	return func(kind int) bool { return kind == asAdmin || slices.Contains(readers, kind) }
}

// exactlyOne allows one role to read, and not the admin.
func exactlyOne(reader int) func(int) bool { return func(kind int) bool { return kind == reader } }

func anyone(int) bool { return true }

func nobody(int) bool { return false }

// signedIn returns whether a role may see the contact data of a phone's seller.
func signedIn(kind int) bool { return kind != asVisitor && kind != asRemoved && kind != asExpired }

// reads fails the test if a text has a marker that its reader may not read.
func (c *roleEnv) reads(tb testing.TB, kind int, where, text string) {
	tb.Helper()
	for _, m := range c.marksIn(tb, where, text) {
		if !m.may(kind) {
			tb.Errorf("%s shows %s %s", where, kindNames[kind], m.what)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for secret, m := range c.secrets {
		if strings.Contains(text, secret) && !m.may(kind) {
			tb.Errorf("%s shows %s %s", where, kindNames[kind], m.what)
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
func (c *roleEnv) signUp(kind int, accountType string, lasts time.Duration, mayName, mayMail func(int) bool) *person {
	c.t.Helper()
	name := "Pat " + c.mark("the name of "+kindNames[kind], mayName)
	now := c.clock.Now()
	a := market.Account{
		UID:         c.mark("the uid of "+kindNames[kind], exactlyOne(kind)),
		Email:       c.mark("the email address of "+kindNames[kind], mayMail) + "@phones.example",
		DisplayName: name, PasswordHash: cheapHash(), GoogleSub: c.mark("the Google subject of "+kindNames[kind], exactlyOne(kind)),
		PhotoURL: "/images/" + c.mark("the picture of "+kindNames[kind], exactlyOne(kind)) + ".jpg", Version: 1, CreatedAt: now,
	}
	must(c.t, c.store.AddAccount(c.t.Context(), a, nil))
	p := &person{env: c.env, user: market.User{UID: a.UID, Email: a.Email, Name: name}}
	p = c.newSession(p, kind, lasts)
	if accountType != "" {
		p.withCookie(http.MethodPost, "/users", fields{"name": name, "email": a.Email, "accountType": accountType}).is(http.StatusOK)
		p.renewed()
	}
	return p
}

// newSession returns the same user with another session.
func (c *roleEnv) newSession(p *person, kind int, lasts time.Duration) *person {
	c.t.Helper()
	now := c.clock.Now()
	other := *p
	other.cookie = c.mark("the session cookie of "+kindNames[kind], nobody)
	hash := sha256.Sum256([]byte(other.cookie))
	id := hex.EncodeToString(hash[:])
	must(c.t, c.store.AddSession(c.t.Context(), market.Session{ID: id, UID: p.user.UID, CreatedAt: now, ExpiresAt: now.Add(lasts)}))
	c.mu.Lock()
	c.secrets[id] = mark{"the id of a session of " + kindNames[kind], exactlyOne(kind)}
	c.mu.Unlock()
	return &other
}

// newRoleEnv makes a user of each role and the entities that the requests name.
func newRoleEnv(t *testing.T) *roleEnv {
	t.Helper()
	c := &roleEnv{env: newEnv(t, func(s *setup) { s.rules.MaxHolds = 1000 }), secrets: map[string]mark{
		"$argon2id$": {"a password's hash", nobody}, bankSecret: {"the bank's key", nobody},
		bankWebhook: {"the webhook's secret", nobody}, "_secret_": {"a payment's secret", exactlyOne(asBuyer)},
	}}
	c.brand = c.env.brand("Nokia")
	expired := c.signUp(asExpired, market.AccountUser, month, only(asExpired), only(asExpired))
	expired = c.newSession(expired, asExpired, time.Hour) // a session that ends with its first token
	c.clock.Pass(2 * time.Hour)                           // the token was valid for one hour
	c.people = [kinds]*person{
		asVisitor: c.visitor(),
		// The seller sees who has paid for a phone, and the buyer has paid.
		asBuyer:    c.signUp(asBuyer, market.AccountUser, month, only(asBuyer, asSeller), only(asBuyer, asSeller)),
		asRival:    c.signUp(asRival, market.AccountUser, month, only(asRival), only(asRival)),
		asSeller:   c.signUp(asSeller, market.AccountSeller, month, anyone, signedIn),
		asOther:    c.signUp(asOther, market.AccountSeller, month, anyone, signedIn),
		asVerified: c.signUp(asVerified, market.AccountSeller, month, anyone, signedIn),
		asAdmin:    c.signUp(asAdmin, "", month, only(), only()),
		asRemoved:  c.signUp(asRemoved, market.AccountUser, month, only(asRemoved), only(asRemoved)),
		asExpired:  expired,
	}
	admin := c.people[asAdmin]
	must(t, c.market.MakeAdmin(t.Context(), market.Account{UID: admin.user.UID, Email: admin.user.Email, DisplayName: admin.user.Name}))
	admin.renewed()
	admin.do(http.MethodPut, "/users/seller/"+c.people[asVerified].user.ID, nil).is(http.StatusOK)
	c.people[asVerified].renewed()
	admin.do(http.MethodDelete, "/users/"+c.people[asRemoved].user.ID, nil).is(http.StatusOK)
	for kind, p := range c.people {
		if p.token != "" {
			c.secrets[p.token[strings.LastIndex(p.token, ".")+1:]] = mark{"the access token of " + kindNames[kind], exactlyOne(kind)}
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
	secret := c.people[asBuyer].begins(booking)
	c.confirm(secret, "pm_card_visa").is(http.StatusOK)
	c.people[asBuyer].pays(c.people[asBuyer].paymentFields(booking, secret)).id()
	c.bookingOf(asRival, held)
	c.phoneOf(asSeller)
	c.people[asVerified].advertises(c.phoneOf(asVerified)).is(http.StatusOK)
	c.reportOf(asRival)
	c.picture = "/images/" + c.pictureOf()
	c.settle()
}

// pictureOf uploads a new picture as a seller and returns its name.
func (c *roleEnv) pictureOf() string {
	c.t.Helper()
	c.pictures++
	form, typed := photographOf(c.t, 64+c.pictures)
	return strings.TrimPrefix(c.people[asSeller].uploads(form, typed), "/images/")
}

// phoneFieldsOf returns a valid body of POST /products of this seller. Only signed-in
// users may read its contact data.
func (c *roleEnv) phoneFieldsOf(kind int) fields {
	return c.people[kind].phoneFields(c.brand).
		with("phone", "+880 "+c.mark("a phone number of "+kindNames[kind], signedIn)).
		with("location", "Street "+c.mark("where "+kindNames[kind]+" lives", signedIn))
}

func (c *roleEnv) phoneOf(kind int) string {
	c.t.Helper()
	return c.people[kind].do(http.MethodPost, "/products", c.phoneFieldsOf(kind)).id()
}

// bookingFieldsOf returns a valid body of PUT /bookings. The buyer and the named roles
// may read its contact data.
func (c *roleEnv) bookingFieldsOf(kind int, phone string, readers ...int) fields {
	readers = append(readers, kind)
	return c.people[kind].bookingFields(phone).
		with("phone", c.number("a phone number of "+kindNames[kind], only(readers...))).
		with("location", "Street "+c.mark("where "+kindNames[kind]+" lives", only(readers...)))
}

// number returns a unique telephone number, because a marker text would be invalid.
func (c *roleEnv) number(what string, may func(kind int) bool) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	number := fmt.Sprintf("+880 (17) %08d", 31415900+len(c.secrets))
	c.secrets[number] = mark{what, may}
	return number
}

func (c *roleEnv) bookingOf(kind int, phone string, readers ...int) string {
	c.t.Helper()
	return c.people[kind].book(c.bookingFieldsOf(kind, phone, readers...)).id()
}

// reportOf reports a new phone.
func (c *roleEnv) reportOf(kind int) string {
	c.t.Helper()
	return c.people[kind].do(http.MethodPost, "/reportedItems", fields{
		"productID": c.phoneOf(asOther), "reason": "Stolen " + c.mark("what was reported", only(kind)),
	}).id()
}
