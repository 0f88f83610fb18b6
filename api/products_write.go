package api

import (
	"net/http"

	"secondring/api/rest"
	"secondring/market"
)

// newProduct is the body of POST /products.
type newProduct struct {
	Name          string     `json:"name" maxLength:"120"`
	Brand         string     `json:"brand,omitempty" doc:"Name of the brand. Optional; if sent, it must equal the stored value, ignoring case"`
	BrandID       string     `json:"id" doc:"The _id of the brand"`
	Img           string     `json:"img,omitempty" maxLength:"500" doc:"URL of the only photo (http, https or a path on this site), if photos is absent. Otherwise optional; if sent, it must equal the URL of the first photo"`
	Photos        []newPhoto `json:"photos,omitempty" maxItems:"8" doc:"The photos in their order. If absent, img is the only photo"`
	OriginalPrice int        `json:"originalPrice" minimum:"1" maximum:"100000" doc:"Price when new, in whole US dollars. A text such as $1,250 or 1250.00 is also accepted" number:"price"`
	ResalePrice   int        `json:"resalePrice" minimum:"1" maximum:"100000" doc:"Asking price, in whole US dollars. A text such as $1,250 or 1250.00 is also accepted" number:"price"`
	Storage       int        `json:"storage,omitempty" minimum:"1" maximum:"8192" doc:"In whole GB. A string of digits is also accepted" number:"digits"`
	Colour        string     `json:"colour,omitempty" maxLength:"40" doc:"Optional, in your own words"`
	Delivers      string     `json:"delivers,omitempty" enum:"meet,send,both" doc:"What you offer: to meet, to send the phone, or both. Default both"`
	Postage       int        `json:"postage,omitempty" minimum:"0" maximum:"200" doc:"Postage of the phone if it is sent, in whole US dollars. Default 0" number:"price"`
	Offers        *bool      `json:"offers,omitempty" doc:"Whether you take offers. Default true"`
	Condition     string     `json:"productCondition" enum:"Excellent,Good,Fair"`
	UsedTime      string     `json:"usedTime" maxLength:"120" doc:"How long the phone was used, as a text"`
	Description   string     `json:"description" maxLength:"4000"`
	SellerName    string     `json:"sellerName,omitempty" doc:"Your name. Optional; if sent, it must equal the stored value, ignoring case"`
	Email         string     `json:"email" doc:"Your email address"`
	Location      string     `json:"location" maxLength:"120"`
	Phone         string     `json:"phone" maxLength:"120"`
	PostedOn      string     `json:"selling_post_date" format:"date" doc:"Date of the offer, YYYY-MM-DD, from 2000-01-01 to tomorrow"`
	Key           string     `json:"key,omitempty" maxLength:"64" doc:"Any text that you make with the form. For a day, the same call with the same key has the same response and creates nothing"`
}

// newPhoto is a photo in either body.
type newPhoto struct {
	URL string `json:"url" maxLength:"500" doc:"An http or https URL, or a path on this site"`
	Alt string `json:"alt,omitempty" maxLength:"200" doc:"Description of the photo for people who cannot see it (alt text)"`
}

func newPhotos(sent []newPhoto) []market.PhotoRequest {
	if sent == nil {
		return nil
	}
	photos := make([]market.PhotoRequest, 0, len(sent))
	for _, s := range sent {
		photos = append(photos, market.PhotoRequest{URL: s.URL, Alt: s.Alt})
	}
	return photos
}

// productChange is the body of PATCH /products/{id}.
type productChange struct {
	Name          *string    `json:"name,omitempty" maxLength:"120"`
	OriginalPrice *int       `json:"originalPrice,omitempty" minimum:"1" maximum:"100000" doc:"Price when new, in whole US dollars. A text such as $1,250 or 1250.00 is also accepted" number:"price"`
	ResalePrice   *int       `json:"resalePrice,omitempty" minimum:"1" maximum:"100000" doc:"Asking price, in whole US dollars. A text such as $1,250 or 1250.00 is also accepted" number:"price"`
	Storage       *int       `json:"storage,omitempty" minimum:"0" maximum:"8192" doc:"In whole GB; 0 removes it. A string of digits is also accepted" number:"digits"`
	Colour        *string    `json:"colour,omitempty" maxLength:"40" doc:"An empty text removes it"`
	Delivers      *string    `json:"delivers,omitempty" enum:"meet,send,both" doc:"What you offer: to meet, to send the phone, or both"`
	Postage       *int       `json:"postage,omitempty" minimum:"0" maximum:"200" doc:"Postage of the phone if it is sent, in whole US dollars" number:"price"`
	Offers        *bool      `json:"offers,omitempty" doc:"Whether you take offers"`
	Condition     *string    `json:"productCondition,omitempty" enum:"Excellent,Good,Fair"`
	UsedTime      *string    `json:"usedTime,omitempty" maxLength:"120" doc:"How long the phone was used, as a text"`
	Description   *string    `json:"description,omitempty" maxLength:"4000"`
	Location      *string    `json:"location,omitempty" maxLength:"120"`
	Phone         *string    `json:"phone,omitempty" maxLength:"120"`
	Photos        []newPhoto `json:"photos,omitempty" minItems:"1" maxItems:"8" doc:"All photos in their new order. They replace the current photos"`
	Version       *int       `json:"version,omitempty" doc:"Version of the phone that the change is based on. Status 409 with the code conflict if the phone has changed since. If absent, this is not checked"`
	Img           string     `json:"img,omitempty" doc:"Optional; if sent with photos, it must equal the URL of the first photo. Ignored without photos"`
	Brand         string     `json:"brand,omitempty" doc:"Name of the brand. Optional; if sent, it must equal the stored value, ignoring case"`
	BrandID       string     `json:"id,omitempty" doc:"The _id of the brand. Optional; if sent, it must equal the stored value, ignoring case"`
	SellerName    string     `json:"sellerName,omitempty" doc:"Your name. Optional; if sent, it must equal the stored value, ignoring case"`
	Email         string     `json:"email,omitempty" doc:"Optional; if sent, it must be your email address"`
}

func (h handlers) productWrites() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodPost, Path: "/products", ID: "addProduct", Tag: "products",
			Summary: "Offer a phone for sale (sellers only)", Access: rest.Bearer,
			Body: newProduct{}, Response: Inserted{}, ErrorStatuses: []int{http.StatusForbidden}, Handle: h.addProduct,
		},
		{
			Method: http.MethodPatch, Path: "/products/{id}", ID: "changeProduct", Tag: "products",
			Summary: "Change your phone while it is not booked (sellers only). Absent fields stay unchanged", Access: rest.Bearer,
			Body: productChange{}, Response: Modified{}, Handle: h.changeProduct,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodPut, Path: "/products/advertise/{id}", ID: "advertiseProduct", Tag: "products",
			Summary: "Advertise your phone on the home page (sellers only). The setting ADVERTISE decides which sellers may", Access: rest.Bearer,
			Response: Modified{}, Handle: h.advertise,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodDelete, Path: "/products/advertise/{id}", ID: "stopAdvertisingProduct", Tag: "products",
			Summary: "Stop advertising your phone (sellers only)", Access: rest.Bearer,
			Response: Modified{}, Handle: h.stopAdvertising,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound},
		},
		{
			Method: http.MethodDelete, Path: "/products/{id}", ID: "removeProduct", Tag: "products",
			Summary: "Delete a phone: your own if it is not booked (sellers), any if it is not sold (admins). What an admin deletes is hidden until the time for an appeal is over", Access: rest.Bearer,
			Body: rest.RemovalReason{}, OptionalBody: true,
			Response: Deleted{}, Handle: h.removeProduct,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
	}
}

func (h handlers) addProduct(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[newProduct](w, r)
	if err != nil {
		return err
	}
	p, err := h.market.AddProduct(r.Context(), actor(r), market.ProductRequest{
		Name: in.Name, Brand: in.Brand, BrandID: in.BrandID, Img: in.Img,
		OriginalPrice: in.OriginalPrice, ResalePrice: in.ResalePrice,
		Storage: in.Storage, Colour: in.Colour, Condition: in.Condition, UsedTime: in.UsedTime, Description: in.Description,
		Delivers: market.Delivery(in.Delivers), Postage: in.Postage, NoOffers: in.Offers != nil && !*in.Offers,
		SellerName: in.SellerName, Email: in.Email, Location: in.Location, Phone: in.Phone,
		PostedOn: in.PostedOn, Photos: newPhotos(in.Photos), Key: in.Key, Wrong: wrong,
	})
	if err != nil {
		return err
	}
	rest.JSON(w, http.StatusOK, Inserted{Acknowledged: true, InsertedID: p.ID})
	return nil
}

func (h handlers) changeProduct(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[productChange](w, r)
	if err != nil {
		return err
	}
	id := rest.PathValue(r, "id")
	if err := h.mayChange(w, r, id); err != nil {
		return err
	}
	n, err := h.market.ChangeProduct(r.Context(), actor(r), id, market.ProductChange{
		Name: in.Name, OriginalPrice: in.OriginalPrice, ResalePrice: in.ResalePrice,
		Storage: in.Storage, Colour: in.Colour, Condition: in.Condition, UsedTime: in.UsedTime, Description: in.Description,
		Delivers: (*market.Delivery)(in.Delivers), Postage: in.Postage, Offers: in.Offers,
		Location: in.Location, Phone: in.Phone, Img: in.Img, Photos: newPhotos(in.Photos),
		Brand: in.Brand, BrandID: in.BrandID, SellerName: in.SellerName, Email: in.Email,
		Version: in.Version, Wrong: wrong,
	})
	return modified(w, n, err)
}

func (h handlers) advertise(w http.ResponseWriter, r *http.Request) error {
	n, err := h.market.Advertise(r.Context(), actor(r), rest.PathValue(r, "id"))
	return modified(w, n, err)
}

func (h handlers) stopAdvertising(w http.ResponseWriter, r *http.Request) error {
	n, err := h.market.StopAdvertising(r.Context(), actor(r), rest.PathValue(r, "id"))
	return modified(w, n, err)
}

func (h handlers) removeProduct(w http.ResponseWriter, r *http.Request) error {
	reason, err := rest.ReadRemovalReason(w, r)
	if err != nil {
		return err
	}
	n, err := h.market.RemoveProduct(r.Context(), actor(r), rest.PathValue(r, "id"), reason)
	return deleted(w, n, err)
}

func modified(w http.ResponseWriter, n int, err error) error {
	if err == nil {
		rest.JSON(w, http.StatusOK, Modified{Acknowledged: true, ModifiedCount: n})
	}
	return err
}

func deleted(w http.ResponseWriter, n int, err error) error {
	if err == nil {
		rest.JSON(w, http.StatusOK, Deleted{Acknowledged: true, DeletedCount: n})
	}
	return err
}
