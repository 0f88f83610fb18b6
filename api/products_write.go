package api

import (
	"net/http"

	"secondring/api/rest"
	"secondring/market"
)

// newProduct is the body of POST /products.
type newProduct struct {
	Name          string     `json:"name" maxLength:"120"`
	Brand         string     `json:"brand,omitempty" doc:"The brand's name; must agree where it is sent, without case"`
	BrandID       string     `json:"id" doc:"The brand's _id"`
	Img           string     `json:"img,omitempty" maxLength:"500" doc:"An http(s) or site-relative URL: the first of the photos, or the only one"`
	Photos        []newPhoto `json:"photos,omitempty" maxItems:"8" doc:"Without them img is the one photo"`
	OriginalPrice int        `json:"originalPrice" minimum:"1" maximum:"100000" doc:"Whole US dollars; digits in a string are taken too" digits:"true"`
	ResalePrice   int        `json:"resalePrice" minimum:"1" maximum:"100000" doc:"Whole US dollars; digits in a string are taken too" digits:"true"`
	Storage       int        `json:"storage,omitempty" minimum:"1" maximum:"8192" doc:"Whole GB; digits in a string are taken too" digits:"true"`
	Condition     string     `json:"productCondition" enum:"Excellent,Good,Fair"`
	UsedTime      string     `json:"usedTime" maxLength:"120"`
	Description   string     `json:"description" maxLength:"4000"`
	SellerName    string     `json:"sellerName,omitempty" doc:"The caller's name; must agree where it is sent, without case"`
	Email         string     `json:"email" doc:"The caller's"`
	Location      string     `json:"location" maxLength:"120"`
	Phone         string     `json:"phone" maxLength:"120"`
	PostedOn      string     `json:"selling_post_date" format:"date"`
}

// newPhoto is a photo in either body.
type newPhoto struct {
	URL string `json:"url" maxLength:"500" doc:"An http(s) or site-relative URL"`
	Alt string `json:"alt,omitempty" maxLength:"200" doc:"What is to be seen"`
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
	OriginalPrice *int       `json:"originalPrice,omitempty" minimum:"1" maximum:"100000" doc:"Whole US dollars; digits in a string are taken too" digits:"true"`
	ResalePrice   *int       `json:"resalePrice,omitempty" minimum:"1" maximum:"100000" doc:"Whole US dollars; digits in a string are taken too" digits:"true"`
	Storage       *int       `json:"storage,omitempty" minimum:"0" maximum:"8192" doc:"Whole GB; 0 removes it; digits in a string are taken too" digits:"true"`
	Condition     *string    `json:"productCondition,omitempty" enum:"Excellent,Good,Fair"`
	UsedTime      *string    `json:"usedTime,omitempty" maxLength:"120"`
	Description   *string    `json:"description,omitempty" maxLength:"4000"`
	Location      *string    `json:"location,omitempty" maxLength:"120"`
	Phone         *string    `json:"phone,omitempty" maxLength:"120"`
	Photos        []newPhoto `json:"photos,omitempty" minItems:"1" maxItems:"8" doc:"All of them, in their order"`
	Version       *int       `json:"version,omitempty" doc:"Of the phone that the change was made from: 409 with code conflict where it has another by now"`
	Img           string     `json:"img,omitempty" doc:"Must be the first of the photos where they are sent; alone it is not looked at"`
	Brand         string     `json:"brand,omitempty" doc:"Stays; must agree where it is sent, as must the three below"`
	BrandID       string     `json:"id,omitempty" doc:"The brand's _id"`
	SellerName    string     `json:"sellerName,omitempty" doc:"The caller's name"`
	Email         string     `json:"email,omitempty" doc:"The caller's"`
}

func (h handlers) productWrites() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodPost, Path: "/products", ID: "addProduct", Tag: "products",
			Summary: "Put a phone on the market, as a seller", Access: rest.Bearer,
			Body: newProduct{}, Response: Inserted{}, ErrorStatuses: []int{http.StatusForbidden}, Handle: h.addProduct,
		},
		{
			Method: http.MethodPatch, Path: "/products/{id}", ID: "changeProduct", Tag: "products",
			Summary: "Change price, text and photos of one's own phone while it is not booked", Access: rest.Bearer,
			Body: productChange{}, Response: Modified{}, Handle: h.changeProduct,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodPut, Path: "/products/advertise/{id}", ID: "advertiseProduct", Tag: "products",
			Summary: "Advertise one's own phone, as the setting ADVERTISE allows", Access: rest.Bearer,
			Response: Modified{}, Handle: h.advertise,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodDelete, Path: "/products/advertise/{id}", ID: "stopAdvertisingProduct", Tag: "products",
			Summary: "Stop advertising one's own phone", Access: rest.Bearer,
			Response: Modified{}, Handle: h.stopAdvertising,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound},
		},
		{
			Method: http.MethodDelete, Path: "/products/{id}", ID: "removeProduct", Tag: "products",
			Summary: "Withdraw a phone that is not booked: one's own, or any for an admin", Access: rest.Bearer,
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
		Storage: in.Storage, Condition: in.Condition, UsedTime: in.UsedTime, Description: in.Description,
		SellerName: in.SellerName, Email: in.Email, Location: in.Location, Phone: in.Phone,
		PostedOn: in.PostedOn, Photos: newPhotos(in.Photos), Wrong: wrong,
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
		Storage: in.Storage, Condition: in.Condition, UsedTime: in.UsedTime, Description: in.Description,
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
	n, err := h.market.RemoveProduct(r.Context(), actor(r), rest.PathValue(r, "id"))
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
