package storetest

import "secondring/market"

var reportCases = cases{
	"one of a case and a reporter is stored": func(s env) {
		r, again := report("p1", "ann"), report("p1", "ann")
		s.ok(s.AddReport(s.Context(), r, nil))
		s.ok(s.AddReport(s.Context(), again, nil))
		wantNotFound[market.Report](s)(s.Report(s.Context(), again.ID))
		s.equal(get[int](s)(s.CountReportsBy(s.Context(), "ann")), 1)
	},
	"save is compare-and-set": func(s env) {
		r := report("p1", "ann")
		s.ok(s.AddReport(s.Context(), r, nil))
		s.wantError(s.SaveReport(s.Context(), r, nil), market.ErrConflict)
		r.UserName, r.Version = "", 2
		s.ok(s.SaveReport(s.Context(), r, effects(event(r.ID, 2))))
		s.equal(get[market.Report](s)(s.Report(s.Context(), r.ID)), r)
		s.wantEvents(event(r.ID, 2))
	},
	"remove is compare-and-set": func(s env) {
		r := report("p1", "ann")
		r.Version = 2
		s.wantError(s.RemoveReport(s.Context(), r, effects(event(r.ID, 2))), market.ErrNotFound)
		r.Version = 1
		s.ok(s.AddReport(s.Context(), r, nil))
		for _, version := range []int64{0, 1, 3} {
			r.Version = version
			s.wantError(s.RemoveReport(s.Context(), r, effects(event(r.ID, version))), market.ErrConflict)
		}
		s.wantEvents()
		r.Version = 2
		s.ok(s.RemoveReport(s.Context(), r, effects(event(r.ID, 2))))
		s.wantEvents(event(r.ID, 2))
		wantNotFound[market.Report](s)(s.Report(s.Context(), r.ID))
	},
	"those by a person and about a seller are counted": func(s env) {
		ctx := s.Context()
		for i, phone := range []string{"p1", "p2", "p3"} {
			r := report(phone, "ann")
			if r.SellerID = "sue's"; i == 0 {
				r.SellerID = ""
			}
			s.ok(s.AddReport(ctx, r, nil))
		}
		for uid, want := range map[string]int{"ann": 3, "bob": 0} {
			s.equal(get[int](s)(s.CountReportsBy(ctx, uid)), want)
		}
		for id, want := range map[string]int{"sue's": 2, "nobody's": 0} {
			s.equal(get[int](s)(s.CountReportsAbout(ctx, id)), want)
		}
	},
	"the list is newest first": func(s env) {
		list := func(p market.Page) (market.List[market.Report], error) { return s.Reports(s.Context(), p) }
		id := func(r market.Report) string { return r.ID }
		wantPages(s, list, id)
		var all []market.Report
		for _, uid := range []string{"a", "b", "c", "d"} {
			r := report("p1", uid)
			s.ok(s.AddReport(s.Context(), r, nil))
			all = append([]market.Report{r}, all...)
		}
		wantPages(s, list, id, all...)
		removed := all[2]
		removed.Version = 2
		s.ok(s.RemoveReport(s.Context(), removed, nil))
		wantPages(s, list, id, all[0], all[1], all[3])
	},
}
