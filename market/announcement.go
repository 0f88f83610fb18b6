package market

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"secondring/market/search"
)

// announcementKind is the Kind of the records that store announcements.
const announcementKind = "announcement"

// announcement describes what has changed in a phone since the last announcement, for the
// people who watch it or have a saved search for it. Each change stores one as a record. The
// announcer merges those of a phone that it finds, and makes the notifications.
type announcement struct {
	ProductID string
	From      int64 // the phone's version after the first change
	Version   int64 // its version after the last change
	// Changes are what the watchers are notified of: at most one lower price, and one change
	// of the phone's availability.
	Changes []watchedChange
	// Gained are the aspects in which the phone may match searches that it did not match
	// before; just newPhone for a new one. Before has the old values of the fields that
	// searches compare, if any has changed.
	Gained []search.Aspect
	Before *search.Phone
}

// watchedChange is a change of a phone of which its watchers are notified.
type watchedChange struct {
	Kind    NotificationKind // price, sold or available
	Version int64            // the phone's version after the change
	Was     int              // with price: the price before, in whole US dollars
	Quiet   []string         // the UIDs of watchers who need no notification
}

// announcementOf returns the record of the announcement of a change; none if the change needs no
// announcement.
func announcementOf(kind string, before, p Product, at time.Time) []Effect {
	if kind == TypeProductRemoved {
		return nil
	}
	a := announcement{ProductID: p.ID, From: p.Version, Version: p.Version, Changes: watchedChanges(before, p)}
	if kind == TypeProductAdded {
		a.Gained = []search.Aspect{search.NewPhone}
	} else if a.Gained = search.Gained(before.Searchable(), p.Searchable()); len(a.Gained) > 0 {
		a.Before = new(before.Searchable())
	}
	if len(a.Changes) == 0 && len(a.Gained) == 0 {
		return nil
	}
	return []Effect{a.record(at)}
}

// record returns the announcement's record. It is due at once.
func (a announcement) record(at time.Time) Record {
	return Record{Kind: announcementKind, ID: fmt.Sprint(a.ProductID, ":", a.Version), Data: encode(a), Due: at, Version: 1}
}

func announcementIn(r Record) (a announcement, err error) {
	err = json.Unmarshal(r.Data, &a)
	return a, err
}

// watchedChanges returns of what a phone's watchers are notified after a change. Those who
// booked the phone or waited for it are not notified of its availability.
func watchedChanges(before, p Product) []watchedChange {
	c := watchedChange{Version: p.Version}
	for _, hold := range []*Hold{before.Hold, p.Hold} {
		if hold != nil {
			c.Quiet = append(c.Quiet, hold.BuyerUID)
		}
	}
	for _, w := range before.Waitlist {
		c.Quiet = append(c.Quiet, w.UID)
	}
	switch {
	case p.Sold && !before.Sold:
		c.Kind = NotifySold
	case before.Hold != nil && p.Hold == nil:
		c.Kind = NotifyAvailable
	case before.Version > 0 && p.ResalePrice < before.ResalePrice:
		c.Kind, c.Was, c.Quiet = NotifyPrice, before.ResalePrice, nil
	default:
		return nil
	}
	return []watchedChange{c}
}

// with returns the announcement of the changes of both: a is the earlier one. To merge the same
// announcement again changes nothing.
func (a announcement) with(later announcement) announcement {
	merged := announcement{
		ProductID: a.ProductID, From: a.From, Version: max(a.Version, later.Version),
		Changes: slices.Clone(a.Changes), Gained: slices.Clone(a.Gained), Before: a.Before,
	}
	if len(a.Gained) == 0 {
		merged.Before = later.Before
	}
	for _, g := range later.Gained {
		if !slices.Contains(merged.Gained, g) {
			merged.Gained = append(merged.Gained, g)
		}
	}
	for _, c := range later.Changes {
		i := slices.IndexFunc(merged.Changes, func(old watchedChange) bool { return (old.Kind == NotifyPrice) == (c.Kind == NotifyPrice) })
		if i < 0 {
			merged.Changes = append(merged.Changes, c)
			continue
		}
		was := max(c.Was, merged.Changes[i].Was) // the lower price is news for whoever knows the highest one
		if c.Version > merged.Changes[i].Version {
			merged.Changes[i] = c
		}
		merged.Changes[i].Was = was
	}
	return merged
}

// searchKeys returns the keys of the searches that the phone may match now and did not match
// before.
func (a announcement) searchKeys(p Product) []searchKey {
	gained := a.Gained
	if slices.Contains(gained, search.NewPhone) {
		gained = []search.Aspect{search.NewPhone} // finds all searches
	}
	var keys []searchKey
	for _, brand := range []string{p.BrandID, AnyBrand} {
		for _, g := range gained {
			keys = append(keys, searchKey{brand, g})
		}
	}
	return keys
}

// searchKey is under what people with saved searches are found: a brand, or AnyBrand, and an
// aspect. All searches are found with the aspect search.NewPhone.
type searchKey struct {
	brand  string
	aspect search.Aspect
}

// String returns the key for Store.WatchingOfSearches. IDs of brands contain no slash.
func (k searchKey) String() string {
	if k.aspect == search.NewPhone {
		return k.brand
	}
	return k.brand + "/" + string(k.aspect)
}

// SearchKeys returns the keys under which the person's searches are found, each once.
func (w Watching) SearchKeys() []string {
	var all []string
	for _, s := range w.Searches {
		aspects := append(s.Query.Aspects(), search.NewPhone)
		for _, brand := range s.brands() {
			for _, a := range aspects {
				all = append(all, searchKey{brand, a}.String())
			}
		}
	}
	return search.Distinct(all)
}

// hasKey returns whether the search is found under the key.
func (s SavedSearch) hasKey(k searchKey) bool {
	return slices.Contains(s.brands(), k.brand) && (k.aspect == search.NewPhone || slices.Contains(s.Query.Aspects(), k.aspect))
}

// forWatcher returns the notification of a change for somebody who watches the phone. p is the
// phone's current state. ok is false if the change no longer holds for it.
func (c watchedChange) forWatcher(p Product, w Watching, at time.Time) (n Notification, ok bool) {
	if w.UID == p.SellerUID || slices.Contains(c.Quiet, w.UID) {
		return n, false
	}
	cause := fmt.Sprint(c.Kind, ":", p.ID, ":", c.Version)
	var text string
	switch c.Kind {
	case NotifyPrice:
		ok = p.ResalePrice < c.Was && !p.Sold
		text = fmt.Sprintf("%s, which you watch, became cheaper: $%d instead of $%d.", p.title(), p.ResalePrice, c.Was)
		cause = p.priceCause() // only one notification for each price, also if it goes up and down
	case NotifySold:
		ok, text = p.Sold, p.title()+", which you watch, is sold."
	default:
		ok, text = p.Hold == nil, p.title()+", which you watch, is available again."
	}
	n = NewNotification(w.UID, c.Kind, text, linkPhone+p.ID, cause, at)
	n.ProductID = p.ID
	return n, ok
}

// priceCause returns the cause of a notification of the phone's price.
func (p Product) priceCause() string { return fmt.Sprint(NotifyPrice, ":", p.ID, ":$", p.ResalePrice) }

// PhoneReader is the part of Store that reads phones.
type PhoneReader interface {
	ProductsByID(ctx context.Context, ids []string) ([]Product, error)
}

// TellPricesOfNow corrects the texts of notifications of lower prices for an email, which may be
// sent a day later: they tell the price that the phone has now. That of a phone that was removed
// stays as it is. In the list of notifications the text stays: it tells the past, beside its time.
func TellPricesOfNow(ctx context.Context, s PhoneReader, all []Notification) error {
	var ids []string
	for _, n := range all {
		if n.Kind == NotifyPrice && n.ProductID != "" {
			ids = append(ids, n.ProductID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	found, err := s.ProductsByID(ctx, slices.Compact(ids))
	if err != nil {
		return err
	}
	for i, n := range all {
		at := slices.IndexFunc(found, func(p Product) bool { return p.ID == n.ProductID })
		if n.Kind != NotifyPrice || at < 0 {
			continue
		}
		switch p := found[at]; {
		case p.Sold:
			all[i].Text = p.title() + ", which you watch, is sold."
		case n.Cause != p.priceCause():
			all[i].Text = fmt.Sprintf("%s, which you watch, costs $%d now.", p.title(), p.ResalePrice)
		}
	}
	return nil
}

// comparison compares the phone of an announcement with searches.
type comparison struct {
	phone       Product
	before, now *search.Matcher // before is nil for a new phone
}

// compare returns the comparison for the current state of the phone. A hold that has begun
// since is not compared: a new hold alone is no news for anybody.
func (a announcement) compare(p Product) comparison {
	c := comparison{phone: p, now: search.NewMatcher(p.Searchable())}
	if a.Before != nil {
		before := *a.Before
		before.Booked = before.Booked || p.Booked()
		c.before = search.NewMatcher(before)
	}
	return c
}

// isNewMatch returns whether the search matches the phone now and did not match it before.
func (c comparison) isNewMatch(q search.Query) bool {
	return c.now.Matches(q) && (c.before == nil || !c.before.Matches(q))
}

// forSearcher returns the notification for a person's saved searches that match the phone now
// and did not match it before: for those with a key, and with none of the earlier keys. It
// returns none if there is no such search.
func (c comparison) forSearcher(w Watching, key searchKey, earlier []searchKey, at time.Time) (all []Notification) {
	p := c.phone
	if p.Sold || w.UID == p.SellerUID {
		return nil
	}
	for _, s := range w.Searches {
		switch {
		case !s.hasKey(key) || slices.ContainsFunc(earlier, s.hasKey) || !c.isNewMatch(s.Query):
		case len(all) == 0:
			all = []Notification{newMatch(w.UID, s, p, at)}
		default:
			all[0] = all[0].withMatches(newMatch(w.UID, s, p, at))
		}
	}
	return all
}
