package market

import (
	"context"
	"errors"
	"time"
)

// maxDecisions is how many entries of the audit log a PersonSummary has.
const maxDecisions = 50

// PersonSummary is what admins need to know of a person before they decide something about them.
type PersonSummary struct {
	ID          string           `json:"_id"`
	Version     int64            `json:"version" doc:"The version of the user. The counts do not raise it"`
	Contact     PersonContact    `json:"contact" doc:"Name and email address of the user. Phone number and location of their newest phone for sale, or else of their newest booking, which moderators do not see; empty if there is neither"`
	AccountType string           `json:"accountType" enum:"User,Seller" doc:"User is a buyer"`
	Admin       bool             `json:"admin" doc:"Whether the person is an admin"`
	Verified    bool             `json:"verified" doc:"Whether the person is a verified seller"`
	Removed     bool             `json:"removed" doc:"Whether the account was closed or deleted. About a minute after a deletion the status is 404"`
	Confirmed   bool             `json:"confirmed" doc:"Whether the email address is confirmed"`
	Since       time.Time        `json:"since" doc:"When the user joined, UTC"`
	Phones      int              `json:"phones" doc:"Number of phones that the person offers or has sold"`
	Orders      PersonOrders     `json:"orders"`
	Reports     PersonReports    `json:"reports" doc:"Open reports"`
	Decisions   []AuditEntryView `json:"decisions" doc:"The newest 50 entries of the audit log that concern the person, newest first, without who has read their cases"`
}

// PersonContact is how to reach a person.
type PersonContact Contact

// PersonOrders are the numbers of a person's orders, each counted up to MaxOrdersCounted.
type PersonOrders struct {
	Bought    int `json:"bought" doc:"Paid orders as the buyer, without refunded ones"`
	Sold      int `json:"sold" doc:"Paid orders as the seller, without refunded ones"`
	Cancelled int `json:"cancelled" doc:"Paid orders that the person cancelled as the seller"`
}

// PersonReports are the numbers of open reports.
type PersonReports struct {
	By    int `json:"by" doc:"Reports that the person made"`
	About int `json:"about" doc:"Reports of phones of the person"`
}

// PersonSummary returns what the market knows of a person, by their User.ID, for admins. It shows
// nothing of the account but whether the address is confirmed: the contact data are those that admins
// see on phones and orders.
func (m *Market) PersonSummary(ctx context.Context, who Actor, id string) (PersonSummary, error) {
	u, err := m.store.UserByID(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return PersonSummary{}, missing("person")
	}
	if err != nil {
		return PersonSummary{}, err
	}
	if err := mustAdmin(who); err != nil {
		return PersonSummary{}, err
	}
	v := PersonSummary{
		ID: u.ID, Version: u.Version, Contact: PersonContact{Name: u.Name, Email: u.Email}, AccountType: u.AccountType,
		Admin: u.Admin, Verified: u.IsVerified(), Removed: u.Removed, Since: u.CreatedAt, Decisions: []AuditEntryView{},
	}
	account, err := m.store.Account(ctx, u.UID)
	if ignoreNotFound(err) != nil {
		return v, err
	}
	v.Confirmed = err == nil && !account.Unconfirmed
	err = errors.Join(m.summarizeDeals(ctx, who, u, &v), m.summarizeReports(ctx, u, &v))
	entries, failure := m.store.AuditEntriesAbout(ctx, u.ID, Page{Limit: maxDecisions})
	for _, entry := range entries {
		if entry.Action == ActionReadCase {
			continue
		}
		v.Decisions = append(v.Decisions, entry.View())
	}
	return v, errors.Join(err, failure)
}

// summarizeDeals adds the person's phones and orders, and what these show of how to reach the person.
func (m *Market) summarizeDeals(ctx context.Context, who Actor, u User, v *PersonSummary) error {
	newest := Page{Limit: 1}
	if who.User.HandlesMoney() {
		bookings, err := m.store.BookingsOf(ctx, u.UID, newest)
		if err != nil {
			return err
		}
		for _, b := range bookings.Items {
			v.Contact.Phone, v.Contact.Location = b.Phone, b.Location
		}
	}
	phones, err := m.store.ProductsOfSeller(ctx, u.UID, newest)
	if err != nil {
		return err
	}
	for _, p := range phones.Items {
		v.Contact.Phone, v.Contact.Location = p.Phone, p.Location
	}
	v.Phones = phones.Total
	bought, err := m.store.Orders(ctx, OrderFilter{BuyerUID: u.UID, Status: BookingPaid}, newest)
	if err != nil {
		return err
	}
	sold, err := m.store.Orders(ctx, OrderFilter{SellerUID: u.UID, Status: BookingPaid}, newest)
	if err != nil {
		return err
	}
	v.Orders.Bought, v.Orders.Sold = bought.Total, sold.Total
	v.Orders.Cancelled, err = m.store.CountCancelledSales(ctx, u.UID)
	return err
}

func (m *Market) summarizeReports(ctx context.Context, u User, v *PersonSummary) (err error) {
	if v.Reports.By, err = m.store.CountReportsBy(ctx, u.UID); err != nil {
		return err
	}
	v.Reports.About, err = m.store.CountReportsAbout(ctx, u.ID)
	return err
}
