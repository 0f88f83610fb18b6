package apitest_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// listIDs follows Link from page to page and returns all ids, without duplicates. After
// each page it runs between, if that is not nil.
func (p *person) listIDs(path string, between func()) []string {
	p.t.Helper()
	ids, seen := []string{}, map[string]bool{}
	for path != "" {
		page := p.get(path)
		for _, item := range page.items() {
			id, _ := item["_id"].(string)
			if seen[id] {
				p.t.Fatalf("%s came twice", id)
			}
			seen[id] = true
			ids = append(ids, id)
		}
		link := page.Header.Get("Link")
		next, found := strings.CutSuffix(link, `>; rel="next"`)
		if found != (link != "") || (found && !strings.HasPrefix(next, "</")) {
			p.t.Fatalf("Link is %q", link)
		}
		path = strings.TrimPrefix(next, "<")
		if between != nil {
			between()
		}
	}
	return ids
}

func TestPages(t *testing.T) {
	e := newEnv(t)
	brand, seller := e.brand("Nokia"), e.seller("Sue")
	there := map[string]bool{}
	newest := ""
	for range 250 {
		newest = seller.addPhone(brand)
		there[newest] = true
	}
	own := "/products?email=" + seller.user.Email

	t.Run("200 with 200 newest first, the count of all and a relative link", func(t *testing.T) {
		for _, path := range []string{"/categories/" + brand.ID, own} {
			page := seller.get(path)
			if items := page.items(); len(items) != 200 || items[0]["_id"] != newest {
				t.Errorf("%s: %d items", path, len(items))
			}
			if page.Header.Get("X-Total-Count") != strconv.Itoa(len(there)) {
				t.Errorf("%s: X-Total-Count is %q", path, page.Header.Get("X-Total-Count"))
			}
		}
	})
	t.Run("200 each once, while more are added", func(t *testing.T) {
		for _, path := range []string{"/categories/" + brand.ID + "?limit=40", own + "&limit=200", "/categories/" + brand.ID} {
			before := len(there)
			added := map[string]bool{}
			got := seller.listIDs(path, func() { added[seller.addPhone(brand)] = true })
			for _, id := range got {
				if !there[id] {
					t.Errorf("%s: %s was added later", path, id)
				}
			}
			if len(got) != before {
				t.Errorf("%s: %d of %d came", path, len(got), before)
			}
			for id := range added {
				there[id] = true
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
	t.Run("200 empty, as a list", func(t *testing.T) {
		page := e.admin("Root").get("/reportedItems").wantStatus(http.StatusOK)
		if string(page.body) != "[]" || page.Header.Get("X-Total-Count") != "0" {
			t.Errorf("got %s, X-Total-Count %q", page.body, page.Header.Get("X-Total-Count"))
		}
	})
}
