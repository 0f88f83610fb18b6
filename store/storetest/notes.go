package storetest

import "secondring/market"

var noteCases = cases{
	"the notes about a person are listed, the newest first": func(s env) {
		var about []market.Note
		for i, person := range []string{"ann", "bob", "ann"} {
			n := market.Note{ID: newID(), About: person, By: "root", Text: "Paid late.", Version: 1, At: noon}
			s.ok(s.AddNote(s.Context(), n, effects(event(n.ID, int64(i+1)))))
			if person == "ann" {
				about = append([]market.Note{n}, about...)
			}
		}
		list := get[market.List[market.Note]](s)(s.NotesAbout(s.Context(), "ann", market.Page{Limit: 9}))
		s.equal(list, market.List[market.Note]{Items: about, Total: 2})
		s.wantError(s.AddNote(s.Context(), about[0], nil), market.ErrExists)
	},
}
