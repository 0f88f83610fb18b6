package market_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"secondring/market"
)

// lines are all lines of the trail, newest first.
func (w *env) lines(by market.Actor) []market.AuditEntry {
	w.t.Helper()
	list, err := w.AuditLog(w.ctx, by, market.Page{Limit: 100})
	w.must(err)
	return list.Items
}

func TestEveryDeedOfAnAdminLeavesOneLine(t *testing.T) {
	w := newEnv(t)
	admin, seller, buyer := w.admin(), w.seller(), w.buyer()
	p := w.phone(seller)
	r, err := w.AddReport(w.ctx, buyer, market.NewReport{ProductID: p.ID, Reason: "Not a 3310"})
	w.must(err)
	begun := len(w.lines(admin)) // that the admin was made one
	person := func(who market.Actor) (id, name, concern string) {
		return who.User.ID, who.User.Name, who.User.ID
	}
	for _, c := range []struct {
		deed market.AuditAction
		does func() (int, error)
		to   func() (id, name, concern string)
	}{
		{
			market.DeedVerifySeller, func() (int, error) { return w.VerifySeller(w.ctx, admin, seller.User.ID) },
			func() (string, string, string) { return person(seller) },
		},
		{
			market.DeedSettleReport, func() (int, error) { return w.RemoveReport(w.ctx, admin, r.ID) },
			func() (string, string, string) { return r.ID, p.Name, buyer.User.ID },
		},
		{
			market.DeedRemovePhone, func() (int, error) { return w.RemoveProduct(w.ctx, admin, p.ID) },
			func() (string, string, string) { return p.ID, p.Name, seller.User.ID },
		},
		{
			market.DeedRemoveBuyer, func() (int, error) { return w.RemoveUser(w.ctx, admin, buyer.User.ID) },
			func() (string, string, string) { return person(buyer) },
		},
		{
			market.DeedRemoveSeller, func() (int, error) { return w.RemoveUser(w.ctx, admin, seller.User.ID) },
			func() (string, string, string) { return person(seller) },
		},
	} {
		w.clock.Pass(time.Second) // what is newer stands first
		n, err := c.does()
		if w.must(err); n != 1 {
			t.Fatalf("%s changed %d", c.deed, n)
		}
		_, _ = c.does() // what is done is done: whatever it answers, it leaves no second line
		all := w.lines(admin)
		if begun++; len(all) != begun {
			t.Fatalf("after %s there are %d lines, want %d", c.deed, len(all), begun)
		}
		id, name, concern := c.to()
		want := market.AuditEntry{
			ID: all[0].ID, At: w.clock.Now(), ActorID: admin.User.ID, Actor: admin.User.Name, Deed: c.deed,
			Target: name, TargetID: id, ConcernID: concern,
		}
		if diff := cmp.Diff(want, all[0]); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.deed, diff)
		}
	}
	told := []string{}
	for _, e := range w.drain() {
		if e.Type == market.TypeTrailAdded {
			told = append(told, e.Entity)
			if text := string(e.Data); strings.Contains(text, "@") || strings.Contains(text, "01700") || !json.Valid(e.Data) {
				t.Errorf("a line says how to reach somebody: %s", text)
			}
		}
	}
	if len(told) != begun {
		t.Errorf("%d lines were told of, %d are there", len(told), begun)
	}
}

func TestTheOperatorsDeedsLeaveALineToo(t *testing.T) {
	w := newEnv(t)
	admin, buyer := w.admin(), w.buyer()
	a, err := w.store.Account(w.ctx, buyer.User.UID)
	w.must(err)
	for range 2 { // the second time there is nothing to do
		w.must(w.MakeAdmin(w.ctx, a))
	}
	w.clock.Pass(time.Second)
	w.must(w.RevokeAdmin(w.ctx, a.Email))
	var got []market.AuditAction
	for _, l := range w.lines(admin) {
		if l.ActorID != "" || l.Actor != "" {
			t.Errorf("%s is said to be of %q", l.Deed, l.Actor)
		}
		if l.TargetID == buyer.User.ID {
			got = append(got, l.Deed)
		}
	}
	if diff := cmp.Diff([]market.AuditAction{market.DeedRevokeAdmin, market.DeedMakeAdmin}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestWhatPeopleDoThemselvesLeavesNoLine(t *testing.T) {
	w := newEnv(t)
	admin, seller, buyer := w.admin(), w.seller(), w.buyer()
	before := len(w.lines(admin))
	p, q := w.phone(seller), w.phone(seller)
	_, err := w.RemoveProduct(w.ctx, seller, p.ID)
	w.must(err)
	w.booked(buyer, q)
	w.buy(w.phone(seller))
	_, err = w.RemoveProduct(w.ctx, seller, q.ID) // held: refused
	w.refused(err, market.CodeHeld)
	_, err = w.AuditLog(w.ctx, seller, market.Page{Limit: 10})
	w.refused(err, market.CodeForbidden)
	if after := len(w.lines(admin)); after != before {
		t.Errorf("%d lines more", after-before)
	}
}

func TestALineIsKeptForFourHundredDays(t *testing.T) {
	w := newEnv(t)
	admin := w.admin()
	begun := len(w.lines(admin))
	w.clock.Pass(market.AuditLogKept - time.Hour)
	w.must(w.janitor.Step(w.ctx))
	if n := len(w.lines(admin)); n != begun {
		t.Fatalf("%d lines of %d are left", n, begun)
	}
	w.clock.Pass(time.Hour + time.Second)
	w.begin() // a new process, which looks at once
	w.must(w.janitor.Step(w.ctx))
	if n := len(w.lines(admin)); n != 0 {
		t.Errorf("%d lines are left", n)
	}
}
