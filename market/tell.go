package market

import "time"

// The functions here are who is told of what: one per kind of change, each
// returning the events to be stored with it.

// productEvents tells the brand's readers, the seller, and Home where the phone
// is or was advertised.
func productEvents(kind string, p Product, wasAdvertised bool, at time.Time) []Event {
	event := func(topic, kind string, view any) Event {
		return Event{Topic: topic, Type: kind, At: at, Entity: p.ID, Version: p.Version, Data: encode(view)}
	}
	var brand, seller any = p.View(), p.ViewForSeller()
	advertised := p.ViewForVisitor()
	if kind == TypeProductRemoved {
		gone := GoneView{ID: p.ID, Version: p.Version}
		brand, seller = gone, gone
		advertised.Advertise = false
	}
	events := []Event{
		event(TopicBrand(p.BrandID), kind, brand),
		event(TopicMe(p.SellerUID), kind, seller),
	}
	if p.Advertised || wasAdvertised {
		events = append(events, event(TopicAdvertised, TypeAdvertisedChanged, advertised))
	}
	return events
}

// bookingEvents tells the buyer.
func bookingEvents(b Booking, at time.Time) []Event {
	return []Event{{
		Topic: TopicMe(b.BuyerUID), Type: TypeBookingChanged, At: at,
		Entity: b.ID, Version: b.Version, Data: encode(b.View()),
	}}
}

// userEvents tells the admins, where the user is one of those they list.
func userEvents(kind string, u User, at time.Time) []Event {
	var view any = u.View()
	if kind == TypeUserRemoved {
		view = GoneView{ID: u.ID, Version: u.Version}
	}
	return []Event{{Topic: TopicAdmin, Type: kind, At: at, Entity: u.ID, Version: u.Version, Data: encode(view)}}
}

// meEvent tells one person something about their own account.
func meEvent(kind string, u User, at time.Time) Event {
	return Event{Topic: TopicMe(u.UID), Type: kind, At: at, Entity: u.ID, Version: u.Version, Data: encode(u.View())}
}

// controlEvent tells every node. It has no entity: none of them is outdated by
// another.
func controlEvent(kind string, c Control, at time.Time) Event {
	return Event{Topic: TopicControl, Type: kind, At: at, Data: encode(c)}
}

// reportEvents tells the admins.
func reportEvents(kind string, r Report, at time.Time) []Event {
	var view any = r.View()
	if kind == TypeReportRemoved {
		view = GoneView{ID: r.ID, Version: r.Version}
	}
	return []Event{{Topic: TopicAdmin, Type: kind, At: at, Entity: r.ID, Version: r.Version, Data: encode(view)}}
}
