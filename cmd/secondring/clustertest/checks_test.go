package clustertest_test

import (
	"fmt"
	"slices"
	"testing"
)

// checkAcknowledged compares the data with acknowledged calls: nothing is lost or
// doubled, a phone has one booking at most, and phones and bookings agree. The data
// must not change during it.
func (e *env) checkAcknowledged(t *testing.T, node int) {
	t.Helper()
	for what, n := range e.acknowledged.violations {
		t.Errorf("violation, %d times: %s", n, what)
	}
	waitUntilNoProblem(t, "the data match the acknowledged calls", func() string { return e.firstViolation(node) })
	e.acknowledged.locked(func() {
		t.Logf("%d bookings and %d phones were acknowledged", len(e.acknowledged.bookings), len(e.acknowledged.phones))
	})
}

type orderRow struct {
	ID        string `json:"_id"`
	ProductID string
	Status    string
}

type phoneRow struct {
	ID     string `json:"_id"`
	Name   string
	Price  int `json:"resalePrice"`
	Booked bool
}

// firstViolation describes the first difference between the data and the acknowledged
// calls, "" if there is none.
func (e *env) firstViolation(node int) string {
	orders, heldBy := map[string]orderRow{}, map[string]string{}
	for _, b := range e.buyers {
		rows, ok := rowsOf[orderRow](e, node, b, "/bookings?limit=200&email="+b.email)
		if !ok {
			return "the bookings of " + b.email + " cannot be read"
		}
		for _, o := range rows {
			orders[o.ID] = o
			if o.Status != "held" {
				continue
			}
			if other := heldBy[o.ProductID]; other != "" {
				return fmt.Sprintf("phone %s is held by %s and by %s", o.ProductID, other, o.ID)
			}
			heldBy[o.ProductID] = o.ID
		}
	}
	phones, names := map[string]phoneRow{}, map[string]string{}
	for _, s := range e.sellers {
		rows, ok := rowsOf[phoneRow](e, node, s, "/products?limit=200&email="+s.email)
		if !ok {
			return "the phones of " + s.email + " cannot be read"
		}
		for _, p := range rows {
			if p.Booked != (heldBy[p.ID] != "") {
				return fmt.Sprintf("phone %s: booked is %v, its booking %q", p.ID, p.Booked, heldBy[p.ID])
			}
			if other := names[p.Name]; other != "" {
				return fmt.Sprintf("%s was added once, but exists as %s and %s", p.Name, other, p.ID)
			}
			phones[p.ID], names[p.Name] = p, p.ID
		}
	}
	e.acknowledged.mu.Lock()
	defer e.acknowledged.mu.Unlock()
	for id, acknowledged := range e.acknowledged.bookings {
		if problem := acknowledged.violation(orders[id]); problem != "" {
			return fmt.Sprintf("booking %s: %s", id, problem)
		}
	}
	for id, acknowledged := range e.acknowledged.phones {
		p, exists := phones[id]
		if problem := acknowledged.violation(p, exists); problem != "" {
			return fmt.Sprintf("phone %s: %s", id, problem)
		}
	}
	return ""
}

func (o *order) violation(row orderRow) string {
	switch {
	case row.ProductID != o.phone:
		return fmt.Sprintf("is of phone %q, not %q", row.ProductID, o.phone)
	case o.cancelled && row.Status != "cancelled", !o.cancelRequested && row.Status != "held", row.Status != "held" && row.Status != "cancelled":
		return fmt.Sprintf("is %s; cancellation requested: %v, acknowledged: %v", row.Status, o.cancelRequested, o.cancelled)
	}
	return ""
}

func (o *listing) violation(row phoneRow, exists bool) string {
	if o.deleted && exists {
		return "exists although its deletion was acknowledged"
	}
	if !exists && !o.deleteRequested {
		return "is missing although its deletion was never requested"
	}
	if exists && row.Price != o.price && !slices.Contains(o.unansweredPrices, row.Price) {
		return fmt.Sprintf("costs %d, want %d, or one of %v", row.Price, o.price, o.unansweredPrices)
	}
	return ""
}
