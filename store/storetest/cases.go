package storetest

import (
	"slices"
	"time"

	"secondring/market"
)

// decided returns the case as it is after a decision against Ann, in its next version.
func decided(c market.Case) market.Case {
	c.State, c.AboutUID, c.Decision = market.CaseDecided, "ann", &market.Decision{Kind: market.DecisionWarn, At: noon}
	c.Version++
	return c
}

// hiddenPhone returns a hidden phone of Ann.
func hiddenPhone(id string, version int64) market.HiddenPhone {
	return market.HiddenPhone{Phone: market.Product{ID: id, SellerUID: "ann", BrandID: "b", Img: "/images/" + id + ".jpg", Version: version}, CaseID: "c"}
}

// hide stores a hidden phone with another write.
func (s env) hide(h market.HiddenPhone) {
	s.Helper()
	s.ok(s.AddCase(s.Context(), caseOf("target of "+h.ID()), []market.Effect{h}))
}

var caseCases = cases{
	"a target has one open case, and any number of others": func(s env) {
		ctx := s.Context()
		first := caseOf("p1")
		s.ok(s.AddCase(ctx, first, effects(event(first.ID, 1))))
		s.wantError(s.AddCase(ctx, caseOf("p1"), nil), market.ErrExists)
		other := caseOf("p1")
		other.Kind = market.CasePerson
		s.ok(s.AddCase(ctx, other, nil))
		s.equal(get[market.Case](s)(s.OpenCase(ctx, market.CaseProduct, "p1")), first)
		s.ok(s.SaveCase(ctx, decided(first), nil))
		wantNotFound[market.Case](s)(s.OpenCase(ctx, market.CaseProduct, "p1"))
		second := caseOf("p1")
		s.ok(s.AddCase(ctx, second, nil))
		s.equal(get[market.Case](s)(s.OpenCase(ctx, market.CaseProduct, "p1")), second)
		s.wantEvents(event(first.ID, 1))
	},
	"save is compare-and-set": func(s env) {
		ctx := s.Context()
		c := caseOf("p1")
		s.wantError(s.SaveCase(ctx, decided(c), nil), market.ErrNotFound)
		s.ok(s.AddCase(ctx, c, nil))
		s.wantError(s.SaveCase(ctx, c, nil), market.ErrConflict)
		s.ok(s.SaveCase(ctx, decided(c), nil))
		s.equal(get[market.Case](s)(s.Case(ctx, c.ID)), decided(c))
	},
	"they are listed by their state, the oldest first": func(s env) {
		ctx := s.Context()
		var all []market.Case
		for _, target := range []string{"a", "b", "c"} {
			c := caseOf(target)
			s.ok(s.AddCase(ctx, c, nil))
			all = append(all, c)
		}
		all[1] = decided(all[1])
		s.ok(s.SaveCase(ctx, all[1], nil))
		s.equal(get[market.List[market.Case]](s)(s.Cases(ctx, "", market.Page{Limit: 2})), market.List[market.Case]{Items: all[:2], Total: 3, More: true})
		s.equal(get[market.List[market.Case]](s)(s.Cases(ctx, "", market.Page{Limit: 2, After: all[1].ID})).Items, all[2:])
		s.equal(get[market.List[market.Case]](s)(s.Cases(ctx, market.CaseOpen, market.Page{Limit: 9})), market.List[market.Case]{Items: []market.Case{all[0], all[2]}, Total: 2})
	},
	"those about a person, those against them, and those with a report of them": func(s env) {
		ctx := s.Context()
		var all []market.Case
		for _, target := range []string{"a", "b", "c"} {
			c := caseOf(target)
			c.AboutUID = "ann"
			c.Reports = []market.CaseReport{{ID: newID(), ReporterUID: "bob", At: noon}, {ID: newID(), ReporterUID: target, At: noon}}
			s.ok(s.AddCase(ctx, c, nil))
			all = append([]market.Case{c}, all...)
		}
		all[1] = decided(all[1])
		s.ok(s.SaveCase(ctx, all[1], nil))
		s.equal(get[[]market.Case](s)(s.CasesAbout(ctx, "ann", market.Page{Limit: 2})), all[:2])
		s.equal(get[[]market.Case](s)(s.CasesAbout(ctx, "ann", market.Page{Limit: 2, After: all[1].ID})), all[2:])
		s.equal(get[market.List[market.Case]](s)(s.DecisionsAgainst(ctx, "ann", market.Page{Limit: 2})), market.List[market.Case]{Items: all[1:2], Total: 1})
		s.equal(get[[]market.Case](s)(s.CasesReportedBy(ctx, "bob", market.Page{Limit: 9})), all)
		s.equal(get[[]market.Case](s)(s.CasesReportedBy(ctx, "b", market.Page{Limit: 9})), all[1:2])
		s.equal(len(get[[]market.Case](s)(s.CasesAbout(ctx, "bob", market.Page{Limit: 9}))), 0)
	},
	"those that are due": func(s env) {
		ctx := s.Context()
		for i, target := range []string{"later", "now", "never"} {
			c := caseOf(target)
			if c.Due = noon.Add(time.Duration(1-i) * time.Hour); target == "never" {
				c.Due = time.Time{}
			}
			s.ok(s.AddCase(ctx, c, nil))
		}
		due := get[[]market.Case](s)(s.CasesDue(ctx, noon, 9))
		s.equal(len(due), 1)
		s.equal(due[0].TargetID, "now")
	},
	"old ones are purged unless they are open": func(s env) {
		ctx := s.Context()
		open, closed, young := caseOf("a"), decided(caseOf("b")), decided(caseOf("c"))
		young.OpenedAt = noon.Add(time.Hour)
		for _, c := range []market.Case{open, closed, young} {
			c.Version = 1
			s.ok(s.AddCase(ctx, c, nil))
		}
		s.equal(get[int](s)(s.PurgeCases(ctx, noon.Add(time.Minute), 9)), 1)
		left := get[market.List[market.Case]](s)(s.Cases(ctx, "", market.Page{Limit: 9}))
		s.equal(slices.ContainsFunc(left.Items, func(c market.Case) bool { return c.ID == closed.ID }), false)
		s.equal(left.Total, 2)
	},
	"the newest copy of a hidden phone is found": func(s env) {
		ctx := s.Context()
		wantNotFound[market.HiddenPhone](s)(s.HiddenPhone(ctx, "p1"))
		old, now, other := hiddenPhone("p1", 9), hiddenPhone("p1", 10), hiddenPhone("p2", 1)
		for _, h := range []market.HiddenPhone{now, old, other} {
			s.hide(h)
		}
		s.equal(get[market.HiddenPhone](s)(s.HiddenPhone(ctx, "p1")), now)
		s.equal(get[[]market.HiddenPhone](s)(s.HiddenPhonesOf(ctx, "ann", market.Page{Limit: 2})), []market.HiddenPhone{other, now})
		now.CaseID = ""
		s.ok(s.SaveHiddenPhone(ctx, now))
		s.equal(get[market.HiddenPhone](s)(s.HiddenPhone(ctx, "p1")), now)
		s.ok(s.RemoveHiddenPhone(ctx, now))
		s.ok(s.RemoveHiddenPhone(ctx, now))
		s.equal(get[market.HiddenPhone](s)(s.HiddenPhone(ctx, "p1")), old)
	},
	"a hidden phone keeps its brand and its pictures": func(s env) {
		ctx := s.Context()
		b := brand("Nokia")
		s.ok(s.AddBrand(ctx, b))
		h := hiddenPhone("p1", 2)
		h.Phone.BrandID = b.ID
		s.hide(h)
		s.wantError(s.RemoveBrand(ctx, b.ID), market.ErrInUse)
		s.equal(get[bool](s)(s.ShowsPicture(ctx, []string{h.Phone.Img})), true)
		s.ok(s.RemoveHiddenPhone(ctx, h))
		s.equal(get[bool](s)(s.ShowsPicture(ctx, []string{h.Phone.Img})), false)
		s.ok(s.RemoveBrand(ctx, b.ID))
	},
}
