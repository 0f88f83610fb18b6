package apitest_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// listIDs returns the IDs of all pages of a list, and fails the test if one occurs twice. After
// each page it runs between, if that is not nil.
func (p *person) listIDs(path string, between func()) []string {
	p.t.Helper()
	ids, seen := []string{}, map[string]bool{}
	for path != "" {
		page := p.get(path)
		for _, item := range page.items() {
			id, _ := item["_id"].(string)
			if seen[id] {
				p.t.Fatalf("the pages contain %s twice", id)
			}
			seen[id] = true
			ids = append(ids, id)
		}
		path = page.nextPage()
		if between != nil {
			between()
		}
	}
	return ids
}

// nextPage returns the URL of the next page, "" on the last page.
func (a response) nextPage() string {
	a.t.Helper()
	link := a.Header.Get("Link")
	next, found := strings.CutSuffix(link, `>; rel="next"`)
	if found != (link != "") || (found && !strings.HasPrefix(next, "</")) {
		a.t.Fatalf("%s: Link is %q", a.request, link)
	}
	return strings.TrimPrefix(next, "<")
}

// nextCursor returns the cursor of the next page.
func (a response) nextCursor() string {
	a.t.Helper()
	next, err := url.Parse(a.wantStatus(http.StatusOK).nextPage())
	must(a.t, err)
	cursor := next.Query().Get("cursor")
	if cursor == "" {
		a.t.Fatalf("%s: existing is no next page: %v", a.request, a.Header)
	}
	return cursor
}

func TestPagination(t *testing.T) {
	e := newEnv(t)
	brand, seller := e.brand("Nokia"), e.seller("Sue")
	existing := map[string]bool{}
	newest := ""
	for range 250 {
		newest = seller.addPhone(brand)
		existing[newest] = true
	}
	own := "/products?email=" + seller.user.Email

	t.Run("200 with the newest 200, the count of all and a relative link", func(t *testing.T) {
		for _, path := range []string{"/categories/" + brand.ID, own} {
			page := seller.get(path)
			if items := page.items(); len(items) != 200 || items[0]["_id"] != newest {
				t.Errorf("%s has %d phones, want the newest 200", path, len(items))
			}
			if page.Header.Get("X-Total-Count") != strconv.Itoa(len(existing)) {
				t.Errorf("%s: X-Total-Count is %q", path, page.Header.Get("X-Total-Count"))
			}
		}
	})
	t.Run("200 with each phone once, while the seller adds more", func(t *testing.T) {
		for _, path := range []string{"/categories/" + brand.ID + "?limit=40", own + "&limit=200", "/categories/" + brand.ID} {
			before := len(existing)
			added := map[string]bool{}
			got := seller.listIDs(path, func() { added[seller.addPhone(brand)] = true })
			for _, id := range got {
				if !existing[id] {
					t.Errorf("%s: %s was added later", path, id)
				}
			}
			if len(got) != before {
				t.Errorf("the pages of %s contain %d phones, want %d", path, len(got), before)
			}
			for id := range added {
				existing[id] = true
			}
		}
	})
	t.Run("200 without a link on the last page", func(t *testing.T) {
		few := e.brand("Sony")
		seller.addPhone(few)
		for _, limit := range []string{"1", "2"} {
			if page := seller.get("/categories/" + few.ID + "?limit=" + limit); page.Header.Get("Link") != "" {
				t.Errorf("limit %s: Link is %q", limit, page.Header.Get("Link"))
			}
		}
	})
	t.Run("200 with an empty list", func(t *testing.T) {
		page := e.admin("Root").get("/reportedItems").wantStatus(http.StatusOK)
		if string(page.body) != "[]" || page.Header.Get("X-Total-Count") != "0" {
			t.Errorf("got %s, X-Total-Count %q", page.body, page.Header.Get("X-Total-Count"))
		}
	})
}
