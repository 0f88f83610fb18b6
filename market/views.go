package market

import (
	"cmp"
	"encoding/json"
	"time"
)

// The views are entities as their readers see them, both in lists and in events. JSON names
// are those of the specification.

// ProductView is a phone. SellerKey, Phone, Email, Location, HeldUntil and Waiting are left out for
// visitors; the fields from Watchers to Refunded are for its seller only.
type ProductView struct {
	ID            string      `json:"_id"`
	BrandID       string      `json:"id" doc:"The _id of the brand"`
	Name          string      `json:"name"`
	Brand         string      `json:"brand" doc:"Name of the brand"`
	Img           string      `json:"img" doc:"URL of the first photo"`
	Photos        []PhotoView `json:"photos" doc:"One to eight photos"`
	OriginalPrice int         `json:"originalPrice" doc:"Price when new, in whole US dollars"`
	ResalePrice   int         `json:"resalePrice" doc:"Asking price, in whole US dollars"`
	Storage       int         `json:"storage,omitempty" doc:"In whole GB. Absent if the seller has not given it"`
	Colour        string      `json:"colour,omitempty" doc:"In the seller's own words. Absent if the seller has not given it"`
	Delivers      Delivery    `json:"delivers" enum:"meet,send,both" doc:"What the seller offers: to meet, to send the phone, or both"`
	Postage       int         `json:"postage" doc:"Postage of the phone if it is sent, in whole US dollars"`
	Offers        bool        `json:"offers" doc:"Whether the seller takes offers"`
	UsedTime      string      `json:"usedTime" doc:"How long the phone was used, as a text"`
	Condition     string      `json:"productCondition" enum:"Excellent,Good,Fair"`
	SellerName    string      `json:"sellerName"`
	SellerKey     string      `json:"sellerKey,omitempty" doc:"The same for all phones of a seller, and the sellerKey of GET /identity/me for one's own. Absent for visitors"`
	Email         string      `json:"email,omitempty" doc:"Email address of the seller. Absent for visitors; with CONTACT=after-payment only for the seller, and for admins in the response for one phone"`
	Location      string      `json:"location,omitempty" doc:"Absent for visitors"`
	Phone         string      `json:"phone,omitempty" doc:"Phone number of the seller. As email"`
	Description   string      `json:"description"`
	PostedOn      string      `json:"selling_post_date" doc:"Date of the offer, YYYY-MM-DD"`
	Verified      bool        `json:"verified" doc:"Whether the seller is verified"`
	Booked        bool        `json:"booked" doc:"Whether the phone is held or sold"`
	Advertise     bool        `json:"advertise" doc:"Whether the seller advertises the phone on the home page"`
	Sold          bool        `json:"sold" doc:"Whether the phone is paid for"`
	HeldUntil     *time.Time  `json:"heldUntil,omitempty" doc:"When the hold ends, UTC. Absent if the phone is not held, and for visitors"`
	Waiting       *int        `json:"waiting,omitempty" doc:"Number of people on the waitlist. Absent for visitors"`
	Hidden        bool        `json:"hidden,omitempty" doc:"True for a phone that an admin has removed, or whose seller is suspended. Only its seller and admins see it; absent for others"`
	Watchers      *int        `json:"watchers,omitempty" doc:"Number of people who watch the phone. For its seller; absent otherwise"`
	ListedAt      *time.Time  `json:"listedAt,omitempty" doc:"When the phone was listed, UTC. For its seller; absent otherwise"`
	Buyer         *BuyerView  `json:"buyer,omitempty" doc:"The buyer. For the seller of a paid order; absent otherwise, also after a refund"`
	BookingID     string      `json:"bookingId,omitempty" doc:"The _id of the booking. For the seller, after payment; absent otherwise"`
	Refunded      bool        `json:"refunded,omitempty" doc:"True if the buyer of the sold phone has the money back. For the seller; absent otherwise"`
	Version       int64       `json:"version" doc:"Increases with each change. If only watchers has changed, the seller alone has an event"`
}

// PhotoView is a photo. Unknown metadata is left out; pictures of other sites have only the
// URL.
type PhotoView struct {
	URL    string `json:"url"`
	Alt    string `json:"alt" doc:"Description of the photo for people who cannot see it (alt text). May be empty"`
	Width  int    `json:"width,omitempty" doc:"Width in pixels. Absent if unknown"`
	Height int    `json:"height,omitempty" doc:"Height in pixels. Absent if unknown"`
	Blur   string `json:"blur,omitempty" doc:"Small preview as a data URL, to show while the photo loads. Absent if there is none"`
	Srcset string `json:"srcset,omitempty" doc:"The photo in other widths, for the srcset attribute of an img element. Absent if there are none"`
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
	BrandID     string           `json:"id" doc:"The _id of the brand"`
	Brand       string           `json:"brand"`
	Price       int              `json:"price" doc:"Price of the phone, in whole US dollars"`
	ListPrice   int              `json:"listPrice,omitempty" doc:"Price of the phone without the offer that was accepted, in whole US dollars. Absent without an offer"`
	Postage     int              `json:"postage" doc:"Postage that is paid with the price, in whole US dollars: sendPostage if the phone is sent, otherwise 0"`
	Total       int              `json:"total" doc:"price plus postage: what the buyer pays, in whole US dollars"`
	Delivers    Delivery         `json:"delivers" enum:"meet,send,both" doc:"What the seller offers"`
	SendPostage int              `json:"sendPostage" doc:"Postage if the phone is sent, in whole US dollars"`
	Delivery    Delivery         `json:"delivery" enum:"meet,send" doc:"What the buyer has chosen. Until then meet, unless the seller only sends the phone"`
	Address     *Address         `json:"address,omitempty" doc:"Where the phone is sent to. In the response for one booking only, for its buyer and, after payment, for its seller; absent in lists and events, and 14 days after the order has ended"`
	AddressID   string           `json:"addressId,omitempty" doc:"Changes with the address. Absent if none was given"`
	Img         string           `json:"img"`
	Email       string           `json:"email" doc:"Email address of the buyer. Empty for the seller of a refunded order"`
	UserName    string           `json:"userName" doc:"Name of the buyer. Empty for the seller of a refunded order"`
	Phone       string           `json:"phone" doc:"Phone number of the buyer. Empty for the seller of a refunded order"`
	Location    string           `json:"location" doc:"Location of the buyer. Empty for the seller of a refunded order"`
	Paid        bool             `json:"paid"`
	Status      BookingStatus    `json:"status" enum:"held,paid,expired,cancelled,refunded"`
	HoldUntil   time.Time        `json:"holdUntil" doc:"When the hold ends if the buyer has not paid, UTC"`
	Turn        bool             `json:"turn,omitempty" doc:"True if the buyer got the phone through its waitlist. Absent otherwise"`
	BookAgainAt *time.Time       `json:"bookAgainAt,omitempty" doc:"When the buyer may book the phone again, UTC. Absent unless the booking was cancelled or has expired"`
	Transaction string           `json:"transactionId,omitempty" doc:"ID of the payment intent at Stripe. Absent before payment"`
	Seller      *OrderSellerView `json:"seller,omitempty" doc:"The seller. Absent before payment, and only the name after a refund, except for admins"`
	Fulfilment  *FulfilmentView  `json:"fulfilment,omitempty" doc:"Delivery and settlement of the order. Absent before payment"`
	Money       *MoneyView       `json:"money,omitempty" doc:"Money of the order. For admins only"`
	Payout      *PayoutView      `json:"payout,omitempty" doc:"Payout to the seller. For admins only; absent until money is due to the seller"`
	Tabs        []OrderTab       `json:"tabs,omitempty" enum:"problem,payout,dispute,late" doc:"The tabs of GET /orders that the order is in. For admins only; absent for none"`
	Dispute     *DisputeView     `json:"dispute,omitempty" doc:"Dispute of the payment at the buyer's bank. Absent if there is none"`
	Side        OrderSide        `json:"side,omitempty" enum:"buyer,seller" doc:"The side of the person who reads it. Absent for admins"`
	BookedAt    time.Time        `json:"bookedAt" doc:"UTC"`
	PaidOutAt   *time.Time       `json:"paidOutAt,omitempty" doc:"When the seller was paid, UTC. Absent until then"`
	Version     int64            `json:"version" doc:"Increases with each change"`
}

// OrderSide is a side of an order.
type OrderSide string

// The sides of an order.
const (
	SideBuyer  OrderSide = "buyer"
	SideSeller OrderSide = "seller"
)

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
	Version     int64     `json:"version" doc:"The version of the phone"`
	ProductID   string    `json:"productID"`
	ProductName string    `json:"productName"`
	Img         string    `json:"img"`
	Price       int       `json:"price" doc:"In whole US dollars"`
	Position    int       `json:"position" doc:"Place on the waitlist; 1 is next"`
	HeldUntil   time.Time `json:"heldUntil" doc:"When the hold of the phone ends, UTC"`
	CreatedAt   time.Time `json:"createdAt" doc:"UTC"`
}

// WatchingView is the phones that a person watches, for that person.
type WatchingView struct {
	ID      string   `json:"_id,omitempty" doc:"Absent if the person has never watched a phone or saved a search"`
	Version int64    `json:"version" doc:"Increases with each change"`
	Phones  []string `json:"phones" doc:"The _id of each watched phone, in the order of watching. Some phones may have been deleted since"`
}

// SavedSearchView is a saved search, for its owner.
type SavedSearchView struct {
	ID        string    `json:"_id"`
	Version   int64     `json:"version" doc:"Always 1. A saved search cannot be changed"`
	Name      string    `json:"name"`
	Query     string    `json:"query" doc:"Query parameters of GET /products/search"`
	CreatedAt time.Time `json:"createdAt" doc:"UTC"`
}

// UserView is a person, for themself and for admins.
type UserView struct {
	ID             string     `json:"_id"`
	Name           string     `json:"name"`
	Email          string     `json:"email"`
	AccountType    string     `json:"accountType" enum:"User,Seller" doc:"User is a buyer"`
	Status         string     `json:"status,omitempty" doc:"verified for a verified seller. Absent otherwise"`
	SuspendedUntil *time.Time `json:"suspendedUntil,omitempty" doc:"Until when the person may not trade, UTC. Absent for others"`
	Version        int64      `json:"version" doc:"Increases with each change"`
}

// BrandView is a brand, for anyone. It is in no event. Available and FromPrice are those of
// the time of the response, and Version does not count their changes.
type BrandView struct {
	ID        string `json:"_id"`
	Name      string `json:"name"`
	Img       string `json:"img"`
	Available int    `json:"available" doc:"Number of phones that can be booked now"`
	FromPrice int    `json:"fromPrice,omitempty" doc:"Lowest resalePrice of the phones that can be booked now, in whole US dollars. Absent if there are none"`
	Version   int64  `json:"version" doc:"Increases with each change of name or img"`
}

// ReportView is a complaint, for admins.
type ReportView struct {
	ID           string  `json:"_id"`
	ProductID    string  `json:"productID"`
	ProductName  string  `json:"productName"`
	BrandID      string  `json:"id" doc:"The _id of the brand"`
	Brand        string  `json:"brand"`
	Img          string  `json:"img"`
	UserName     string  `json:"userName" doc:"Name of the person who reported the phone"`
	Email        string  `json:"email" doc:"Email address of the person who reported the phone"`
	Reason       string  `json:"reason"`
	SellerID     string  `json:"sellerID,omitempty" doc:"The _id of the seller, or of the other side of a conversation. Absent in an old report about a deleted phone"`
	ThreadID     string  `json:"threadID,omitempty" doc:"The _id of the conversation that it is about. Absent for a phone"`
	Quotes       []Quote `json:"quotes,omitempty" doc:"The reported messages and two before and after each. Absent for a phone"`
	PhoneRemoved bool    `json:"phoneRemoved,omitempty" doc:"True if the phone was deleted. Absent otherwise"`
	CaseID       string  `json:"caseID" doc:"The _id of its case"`
	Version      int64   `json:"version" doc:"Increases with each change"`
}

// AuditEntryView is an entry of the audit log, for admins.
type AuditEntryView struct {
	ID        string      `json:"_id"`
	At        time.Time   `json:"at" doc:"UTC"`
	ActorID   string      `json:"actorId,omitempty" doc:"The _id of the person who did it. Absent if the operator did it with a command on the server"`
	Actor     string      `json:"actor,omitempty" doc:"Name of that person at that time. Absent for the operator"`
	Action    AuditAction `json:"action" enum:"verify-seller,take-badge,remove-buyer,remove-seller,remove-phone,remove-picture,read-case,keep,warn,suspend,uphold-decision,reverse-decision,settle-report,release-order,return-order,refund-order,answer-dispute,pay-out,record-repayment,make-admin,make-moderator,revoke-admin,set-password,allow-again,reset-second-factor,restore,leave" doc:"What was done"`
	Target    string      `json:"target" doc:"Name, at that time, of the person or thing that it was done to"`
	TargetID  string      `json:"targetId,omitempty" doc:"The _id of the person or thing that it was done to, or the file name of a photo. Absent for a backup"`
	ConcernID string      `json:"concernId,omitempty" doc:"The _id of the person concerned: the person it was done to, the seller, or the person who reported a phone. Absent if there is none"`
	Version   int64       `json:"version" doc:"Always 1"`
}

// NotificationView is a notification, for the person who gets it.
type NotificationView struct {
	ID        string           `json:"_id"`
	Version   int64            `json:"version" doc:"Increases with each change"`
	Kind      NotificationKind `json:"kind" enum:"booked,paid,released,verified,turn,message,offer,price,available,sold,match,order,report,decision"`
	Text      string           `json:"text"`
	Subject   string           `json:"subject,omitempty" doc:"Name of the saved search, for the kind match. Absent otherwise"`
	Link      string           `json:"link" doc:"Path on this site to open"`
	ProductID string           `json:"productID,omitempty" doc:"_id of the phone that it is about. Absent for none or several"`
	CreatedAt time.Time        `json:"createdAt" doc:"UTC"`
	ReadAt    *time.Time       `json:"readAt,omitempty" doc:"When it was read, UTC. Absent while it is unread"`
}

// TombstoneView is the data of the event of a removed entity.
type TombstoneView struct {
	ID      string `json:"_id"`
	Version int64  `json:"version"`
}

// ViewForVisitor returns the view without the seller's contact data, the end of the hold
// and the length of the waitlist.
func (p Product) ViewForVisitor() ProductView {
	v := p.ViewWithContact()
	v.SellerKey, v.Email, v.Location, v.Phone, v.HeldUntil, v.Waiting = "", "", "", "", nil, nil
	return v
}

// ViewWithContact returns the view with the seller's contact data. Which of its readers get them is a
// setting, see Market.ViewForBuyers.
func (p Product) ViewWithContact() ProductView {
	photos := make([]PhotoView, 0, maxPhotos)
	for _, photo := range p.Gallery() {
		photos = append(photos, photo.View())
	}
	v := ProductView{
		ID: p.ID, BrandID: p.BrandID, Name: p.Name, Brand: p.Brand, Img: p.Img, Photos: photos,
		OriginalPrice: p.OriginalPrice, ResalePrice: p.ResalePrice, Storage: p.Storage, Colour: p.Colour, UsedTime: p.UsedTime,
		Delivers: cmp.Or(p.Delivers, DeliveryBoth), Postage: p.Postage, Offers: !p.NoOffers, Condition: p.Condition, SellerName: p.SellerName, SellerKey: SellerKey(p.SellerUID), Email: p.SellerEmail,
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

// ViewForSeller returns the view with the number of watchers and the time of the listing, and
// with the order and the buyer of a sold phone. There is no buyer if the order was refunded, or if they have deleted their account.
func (p Product) ViewForSeller() ProductView {
	v := p.ViewWithContact()
	v.Watchers, v.ListedAt = &p.Watchers, &p.CreatedAt
	if !p.Sold || p.Hold == nil {
		return v
	}
	v.BookingID, v.Refunded = p.Hold.BookingID, p.Hold.Refunded
	if buyer := p.Hold.buyer(); buyer != (Contact{}) {
		v.Buyer = new(BuyerView(buyer))
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
		Price: b.Price, ListPrice: b.ListPrice, Postage: b.postage(), Total: b.total(), Delivers: cmp.Or(b.Delivers, DeliveryBoth), SendPostage: b.SendPostage,
		Delivery: b.Delivery, AddressID: b.Address, Img: b.Img, Email: b.Email, UserName: b.UserName, Phone: b.Phone, Location: b.Location,
		Paid: b.Status == BookingPaid, Status: b.Status, HoldUntil: b.HoldUntil, Turn: b.Turn,
		Transaction: transaction, Side: SideBuyer, BookedAt: b.CreatedAt, Version: b.Version,
	}
	if b.Status == BookingCancelled || b.Status == BookingExpired {
		v.BookAgainAt = new(b.EndedAt.Add(rebookAfter))
	}
	if b.Seller != nil && b.Fulfilment != nil {
		v.Seller = &OrderSellerView{Name: b.Seller.Name}
		if b.Status == BookingPaid {
			v.Seller = new(OrderSellerView(*b.Seller))
		}
	}
	if b.IsPaidOut() {
		v.PaidOutAt = &b.Payout.At
	}
	if f := b.Fulfilment; f != nil {
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
		SuspendedUntil: whenSet(u.SuspendedUntil(time.Time{})),
	}
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
		SellerID: r.SellerID, ThreadID: r.ThreadID, Quotes: r.Quotes, CaseID: r.CaseID, Version: r.Version,
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
		ID: n.ID, Version: n.shownVersion(), Kind: n.Kind, Text: n.Text, Subject: n.Subject, Link: n.Link, ProductID: n.ProductID,
		CreatedAt: n.At,
	}
	if !n.ReadAt.IsZero() {
		v.ReadAt = &n.ReadAt
	}
	return v
}

// encode returns a view as JSON. Views have no values that JSON cannot encode.
func encode(view any) json.RawMessage {
	data, err := json.Marshal(view)
	if err != nil {
		panic("market: a view that is not JSON: " + err.Error())
	}
	return data
}
