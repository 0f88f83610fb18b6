package market

import (
	"encoding/json"
	"time"
)

// The views are entities as their readers see them, both in lists and in events. JSON names
// are those of the specification.

// ProductView is a phone. Phone, Email, Location, HeldUntil and Waiting are left out for
// visitors; Buyer is for its seller only.
type ProductView struct {
	ID            string      `json:"_id"`
	BrandID       string      `json:"id" doc:"The brand's _id"`
	Name          string      `json:"name"`
	Brand         string      `json:"brand" doc:"The brand's name"`
	Img           string      `json:"img" doc:"The first of the photos"`
	Photos        []PhotoView `json:"photos" doc:"One to eight"`
	OriginalPrice int         `json:"originalPrice" doc:"Whole US dollars"`
	ResalePrice   int         `json:"resalePrice" doc:"Whole US dollars"`
	Storage       int         `json:"storage,omitempty" doc:"Whole GB; absent if the seller has not given it"`
	UsedTime      string      `json:"usedTime"`
	Condition     string      `json:"productCondition" enum:"Excellent,Good,Fair"`
	SellerName    string      `json:"sellerName"`
	Email         string      `json:"email,omitempty" doc:"The seller's; not for visitors"`
	Location      string      `json:"location,omitempty" doc:"Not for visitors"`
	Phone         string      `json:"phone,omitempty" doc:"The seller's; not for visitors"`
	Description   string      `json:"description"`
	PostedOn      string      `json:"selling_post_date" doc:"YYYY-MM-DD"`
	Verified      bool        `json:"verified" doc:"The seller is verified"`
	Booked        bool        `json:"booked" doc:"Held or sold"`
	Advertise     bool        `json:"advertise"`
	Sold          bool        `json:"sold" doc:"Paid for"`
	HeldUntil     *time.Time  `json:"heldUntil,omitempty" doc:"While held; not for visitors"`
	Waiting       *int        `json:"waiting,omitempty" doc:"How many people are on its waitlist; not for visitors"`
	Buyer         *BuyerView  `json:"buyer,omitempty" doc:"For its seller, once paid"`
	BookingID     string      `json:"bookingId,omitempty" doc:"The order's _id, for its seller, once paid"`
	Version       int64       `json:"version"`
}

// PhotoView is a photo. Unknown metadata is left out; pictures of other sites have only the
// URL.
type PhotoView struct {
	URL    string `json:"url"`
	Alt    string `json:"alt" doc:"What the photo shows; may be empty"`
	Width  int    `json:"width,omitempty" doc:"Pixels"`
	Height int    `json:"height,omitempty" doc:"Pixels"`
	Blur   string `json:"blur,omitempty" doc:"A data URL of a few hundred bytes, to show until the picture has loaded"`
	Srcset string `json:"srcset,omitempty" doc:"The picture in other widths: the value of an img element's srcset"`
}

// BuyerView is who bought a phone, for its seller.
type BuyerView struct {
	Name     string `json:"name"`
	Email    string `json:"email"`
	Phone    string `json:"phone"`
	Location string `json:"location"`
}

// BookingView is an order, for its buyer, for admins and, after the payment, for its
// seller.
type BookingView struct {
	ID          string           `json:"_id"`
	ProductID   string           `json:"productID"`
	ProductName string           `json:"productName"`
	BrandID     string           `json:"id" doc:"The brand's _id"`
	Brand       string           `json:"brand"`
	Price       int              `json:"price" doc:"Whole US dollars"`
	Img         string           `json:"img"`
	Email       string           `json:"email"`
	UserName    string           `json:"userName"`
	Phone       string           `json:"phone"`
	Location    string           `json:"location"`
	Paid        bool             `json:"paid"`
	Status      BookingStatus    `json:"status" enum:"held,paid,expired,cancelled,refunded"`
	HoldUntil   time.Time        `json:"holdUntil" doc:"UTC"`
	Turn        bool             `json:"turn,omitempty" doc:"The buyer got the phone from its waitlist"`
	BookAgainAt *time.Time       `json:"bookAgainAt,omitempty" doc:"UTC; once it was cancelled or has expired: from then on the buyer may book the phone again"`
	Transaction string           `json:"transactionId,omitempty" doc:"The payment's, once paid"`
	Seller      *OrderSellerView `json:"seller,omitempty" doc:"The seller's contact data, once paid; only the name if the order was refunded"`
	Fulfilment  *FulfilmentView  `json:"fulfilment,omitempty" doc:"What happens after the payment, once paid"`
	Money       *MoneyView       `json:"money,omitempty" doc:"For admins"`
	Payout      *PayoutView      `json:"payout,omitempty" doc:"For admins, once the money is the seller's"`
	Dispute     *DisputeView     `json:"dispute,omitempty" doc:"Of the payment, at the buyer's bank"`
	BookedAt    time.Time        `json:"bookedAt" doc:"UTC"`
	PaidOutAt   *time.Time       `json:"paidOutAt,omitempty" doc:"UTC; when the seller got the money"`
	Version     int64            `json:"version"`
}

// OrderSellerView is the seller's contact data of a paid order.
type OrderSellerView struct {
	Name     string `json:"name"`
	Email    string `json:"email"`
	Phone    string `json:"phone"`
	Location string `json:"location"`
}

// WaitlistEntryView is a place on the waitlist of a phone, for the person who waits. It
// has the phone's version.
type WaitlistEntryView struct {
	ID          string    `json:"_id"`
	Version     int64     `json:"version"`
	ProductID   string    `json:"productID"`
	ProductName string    `json:"productName"`
	Img         string    `json:"img"`
	Price       int       `json:"price" doc:"Whole US dollars"`
	Position    int       `json:"position" doc:"1 is next"`
	HeldUntil   time.Time `json:"heldUntil" doc:"UTC; when the phone's hold ends"`
	CreatedAt   time.Time `json:"createdAt" doc:"UTC"`
}

// WatchingView is the phones that a person watches, for that person.
type WatchingView struct {
	ID      string   `json:"_id,omitempty" doc:"Absent if the person has never watched a phone"`
	Version int64    `json:"version"`
	Phones  []string `json:"phones" doc:"The _id of each, in the order of watching; a phone may have been removed since"`
}

// SavedSearchView is a saved search, for its owner.
type SavedSearchView struct {
	ID        string    `json:"_id"`
	Version   int64     `json:"version" doc:"Never changes: a search is saved and deleted"`
	Name      string    `json:"name"`
	Query     string    `json:"query" doc:"The query parameters of GET /products/search"`
	CreatedAt time.Time `json:"createdAt" doc:"UTC"`
}

// UserView is a person, for themself and for admins.
type UserView struct {
	ID          string `json:"_id"`
	Name        string `json:"name"`
	Email       string `json:"email"`
	AccountType string `json:"accountType" enum:"User,Seller"`
	Status      string `json:"status,omitempty" doc:"verified, for a verified seller"`
	Version     int64  `json:"version"`
}

// BrandView is a brand, for anyone. It is in no event. Available and FromPrice are those of
// the time of the response, and Version does not count their changes.
type BrandView struct {
	ID        string `json:"_id"`
	Name      string `json:"name"`
	Img       string `json:"img"`
	Available int    `json:"available" doc:"Phones that can be booked, at the time of the response"`
	FromPrice int    `json:"fromPrice,omitempty" doc:"The lowest resale price of those, whole US dollars"`
	Version   int64  `json:"version" doc:"Grows with each change of name or img"`
}

// ReportView is a complaint, for admins.
type ReportView struct {
	ID           string `json:"_id"`
	ProductID    string `json:"productID"`
	ProductName  string `json:"productName"`
	BrandID      string `json:"id" doc:"The brand's _id"`
	Brand        string `json:"brand"`
	Img          string `json:"img"`
	UserName     string `json:"userName" doc:"The reporter's"`
	Email        string `json:"email" doc:"The reporter's"`
	Reason       string `json:"reason"`
	SellerID     string `json:"sellerID,omitempty" doc:"The _id of the phone's seller; absent from an old report whose phone was removed"`
	PhoneRemoved bool   `json:"phoneRemoved,omitempty" doc:"The phone is no longer on the market"`
	Version      int64  `json:"version"`
}

// AuditEntryView is an entry of the audit log, for admins.
type AuditEntryView struct {
	ID        string      `json:"_id"`
	At        time.Time   `json:"at" doc:"UTC"`
	ActorID   string      `json:"actorId,omitempty" doc:"The _id of who did it; absent for the operator, who uses commands"`
	Actor     string      `json:"actor,omitempty" doc:"Their name at that time"`
	Action    AuditAction `json:"deed" enum:"verify-seller,remove-buyer,remove-seller,remove-phone,remove-picture,settle-report,release-order,refund-order,pay-out,make-admin,revoke-admin,set-password,allow-again,reset-second-factor,restore,leave"`
	Target    string      `json:"target" doc:"The name, at that time, of the person or thing that the action changed"`
	TargetID  string      `json:"targetId,omitempty" doc:"The _id of a person, a phone or a report, or the name of a picture"`
	ConcernID string      `json:"concernId,omitempty" doc:"The _id of whom it concerns: that person, the phone's seller, the reporter"`
	Version   int64       `json:"version" doc:"Always 1"`
}

// NotificationView is a notification, for the person who gets it.
type NotificationView struct {
	ID        string           `json:"_id"`
	Version   int64            `json:"version"`
	Kind      NotificationKind `json:"kind" enum:"booked,paid,released,verified,turn,message,offer,price,available,sold,match,order,report"`
	Text      string           `json:"text"`
	Subject   string           `json:"subject,omitempty" doc:"Of kind match: the name of the saved search"`
	Link      string           `json:"link" doc:"The path of a screen"`
	CreatedAt time.Time        `json:"createdAt" doc:"UTC"`
	ReadAt    *time.Time       `json:"readAt,omitempty" doc:"UTC; absent while it is unread"`
}

// EmailSettingsView is a person's choices of emails, for that person.
type EmailSettingsView struct {
	ID      string                         `json:"_id" doc:"The account's uid: other events have the user's _id"`
	Version int64                          `json:"version" doc:"The user's"`
	Email   map[NotificationKind]EmailWhen `json:"email" doc:"By kind of notification: off, now (at once) or daily (one email a day). No email is sent about what the person has read, or could see on an open screen"`
}

// TombstoneView is the data of the event of a removed entity.
type TombstoneView struct {
	ID      string `json:"_id"`
	Version int64  `json:"version"`
}

// ViewForVisitor returns the view without the seller's contact data, the end of the hold
// and the length of the waitlist.
func (p Product) ViewForVisitor() ProductView {
	v := p.View()
	v.Email, v.Location, v.Phone, v.HeldUntil, v.Waiting = "", "", "", nil, nil
	return v
}

// View returns the view for signed-in users.
func (p Product) View() ProductView {
	photos := make([]PhotoView, 0, maxPhotos)
	for _, photo := range p.Gallery() {
		photos = append(photos, photo.View())
	}
	v := ProductView{
		ID: p.ID, BrandID: p.BrandID, Name: p.Name, Brand: p.Brand, Img: p.Img, Photos: photos,
		OriginalPrice: p.OriginalPrice, ResalePrice: p.ResalePrice, Storage: p.Storage, UsedTime: p.UsedTime,
		Condition: p.Condition, SellerName: p.SellerName, Email: p.SellerEmail,
		Location: p.Location, Phone: p.Phone, Description: p.Description, PostedOn: p.PostedOn,
		Verified: p.Verified, Booked: p.Booked(), Advertise: p.Advertised, Sold: p.Sold, Version: p.Version,
		Waiting: new(len(p.Waitlist)),
	}
	if p.Hold != nil && !p.Sold {
		v.HeldUntil = &p.Hold.Until
	}
	return v
}

// View returns the view for anyone.
func (p Photo) View() PhotoView {
	return PhotoView{
		URL: p.URL, Alt: p.Alt, Width: p.Width, Height: p.Height, Blur: p.Blur, Srcset: p.Srcset(p.URL),
	}
}

// ViewForSeller returns the view with the order and the buyer of a sold phone. There is no
// buyer if they have deleted their account.
func (p Product) ViewForSeller() ProductView {
	v := p.View()
	if !p.Sold || p.Hold == nil {
		return v
	}
	v.BookingID = p.Hold.BookingID
	if p.Hold.hasBuyer() {
		v.Buyer = &BuyerView{Name: p.Hold.Name, Email: p.Hold.Email, Phone: p.Hold.Phone, Location: p.Hold.Location}
	}
	return v
}

// View returns the view for both sides.
func (b Booking) View() BookingView {
	transaction := ""
	if b.Status == BookingPaid || b.Status == BookingRefunded {
		transaction = b.Intent
	}
	v := BookingView{
		ID: b.ID, ProductID: b.ProductID, ProductName: b.ProductName, BrandID: b.BrandID, Brand: b.Brand,
		Price: b.Price, Img: b.Img, Email: b.Email, UserName: b.UserName, Phone: b.Phone, Location: b.Location,
		Paid: b.Status == BookingPaid, Status: b.Status, HoldUntil: b.HoldUntil, Turn: b.Turn,
		Transaction: transaction, BookedAt: b.CreatedAt, Version: b.Version,
	}
	if b.Status == BookingCancelled || b.Status == BookingExpired {
		v.BookAgainAt = new(b.EndedAt.Add(rebookAfter))
	}
	if b.Seller != nil {
		v.Seller = &OrderSellerView{Name: b.Seller.Name}
		if b.Status == BookingPaid {
			v.Seller = new(OrderSellerView(*b.Seller))
		}
	}
	if b.IsPaidOut() {
		v.PaidOutAt = &b.Payout.At
	}
	if f := b.AfterSale(); f != nil {
		v.Fulfilment = new(f.View())
	}
	if d := b.Dispute; d != nil {
		v.Dispute = &DisputeView{State: d.State, OpenedAt: d.OpenedAt, ClosedAt: whenSet(d.ClosedAt)}
	}
	return v
}

// whenSet returns nil for the zero time.
func whenSet(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// View returns the view for the person who watches.
func (w Watching) View() WatchingView {
	return WatchingView{ID: w.ID, Version: w.Version, Phones: w.ProductIDs()}
}

// View returns the view for its owner.
func (s SavedSearch) View() SavedSearchView {
	return SavedSearchView{ID: s.ID, Version: savedSearchVersion, Name: s.Name, Query: s.Query.Encode(), CreatedAt: s.At}
}

// View returns the view for the person and for admins.
func (u User) View() UserView {
	return UserView{
		ID: u.ID, Name: u.Name, Email: u.Email, AccountType: u.AccountType, Status: u.Status, Version: u.Version,
	}
}

// EmailSettings returns the view for the person.
func (u User) EmailSettings() EmailSettingsView {
	v := EmailSettingsView{ID: u.UID, Version: u.Version, Email: map[NotificationKind]EmailWhen{}}
	for _, kind := range NotificationKinds() {
		v.Email[kind] = u.EmailFor(kind)
	}
	return v
}

// View returns the view for anyone.
func (b BrandStock) View() BrandView {
	return BrandView{
		ID: b.ID, Name: b.Name, Img: b.Img, Available: b.Available, FromPrice: b.FromPrice, Version: b.Version,
	}
}

// View returns the view for admins.
func (r Report) View() ReportView {
	return ReportView{
		ID: r.ID, ProductID: r.ProductID, ProductName: r.ProductName, BrandID: r.BrandID, Brand: r.Brand,
		Img: r.Img, UserName: r.UserName, Email: r.Email, Reason: r.Reason,
		SellerID: r.SellerID, Version: r.Version,
	}
}

// ViewWithoutPhone returns the view for admins after the phone was removed. It has a later
// version than View.
func (r Report) ViewWithoutPhone() ReportView {
	v := r.View()
	v.PhoneRemoved = true
	v.Version++
	return v
}

// View returns the view for admins.
func (entry AuditEntry) View() AuditEntryView {
	return AuditEntryView{
		ID: entry.ID, At: entry.At, ActorID: entry.ActorID, Actor: entry.Actor, Action: entry.Action,
		Target: entry.Target, TargetID: entry.TargetID, ConcernID: entry.ConcernID, Version: auditEntryVersion,
	}
}

// View returns the view for the person who gets it.
func (n Notification) View() NotificationView {
	v := NotificationView{
		ID: n.ID, Version: n.Version, Kind: n.Kind, Text: n.Text, Subject: n.Subject, Link: n.Link, CreatedAt: n.At,
	}
	if !n.ReadAt.IsZero() {
		v.ReadAt = &n.ReadAt
	}
	return v
}

// entry returns the audit log entry that the view shows.
func (v AuditEntryView) entry() AuditEntry {
	return AuditEntry{
		ID: v.ID, At: v.At, ActorID: v.ActorID, Actor: v.Actor, Action: v.Action,
		Target: v.Target, TargetID: v.TargetID, ConcernID: v.ConcernID,
	}
}

// encode returns a view as JSON. Views have no values that JSON cannot encode.
func encode(view any) json.RawMessage {
	data, err := json.Marshal(view)
	if err != nil {
		panic("market: a view that is not JSON: " + err.Error())
	}
	return data
}
