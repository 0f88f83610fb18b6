package market

import "slices"

// minOfKind is how many of a kind are kept in any case.
const minOfKind = 10

// needsAct returns whether the person ought to act on a notification of the kind: pay, send a
// phone, see to a payout account, or take a step of an order. Such a one is kept until it is
// read.
func (k NotificationKind) needsAct() bool {
	return k == NotifyTurn || k == NotifyOrder || k == NotifyPaid
}

// SurplusNotifications returns which of all of a person's notifications, newest first, are to
// be deleted, so that the person has MaxNotifications. Those of which there are most go first:
// the oldest of the kind, and of the phone in it, that has most. So a flood of one kind or
// about one phone deletes none of another.
func SurplusNotifications(all []Notification) (ids []string) {
	all = slices.Clone(all)
	for len(all) > MaxNotifications {
		deletable := slices.DeleteFunc(slices.Clone(all), func(n Notification) bool { return n.Kind.needsAct() && n.ReadAt.IsZero() })
		deletable = mostFrequent(deletable, func(n Notification) string { return string(n.Kind) })
		if len(deletable) <= minOfKind {
			return ids
		}
		deletable = mostFrequent(deletable, func(n Notification) string { return n.ProductID })
		oldest := deletable[len(deletable)-1].ID
		ids = append(ids, oldest)
		all = slices.DeleteFunc(all, func(n Notification) bool { return n.ID == oldest })
	}
	return ids
}

// mostFrequent returns the notifications with the most frequent key.
func mostFrequent(all []Notification, key func(Notification) string) (most []Notification) {
	by := map[string][]Notification{}
	for _, n := range all {
		by[key(n)] = append(by[key(n)], n)
	}
	for _, n := range slices.Backward(all) { // of equal ones that with the oldest
		if group := by[key(n)]; len(group) > len(most) {
			most = group
		}
	}
	return most
}
