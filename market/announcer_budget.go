package market

import (
	"maps"
	"time"
)

// The budget of a seller: how many people the announcer reads for their announcements. Beyond
// it the announcements wait, and those of a phone are merged meanwhile. So somebody who edits
// phones again and again cannot keep the announcer from the others. Each node has its own
// count, in memory.
const (
	announceAtOnce    = 10_000 // people who are read without a pause
	announcePerSecond = 500    // people a second, in the long run
)

// sellerBudget counts the people who were read for one seller. Only one goroutine uses it.
type sellerBudget struct {
	until time.Time // when all that was read so far would be paid off, at announcePerSecond
}

// pause returns how long the seller's announcements have to wait; 0 if they may be processed.
func (b *sellerBudget) pause(now time.Time) time.Duration {
	return max(0, b.until.Sub(now.Add(announceAtOnce*time.Second/announcePerSecond)))
}

// spend counts people who were read.
func (b *sellerBudget) spend(people int, now time.Time) {
	if b.until.Before(now) {
		b.until = now
	}
	b.until = b.until.Add(time.Duration(people) * time.Second / announcePerSecond)
}

// sellerBudgets are the budgets by the sellers' UIDs.
type sellerBudgets map[string]*sellerBudget

// of returns the budget of a seller.
func (all sellerBudgets) of(seller string) *sellerBudget {
	if all[seller] == nil {
		all[seller] = &sellerBudget{}
	}
	return all[seller]
}

// forget removes the budgets that are not used.
func (all sellerBudgets) forget(now time.Time) {
	maps.DeleteFunc(all, func(_ string, b *sellerBudget) bool { return !b.until.After(now) })
}
