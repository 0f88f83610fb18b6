package identity_test

import (
	"strings"
	"sync"
	"testing"

	"secondring/market"
)

func TestMeNeedsASession(t *testing.T) {
	b := newEnv(t).browser()
	b.do("GET", "/identity/me", nil).wantError(401, market.CodeNoToken, "Please log in first")
	b.do("PATCH", "/identity/me", fields{"displayName": "x"}).wantStatus(401)
	b.do("POST", "/identity/password", fields{"current": "x", "new": adaPass}).wantStatus(401)
}

func TestNameAndPictureCanBeChanged(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	got := b.do("PATCH", "/identity/me", fields{"displayName": " Ada Lovelace ", "photoURL": "https://example.com/a.jpg"}).wantStatus(200)
	if got["displayName"] != "Ada Lovelace" || got["photoURL"] != "https://example.com/a.jpg" || got["email"] != ada {
		t.Errorf("the response is %v", got)
	}
	user, err := e.store.UserByEmail(t.Context(), ada)
	must(t, err)
	if user.Name != "Ada Lovelace" {
		t.Errorf("the user's name in the market is %q", user.Name)
	}
	if got := b.do("PATCH", "/identity/me", fields{"photoURL": ""}).wantStatus(200); got["photoURL"] != "" || got["displayName"] != "Ada Lovelace" {
		t.Errorf("after the picture is removed: %v", got)
	}
	if got := b.do("PATCH", "/identity/me", fields{}).wantStatus(200); got["displayName"] != "Ada Lovelace" {
		t.Errorf("after a request without fields: %v", got)
	}
	b.do("PATCH", "/identity/me", fields{"email": "root@example.com", "uid": "root"}).wantStatus(200)
	if me := b.do("GET", "/identity/me", nil).wantStatus(200); me["email"] != ada {
		t.Errorf("the address is changed to %v", me["email"])
	}
}

// The forms of booking and selling begin with them.
func TestPhoneAndLocationCanBeChanged(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	want := func(got response, phone, location any) {
		t.Helper()
		if got := got.wantStatus(200); got["phone"] != phone || got["location"] != location {
			t.Errorf("the response is %v, want %v and %v", got, phone, location)
		}
	}
	want(b.do("GET", "/identity/me", nil), nil, nil)
	want(b.do("PATCH", "/identity/me", fields{"phone": " +880 1700\u00a0123456 ", "location": "  Uttara,\tDhaka "}), "+880 1700 123456", "Uttara, Dhaka")
	want(b.do("PATCH", "/identity/me", fields{"displayName": "Ada L"}), "+880 1700 123456", "Uttara, Dhaka")
	want(b.do("PATCH", "/identity/me", fields{"phone": ""}), nil, "Uttara, Dhaka")
	want(b.do("GET", "/identity/me", nil), nil, "Uttara, Dhaka")
	want(b.do("PATCH", "/identity/me", fields{"location": " "}), nil, nil)
}

// The name in the market can differ from that of the account, if POST /users had another one.
func TestNewPictureKeepsTheNameInTheMarket(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	user, err := e.store.UserByEmail(t.Context(), ada)
	must(t, err)
	must(t, e.market.Rename(t.Context(), user.UID, "Ada of the Market"))
	b.do("PATCH", "/identity/me", fields{"photoURL": "https://example.com/a.jpg"}).wantStatus(200)
	user, err = e.store.UserByEmail(t.Context(), ada)
	must(t, err)
	if user.Name != "Ada of the Market" {
		t.Errorf("the user's name is %q after a new picture", user.Name)
	}
}

func TestProfileRefusals(t *testing.T) {
	e := newEnv(t)
	b := e.browser()
	b.signUp(ada, adaPass).wantStatus(201)
	for name, c := range map[string]struct {
		field   string
		value   any
		message string
	}{
		"no name":    {"displayName", "  ", "Name is required"},
		"long name":  {"displayName", strings.Repeat("n", 101), "Name is longer than 100 characters"},
		"number":     {"displayName", 1, "Name must be a text"},
		"script":     {"photoURL", "javascript:alert(1)", "Picture must be the web address of a photo"},
		"data":       {"photoURL", "data:image/png;base64,AA", "Picture must be the web address of a photo"},
		"other host": {"photoURL", "//example.com/a.jpg", "Picture must be the web address of a photo"},
		"no host":    {"photoURL", "https:///a.jpg", "Picture must be the web address of a photo"},
		"long":       {"photoURL", "https://example.com/" + strings.Repeat("a", 2000), "Picture must be the web address of a photo"},
		"few digits": {"phone", "12345", "Phone number must be a phone number of 6 to 20 characters with at least 6 digits"},
		"letters":    {"phone", "call me 123456", "Phone number may contain only digits, spaces and + ( ) - ."},
		"long place": {"location", strings.Repeat("x", 121), "Location is longer than 120 characters"},
	} {
		t.Run(name, func(t *testing.T) {
			b.do("PATCH", "/identity/me", fields{c.field: c.value}).wantFieldError(c.field, c.message)
		})
	}
	b.do("PATCH", "/identity/me", fields{"photoURL": "/images/a.jpg", "displayName": "Ada"}).wantStatus(200)
}

func TestConcurrentProfileChangesAreAllApplied(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for _, body := range []fields{{"displayName": "New"}, {"photoURL": "/new.jpg"}} {
				if got := b.do("PATCH", "/identity/me", body); got.Status != 200 {
					t.Errorf("status %d: %s", got.Status, got.Body)
				}
			}
		})
	}
	all.Wait()
	if me := b.do("GET", "/identity/me", nil).wantStatus(200); me["displayName"] != "New" || me["photoURL"] != e.server.URL+"/new.jpg" {
		t.Errorf("the user is %v, want both changes", me)
	}
}
