package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"secondring/market"
)

// productColumns are the columns of products in the order of productFields.
const productColumns = "id, brand_id, brand, name, img, original_price, resale_price, used_time, condition, " +
	"description, seller_uid, seller_name, seller_email, location, phone, posted_on, verified, " +
	"advertised, sold, version, created_at, hold_booking, hold_buyer, hold_name, hold_email, " +
	"hold_phone, hold_location, hold_at, hold_until, hold_transaction, photos, terms_version, edited_version, " +
	"storage, hold_turn, waitlist, hold_network, hold_refunded"

var (
	productTable       = newTable("products", productColumns)
	productSwap        = productTable.swap("product").searchable()
	qProduct           = query("SELECT " + productColumns + " FROM products WHERE id = ?")
	qProductsByID      = query("SELECT " + productColumns + " FROM products WHERE id IN (SELECT value FROM json_each(?))")
	qProductsWaitedFor = query("SELECT " + productColumns + ` FROM products
		WHERE id IN (SELECT product FROM waiters WHERE uid = ?)`)
	qProductsHeld = query("SELECT " + productColumns + ` FROM products WHERE hold_at IS NOT NULL AND sold = 0
		AND hold_at BETWEEN ? AND ? ORDER BY hold_at, id LIMIT 0 + ?`)

	brandProducts      = listing[market.Product]{page: query("SELECT " + productColumns + " FROM products WHERE brand_id = ? AND id < ? ORDER BY id DESC LIMIT 0 + ?"), fields: productFields, countName: "brand"}
	sellerProducts     = listing[market.Product]{page: query("SELECT " + productColumns + " FROM products WHERE seller_uid = ? AND id < ? ORDER BY id DESC LIMIT 0 + ?"), fields: productFields, countName: "seller"}
	advertisedProducts = listing[market.Product]{page: query("SELECT " + productColumns + " FROM products WHERE advertised = 1 AND hold_booking IS NULL AND id < ? ORDER BY id DESC LIMIT 0 + ?"), fields: productFields, countName: "advertised"}
)

func productFields(p *market.Product) []any {
	h := &holdColumn{target: &p.Hold}
	return []any{
		&p.ID, &p.BrandID, &p.Brand, &p.Name, &p.Img, &p.OriginalPrice, &p.ResalePrice, &p.UsedTime,
		&p.Condition, &p.Description, &p.SellerUID, &p.SellerName, &p.SellerEmail, &p.Location, &p.Phone,
		&p.PostedOn, &p.Verified, &p.Advertised, &p.Sold, &p.Version,
		timeColumn{&p.CreatedAt},
		h.text(func(h *market.Hold) *string { return &h.BookingID }),
		h.text(func(h *market.Hold) *string { return &h.BuyerUID }),
		h.text(func(h *market.Hold) *string { return &h.Name }),
		h.text(func(h *market.Hold) *string { return &h.Email }),
		h.text(func(h *market.Hold) *string { return &h.Phone }),
		h.text(func(h *market.Hold) *string { return &h.Location }),
		h.time(func(h *market.Hold) *time.Time { return &h.At }),
		h.time(func(h *market.Hold) *time.Time { return &h.Until }),
		h.text(func(h *market.Hold) *string { return &h.Transaction }),
		asJSON(&p.Photos),
		&p.TermsVersion,
		&p.EditedVersion,
		&p.Storage,
		h.flag(func(h *market.Hold) *bool { return &h.Turn }),
		asJSON(&p.Waitlist),
		h.text(func(h *market.Hold) *string { return &h.Network }),
		h.flag(func(h *market.Hold) *bool { return &h.Refunded }),
	}
}

// AddProduct stores a new phone. It returns ErrExists if the ID exists, and ErrNotFound if the
// brand does not exist.
func (s *Store) AddProduct(ctx context.Context, p market.Product, events []market.Event) error {
	return mapForeignKeyError(productSwap.add(ctx, s, productFields(&p), events))
}

// mapForeignKeyError adds ErrNotFound to the error of a violated foreign key. The only foreign
// key is a phone's brand, so the brand does not exist.
func mapForeignKeyError(err error) error {
	if codeOf(err) == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY {
		return errors.Join(market.ErrNotFound, err)
	}
	return err
}

// SaveProduct replaces the phone with the same ID if the version is one above the stored
// one. Otherwise it returns ErrConflict, or ErrNotFound if none is stored with this ID, or if
// the brand does not exist.
func (s *Store) SaveProduct(ctx context.Context, p market.Product, events []market.Event) error {
	return mapForeignKeyError(productSwap.save(ctx, s, productFields(&p), p.ID, p.Version, events))
}

// RemoveProduct deletes the phone with the same ID if the version is one above the stored
// one. Otherwise it returns ErrConflict, or ErrNotFound if none is stored with this ID.
func (s *Store) RemoveProduct(ctx context.Context, p market.Product, events []market.Event) error {
	return productSwap.delete(ctx, s, p.ID, p.Version, events)
}

// Product returns the phone with an ID.
func (s *Store) Product(ctx context.Context, id string) (market.Product, error) {
	return find(ctx, s, "product", qProduct, productFields, id)
}

// ProductsByID returns the phones with the IDs, in any order. It skips IDs that do not exist.
func (s *Store) ProductsByID(ctx context.Context, ids []string) ([]market.Product, error) {
	encoded, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	return collect(ctx, s, "products by id", qProductsByID, productFields, string(encoded))
}

// ProductsOfBrand lists a brand's phones, newest first.
func (s *Store) ProductsOfBrand(ctx context.Context, brandID string, page market.Page) (market.List[market.Product], error) {
	return list(ctx, s, brandProducts, page, brandID)
}

// ProductsOfSeller lists a seller's phones, newest first.
func (s *Store) ProductsOfSeller(ctx context.Context, sellerUID string, page market.Page) (market.List[market.Product], error) {
	return list(ctx, s, sellerProducts, page, sellerUID)
}

// Advertised lists advertised phones that are not booked, newest first.
func (s *Store) Advertised(ctx context.Context, page market.Page) (market.List[market.Product], error) {
	return list(ctx, s, advertisedProducts, page)
}

// ProductsWaitedFor returns the phones whose waitlist contains a person, in any order.
func (s *Store) ProductsWaitedFor(ctx context.Context, uid string) ([]market.Product, error) {
	return collect(ctx, s, "products waited for", qProductsWaitedFor, productFields, uid)
}

// ProductsHeld returns up to limit unsold phones whose Hold.At is in [from, to], oldest Hold.At
// first.
func (s *Store) ProductsHeld(ctx context.Context, from, to time.Time, limit int) ([]market.Product, error) {
	return collect(ctx, s, "products held", qProductsHeld, productFields, from.UnixMilli(), to.UnixMilli(), limit)
}
