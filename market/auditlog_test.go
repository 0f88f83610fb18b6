package market_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"secondring/market"
)

// auditEntries returns the audit log, newest first.
func (e *env) auditEntries(by market.Actor) []market.AuditEntry {
	e.t.Helper()
	list, err := e.AuditLog(e.ctx, by, market.Page{Limit: 100})
	e.must(err)
	return list.Items
}

// auditEntry returns the only entry of this action.
func (e *env) auditEntry(by market.Actor, action market.AuditAction) market.AuditEntry {
	e.t.Helper()
	found := slices.DeleteFunc(e.auditEntries(by), func(entry market.AuditEntry) bool { return entry.Action != action })
	if len(found) != 1 {
		e.t.Fatalf("%d audit entries of %s, want one: %+v", len(found), action, found)
	}
	return found[0]
}

func TestAdminActionsAddOneAuditEntry(t *testing.T) {
	e := newEnv(t)
	admin, seller, buyer := e.admin(), e.seller(), e.buyer()
	p := e.phone(seller)
	r, err := e.AddReport(e.ctx, buyer, market.ReportRequest{ProductID: p.ID, Reason: "Not a 3310"})
	e.must(err)
	before := len(e.auditEntries(admin)) // granting the admin role added an entry
	person := func(who market.Actor) (id, name, concern string) {
		return who.User.ID, who.User.Name, who.User.ID
	}
	for _, c := range []struct {
		action market.AuditAction
		act    func() (int, error)
		target func() (id, name, concern string)
	}{
		{
			market.ActionVerifySeller, func() (int, error) { return e.VerifySeller(e.ctx, admin, seller.User.ID, market.VerifyRequest{}) },
			func() (string, string, string) { return person(seller) },
		},
		{
			market.ActionTakeBadge, func() (int, error) { return e.TakeBadge(e.ctx, admin, seller.User.ID) },
			func() (string, string, string) { return person(seller) },
		},
		{
			market.ActionCloseReport, func() (int, error) { return e.RemoveReport(e.ctx, admin, r.ID) },
			func() (string, string, string) { return r.ID, p.Name, buyer.User.ID },
		},
		{
			market.ActionRemovePhone, func() (int, error) { return e.RemoveProduct(e.ctx, admin, p.ID, market.RemovalReason{}) },
			func() (string, string, string) { return p.ID, p.Name, seller.User.ID },
		},
		{
			market.ActionRemoveBuyer, func() (int, error) { return e.RemoveUser(e.ctx, admin, buyer.User.ID, market.RemovalReason{}) },
			func() (string, string, string) { return person(buyer) },
		},
		{
			market.ActionRemoveSeller, func() (int, error) { return e.RemoveUser(e.ctx, admin, seller.User.ID, market.RemovalReason{}) },
			func() (string, string, string) { return person(seller) },
		},
	} {
		e.clock.Pass(time.Second) // newer entries come first
		n, err := c.act()
		if e.must(err); n != 1 {
			t.Fatalf("%s changed %d, want 1", c.action, n)
		}
		_, _ = c.act() // repeating the action adds no second entry
		all := e.auditEntries(admin)
		if before++; len(all) != before {
			t.Fatalf("after %s there are %d entries, want %d", c.action, len(all), before)
		}
		id, name, concern := c.target()
		want := market.AuditEntry{
			ID: all[0].ID, At: e.clock.Now(), ActorID: admin.User.ID, Actor: admin.User.Name, Action: c.action,
			Target: name, TargetID: id, ConcernID: concern,
		}
		if diff := cmp.Diff(want, all[0]); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.action, diff)
		}
	}
	events := 0
	for _, event := range e.drain() {
		if event.Type == market.TypeAuditEntryAdded {
			events++
			if text := string(event.Data); strings.Contains(text, "@") || strings.Contains(text, "01700") || !json.Valid(event.Data) {
				t.Errorf("an event of the audit log has contact data: %s", text)
			}
		}
	}
	if events != before {
		t.Errorf("%d events of %d entries", events, before)
	}
}

func TestOperatorCommandsAddAuditEntries(t *testing.T) {
	e := newEnv(t)
	admin, buyer := e.admin(), e.buyer()
	a, err := e.store.Account(e.ctx, buyer.User.UID)
	e.must(err)
	for range 2 { // repeating the command changes nothing
		e.must(e.MakeAdmin(e.ctx, a))
	}
	e.clock.Pass(time.Second)
	e.must(e.RevokeAdmin(e.ctx, a.Email))
	var got []market.AuditAction
	for _, entry := range e.auditEntries(admin) {
		if entry.ActorID != "" || entry.Actor != "" {
			t.Errorf("the actor of %s is %q, want none", entry.Action, entry.Actor)
		}
		if entry.TargetID == buyer.User.ID {
			got = append(got, entry.Action)
		}
	}
	if diff := cmp.Diff([]market.AuditAction{market.ActionRevokeAdmin, market.ActionMakeAdmin}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestUserActionsAddNoAuditEntry(t *testing.T) {
	e := newEnv(t)
	admin, seller, buyer := e.admin(), e.seller(), e.buyer()
	before := len(e.auditEntries(admin))
	p, q := e.phone(seller), e.phone(seller)
	_, err := e.RemoveProduct(e.ctx, seller, p.ID, market.RemovalReason{})
	e.must(err)
	e.mustBook(buyer, q)
	e.sellToAnotherBuyer(e.phone(seller))
	_, err = e.RemoveProduct(e.ctx, seller, q.ID, market.RemovalReason{}) // the phone is held
	e.wantCode(err, market.CodeHeld)
	_, err = e.AuditLog(e.ctx, seller, market.Page{Limit: 10})
	e.wantCode(err, market.CodeForbidden)
	if after := len(e.auditEntries(admin)); after != before {
		t.Errorf("%d entries were added, want none", after-before)
	}
}

func TestAuditEntriesAreKeptFor400Days(t *testing.T) {
	e := newEnv(t)
	admin := e.admin()
	before := len(e.auditEntries(admin))
	e.clock.Pass(market.AuditLogRetention - time.Hour)
	e.must(e.janitor.Step(e.ctx))
	if n := len(e.auditEntries(admin)); n != before {
		t.Fatalf("%d entries of %d are left before their time", n, before)
	}
	e.clock.Pass(time.Hour + time.Second)
	e.restart() // a new process purges at once
	e.must(e.janitor.Step(e.ctx))
	if n := len(e.auditEntries(admin)); n != 0 {
		t.Errorf("%d entries are left", n)
	}
}
