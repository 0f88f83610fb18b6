package demo_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"secondring/cmd/secondring/demo"
)

// now is the start of the demo, at the beginning of a day.
var now = time.Date(2027, time.March, 1, 0, 5, 0, 0, time.UTC)

func TestDatasetIsDeterministic(t *testing.T) {
	if diff := cmp.Diff(demo.New(now), demo.New(now)); diff != "" {
		t.Errorf("two calls differ:\n%s", diff)
	}
}

func TestDatasetSize(t *testing.T) {
	d := demo.New(now)
	if len(d.Brands) != 12 || len(d.Phones) != 300 {
		t.Errorf("%d brands and %d phones, want 12 and 300", len(d.Brands), len(d.Phones))
	}
	perBrand, advertised, booked, sellers := map[string]int{}, 0, 0, map[string]bool{}
	for _, p := range d.Phones {
		perBrand[p.Brand]++
		sellers[p.Seller] = true
		if p.Advertised {
			advertised++
		}
		if p.BookedBy != "" {
			booked++
		}
	}
	for _, b := range d.Brands {
		if perBrand[b.Name] < 8 {
			t.Errorf("%s has %d phones, want at least 8", b.Name, perBrand[b.Name])
		}
	}
	if advertised != 24 || booked == 0 || len(sellers) != 16 {
		t.Errorf("%d advertised, %d booked, %d sellers; want 24, some, 16", advertised, booked, len(sellers))
	}
}

func TestBrandsNewestFirstAreAlphabetical(t *testing.T) {
	brands := demo.Brands()
	slices.SortFunc(brands, func(a, b demo.Brand) int { return b.Created.Compare(a.Created) })
	if !slices.IsSortedFunc(brands, func(a, b demo.Brand) int { return strings.Compare(a.Name, b.Name) }) {
		t.Errorf("the brands, newest first, are %v", brands)
	}
}

func TestEveryPhoneIsValid(t *testing.T) {
	d := demo.New(now)
	people := peopleByEmail(d)
	conditions := []string{demo.Excellent, demo.Good, demo.Fair}
	previous := time.Time{}
	for _, p := range d.Phones {
		if p.ResalePrice < 1 || p.ResalePrice >= p.OriginalPrice || p.OriginalPrice > 100_000 {
			t.Errorf("%s has the price %d and the original price %d", p.Name, p.ResalePrice, p.OriginalPrice)
		}
		if !slices.Contains(conditions, p.Condition) {
			t.Errorf("%s has the condition %q", p.Name, p.Condition)
		}
		if day := p.Created.Format(time.DateOnly); day != p.PostedOn || p.Created.After(now) {
			t.Errorf("%s was posted on %s and created at %s", p.Name, p.PostedOn, p.Created)
		}
		if !p.Created.After(previous) {
			t.Errorf("%s is not newer than the phone before it", p.Name)
		}
		previous = p.Created
		for field, text := range map[string]string{
			"name": p.Name, "used": p.UsedTime, "description": p.Description, "seller": p.SellerName,
			"location": p.Location, "phone": p.ContactPhone, "img": p.Photos[0].URL, "alt": p.Photos[0].Alt,
		} {
			if strings.TrimSpace(text) == "" || len(text) > 600 || strings.ContainsAny(text, "{}[]") {
				t.Errorf("%s has the invalid %s %q", p.Name, field, text)
			}
		}
		seller := people[p.Seller]
		if seller.AccountType != demo.Seller || seller.Created.After(p.Created) {
			t.Errorf("%s has the seller %+v", p.Name, seller)
		}
		if p.Advertised && (!seller.Verified || p.BookedBy != "") {
			t.Errorf("%s is advertised by %+v and booked by %q; want a verified seller and no booking", p.Name, seller, p.BookedBy)
		}
	}
}

func TestDescriptionsVary(t *testing.T) {
	texts, sentences := map[string]string{}, map[string]int{}
	for _, p := range demo.New(now).Phones {
		if other, ok := texts[p.Description]; ok {
			t.Errorf("%s and %s have the same description: %s", p.Name, other, p.Description)
		}
		texts[p.Description] = p.Name
		for s := range strings.SplitSeq(p.Description, ". ") {
			sentences[strings.Trim(s, ".")]++
		}
	}
	if len(sentences) < 120 {
		t.Errorf("the descriptions have %d different sentences, want at least 120", len(sentences))
	}
	for s, n := range sentences {
		if n > 20 {
			t.Errorf("%q occurs %d times, want at most 20", s, n)
		}
	}
}

func TestLoginsHaveTheirRoles(t *testing.T) {
	d := demo.New(now)
	people, phones := peopleByEmail(d), map[string]int{}
	for _, p := range d.Phones {
		phones[p.Seller]++
		phones[p.BookedBy]++
	}
	for _, l := range demo.Logins() {
		p, ok := people[l.Email]
		valid := map[string]bool{
			"admin":           p.Admin,
			"seller-verified": p.AccountType == demo.Seller && p.Verified && phones[p.Email] > 4,
			"seller":          p.AccountType == demo.Seller && !p.Verified && phones[p.Email] > 4,
			"buyer":           p.AccountType == demo.User && !p.Admin && phones[p.Email] == 0,
			"buyer2":          p.AccountType == demo.User && !p.Admin && phones[p.Email] == 0,
		}
		if !ok || !valid[l.Role] || p.Password != l.Password || len(l.Password) < 6 {
			t.Errorf("the login %s is %+v with %d phones", l.Role, p, phones[p.Email])
		}
	}
}

func TestOneSellerHasWaitedForDaysToBeVerified(t *testing.T) {
	var waiting []demo.Person
	for _, p := range demo.New(now).People {
		if p.AccountType == demo.Seller && !p.Verified {
			waiting = append(waiting, p)
		}
	}
	if len(waiting) != 1 || now.Sub(waiting[0].Created) > 8*24*time.Hour {
		t.Errorf("%+v are not verified; want one seller, for 8 days at most", waiting)
	}
}

func TestContactDataIsFictional(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range demo.New(now).People {
		if !strings.HasSuffix(p.Email, "@example.com") || seen[p.Email] || seen[p.Phone] {
			t.Errorf("%+v has an email or phone that is real or not unique", p)
		}
		seen[p.Email], seen[p.Phone] = true, true
	}
}

func TestMostPhonesAreRecent(t *testing.T) {
	recent, storage := 0, 0
	for _, p := range demo.New(now).Phones {
		if p.Drawn {
			recent++
			if p.Storage > 0 {
				storage++
			}
		}
	}
	if recent < 200 || storage != recent {
		t.Errorf("%d phones of 2019 and later, %d with storage", recent, storage)
	}
}

func TestOrdersAreInEveryState(t *testing.T) {
	d := demo.New(now)
	people, ordered, states, waiting := peopleByEmail(d), map[int]bool{}, map[string]int{}, map[string]bool{}
	for _, o := range d.Orders {
		p := d.Phones[o.Phone]
		if ordered[o.Phone] || p.Advertised || p.BookedBy != "" || people[o.Buyer].AccountType != demo.User {
			t.Errorf("the order %+v of the phone %+v is invalid", o, p)
		}
		booked := now.AddDate(0, 0, -o.Days)
		if p.Created.After(booked) || people[o.Buyer].Created.After(booked) {
			t.Errorf("the order %+v is older than its phone of %s or its buyer of %s", o, p.Created, people[o.Buyer].Created)
		}
		ordered[o.Phone] = true
		states[o.State]++
		if o.State == demo.Waiting {
			waiting[p.Seller] = true
		}
	}
	for _, state := range []string{
		demo.Held, demo.Expired, demo.Cancelled, demo.Refunded, demo.Waiting, demo.Sent, demo.Received, demo.Problem, demo.Released, demo.PaidOut,
	} {
		if states[state] == 0 {
			t.Errorf("no order is %s", state)
		}
	}
	if len(d.Orders) != 20 {
		t.Errorf("%d orders, want 20: there is a phone for each", len(d.Orders))
	}
	for _, l := range demo.Logins() {
		if people[l.Email].AccountType == demo.Seller && !waiting[l.Email] {
			t.Errorf("%s has no order to hand over", l.Email)
		}
	}
	for _, r := range d.Reports {
		made := now.AddDate(0, 0, -r.Days)
		if people[r.Reporter].AccountType != demo.User || r.Reason == "" || d.Phones[r.Phone].Created.After(made) || r.Days > 7 {
			t.Errorf("the report %+v is invalid", r)
		}
	}
}

// So the demo starts with every limit of MAX_HOLDS.
func TestNoBuyerHoldsTwoPhones(t *testing.T) {
	holds := map[string]int{}
	for _, buyer := range demo.New(now).Holds() {
		if holds[buyer]++; holds[buyer] > 1 {
			t.Errorf("%s holds %d phones", buyer, holds[buyer])
		}
	}
	if len(holds) < 10 {
		t.Errorf("%d phones are held, want 10 or more", len(holds))
	}
}

func peopleByEmail(d demo.Catalogue) map[string]demo.Person {
	all := map[string]demo.Person{}
	for _, p := range d.People {
		all[p.Email] = p
	}
	return all
}

func TestConversationsAreOfTheLogins(t *testing.T) {
	d, logins := demo.New(now), demo.Logins()
	lines := map[string]int{} // by seller and buyer
	for _, c := range d.Conversations {
		p := d.Phones[c.Phone]
		if p.BookedBy != "" || !p.Created.Before(now.Add(-c.Lines[0].Before)) {
			t.Errorf("%s of %s was booked, or listed after the conversation began", p.Name, p.Seller)
		}
		lines[p.Seller+" "+c.Buyer] = len(c.Lines)
	}
	verified, seller, buyer, second := logins[1].Email, logins[2].Email, logins[3].Email, logins[4].Email
	want := map[string]int{seller + " " + buyer: 2, seller + " " + second: 1, verified + " " + buyer: 2, verified + " " + second: 1}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}
