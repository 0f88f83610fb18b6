package market

import (
	"encoding/json"
	"slices"
	"time"
)

// Each function here returns the events of one kind of change, which are stored with the
// change. An event's topic decides who receives it.

// productEvents returns the events for readers of the brand (signed-in users and visitors),
// the seller, those whose place on the waitlist has changed, and Home if the phone is or
// was advertised. A removal has an event for the admins too, because they may have reports
// about the phone. An announcement is for those who watch the phone or search for it.
// before is the phone before the change; the zero Product for a new one.
func (m *Market) productEvents(kind string, before, p Product, at time.Time) []Effect {
	event := func(topic, kind string, data json.RawMessage) Event {
		return Event{Topic: topic, Type: kind, At: at, Entity: p.ID, Version: p.Version, Data: data}
	}
	removed := kind == TypeProductRemoved
	visitor, seller := Absolute(m, p.ViewForVisitor()), m.sellerEvent(kind, p, at)
	visitors, brand := encode(visitor), encode(Absolute(m, m.ViewForBuyers(p)))
	if removed {
		brand = encode(TombstoneView{ID: p.ID, Version: p.Version})
		seller.Data, visitors = brand, brand
	}
	effects := []Effect{
		event(TopicBrand(p.BrandID), kind, brand),
		event(TopicBrandForVisitors(p.BrandID), kind, visitors),
		seller,
	}
	if removed {
		effects = append(effects, event(TopicAdmin, kind, brand))
	}
	if p.Advertised || before.Advertised {
		visitor.Advertise = visitor.Advertise && !removed
		if removed {
			visitors = encode(visitor)
		}
		effects = append(effects, event(TopicAdvertised, TypeAdvertisedChanged, visitors))
	}
	return slices.Concat(effects, m.waitlistEvents(before, p, at), announcementOf(kind, before, p, at), movedPhone(kind, before, p, at))
}

// sellerEvent returns the event for the seller of a phone.
func (m *Market) sellerEvent(kind string, p Product, at time.Time) Event {
	return Event{
		Topic: TopicMe(p.SellerUID), Type: kind, At: at, Entity: p.ID, Version: p.Version, Data: encode(Absolute(m, p.ViewForSeller())),
	}
}

// waitlistEvents returns the events for those whose waitlist entry is new, has changed or
// has ended. An entry has the phone's version.
func (m *Market) waitlistEvents(before, p Product, at time.Time) []Effect {
	entriesBefore := map[string]WaitlistEntryView{}
	for i, w := range before.Waitlist {
		entriesBefore[w.ID] = Absolute(m, before.entry(i).View())
	}
	var effects []Effect
	add := func(uid, id string, view any) {
		effects = append(effects, Event{
			Topic: TopicMe(uid), Type: TypeWaitlistChanged, At: at, Entity: id, Version: p.Version, Data: encode(view),
		})
	}
	for i, w := range p.Waitlist {
		view := Absolute(m, p.entry(i).View())
		viewBefore := entriesBefore[w.ID]
		viewBefore.Version = view.Version
		if viewBefore != view {
			add(w.UID, w.ID, view)
		}
		delete(entriesBefore, w.ID)
	}
	for _, w := range before.Waitlist {
		if _, ended := entriesBefore[w.ID]; ended {
			add(w.UID, w.ID, TombstoneView{ID: w.ID, Version: p.Version})
		}
	}
	return effects
}

// watchingEvents returns the events for the person: the list of watched phones if it has
// changed, and each search that is new or deleted.
func watchingEvents(before, w Watching, at time.Time) []Effect {
	var effects []Effect
	add := func(kind, id string, version int64, view any) {
		effects = append(effects, Event{Topic: TopicMe(w.UID), Type: kind, At: at, Entity: id, Version: version, Data: encode(view)})
	}
	if !slices.Equal(before.Phones, w.Phones) {
		add(TypeWatchChanged, w.ID, w.Version, w.View())
	}
	contains := func(searches []SavedSearch, search SavedSearch) bool {
		return slices.ContainsFunc(searches, func(s SavedSearch) bool { return s.ID == search.ID })
	}
	for _, s := range w.Searches {
		if !contains(before.Searches, s) {
			add(TypeSearchChanged, s.ID, savedSearchVersion, s.View())
		}
	}
	for _, s := range before.Searches {
		if !contains(w.Searches, s) {
			add(TypeSearchChanged, s.ID, savedSearchVersion+1, TombstoneView{ID: s.ID, Version: savedSearchVersion + 1})
		}
	}
	return effects
}

// bookingEvents returns the events for the buyer, after the payment for the seller, and for
// the admins.
func (m *Market) bookingEvents(b Booking, at time.Time) []Effect {
	event := func(topic, kind string, data json.RawMessage) Event {
		return Event{Topic: topic, Type: kind, At: at, Entity: b.ID, Version: b.Version, Data: data}
	}
	effects := []Effect{event(TopicMe(b.BuyerUID), TypeBookingChanged, encode(Absolute(m, b.View())))}
	if b.EarningState() != "" { // it is in the list of what they have sold
		effects = append(effects, event(TopicMe(b.SellerUID), TypeBookingChanged, encode(Absolute(m, b.ViewForSeller()))))
	}
	return slices.Concat(effects, []Effect{event(TopicAdmin, TypeOrderChanged, encode(Absolute(m, m.ViewForAdmin(b))))}, settledPhone(b, at), agreedBooking(b, at))
}

// userEvents returns the event for the admins, if the user is on one of their lists.
func userEvents(kind string, u User, at time.Time) []Effect {
	var view any = u.View()
	if kind == TypeUserRemoved {
		view = TombstoneView{ID: u.ID, Version: u.Version}
	}
	return []Effect{Event{Topic: TopicAdmin, Type: kind, At: at, Entity: u.ID, Version: u.Version, Data: encode(view)}}
}

// meEvent returns an event for one person about their own account.
func meEvent(kind string, u User, at time.Time) Event {
	return Event{Topic: TopicMe(u.UID), Type: kind, At: at, Entity: u.ID, Version: u.Version, Data: encode(u.View())}
}

// ControlEvent returns an event for every node. It has no entity, so that no control event
// replaces another.
func ControlEvent(kind string, c Control, at time.Time) Event {
	return Event{Topic: TopicControl, Type: kind, At: at, Data: encode(c)}
}

// reportEvents returns the event for the admins.
func (m *Market) reportEvents(kind string, r Report, at time.Time) []Effect {
	var view any = Absolute(m, r.View())
	if kind == TypeReportRemoved {
		r.Version++ // above the version of ViewWithoutPhone
		view = TombstoneView{ID: r.ID, Version: r.Version}
	}
	return []Effect{Event{Topic: TopicAdmin, Type: kind, At: at, Entity: r.ID, Version: r.Version, Data: encode(view)}}
}
