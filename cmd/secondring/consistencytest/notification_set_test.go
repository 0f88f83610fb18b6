package consistencytest_test

import (
	"encoding/json"
	"net/http"
	"slices"

	"secondring/market"
)

// notification is a notification of a user.
type notification struct {
	ID                             string `json:"_id"`
	Kind                           market.NotificationKind
	Text, Link, Subject, ProductID string // Subject is the name of a saved search

	isDeleted bool // by the server, because the person had too many
}

// notificationSet has all notifications that a person ever received, by id. The server
// deletes the oldest of the kind, and of the phone in it, that has most.
type notificationSet map[string]notification

// read adds the latest notifications. It returns those that are missing although they were
// listed before and the server had no reason to delete them.
func (all notificationSet) read(b *browser) (missing []string, ok bool) {
	status, text := b.call(http.MethodGet, "/notifications?limit=200", nil)
	var page []notification
	if status != http.StatusOK || json.Unmarshal(text, &page) != nil || len(page) == 0 {
		return nil, status == http.StatusOK
	}
	listed := map[string]bool{}
	var listedBefore []notification
	for _, n := range page {
		if before, isKnown := all[n.ID]; isKnown && !before.isDeleted {
			listedBefore = append(listedBefore, n)
		}
		all[n.ID] = n
		listed[n.ID] = true
	}
	for id, n := range all {
		switch {
		case listed[id] || n.isDeleted:
		case len(page) < market.MaxNotifications || n.hasOlder(listedBefore):
			missing = append(missing, n.Text+" was listed before, and is missing")
		default:
			n.isDeleted = true
			all[id] = n
		}
	}
	return missing, true
}

// isFull tells whether the person has as many notifications as the server keeps. Then it may have
// deleted one before it was read.
func (all notificationSet) isFull() bool {
	kept := 0
	for _, n := range all {
		if !n.isDeleted {
			kept++
		}
	}
	return kept >= market.MaxNotifications
}

// hasOlder tells whether one of these is an older notification of the same kind and phone, which the
// server would have deleted before this one. It keeps those that ask for an act until they are read.
func (n notification) hasOlder(others []notification) bool {
	if n.Kind == market.NotifyTurn || n.Kind == market.NotifyOrder || n.Kind == market.NotifyPaid {
		return false
	}
	return slices.ContainsFunc(others, func(other notification) bool {
		return other.ID < n.ID && other.Kind == n.Kind && other.ProductID == n.ProductID
	})
}
