package market

import (
	"cmp"
	"context"
	"errors"
	"time"
)

// ProductsOfBrand lists a brand's phones for anyone signed in.
func (m *Market) ProductsOfBrand(ctx context.Context, brandID string, page Page) (List[Product], error) {
	if _, err := m.Brand(ctx, brandID); err != nil {
		return List[Product]{}, err
	}
	return m.store.ProductsOfBrand(ctx, brandID, page)
}

// Advertised lists the phones on Home: advertised and not booked.
func (m *Market) Advertised(ctx context.Context, page Page) (List[Product], error) {
	return m.store.Advertised(ctx, page)
}

// ProductsOfSeller lists one seller's phones, for that seller or an admin.
func (m *Market) ProductsOfSeller(ctx context.Context, who Actor, email string, page Page) (List[Product], error) {
	own := NormalEmail(email) == NormalEmail(who.User.Email)
	switch {
	case email == "" && (who.User.IsSeller() || who.User.Admin):
		return List[Product]{}, Invalid("email", "is required")
	case own && (who.User.IsSeller() || who.User.Admin):
		return m.store.ProductsOfSeller(ctx, who.User.UID, page)
	case !who.User.Admin:
		return List[Product]{}, forbidden("You can only see your own phones here, as a seller")
	}
	seller, err := m.store.UserByEmail(ctx, email)
	if errors.Is(err, ErrNotFound) {
		return List[Product]{}, nil
	}
	if err != nil {
		return List[Product]{}, err
	}
	return m.store.ProductsOfSeller(ctx, seller.UID, page)
}

// ProductRequest is the payload of POST /products. The seller and the brand must agree with
// the store; verified, booked and advertise are ignored.
type ProductRequest struct {
	Name, Brand, BrandID, Img  string
	OriginalPrice, ResalePrice int      // whole US dollars
	Storage                    int      // GB; 0 for not given
	Colour                     string   // may be empty
	Delivers                   Delivery // "" for DeliveryBoth
	Postage                    int      // whole US dollars
	NoOffers                   bool     // the seller takes no offers
	Condition, UsedTime        string
	Description                string
	SellerName, Email          string
	Location, Phone            string
	PostedOn                   string         // YYYY-MM-DD
	Photos                     []PhotoRequest // if empty, Img is the only photo
	Key                        string         // of the form, so that a repeated call adds no second phone; may be empty
	Wrong                      Fields
}

// AddProduct adds a seller's phone.
func (m *Market) AddProduct(ctx context.Context, who Actor, in ProductRequest) (Product, error) {
	brand, err := m.store.Brand(ctx, in.BrandID)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return Product{}, err
	}
	if !who.User.IsSeller() {
		return Product{}, forbidden("Only sellers can add phones")
	}
	if err := m.mayTrade(ctx, who); err != nil {
		return Product{}, err
	}
	if in.Email != "" && NormalEmail(in.Email) != NormalEmail(who.User.Email) {
		return Product{}, forbidden("You can only sell as yourself")
	}
	in.Img, in.Photos = StoredURL(m.rules.PublicURL, in.Img), m.storedPhotos(in.Photos)
	if in.SellerName, err = m.resolveName(ctx, who.User, in.SellerName); err != nil {
		return Product{}, err
	}
	now := m.clock.Now()
	if err := in.check(who.User, brand, now); err != nil {
		return Product{}, err
	}
	photos, err := m.resolvePhotos(ctx, in.gallery())
	if err != nil {
		return Product{}, err
	}
	p := in.product(who.User, brand, photos, now)
	if err := p.mustFit(0); err != nil {
		return Product{}, err
	}
	if err := m.mustHideContact(Product{}, p); err != nil {
		return Product{}, err
	}
	o, err := m.once(ctx, p.SellerUID, "product", in.Key)
	if p.ID = o.ID; err != nil || o.IsDone {
		return p, err
	}
	err = m.store.AddProduct(ctx, p, m.productEvents(TypeProductAdded, Product{}, p, now))
	if errors.Is(err, ErrNotFound) { // the brand was removed at the same time
		return Product{}, in.check(who.User, Brand{}, now)
	}
	if errors.Is(err, ErrExists) { // an earlier call with the same key has added it
		p, err = m.store.Product(ctx, p.ID)
	}
	if err == nil {
		o.done(ctx)
	}
	return p, err
}

// product returns the new phone of the request, with what the store knows of its seller,
// brand and photos.
func (in ProductRequest) product(seller User, brand Brand, photos []Photo, now time.Time) Product {
	return Product{
		ID: NewID(now), BrandID: brand.ID, Brand: brand.Name, Name: in.Name,
		Img: photos[0].URL, Photos: photos,
		OriginalPrice: in.OriginalPrice, ResalePrice: in.ResalePrice, Storage: in.Storage, Colour: in.Colour, UsedTime: in.UsedTime,
		Delivers: cmp.Or(in.Delivers, DeliveryBoth), Postage: in.Postage, NoOffers: in.NoOffers,
		Condition: in.Condition, Description: in.Description,
		SellerUID: seller.UID, SellerName: seller.Name, SellerEmail: seller.Email,
		Location: in.Location, Phone: in.Phone, PostedOn: in.PostedOn,
		Verified: seller.IsVerified(), Version: 1, CreatedAt: now,
	}
}

// gallery returns the photos of the request, at least one.
func (in ProductRequest) gallery() []PhotoRequest {
	if len(in.Photos) == 0 {
		return []PhotoRequest{{URL: in.Img, field: "img"}}
	}
	return in.Photos
}

func (in ProductRequest) check(seller User, brand Brand, now time.Time) error {
	f := FieldsOf(in.Wrong)
	f.text("name", in.Name, maxTitle)
	f.text("id", in.BrandID, maxShort)
	if brand.ID == "" {
		f.Add("id", "is not a brand we know")
	} else {
		f.agrees("brand", in.Brand, brand.Name)
	}
	if len(in.Photos) == 0 {
		f.image("img", in.Img)
	}
	f.gallery(in.Photos)
	f.first(in.Img, in.Photos)
	f.price("originalPrice", in.OriginalPrice)
	f.price("resalePrice", in.ResalePrice)
	f.storage("storage", in.Storage)
	f.optional("colour", in.Colour, maxColour)
	if in.Delivers != "" {
		f.delivers(in.Delivers)
	}
	f.postage(in.Postage)
	f.oneOf("productCondition", in.Condition, conditions...)
	f.text("usedTime", in.UsedTime, maxShort)
	f.multiline("description", in.Description, maxLong)
	f.agrees("sellerName", in.SellerName, seller.Name)
	f.text("email", in.Email, maxEmail)
	f.text("location", in.Location, maxShort)
	f.text("phone", in.Phone, maxShort)
	f.postingDay("selling_post_date", in.PostedOn, now)
	f.optional("key", in.Key, MaxKey)
	return f.Err()
}

// Advertise puts the seller's own phone on Home. It returns 0 if it is there already.
func (m *Market) Advertise(ctx context.Context, who Actor, id string) (int, error) {
	return m.changeOwn(ctx, who, id, func(p *Product) (string, error) {
		switch {
		case m.rules.Advertise == AdvertiseOff:
			return "", forbidden("Advertising is currently unavailable")
		case m.rules.Advertise == AdvertiseVerified && !who.User.IsVerified():
			return "", refuse(CodeNotVerified, "Get verified by an admin to advertise")
		case p.Booked():
			return "", heldOrPaid(*p, "advertised")
		case p.Advertised:
			return "", nil
		}
		p.Advertised = true
		return TypeProductChanged, nil
	})
}

// StopAdvertising takes the seller's own phone off Home, whatever the setting ADVERTISE is,
// and also while the phone is booked. It returns 0 if it was not advertised.
func (m *Market) StopAdvertising(ctx context.Context, who Actor, id string) (int, error) {
	return m.changeOwn(ctx, who, id, func(p *Product) (string, error) {
		if !p.Advertised {
			return "", nil
		}
		p.Advertised = false
		return TypeProductChanged, nil
	})
}

// Product returns a phone, for anyone.
func (m *Market) Product(ctx context.Context, id string) (Product, error) { return m.product(ctx, id) }

// ProductFor is Product for a reader, nil for a visitor. A hidden phone is there for its seller and for admins.
func (m *Market) ProductFor(ctx context.Context, who *Actor, id string) (p Product, isHidden bool, err error) {
	p, err = m.product(ctx, id)
	if who == nil || CodeOf(err) != CodeNotFound {
		return p, false, err
	}
	h, hiddenErr := m.store.HiddenPhone(ctx, id)
	if hiddenErr != nil || !who.User.Admin && h.Phone.SellerUID != who.User.UID {
		return p, false, errors.Join(err, ignoreNotFound(hiddenErr))
	}
	return h.Phone, true, nil
}

func (m *Market) product(ctx context.Context, id string) (Product, error) {
	p, err := m.store.Product(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return p, missing("phone")
	}
	return p, err
}

func ownedBy(p Product, who Actor) bool { return who.User.IsSeller() && p.SellerUID == who.User.UID }

// heldOrPaid returns the error of an action on a booked phone. participle names the action, such as
// "deleted".
func heldOrPaid(p Product, participle string) error {
	if p.Sold {
		return refuse(CodeHeld, "This phone is sold and cannot be "+participle)
	}
	return refuse(CodeHeld, "This phone is booked and cannot be "+participle+" now")
}

// changeOwn applies a change to a seller's own phone, as changeProduct does.
func (m *Market) changeOwn(ctx context.Context, who Actor, id string, change func(*Product) (string, error)) (int, error) {
	changed, err := m.changeProduct(ctx, id, func(p *Product) (string, error) {
		if !ownedBy(*p, who) {
			return "", forbidden("Only its seller can do this")
		}
		if err := m.mustNotBeSuspended(who.User); err != nil {
			return "", err
		}
		return change(p)
	})
	if errors.Is(err, ErrNotFound) {
		return 0, m.noPhone(ctx, who, id)
	}
	if err != nil || !changed {
		return 0, err
	}
	return 1, nil
}

// noPhone returns the error of a change of a phone that is not in the market. Its seller is told if it is hidden.
func (m *Market) noPhone(ctx context.Context, who Actor, id string) error {
	h, err := m.store.HiddenPhone(ctx, id)
	switch {
	case errors.Is(err, ErrNotFound) || err == nil && h.Phone.SellerUID != who.User.UID:
		return missing("phone")
	case err != nil:
		return err
	case m.isSuspended(who.User):
		return m.mustNotBeSuspended(who.User)
	}
	return refuse(CodeConflict, "An admin has removed this phone. Open 'Decisions about you' in your account to read why")
}

// changeProduct applies a change to a phone and stores it with its events. After a conflict
// it reads the phone and applies the change again. change returns the event's type, or ""
// to change nothing.
func (m *Market) changeProduct(ctx context.Context, id string, change func(*Product) (string, error)) (bool, error) {
	return m.changeProductWithEffects(ctx, id, func(p *Product) (string, []Effect, error) {
		kind, err := change(p)
		return kind, nil, err
	})
}

// changeProductWithEffects is changeProduct for a change that returns further events.
func (m *Market) changeProductWithEffects(ctx context.Context, id string, change func(*Product) (string, []Effect, error)) (bool, error) {
	for {
		p, err := m.store.Product(ctx, id)
		if err != nil {
			return false, err
		}
		before := p
		kind, more, err := change(&p)
		if err != nil || kind == "" {
			return false, err
		}
		p.Version++
		err = m.store.SaveProduct(ctx, p, append(m.productEvents(kind, before, p, m.clock.Now()), more...))
		if errors.Is(err, ErrConflict) {
			continue
		}
		return err == nil, err
	}
}

// changeIfExists is changeProduct for a phone that may have been removed: then it does
// nothing.
func (m *Market) changeIfExists(ctx context.Context, id string, change func(*Product) (string, error)) error {
	_, err := m.changeProduct(ctx, id, change)
	return ignoreNotFound(err)
}
