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
	Paths map[string]map[string]operationOf
	// Components has the schemas that the paths refer to.
	Components struct {
		Schemas   schemas
		Responses map[string]described
	}
}

// operationOf is one operation of the document.
type operationOf struct {
	Parameters []struct {
		Name, In string
		Schema   *schema
	}
	RequestBody *struct {
		Content map[string]struct{ Schema *schema }
	}
	Responses map[string]described
}

// walker makes random calls from the document and a seed.
type walker struct {
	*env
	*rand.Rand

	doc    document
	people []*person
	brand  market.Brand
	ids    []string // IDs of existing entities
	who    *person  // the user of this call
	tame   bool     // this call has at most one invalid value
}

// costly are the calls that hash a password or call the bank. Only a few of them are made.
var costly = []string{"/identity/sign-up", "/identity/sign-in", "/identity/password", "/identity/google/link", "/create-payment-intent", "/payments"}

// Each user sends every operation of the OpenAPI document valid and invalid values: other
// types, limits, too long ones, none. No response may be an internal error or differ from
// the document in status, type or fields.
func TestEveryCallFollowsOpenAPI(t *testing.T) { newWalker(t, nil).walks() }

func (w *walker) walks() {
	for path, item := range sorted(w.doc.Paths) {
		for method, op := range sorted(item) {
			if path == "/live" || path == "/metrics" { // not JSON: these have other tests
				continue
			}
			rounds := 20
			if slices.Contains(costly, path) {
				rounds = 4
			}
			for n := range rounds {
				if n == 0 {
					w.restock()
				}
				w.tame = n%2 == 0
				w.step(strings.ToUpper(method), path, op)
			}
		}
	}
	w.settle()
	if strings.Contains(w.log.String(), `"level":"ERROR"`) {
		w.t.Error("the log has an error")
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

func newWalker(t *testing.T, engine func(testing.TB) market.Store) *walker {
	t.Helper()
	w := &walker{env: newEnv(t, func(s *setup) { s.rules.MaxHolds, s.engine = 1000, engine }), Rand: rand.New(rand.NewPCG(7, 7))}
	w.brand = w.env.brand("Nokia")
	must(t, json.Unmarshal(w.visitor().get("/openapi.json").is(http.StatusOK).body, &w.doc))
	buyer, seller, admin := w.buyer("Bob"), w.verified("Vera"), w.admin("Root")
	w.people = []*person{w.visitor(), buyer, seller, admin, w.account("Nobody yet"), w.seller("Sue")}
	return w
}

// restock creates new entities of each kind, whose ids the calls use.
func (w *walker) restock() {
	buyer, seller := w.people[1], w.people[2]
	phone, held := seller.sells(w.brand), seller.sells(w.brand)
	booking := buyer.books(held)
	report := buyer.do(http.MethodPost, "/reportedItems", fields{"productID": phone, "reason": "odd"}).id()
	w.ids = []string{phone, held, booking, report, w.brand.ID, w.seller("Spare").user.ID, w.buyer("Spare").user.ID}
}

// step makes one call.
func (w *walker) step(method, path string, op operationOf) {
	w.t.Helper()
	who := pick(w, w.people...)
	if w.tame {
		who = pick(w, w.people[1:4]...)
	}
	w.who = who
	target, query := path, url.Values{}
	for _, p := range op.Parameters {
		switch {
		case p.In == "path":
			target = strings.Replace(target, "{"+p.Name+"}", url.PathEscape(w.segment(method, path, who)), 1)
		case w.tame && p.Name == "email":
			query.Add("email", who.user.Email)
		case w.tame && (p.Name == "cursor" || p.Name == "brand"):
		case w.IntN(3) > 0:
			query.Add(w.named(p.Name), w.parameter(p.Schema))
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
		body = w.body(content)
		if !w.tame {
			media = pick(w, media, media, media, media, "text/plain", "application/json; charset=utf-16", "")
		}
		change = append(change, header("Content-Type", media))
	}
	a := w.as(who, method, target, body, change)
	if a.StatusCode >= http.StatusInternalServerError {
		w.t.Errorf("%s %s answered %d to %.300v\n%s", method, target, a.StatusCode, body, a.body)
	} else if wrong := w.doc.checkAnswer(op.Responses, a); wrong != "" {
		w.t.Errorf("%s %s answered %d to %.300v with what the document does not say: %s\n%.500s", method, target, a.StatusCode, body, wrong, a.body)
	}
}

// as makes the call with the user's token and cookie. Calls that change an account use one
// that is not needed later.
func (w *walker) as(who *person, method, target string, body any, change []func(*http.Request)) answer {
	w.t.Helper()
	if who.cookie == "" {
		return who.do(method, target, body, change...)
	}
	if strings.HasPrefix(target, "/identity/") {
		who = w.account("Passing")
	}
	cookie := func(r *http.Request) { r.AddCookie(&http.Cookie{Name: sessionCookie, Value: who.cookie}) }
	return who.do(method, target, body, append(change, cookie)...)
}

func pick[T any](w *walker, from ...T) T { return from[w.IntN(len(from))] }

// named returns a parameter's name, or one that contains an operator.
func (w *walker) named(name string) string {
	if w.tame {
		return name
	}
	return pick(w, name, name, name, name, name+"[$ne]", name+"[]", strings.ToUpper(name))
}

// segment returns a valid or invalid id for a path.
func (w *walker) segment(method, path string, who *person) string {
	if w.tame && w.IntN(4) > 0 {
		if method == http.MethodGet && strings.HasPrefix(path, "/users/") {
			return who.user.Email
		}
		for beginning, id := range map[string]string{
			"/products/": w.ids[0], "/booking": w.ids[2], "/reported": w.ids[3], "/categories/": w.ids[4], "/users/": w.ids[5],
		} {
			if strings.HasPrefix(path, beginning) {
				return id
			}
		}
	}
	if w.tame || w.IntN(2) == 0 {
		return pick(w, w.ids...)
	}
	return pick(w, "%", "%00", "\x00", "a/b", `..\..`, "../../etc/passwd", "$ne", `{"$ne":null}`, "null", "-1", "0", "🏴\u200d", "\u202e", "\xff\xfe",
		strings.Repeat("9", 3000), strings.Repeat("f", 24), strings.ToUpper(w.ids[0]), w.ids[0]+" ", "'; DROP TABLE users;--", w.people[1].user.Email, "Bob@phones.example\x00")
}

// parameter returns a valid or invalid value for a query.
func (w *walker) parameter(s *schema) string {
	if w.tame {
		return map[string]string{"integer": "7", "boolean": "true", "array": ""}[s.Type]
	}
	if w.IntN(2) == 0 && s != nil && s.Type == "integer" {
		return pick(w, "1", "200", "0", "-1", "201", "9223372036854775807", "9223372036854775808", "1.5", "1e3", "0x10", "+1", "", " 1", "١")
	}
	return pick(w, "", "true", "false", "1", "\x00", "\xff", "%", "newest", "saving", "Good,Fair", w.brand.ID, w.people[1].user.Email, strings.ToUpper(w.people[2].user.Email),
		"MTo2NjY2", "nokia", strings.Repeat("a ", 90), strings.Repeat("x", 3000), `{"$gt":""}`, "\u202e", "*", `"`, "phone\u0000", "\U0001f3f4")
}

// body returns a body for the schema, an invalid one, or none.
func (w *walker) body(s *schema) any {
	kind := w.IntN(12)
	if w.tame {
		kind = -1
	}
	switch kind {
	case 0:
		return pick(w, "", "null", "[]", "{", "7", `"x"`, "{}{}", "\ufeff{}", "{\"a\":\"\xff\"}", strings.Repeat(`{"a":`, 50_000), strings.Repeat("[", 100_000),
			`{"a":1e400}`, `{"a":1,"a":2}`, "{\"a\":\"\x00\"}", `{"":null}`, "NaN", `{"a":01}`)
	case 1:
		return `{"$where":"1","__proto__":{"admin":true},"constructor":{},"isAdmin":true,"_id":{"$oid":"0"}}`
	}
	raw, err := json.Marshal(w.value(s, 0))
	must(w.t, err)
	text := string(raw)
	for edge, as := range edges {
		text = strings.ReplaceAll(text, `"`+edge+`"`, as)
	}
	return text
}

// edges has numbers and strings that encoding/json does not write.
var edges = map[string]string{
	"@max": "9223372036854775807", "@over": "9223372036854775808", "@exact": "9007199254740993", "@huge": "1e308", "@more": "1e400",
	"@minus": "-0", "@half": "1.5", "@exponent": "1E2", "@lone": `"\ud800"`, "@pair": `"\udc00\ud800"`, "@nul": `"\u0000"`,
}

// value returns a valid or invalid value for the schema.
func (w *walker) value(s *schema, depth int) any {
	s = w.doc.Components.Schemas.of(s)
	if s == nil || !w.tame && w.IntN(6) == 0 {
		return w.odd(depth)
	}
	switch s.Type {
	case "object":
		made := map[string]any{"unheard": w.IntN(2)}
		for name, property := range sorted(s.Properties) {
			if w.IntN(10) > 0 || w.tame && slices.Contains(s.Required, name) {
				made[name] = w.property(name, property, depth)
			}
		}
		return made
	case "array":
		made := []any{}
		for range w.IntN(10) {
			made = append(made, w.value(s.Items, depth+1))
		}
		return made
	case "integer", "number":
		if w.tame {
			return 100
		}
		return pick[any](w, 1, 100, 99_999, 100_001, 0, -1, "@max", "@over", "@exact", "@half", "@exponent", "@huge", "@more", "@minus")
	case "boolean":
		return w.IntN(2) == 0
	default:
		return w.text(s)
	}
}

// property returns a value for a property, in most cases a valid one.
func (w *walker) property(name string, s *schema, depth int) any {
	if w.tame && w.IntN(20) == 0 || !w.tame && w.IntN(3) == 0 {
		return w.value(s, depth)
	}
	switch strings.ToLower(name) {
	case "email":
		if w.tame {
			return w.who.user.Email
		}
		return w.people[1+w.IntN(3)].user.Email
	case "sellername", "username":
		return w.who.user.Name
	case "productname", "version": // they would have to agree with the store
		return nil
	case "id":
		return w.brand.ID
	case "brand":
		return w.brand.Name
	case "productid":
		return pick(w, w.ids[:2]...)
	case "bookingid":
		return pick(w, w.ids...)
	case "img", "url", "photourl":
		if w.tame {
			return "/one.jpg"
		}
		return pick(w, "/one.jpg", "https://phones.example/one.jpg", "javascript:alert(1)", "//evil.example", "data:text/html,x", "/\\evil")
	case "accounttype":
		return pick(w, "User", "Seller", "Admin")
	case "selling_post_date":
		if w.tame {
			return "2026-01-31"
		}
		return pick(w, "2026-02-30", "0000-00-00", "yesterday")
	case "price", "resaleprice", "originalprice":
		if w.tame {
			return 100 // the price that the method sells sets
		}
		return pick(w, 100, 120, 50)
	}
	return w.value(s, depth)
}

func (w *walker) text(s *schema) any {
	if len(s.Enum) > 0 && (w.tame || w.IntN(3) > 0) {
		return pick(w, s.Enum...)
	}
	if w.tame {
		return pick[any](w, "A word", "علی\u200cرضا", "👩\u200d👧 <b>&amp;</b>")
	}
	return pick[any](w, "A word", "", " ", "two\nlines", "\u202eevil", "a\u200bb", "علی\u200cرضا", "👩\u200d👧", strings.Repeat("ü", 4001), strings.Repeat("x", 121),
		"<script>alert(1)</script>", "=1+1", "@nul", "@lone", "@pair", "1", "null", "pi_x_secret_y", w.people[1].user.Email)
}

// odd returns a value of another type than the schema's.
func (w *walker) odd(depth int) any {
	if depth > 3 {
		return nil
	}
	return pick[any](w, nil, true, 7, "x", map[string]any{"$ne": nil}, map[string]any{"$gt": ""}, []any{}, []any{"x", 1, nil}, map[string]any{}, "@half", "@more", fmt.Sprint(w.IntN(9)))
}
