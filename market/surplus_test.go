package market_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"secondring/market"
)

// notifications returns n unread notifications of a kind about a phone, older than those in
// newer.
func notifications(newer []market.Notification, n int, kind market.NotificationKind, productID string) []market.Notification {
	all := slices.Clone(newer)
	for range n {
		all = append(all, market.Notification{ID: fmt.Sprintf("%06d", 999_999-len(all)), Kind: kind, ProductID: productID})
	}
	return all
}

func TestSurplusNotifications(t *testing.T) {
	paid := notifications(nil, 1, market.NotifyPaid, "p")[0]
	read := paid
	read.ReadAt = time.Unix(1, 0)
	for name, c := range map[string]struct {
		all      []market.Notification // newest first
		count    int                   // of those that are deleted
		from, to int                   // their positions are between these
	}{
		"200":                             {notifications(nil, 200, "price", "p"), 0, 0, 0},
		"the oldest of one kind":          {notifications(nil, 203, "price", "p"), 3, 200, 203},
		"a flood of newer ones":           {notifications(notifications(nil, 210, "match", ""), 1, "verified", ""), 11, 199, 210},
		"a flood of older ones":           {notifications(notifications(nil, 1, "sold", "q"), 210, "match", ""), 11, 200, 211},
		"a flood about one phone":         {notifications(notifications(nil, 199, "price", "flood"), 2, "price", "q"), 1, 198, 199},
		"more than 200 to act on":         {notifications(nil, 250, "order", "p"), 0, 0, 0},
		"others are kept beside these":    {notifications(notifications(nil, 250, "turn", "p"), 12, "price", "p"), 2, 260, 262},
		"an unread one to act on is kept": {append(notifications(nil, 200, "price", "p"), paid), 1, 199, 200},
		"a read one is not":               {append(notifications(nil, 200, "paid", "p"), read), 0, 0, 0},
		"eleven read ones":                {append(notifications(nil, 200, "paid", "p"), slices.Repeat([]market.Notification{read}, 11)...), 1, 200, 211},
	} {
		t.Run(name, func(t *testing.T) {
			for i := range c.all {
				c.all[i].ID = fmt.Sprintf("%06d", 999_999-i)
			}
			surplus := market.SurplusNotifications(c.all)
			if len(surplus) != c.count {
				t.Fatalf("%d are deleted, want %d", len(surplus), c.count)
			}
			for _, one := range surplus {
				if i := slices.IndexFunc(c.all, func(n market.Notification) bool { return n.ID == one.ID }); i < c.from || i >= c.to {
					t.Errorf("number %d, a %s about %s, is deleted", i, c.all[i].Kind, c.all[i].ProductID)
				}
			}
		})
	}
}

// One seller's phones match somebody's search again and again. The person was also told that
// their own phone is paid, and that it is their turn for another.
func TestFloodDeletesNoNotificationOfAnotherKind(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	e.mustPay(buyer, e.mustBook(buyer, e.phone(seller)))
	all := e.addNotifications(seller, 2*market.MaxNotifications)
	if len(all) != market.MaxNotifications {
		t.Errorf("%d notifications are kept, want %d", len(all), market.MaxNotifications)
	}
	var kept []market.NotificationKind
	for _, n := range all[len(all)-2:] {
		kept = append(kept, n.Kind)
	}
	slices.Sort(kept) // they were added within a millisecond
	if want := []market.NotificationKind{market.NotifyBooked, market.NotifyPaid}; !slices.Equal(kept, want) {
		t.Errorf("the oldest notifications are %v, want %v", kept, want)
	}
}

func TestAllUnreadNotificationsAreMarkedAsRead(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	const n = market.MaxNotifications + 40
	for i := range n {
		paid := market.NewNotification(seller.User.UID, market.NotifyPaid, "Paid.", "/", fmt.Sprint(i), e.clock.Now())
		e.must(e.store.AddNotification(e.ctx, paid, nil))
	}
	list, err := e.Notifications(e.ctx, seller, market.Page{Limit: 1})
	e.must(err)
	if list.Unread != n || list.Total != n {
		t.Errorf("%d of %d are unread, want %d", list.Unread, list.Total, n)
	}
	writes := e.countWrites()
	changed, err := e.ReadNotifications(e.ctx, seller, list.Items[0].ID, nil)
	e.must(err)
	if changed != n || *writes != 1 {
		t.Errorf("%d were marked as read in %d writes, want %d in one", changed, *writes, n)
	}
}
