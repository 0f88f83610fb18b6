package market

import (
	"context"
	"reflect"
)

// ProductChange is the payload of PATCH /products/{id}. A nil field changes nothing. The
// seller and the brand must agree with the store.
type ProductChange struct {
	Brand, BrandID, SellerName, Email                       string
	Name, Condition, UsedTime, Description, Location, Phone *string
	OriginalPrice, ResalePrice                              *int    // whole US dollars
	Storage                                                 *int    // GB; 0 removes it
	Colour                                                  *string // "" removes it
	Delivers                                                *Delivery
	Postage                                                 *int // whole US dollars
	Offers                                                  *bool
	Img                                                     string
	Photos                                                  []PhotoRequest
	// Version is the phone's version that the change is based on; nil means the current
	// one. If the seller has changed the phone since, the change is refused, so that it does
	// not overwrite one that they have not seen. Other changes, as when the phone is
	// advertised, are none of texts, prices or photos, and refuse nothing.
	Version *int
	Wrong   Fields
}

// apply changes the phone and returns whether anything is different. photos are the photos
// of the change, with metadata.
func (c ProductChange) apply(p *Product, photos []Photo) bool {
	before := *p
	for _, s := range []struct {
		from *string
		to   *string
	}{
		{c.Name, &p.Name},
		{c.Colour, &p.Colour},
		{c.Condition, &p.Condition},
		{c.UsedTime, &p.UsedTime},
		{c.Description, &p.Description},
		{c.Location, &p.Location},
		{c.Phone, &p.Phone},
	} {
		if s.from != nil {
			*s.to = *s.from
		}
	}
	if c.OriginalPrice != nil {
		p.OriginalPrice = *c.OriginalPrice
	}
	if c.ResalePrice != nil {
		p.ResalePrice = *c.ResalePrice
	}
	if c.Storage != nil {
		p.Storage = *c.Storage
	}
	if c.Delivers != nil {
		p.Delivers = *c.Delivers
	}
	if c.Postage != nil {
		p.Postage = *c.Postage
	}
	if c.Offers != nil {
		p.NoOffers = !*c.Offers
	}
	if len(photos) > 0 {
		p.Img, p.Photos = photos[0].URL, photos
	}
	if p.termsDiffer(before) {
		p.TermsVersion = p.Version + 1 // the version after this change
	}
	if reflect.DeepEqual(before, *p) {
		return false
	}
	p.EditedVersion = p.Version + 1
	return true
}

// termsDiffer returns whether the change concerns what a buyer agrees to.
func (p Product) termsDiffer(before Product) bool {
	return p.ResalePrice != before.ResalePrice || p.Name != before.Name || p.Storage != before.Storage || p.Colour != before.Colour ||
		p.Condition != before.Condition || p.Description != before.Description || p.Delivers != before.Delivers || p.Postage != before.Postage
}

func (c ProductChange) check(p Product) error {
	if c.Email != "" && NormalEmail(c.Email) != NormalEmail(p.SellerEmail) {
		return forbidden("You can only sell as yourself")
	}
	f := FieldsOf(c.Wrong)
	f.agrees("brand", c.Brand, p.Brand)
	f.agrees("id", c.BrandID, p.BrandID)
	f.agrees("sellerName", c.SellerName, p.SellerName)
	for name, text := range map[string]struct {
		value *string
		max   int
	}{
		"name": {c.Name, maxTitle}, "usedTime": {c.UsedTime, maxShort}, "location": {c.Location, maxShort}, "phone": {c.Phone, maxShort},
	} {
		if text.value != nil {
			f.text(name, *text.value, text.max)
		}
	}
	if c.Description != nil {
		f.multiline("description", *c.Description, maxLong)
	}
	if c.Colour != nil {
		f.optional("colour", *c.Colour, maxColour)
	}
	if c.Condition != nil {
		f.oneOf("productCondition", *c.Condition, conditions...)
	}
	if c.Photos != nil && len(c.Photos) == 0 {
		f.Add("photos", "must have at least one")
	}
	f.gallery(c.Photos)
	f.first(c.Img, c.Photos)
	if c.OriginalPrice != nil {
		f.price("originalPrice", *c.OriginalPrice)
	}
	if c.ResalePrice != nil {
		f.price("resalePrice", *c.ResalePrice)
	}
	if c.Storage != nil {
		f.storage("storage", *c.Storage)
	}
	if c.Delivers != nil {
		f.delivers(*c.Delivers)
	}
	if c.Postage != nil {
		f.postage(*c.Postage)
	}
	return f.Err()
}

// isStale returns whether the change is based on a version from before the last edit, or on
// one that does not exist yet.
func (c ProductChange) isStale(p Product) bool {
	return c.Version != nil && (int64(*c.Version) < p.EditedVersion || int64(*c.Version) > p.Version)
}

// ChangeProduct changes price, text and photos of the seller's own phone while it is not
// booked. It returns 0 if nothing is different, also if the version is old: then the change
// was made already. It returns CodeConflict if it was edited since.
func (m *Market) ChangeProduct(ctx context.Context, who Actor, id string, change ProductChange) (int, error) {
	change.Img = StoredURL(m.rules.PublicURL, change.Img)
	if change.Photos != nil {
		change.Photos = m.storedPhotos(change.Photos)
	}
	return m.changeOwn(ctx, who, id, func(p *Product) (string, error) {
		if err := change.check(*p); err != nil {
			return "", err
		}
		if p.Booked() {
			return "", heldOrPaid(*p, "changed")
		}
		photos, err := m.resolvePhotos(ctx, change.Photos)
		if err != nil {
			return "", err
		}
		stale, before := change.isStale(*p), *p
		if !change.apply(p, photos) {
			return "", nil
		}
		if err := p.mustFit(before.size()); err != nil {
			return "", err
		}
		if err := m.mustHideContact(before, *p); err != nil {
			return "", err
		}
		if stale {
			return "", refuse(CodeConflict, "This phone has been changed elsewhere in the meantime")
		}
		return TypeProductChanged, nil
	})
}
