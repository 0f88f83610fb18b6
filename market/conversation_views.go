package market

import "time"

// ThreadView is a thread for one of its sides.
type ThreadView struct {
	ID      string            `json:"_id"`
	Version int64             `json:"version" doc:"Increases with each change"`
	Product ThreadProductView `json:"product" doc:"The phone that the thread is about"`
	With    PersonNameView    `json:"with" doc:"The other side"`
	Role    OrderSide         `json:"role" enum:"buyer,seller" doc:"Your side"`
	Last    LastMessageView   `json:"last" doc:"The newest message"`
	Unread  int               `json:"unread" doc:"Number of messages of the other side that you have not read"`
	Offer   *OfferView        `json:"offer,omitempty" doc:"The newest offer. Absent if there is none"`
	Blocked bool              `json:"blocked" doc:"True if you have blocked the other side"`
	Closed  bool              `json:"closed" doc:"True if nothing can be written any more"`
}

// ThreadProductView is the phone of a thread. What it was when it was last seen, if it is removed.
type ThreadProductView struct {
	ID          string `json:"_id"`
	BrandID     string `json:"id,omitempty" doc:"The _id of the brand. Absent for a removed phone"`
	Name        string `json:"name"`
	Img         string `json:"img"`
	ResalePrice int    `json:"resalePrice" doc:"In whole US dollars"`
	Booked      bool   `json:"booked"`
	Sold        bool   `json:"sold"`
	Removed     bool   `json:"removed" doc:"True if the phone was deleted"`
	Offers      bool   `json:"offers" doc:"True if an offer can be made for the phone now or after its hold"`
	Version     int64  `json:"version" doc:"The version of the phone; 0 if it was deleted"`
}

// PersonNameView is a person for somebody who talks to them.
type PersonNameView struct {
	ID       string `json:"_id" doc:"Empty for a former member"`
	Name     string `json:"name"`
	Verified bool   `json:"verified" doc:"True for a verified seller"`
}

// LastMessageView is the newest message of a thread.
type LastMessageView struct {
	Text string    `json:"text" doc:"At most 120 characters"`
	At   time.Time `json:"at" doc:"UTC"`
	Mine bool      `json:"mine" doc:"True if it is yours"`
}

// MessageView is a message for one of the sides of its thread.
type MessageView struct {
	ID       string      `json:"_id"`
	Version  int64       `json:"version" doc:"Always 1"`
	ThreadID string      `json:"threadID"`
	Kind     MessageKind `json:"kind" enum:"text,offer,note" doc:"offer: an offer, with an optional text. note: the answer to an offer"`
	Text     string      `json:"text"`
	At       time.Time   `json:"at" doc:"UTC"`
	Mine     bool        `json:"mine" doc:"True if it is yours"`
	Offer    *OfferView  `json:"offer,omitempty" doc:"The offer as it is now. Of the kinds offer and note"`
}

// OfferView is an offer for one of its sides.
type OfferView struct {
	ID          string      `json:"_id"`
	Version     int64       `json:"version" doc:"Increases with each change"`
	ThreadID    string      `json:"threadID"`
	ProductID   string      `json:"productID"`
	ProductName string      `json:"productName"`
	Img         string      `json:"img"`
	ListPrice   int         `json:"listPrice" doc:"Price of the phone when the offer was made, in whole US dollars"`
	Price       int         `json:"price" doc:"The last price that was named, in whole US dollars"`
	By          OrderSide   `json:"by" enum:"buyer,seller" doc:"Who named that price"`
	Role        OrderSide   `json:"role" enum:"buyer,seller" doc:"Your side"`
	Status      OfferStatus `json:"status" enum:"open,countered,accepted,declined,withdrawn,expired,lapsed,gone" doc:"lapsed: accepted, and not paid in time. gone: the phone was sold, removed or changed, or one side has blocked the other or left"`
	ExpiresAt   time.Time   `json:"expiresAt" doc:"Until when it can be answered; when accepted, until when the phone is held, UTC"`
	BookingID   string      `json:"bookingId,omitempty" doc:"The _id of the booking of an accepted offer. For the buyer; absent otherwise"`
	CreatedAt   time.Time   `json:"createdAt" doc:"UTC"`
}

func (v ThreadView) at(origin string) ThreadView {
	v.Product.Img = AbsoluteURL(origin, v.Product.Img)
	if v.Offer != nil {
		v.Offer = new(v.Offer.at(origin))
	}
	return v
}

func (v MessageView) at(origin string) MessageView {
	if v.Offer != nil {
		v.Offer = new(v.Offer.at(origin))
	}
	return v
}

func (v OfferView) at(origin string) OfferView {
	v.Img = AbsoluteURL(origin, v.Img)
	return v
}

// ViewFor returns the view for one of its sides.
func (o Offer) ViewFor(uid string) OfferView {
	v := OfferView{
		ID: o.ID, Version: o.Version, ThreadID: o.ThreadID, ProductID: o.ProductID, ProductName: o.Name, Img: o.Img,
		ListPrice: o.ListPrice, Price: o.price(), By: o.by(), Role: o.side(uid), Status: o.Status, ExpiresAt: o.ExpiresAt,
		CreatedAt: o.CreatedAt,
	}
	if v.Role == SideBuyer {
		v.BookingID = o.BookingID
	}
	return v
}

// viewFor returns the view for one of the sides of its thread. o is the offer that it is about; nil
// if there is none.
func (v Message) viewFor(uid string, o *Offer) MessageView {
	view := MessageView{
		ID: v.ID, Version: v.Version, ThreadID: v.ThreadID, Kind: v.Kind, Text: v.Text, At: v.At, Mine: v.ByUID == uid,
	}
	if o != nil {
		view.Offer = new(o.ViewFor(uid))
	}
	return view
}

// formerMember is the name of a person who has left the market.
const formerMember = "A former member"

// threadContext is what views of threads show beside the threads.
type threadContext struct {
	phones  map[string]Product
	people  map[string]User // by UID, without those who left
	offers  map[string]Offer
	blocked map[string]bool // by "UID of who has blocked" + " " + "UID of whom"
}

// view returns a thread for one of its sides.
func (c threadContext) view(t Thread, uid string, now time.Time) ThreadView {
	other := t.other(uid)
	v := ThreadView{
		ID: t.ID, Version: t.Version, Role: t.side(uid), Unread: t.unreadOf(uid).Count, Blocked: c.blocked[uid+" "+other],
		Closed: t.isClosed(now), Product: ThreadProductView{
			ID: t.ProductID, Name: t.Phone.Name, Img: t.Phone.Img, ResalePrice: t.Phone.Price, Removed: true,
		},
		With: PersonNameView{Name: formerMember},
		Last: LastMessageView{Text: t.Last.Text, At: t.Last.At, Mine: t.Last.ByUID == uid},
	}
	if p, ok := c.phones[t.ProductID]; ok {
		v.Product = ThreadProductView{
			ID: p.ID, BrandID: p.BrandID, Name: p.Name, Img: p.Img, ResalePrice: p.ResalePrice, Booked: p.Booked(), Sold: p.Sold,
			Offers: !p.NoOffers && !p.Sold, Version: p.Version,
		}
	}
	if u, ok := c.people[other]; ok {
		v.With = PersonNameView{ID: u.ID, Name: u.Name, Verified: u.IsVerified()}
	}
	if o, ok := c.offers[t.Last.OfferID]; ok {
		v.Offer = new(o.ViewFor(uid))
	}
	return v
}
