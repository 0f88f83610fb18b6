package market

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"
)

// announcementKind is the Kind of the records of announcements.
const announcementKind = "announcement"

// announcement is what those who watch a phone, and those with a search for it, must hear of
// one change. It is stored as a record with that change; the Announcer tells them.
type announcement struct {
	ProductID string
	Version   int64            // the phone's after the change
	Kind      NotificationKind // what the watchers hear: price, sold or available; "" for nothing
	Was, Now  int              // the resale price before and after, whole US dollars
	Quiet     []string         // the UIDs of watchers who know already
	// Searches tells that the phone may match searches that it did not match before. Before
	// has what searches compare, as it was; nil for a new phone.
	Searches bool
	Before   *Product

	// How far it has been told.
	Audience int    // a place in audiences
	After    string // the last Watching.ID of that audience
	Tries    int    // that have failed
}

// announcementEvents returns the record of what is to be told of a change; none where nobody
// has to hear of it.
func announcementEvents(kind string, before, p Product, at time.Time) []Event {
	if kind == TypeProductRemoved {
		return nil
	}
	a := announcement{ProductID: p.ID, Version: p.Version, Was: before.ResalePrice, Now: p.ResalePrice}
	a.Kind, a.Quiet = news(before, p)
	was := before.searchable()
	if a.Searches = p.Hold == nil && !reflect.DeepEqual(was, p.searchable()); a.Searches && kind != TypeProductAdded {
		a.Before = &was
	}
	if a.Kind == "" && !a.Searches {
		return nil
	}
	return []Event{a.record(at).Event(at)}
}

// record is due at once.
func (a announcement) record(at time.Time) Record {
	return Record{Kind: announcementKind, ID: fmt.Sprint(a.ProductID, ":", a.Version), Data: encode(a), Due: at, Version: 1}
}

func announcementIn(r Record) (a announcement, err error) {
	err = json.Unmarshal(r.Data, &a)
	return a, err
}

// news returns what the watchers of a phone hear of a change, and which of them know already:
// those who booked it or waited for it.
func news(before, p Product) (kind NotificationKind, quiet []string) {
	for _, hold := range []*Hold{before.Hold, p.Hold} {
		if hold != nil {
			quiet = append(quiet, hold.BuyerUID)
		}
	}
	for _, w := range before.Waitlist {
		quiet = append(quiet, w.UID)
	}
	switch {
	case p.Sold && !before.Sold:
		return NotifySold, quiet
	case before.Hold != nil && p.Hold == nil:
		return NotifyAvailable, quiet
	case before.Version > 0 && p.ResalePrice < before.ResalePrice:
		return NotifyPrice, nil
	}
	return "", nil
}

// searchable returns what Query.Matches compares.
func (p Product) searchable() Product {
	s := Product{
		BrandID: p.BrandID, Brand: p.Brand, Name: p.Name, Description: p.Description, Condition: p.Condition,
		ResalePrice: p.ResalePrice, Storage: p.Storage, Location: p.Location, Verified: p.Verified,
	}
	if p.Hold != nil {
		s.Hold = &Hold{}
	}
	return s
}

// forWatcher returns the notification of somebody who watches the phone, which is p by now;
// not ok where it is not true any more.
func (a announcement) forWatcher(p Product, w Watching, at time.Time) (n Notification, ok bool) {
	if a.Kind == "" || w.UID == p.SellerUID || slices.Contains(a.Quiet, w.UID) {
		return n, false
	}
	cause := fmt.Sprint(a.Kind, ":", p.ID, ":", a.Version)
	var text string
	switch a.Kind {
	case NotifyPrice:
		ok = p.ResalePrice < a.Was && !p.Sold
		text = fmt.Sprintf("%s, which you watch, is cheaper now: $%d instead of $%d.", p.title(), a.Now, a.Was)
		cause = fmt.Sprint(a.Kind, ":", p.ID, ":$", a.Now) // a price that goes up and down is told once
	case NotifySold:
		ok, text = p.Sold, p.title()+", which you watch, is sold."
	default:
		ok, text = p.Hold == nil, p.title()+", which you watch, is available again."
	}
	return NewNotification(w.UID, a.Kind, text, linkPhone+p.ID, cause, at), ok
}

// forSearcher returns the notifications of somebody's searches of a brand, or of no brand in
// particular, that match the phone now and did not before.
func (a announcement) forSearcher(p Product, w Watching, brand string, at time.Time) []Notification {
	if !a.Searches || p.Sold || w.UID == p.SellerUID {
		return nil
	}
	var all []Notification
	for _, s := range w.Searches {
		isNew := a.Before == nil || !s.Query.Matches(*a.Before)
		if slices.Contains(s.brands(), brand) && isNew && s.Query.Matches(p) {
			text := fmt.Sprintf("New for your search “%s”: %s for $%d.", s.Name, p.title(), p.ResalePrice)
			n := NewNotification(w.UID, NotifyMatch, text, linkPhone+p.ID, "match:"+s.ID+":"+p.ID, at)
			n.Subject = s.Name
			all = append(all, n)
		}
	}
	return all
}
