package market

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"
)

// announcementKind is the Kind of the records that store announcements.
const announcementKind = "announcement"

// announcement describes one change of a phone for the people who watch it or have a saved
// search for it. It is stored as a record with that change. The Announcer makes the
// notifications.
type announcement struct {
	ProductID string
	Version   int64            // the phone's version after the change
	Kind      NotificationKind // what the watchers are notified of: price, sold or available; "" for nothing
	Was, Now  int              // the resale price before and after, whole US dollars
	Quiet     []string         // the UIDs of watchers who need no notification
	// Searches is true if the phone may match searches that it did not match before. Before
	// has the old values of the fields that searches compare; nil for a new phone.
	Searches bool
	Before   *Product

	// The progress of the Announcer.
	Audience int    // an index of audiences
	After    string // the last Watching.ID of that audience that was notified
	Tries    int    // failed tries
}

// announcementEvents returns the event that stores the announcement of a change; none if
// the change needs no announcement.
func announcementEvents(kind string, before, p Product, at time.Time) []Event {
	if kind == TypeProductRemoved {
		return nil
	}
	a := announcement{ProductID: p.ID, Version: p.Version, Was: before.ResalePrice, Now: p.ResalePrice}
	a.Kind, a.Quiet = watcherNotification(before, p)
	searchableBefore := before.searchable()
	if a.Searches = mayMatchMore(searchableBefore, p.searchable()); a.Searches && kind != TypeProductAdded {
		a.Before = &searchableBefore
	}
	if a.Kind == "" && !a.Searches {
		return nil
	}
	return []Event{a.record(at).Event(at)}
}

// record returns the announcement's record. It is due at once.
func (a announcement) record(at time.Time) Record {
	return Record{Kind: announcementKind, ID: fmt.Sprint(a.ProductID, ":", a.Version), Data: encode(a), Due: at, Version: 1}
}

func announcementIn(r Record) (a announcement, err error) {
	err = json.Unmarshal(r.Data, &a)
	return a, err
}

// watcherNotification returns the kind of notification that a phone's watchers get about a
// change. quiet are the watchers who get none, because they booked the phone or waited for
// it.
func watcherNotification(before, p Product) (kind NotificationKind, quiet []string) {
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

// mayMatchMore returns whether a changed phone may match searches that it did not match
// before. Both are searchable phones. A new hold alone ends matches only.
func mayMatchMore(before, p Product) bool {
	if p.Hold != nil {
		before.Hold = p.Hold
	}
	return !reflect.DeepEqual(before, p)
}

// searchable returns the phone with only the fields that Query.Matches compares.
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

// forWatcher returns the notification for somebody who watches the phone. p is the phone's
// current state. ok is false if the announcement no longer holds for it.
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
		cause = fmt.Sprint(a.Kind, ":", p.ID, ":$", a.Now) // only one notification for each price, also if it goes up and down
	case NotifySold:
		ok, text = p.Sold, p.title()+", which you watch, is sold."
	default:
		ok, text = p.Hold == nil, p.title()+", which you watch, is available again."
	}
	n = NewNotification(w.UID, a.Kind, text, linkPhone+p.ID, cause, at)
	n.ProductID = p.ID
	return n, ok
}

// forSearcher returns the notification for a person's saved searches of a brand, or of
// AnyBrand, that match the phone now and did not match it before; none if there is no such
// search.
func (a announcement) forSearcher(p Product, w Watching, brand string, at time.Time) (all []Notification) {
	if !a.Searches || p.Sold || w.UID == p.SellerUID {
		return nil
	}
	for _, s := range w.Searches {
		isNew := a.Before == nil || !s.Query.Matches(*a.Before)
		switch {
		case !slices.Contains(s.brands(), brand) || !isNew || !s.Query.Matches(p):
		case len(all) == 0:
			all = []Notification{newMatch(w.UID, s, p, at)}
		default:
			all[0] = all[0].withMatches(newMatch(w.UID, s, p, at))
		}
	}
	return all
}
