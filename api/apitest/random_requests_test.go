package apitest_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"secondring/market"
)

// document is the part of the OpenAPI document that describes requests and responses.
type document struct {
	Paths map[string]map[string]operation
	// Components has the schemas that the paths refer to.
	Components struct {
		Schemas   schemas
		Responses map[string]responseSchema
	}
}

// operation is one operation of the document.
type operation struct {
	Parameters []struct {
		Name, In string
		Schema   *schema
	}
	RequestBody *struct {
		Content map[string]struct{ Schema *schema }
	}
	Responses map[string]responseSchema
}

// requestFuzzer sends random requests that it makes from the OpenAPI document and a seed.
type requestFuzzer struct {
	*env
	*rand.Rand

	doc         document
	people      []*person
	brand       market.Brand
	ids         []string // IDs of existing entities
	sender      *person  // the user of this call
	mostlyValid bool     // this call has at most one invalid value
}

// slowPaths are the routes that hash a password or call Stripe. They get fewer requests.
var slowPaths = []string{"/identity/sign-up", "/identity/sign-in", "/identity/password", "/identity/google/link", "/create-payment-intent", "/payments"}

// Each user sends every operation of the OpenAPI document valid and invalid values: other
// types, limits, too long ones, none. No response may be an internal error or differ from
// the document in status, type or fields.
func TestEveryCallFollowsOpenAPI(t *testing.T) { newRequestFuzzer(t, nil).run() }

func (f *requestFuzzer) run() {
	for path, item := range sorted(f.doc.Paths) {
		for method, op := range sorted(item) {
			if path == "/live" || path == "/metrics" { // not JSON: these have other tests
				continue
			}
			rounds := 20
			if slices.Contains(slowPaths, path) {
				rounds = 4
			}
			for n := range rounds {
				if n == 0 {
					f.createEntities()
				}
				f.mostlyValid = n%2 == 0
				f.sendRandom(strings.ToUpper(method), path, op)
			}
		}
	}
	f.runDueWork()
	if strings.Contains(f.log.String(), `"level":"ERROR"`) {
		f.t.Error("the log has an error")
	}
}

func sorted[V any](of map[string]V) func(func(string, V) bool) {
	names := make([]string, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return func(yield func(string, V) bool) {
		for _, name := range names {
			if !yield(name, of[name]) {
				return
			}
		}
	}
}

func newRequestFuzzer(t *testing.T, engine func(testing.TB) market.Store) *requestFuzzer {
	t.Helper()
	f := &requestFuzzer{env: newEnv(t, func(s *setup) { s.rules.MaxHolds, s.engine = 1000, engine }), Rand: rand.New(rand.NewPCG(7, 7))}
	f.brand = f.env.brand("Nokia")
	must(t, json.Unmarshal(f.visitor().get("/openapi.json").wantStatus(http.StatusOK).body, &f.doc))
	buyer, seller, admin := f.buyer("Bob"), f.verified("Vera"), f.admin("Root")
	f.people = []*person{f.visitor(), buyer, seller, admin, f.account("Without user"), f.seller("Sue")}
	return f
}

// createEntities creates new entities of each kind, whose ids the calls use.
func (f *requestFuzzer) createEntities() {
	buyer, seller := f.people[1], f.people[2]
	phone, held := seller.addPhone(f.brand), seller.addPhone(f.brand)
	booking := buyer.book(held)
	report := buyer.do(http.MethodPost, "/reportedItems", fields{"productID": phone, "reason": "odd"}).insertedID()
	f.ids = []string{phone, held, booking, report, f.brand.ID, f.seller("Spare").user.ID, f.buyer("Spare").user.ID}
}

// sendRandom sends one random request and checks the response.
func (f *requestFuzzer) sendRandom(method, path string, op operation) {
	f.t.Helper()
	sender := pick(f, f.people...)
	if f.mostlyValid {
		sender = pick(f, f.people[1:4]...)
	}
	f.sender = sender
	target, query := path, url.Values{}
	for _, p := range op.Parameters {
		switch {
		case p.In == "path":
			target = strings.Replace(target, "{"+p.Name+"}", url.PathEscape(f.pathID(method, path, sender)), 1)
		case f.mostlyValid && p.Name == "email":
			query.Add("email", sender.user.Email)
		case f.mostlyValid && (p.Name == "cursor" || p.Name == "brand"):
		case f.IntN(3) > 0:
			query.Add(f.parameterName(p.Name), f.parameterValue(p.Schema))
		}
	}
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	var body any
	change := []func(*http.Request){}
	if op.RequestBody != nil {
		media, content := "", (*schema)(nil)
		for name, c := range op.RequestBody.Content {
			media, content = name, c.Schema
		}
		body = f.body(content)
		if !f.mostlyValid {
			media = pick(f, media, media, media, media, "text/plain", "application/json; charset=utf-16", "")
		}
		change = append(change, header("Content-Type", media))
	}
	a := f.sendAs(sender, method, target, body, change)
	if a.StatusCode >= http.StatusInternalServerError {
		f.t.Errorf("%s %s: status %d for the body %.300v\n%s", method, target, a.StatusCode, body, a.body)
	} else if wrong := f.doc.checkResponse(op.Responses, a); wrong != "" {
		f.t.Errorf("%s %s: status %d for the body %.300v: the response differs from the document: %s\n%.500s", method, target, a.StatusCode, body, wrong, a.body)
	}
}

// sendAs sends a request with the user's token and cookie. Requests to /identity have the cookie
// of a new account, because they can change or delete it.
func (f *requestFuzzer) sendAs(sender *person, method, target string, body any, change []func(*http.Request)) response {
	f.t.Helper()
	if sender.cookie == "" {
		return sender.do(method, target, body, change...)
	}
	if strings.HasPrefix(target, "/identity/") {
		sender = f.account("Temporary")
	}
	return sender.do(method, target, body, append(change, sender.sessionCookie())...)
}

func pick[T any](f *requestFuzzer, from ...T) T { return from[f.IntN(len(from))] }

// parameterName returns a parameter's name, or one that contains an operator.
func (f *requestFuzzer) parameterName(name string) string {
	if f.mostlyValid {
		return name
	}
	return pick(f, name, name, name, name, name+"[$ne]", name+"[]", strings.ToUpper(name))
}

// pathID returns a valid or invalid id for a path.
func (f *requestFuzzer) pathID(method, path string, sender *person) string {
	if f.mostlyValid && f.IntN(4) > 0 {
		if method == http.MethodGet && strings.HasPrefix(path, "/users/") {
			return sender.user.Email
		}
		for beginning, id := range map[string]string{
			"/products/": f.ids[0], "/booking": f.ids[2], "/reported": f.ids[3], "/categories/": f.ids[4], "/users/": f.ids[5],
		} {
			if strings.HasPrefix(path, beginning) {
				return id
			}
		}
	}
	if f.mostlyValid || f.IntN(2) == 0 {
		return pick(f, f.ids...)
	}
	return pick(f, "%", "%00", "\x00", "a/b", `..\..`, "../../etc/passwd", "$ne", `{"$ne":null}`, "null", "-1", "0", "🏴\u200d", "\u202e", "\xff\xfe",
		strings.Repeat("9", 3000), strings.Repeat("f", 24), strings.ToUpper(f.ids[0]), f.ids[0]+" ", "'; DROP TABLE users;--", f.people[1].user.Email, "Bob@phones.example\x00")
}

// parameterValue returns a valid or invalid value for a query.
func (f *requestFuzzer) parameterValue(s *schema) string {
	if f.mostlyValid {
		return map[string]string{"integer": "7", "boolean": "true", "array": ""}[s.Type]
	}
	if f.IntN(2) == 0 && s != nil && s.Type == "integer" {
		return pick(f, "1", "200", "0", "-1", "201", "9223372036854775807", "9223372036854775808", "1.5", "1e3", "0x10", "+1", "", " 1", "١")
	}
	return pick(f, "", "true", "false", "1", "\x00", "\xff", "%", "newest", "saving", "Good,Fair", f.brand.ID, f.people[1].user.Email, strings.ToUpper(f.people[2].user.Email),
		"MTo2NjY2", "nokia", strings.Repeat("a ", 90), strings.Repeat("x", 3000), `{"$gt":""}`, "\u202e", "*", `"`, "phone\u0000", "\U0001f3f4")
}

// body returns a body for the schema, an invalid one, or none.
func (f *requestFuzzer) body(s *schema) any {
	kind := f.IntN(12)
	if f.mostlyValid {
		kind = -1
	}
	switch kind {
	case 0:
		return pick(f, "", "null", "[]", "{", "7", `"x"`, "{}{}", "\ufeff{}", "{\"a\":\"\xff\"}", strings.Repeat(`{"a":`, 50_000), strings.Repeat("[", 100_000),
			`{"a":1e400}`, `{"a":1,"a":2}`, "{\"a\":\"\x00\"}", `{"":null}`, "NaN", `{"a":01}`)
	case 1:
		return `{"$where":"1","__proto__":{"admin":true},"constructor":{},"isAdmin":true,"_id":{"$oid":"0"}}`
	}
	raw, err := json.Marshal(f.value(s, 0))
	must(f.t, err)
	text := string(raw)
	for placeholder, json := range rawJSON {
		text = strings.ReplaceAll(text, `"`+placeholder+`"`, json)
	}
	return text
}

// rawJSON has JSON values that encoding/json does not write, by placeholder.
var rawJSON = map[string]string{
	"@max": "9223372036854775807", "@over": "9223372036854775808", "@exact": "9007199254740993", "@huge": "1e308", "@more": "1e400",
	"@minus": "-0", "@half": "1.5", "@exponent": "1E2", "@lone": `"\ud800"`, "@pair": `"\udc00\ud800"`, "@nul": `"\u0000"`,
}

// value returns a valid or invalid value for the schema.
func (f *requestFuzzer) value(s *schema, depth int) any {
	s = f.doc.Components.Schemas.of(s)
	if s == nil || !f.mostlyValid && f.IntN(6) == 0 {
		return f.wrongType(depth)
	}
	switch s.Type {
	case "object":
		object := map[string]any{"unknown": f.IntN(2)}
		for name, property := range sorted(s.Properties) {
			if f.IntN(10) > 0 || f.mostlyValid && slices.Contains(s.Required, name) {
				object[name] = f.propertyValue(name, property, depth)
			}
		}
		return object
	case "array":
		items := []any{}
		for range f.IntN(10) {
			items = append(items, f.value(s.Items, depth+1))
		}
		return items
	case "integer", "number":
		if f.mostlyValid {
			return 100
		}
		return pick[any](f, 1, 100, 99_999, 100_001, 0, -1, "@max", "@over", "@exact", "@half", "@exponent", "@huge", "@more", "@minus")
	case "boolean":
		return f.IntN(2) == 0
	default:
		return f.textValue(s)
	}
}

// propertyValue returns a value for a property, in most cases a valid one.
func (f *requestFuzzer) propertyValue(name string, s *schema, depth int) any {
	if f.mostlyValid && f.IntN(20) == 0 || !f.mostlyValid && f.IntN(3) == 0 {
		return f.value(s, depth)
	}
	switch strings.ToLower(name) {
	case "email":
		if f.mostlyValid {
			return f.sender.user.Email
		}
		return f.people[1+f.IntN(3)].user.Email
	case "sellername", "username":
		return f.sender.user.Name
	case "productname", "version": // they would have to agree with the store
		return nil
	case "id":
		return f.brand.ID
	case "brand":
		return f.brand.Name
	case "productid":
		return pick(f, f.ids[:2]...)
	case "bookingid":
		return pick(f, f.ids...)
	case "img", "url", "photourl":
		if f.mostlyValid {
			return "/one.jpg"
		}
		return pick(f, "/one.jpg", "https://phones.example/one.jpg", "javascript:alert(1)", "//evil.example", "data:text/html,x", "/\\evil")
	case "accounttype":
		return pick(f, "User", "Seller", "Admin")
	case "selling_post_date":
		if f.mostlyValid {
			return "2026-01-31"
		}
		return pick(f, "2026-02-30", "0000-00-00", "yesterday")
	case "price", "resaleprice", "originalprice":
		if f.mostlyValid {
			return 100 // the price that the method sells sets
		}
		return pick(f, 100, 120, 50)
	}
	return f.value(s, depth)
}

func (f *requestFuzzer) textValue(s *schema) any {
	if len(s.Enum) > 0 && (f.mostlyValid || f.IntN(3) > 0) {
		return pick(f, s.Enum...)
	}
	if f.mostlyValid {
		return pick[any](f, "A word", "علی\u200cرضا", "👩\u200d👧 <b>&amp;</b>")
	}
	return pick[any](f, "A word", "", " ", "two\nlines", "\u202eevil", "a\u200bb", "علی\u200cرضا", "👩\u200d👧", strings.Repeat("ü", 4001), strings.Repeat("x", 121),
		"<script>alert(1)</script>", "=1+1", "@nul", "@lone", "@pair", "1", "null", "pi_x_secret_y", f.people[1].user.Email)
}

// wrongType returns a value of another type than the schema's.
func (f *requestFuzzer) wrongType(depth int) any {
	if depth > 3 {
		return nil
	}
	return pick[any](f, nil, true, 7, "x", map[string]any{"$ne": nil}, map[string]any{"$gt": ""}, []any{}, []any{"x", 1, nil}, map[string]any{}, "@half", "@more", fmt.Sprint(f.IntN(9)))
}
