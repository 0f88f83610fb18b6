package storetest

import (
	"fmt"
	"slices"
	"time"

	"secondring/market"
)

var notificationCases = cases{
	"a notification is stored once with its write": func(s env) {
		u, n := user("ann", "ann@example.com"), notification("ann")
		s.ok(s.AddUser(s.Context(), u, effects(event(u.ID, 1), n)))
		s.wantNotifications("ann", n)
		for range 2 { // also while its event waits to be published
			s.equal(len(get[[]market.Event](s)(s.PendingEvents(s.Context(), 9))), 2)
			s.wantNotifications("ann", n)
		}
		s.wantEvents(event(u.ID, 1), n.Event())
		s.wantNotifications("ann", n)
	},
	"a refused write adds no notification": func(s env) {
		u := user("ann", "ann@example.com")
		s.ok(s.AddUser(s.Context(), u, nil))
		s.wantError(s.SaveUser(s.Context(), u, effects(notification("ann"))), market.ErrConflict)
		s.wantError(s.AddUser(s.Context(), user("ann", "another@example.com"), effects(notification("ann"))), market.ErrExists)
		s.wantEvents()
		s.wantNotifications("ann")
	},
	"every write can carry notifications": func(s env) {
		b := s.addBrand("Nokia")
		p, r, a := s.addPhone(b, "sam"), report("p", "ann"), account("ann", "ann@example.com")
		k := booking("ann", p.ID)
		s.ok(s.AddReport(s.Context(), r, nil))
		s.ok(s.AddAccount(s.Context(), a, nil))
		var ann, sam []market.Notification
		for _, write := range []func(e []market.Effect) error{
			func(e []market.Effect) error { return s.AddBooking(s.Context(), k, 9, e) },
			func(e []market.Effect) error { k.Version++; return s.SaveBooking(s.Context(), k, e) },
			func(e []market.Effect) error { return s.RemoveProduct(s.Context(), nextVersion(p), e) },
			func(e []market.Effect) error { r.Version++; return s.RemoveReport(s.Context(), r, e) },
			func(e []market.Effect) error { return s.AddReport(s.Context(), report("q", "ann"), e) },
			func(e []market.Effect) error { a.Version++; return s.SaveAccount(s.Context(), a, e) },
			func(e []market.Effect) error { return s.EndSessions(s.Context(), a.UID, e) },
			func(e []market.Effect) error { return s.AddRecord(s.Context(), record("k", "1"), e) },
		} {
			toAnn, toSam := notification("ann"), notification("sam")
			s.ok(write(effects(toAnn, toSam)))
			ann, sam = append([]market.Notification{toAnn}, ann...), append([]market.Notification{toSam}, sam...)
		}
		s.wantNotifications("ann", ann...)
		s.wantNotifications("sam", sam...)
	},
	"AddNotification adds one notification of a cause for each person": func(s env) {
		n, again, other := notification("ann"), notification("ann"), notification("bob")
		n.Cause, again.Cause, other.Cause = "match", "match", "match"
		s.ok(s.AddNotification(s.Context(), n, effects(n.Event())))
		s.wantError(s.AddNotification(s.Context(), again, effects(again.Event())), market.ErrExists)
		s.wantError(s.AddNotification(s.Context(), n, nil), market.ErrExists)
		s.ok(s.AddNotification(s.Context(), other, nil))
		s.wantEvents(n.Event())
		s.wantNotifications("ann", n)
		s.wantNotifications("bob", other)
	},
	"SaveNotification is a compare-and-set": func(s env) {
		n := notification("ann")
		s.ok(s.AddNotification(s.Context(), n, nil))
		s.wantError(s.SaveNotification(s.Context(), n, effects(event(n.ID, 1))), market.ErrConflict)
		n.Version, n.ReadAt = 2, noon
		s.ok(s.SaveNotification(s.Context(), n, effects(event(n.ID, 2))))
		unknown := notification("ann")
		unknown.Version = 2
		s.wantError(s.SaveNotification(s.Context(), unknown, effects(event(n.ID, 3))), market.ErrNotFound)
		s.wantEvents(event(n.ID, 2))
		s.wantNotifications("ann", n)
	},
	"UnreadNotifications lists unread ones, newest first": func(s env) {
		var all []market.Notification
		for range 4 {
			n := notification("ann")
			s.ok(s.AddNotification(s.Context(), n, nil))
			all = append([]market.Notification{n}, all...)
		}
		s.ok(s.AddNotification(s.Context(), notification("bob"), nil))
		read := all[1]
		read.ReadAt, read.Version = noon, 2
		s.ok(s.SaveNotification(s.Context(), read, nil))
		s.equal(get[[]market.Notification](s)(s.UnreadNotifications(s.Context(), "ann", 9)), slices.Concat(all[:1], all[2:]))
		s.equal(get[[]market.Notification](s)(s.UnreadNotifications(s.Context(), "ann", 2)), []market.Notification{all[0], all[2]})
	},
	"SaveReads marks notifications as read in one write, for every read of them": func(s env) {
		n, unread, other := notification("ann"), notification("ann"), notification("bob")
		for _, n := range []market.Notification{n, unread, other} {
			s.ok(s.AddNotification(s.Context(), n, nil))
		}
		s.equal(get[market.Reads](s)(s.Reads(s.Context(), "ann")), market.Reads{})
		r := market.Reads{UID: "ann", Marks: map[string]market.ReadMark{n.ID: {At: noon}, other.ID: {At: noon}}, Version: 1}
		s.ok(s.SaveReads(s.Context(), r, effects(event(n.ID, 2), event(unread.ID, 3))))
		s.wantEvents(event(n.ID, 2), event(unread.ID, 3))
		s.wantError(s.SaveReads(s.Context(), r, nil), market.ErrExists)
		s.equal(get[market.Reads](s)(s.Reads(s.Context(), "ann")), r)
		n.ReadAt = noon
		s.wantNotifications("ann", unread, n)
		s.wantNotifications("bob", other)
		s.equal(get[market.Notification](s)(s.Notification(s.Context(), n.ID)), n)
		s.equal(get[market.Notification](s)(s.NotificationOfCause(s.Context(), "ann", n.Cause)), n)
		s.equal(get[[]market.Notification](s)(s.UnreadNotifications(s.Context(), "ann", 9)), []market.Notification{unread})
		s.equal(get[[]market.Notification](s)(s.NotificationsToEmail(s.Context(), n.EmailDue, 9)), []market.Notification{n, unread, other})
		r.Version, r.Marks[unread.ID] = 3, market.ReadMark{At: noon}
		s.wantError(s.SaveReads(s.Context(), r, nil), market.ErrConflict)
		r.Version = 2
		s.ok(s.SaveReads(s.Context(), r, nil))
		s.equal(len(get[[]market.Notification](s)(s.UnreadNotifications(s.Context(), "ann", 9))), 0)
		s.ok(s.DeleteNotifications(s.Context(), "ann"))
		s.equal(get[market.Reads](s)(s.Reads(s.Context(), "ann")), market.Reads{})
	},
	"the newest 200 of each person are kept": func(s env) {
		var all []market.Notification
		other := notification("bob")
		s.ok(s.AddNotification(s.Context(), other, nil))
		for i := range market.MaxNotifications + 3 {
			n := notification("ann")
			n.Kind = market.NotifyPrice
			if i%2 == 0 {
				s.ok(s.AddNotification(s.Context(), n, nil))
			} else {
				s.ok(s.EndSession(s.Context(), "none", effects(n)))
			}
			all = append([]market.Notification{n}, all...)
		}
		list := get[market.List[market.Notification]](s)(s.NotificationsOf(s.Context(), "ann", market.Page{Limit: 300}))
		s.equal(list.Items, all[:market.MaxNotifications])
		s.equal(list.Total, market.MaxNotifications)
		s.wantNotifications("bob", other)
	},
	"the surplus is deleted, and nothing that is unread and needs an act": func(s env) {
		paid, match := notification("ann"), notification("ann")
		match.Kind = market.NotifyMatch
		s.ok(s.EndSession(s.Context(), "none", effects(paid, match)))
		all := []market.Notification{match, paid}
		for range market.MaxNotifications {
			n := notification("ann")
			n.Kind = market.NotifyPrice
			s.ok(s.AddNotification(s.Context(), n, nil))
			all = append([]market.Notification{n}, all...)
		}
		list := get[market.List[market.Notification]](s)(s.NotificationsOf(s.Context(), "ann", market.Page{Limit: 300}))
		s.equal(list.Items, slices.Delete(all, market.MaxNotifications-2, market.MaxNotifications))
		s.equal(list.Total, market.MaxNotifications)
	},
	"the surplus is taken out of open screens": func(s env) {
		surplus := notification("ann")
		surplus.Kind = market.NotifyPrice
		s.ok(s.AddNotification(s.Context(), surplus, nil))
		for range market.MaxNotifications {
			n := notification("ann")
			n.Kind = market.NotifyPrice
			s.ok(s.AddNotification(s.Context(), n, nil))
		}
		events := get[[]market.Event](s)(s.PendingEvents(s.Context(), 9))
		s.equal(len(events), 1)
		s.equal([]any{events[0].Topic, events[0].Type, events[0].Entity}, []any{market.TopicMe("ann"), market.TypeNotificationRemoved, surplus.ID})
	},
	"NotificationOfCause returns one person's": func(s env) {
		n := notification("ann")
		n.Cause, n.Matches = "match", &market.Matches{Search: "/search", Phones: 1, Pairs: []string{"1:2"}, Earlier: []string{"1:1"}}
		s.ok(s.AddNotification(s.Context(), n, nil))
		s.equal(get[market.Notification](s)(s.NotificationOfCause(s.Context(), "ann", "match")), n)
		wantNotFound[market.Notification](s)(s.NotificationOfCause(s.Context(), "bob", "match"))
		n.Cause, n.Version = n.ID, 2
		s.ok(s.SaveNotification(s.Context(), n, nil))
		wantNotFound[market.Notification](s)(s.NotificationOfCause(s.Context(), "ann", "match"))
		another := notification("ann")
		another.Cause = "match"
		s.ok(s.AddNotification(s.Context(), another, nil))
	},
	"NotificationsToEmail lists those due, the oldest first": func(s env) {
		var all []market.Notification
		for i := range 4 {
			n := notification("ann")
			n.EmailDue = noon.Add(time.Duration(4-i) * time.Minute)
			if i == 0 {
				n.EmailDue = time.Time{}
				s.ok(s.AddNotification(s.Context(), n, nil))
				continue
			}
			s.ok(s.AddNotification(s.Context(), n, nil))
			all = append([]market.Notification{n}, all...)
		}
		due := func(now time.Time, limit int) []market.Notification {
			s.Helper()
			return get[[]market.Notification](s)(s.NotificationsToEmail(s.Context(), now, limit))
		}
		s.equal(due(noon.Add(time.Hour), 9), all)
		s.equal(due(noon.Add(time.Hour), 2), all[:2])
		s.equal(due(noon.Add(2*time.Minute), 9), all[:2])
		s.equal(len(due(noon, 9)), 0)
		s.ok(s.DeleteNotifications(s.Context(), "ann"))
		s.equal(len(due(noon.Add(time.Hour), 9)), 0)
	},
	"a notification that a write carries is due for an email": func(s env) {
		n := notification("ann")
		s.ok(s.EndSession(s.Context(), "none", effects(n)))
		s.equal(get[[]market.Notification](s)(s.NotificationsToEmail(s.Context(), n.EmailDue, 9)), []market.Notification{n})
	},
	"SetNotificationEmails is a compare-and-set of each": func(s env) {
		one, two, done := notification("ann"), notification("bob"), notification("ann")
		done.EmailDue = time.Time{}
		ids := []string{one.ID, two.ID, done.ID, "none"}
		for _, n := range []market.Notification{one, two, done} {
			s.ok(s.AddNotification(s.Context(), n, nil))
		}
		set := func(before, email market.EmailWhen, due time.Time) {
			s.Helper()
			s.ok(s.SetNotificationEmails(s.Context(), ids, before, email, due))
		}
		want := func(n market.Notification, email market.EmailWhen, due time.Time) {
			s.Helper()
			got := get[market.Notification](s)(s.Notification(s.Context(), n.ID))
			n.Email, n.EmailDue, n.Version = email, due, got.Version
			s.equal(got, n)
		}
		later := noon.Add(time.Hour)
		s.ok(s.SetNotificationEmails(s.Context(), ids[:1], "", market.EmailNow, later))
		set("", market.EmailDaily, later.Add(time.Hour))
		want(one, market.EmailNow, later)
		want(two, market.EmailDaily, later.Add(time.Hour))
		want(done, "", time.Time{})
		two.Email, two.EmailDue, two.ReadAt, two.Version = market.EmailDaily, later.Add(time.Hour), noon, 3
		s.ok(s.SaveNotification(s.Context(), two, nil))
		set(market.EmailDaily, market.EmailDaily, time.Time{})
		want(one, market.EmailNow, later)
		want(two, market.EmailDaily, time.Time{})
		set(market.EmailDaily, market.EmailDaily, later) // its due time is zero
		want(two, market.EmailDaily, time.Time{})
		s.equal(get[[]market.Notification](s)(s.NotificationsToEmail(s.Context(), later, 9))[0].ID, one.ID)
	},
	"DeleteNotifications deletes one person's": func(s env) {
		n, other := notification("ann"), notification("bob")
		s.ok(s.AddNotification(s.Context(), n, effects(n.Event())))
		s.ok(s.AddNotification(s.Context(), other, nil))
		s.ok(s.DeleteNotifications(s.Context(), "ann"))
		s.wantNotifications("ann")
		s.wantNotifications("bob", other)
		wantNotFound[market.Notification](s)(s.Notification(s.Context(), n.ID))
		s.equal(len(get[[]market.Notification](s)(s.UnreadNotifications(s.Context(), "ann", 9))), 0)
	},
	"PurgeNotifications deletes the oldest, up to the limit": func(s env) {
		var all []market.Notification
		for i := range 4 {
			n := notification("ann")
			n.At = noon.Add(time.Duration(i) * time.Hour)
			s.ok(s.AddNotification(s.Context(), n, nil))
			all = append([]market.Notification{n}, all...)
		}
		before := noon.Add(3 * time.Hour) // the time of the newest one, which is kept
		s.equal(get[int](s)(s.PurgeNotifications(s.Context(), before, 2)), 2)
		s.wantNotifications("ann", all[:2]...)
		s.equal(get[int](s)(s.PurgeNotifications(s.Context(), before, 2)), 1)
		s.equal(get[int](s)(s.PurgeNotifications(s.Context(), before, 2)), 0)
		s.wantNotifications("ann", all[0])
	},
}

// notification returns an unread notification as a use case makes it.
func notification(uid string) market.Notification {
	n := market.NewNotification(uid, market.NotifyOrder, "", "/dashboard/myOrders", "", noon)
	n.ID = newID()
	n.Cause, n.Text, n.Subject = n.ID, fmt.Sprint("Text of ", n.ID), fmt.Sprint("Subject of ", n.ID)
	return n
}

// wantNotifications fails the test unless a person has exactly these notifications, newest
// first.
func (s env) wantNotifications(uid string, want ...market.Notification) {
	s.Helper()
	wantPages(s, func(p market.Page) (market.List[market.Notification], error) {
		return s.NotificationsOf(s.Context(), uid, p)
	},
		func(n market.Notification) string { return n.ID }, want...)
}
