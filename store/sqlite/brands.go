package sqlite

import (
	"context"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"

	"secondring/market"
)

// brandColumns are the columns of brands in the order of brandFields.
const brandColumns = "id, name, img, version, created_at"

var (
	brandTable   = newTable("brands", brandColumns, "name_key")
	qAddBrand    = brandTable.insert()
	qBrand       = query("SELECT " + brandColumns + " FROM brands WHERE id = ?")
	qBrandByName = query("SELECT " + brandColumns + " FROM brands WHERE name_key = ?")
	qTopBrands   = query("SELECT " + stockColumns + " FROM brands ORDER BY available DESC, name_key LIMIT 0 + ?")
	qRemoveBrand = query(`DELETE FROM brands WHERE id = ?`)

	brandList = listing[market.BrandStock]{page: query("SELECT " + stockColumns + " FROM brands WHERE id < ? ORDER BY id DESC LIMIT 0 + ?"), fields: stockFields, countName: "brands"}
)

// stockColumns are the columns of a brand, then the number and the lowest price of its
// available phones, in the order of stockFields. SQLite reads the lowest price from the first
// entry of an index.
const stockColumns = brandColumns + ", available, (SELECT coalesce(min(resale_price), 0) FROM products " +
	"WHERE brand_id = brands.id AND hold_booking IS NULL AND sold = 0)"

func stockFields(b *market.BrandStock) []any {
	return append(brandFields(&b.Brand), &b.Available, &b.FromPrice)
}

func brandFields(b *market.Brand) []any {
	return []any{&b.ID, &b.Name, &b.Img, &b.Version, timeColumn{&b.CreatedAt}}
}

// brandKey returns the form of a brand's name by which brands are compared and sorted.
func brandKey(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// AddBrand stores a new brand. It returns ErrExists if another brand has the ID or the name;
// case is ignored.
func (s *Store) AddBrand(ctx context.Context, b market.Brand) error {
	_, err := s.exec(ctx, "add brand", qAddBrand, append(brandFields(&b), brandKey(b.Name))...)
	return err
}

// Brand returns the brand with an ID.
func (s *Store) Brand(ctx context.Context, id string) (market.Brand, error) {
	return find(ctx, s, "brand", qBrand, brandFields, id)
}

// BrandByName returns the brand with a name; case is ignored.
func (s *Store) BrandByName(ctx context.Context, name string) (market.Brand, error) {
	return find(ctx, s, "brand by name", qBrandByName, brandFields, brandKey(name))
}

// Brands lists all brands, newest first.
func (s *Store) Brands(ctx context.Context, page market.Page) (market.List[market.BrandStock], error) {
	return list(ctx, s, brandList, page)
}

// TopBrands returns the n brands with the most available phones. Brands with equally many are
// sorted by name; case is ignored.
func (s *Store) TopBrands(ctx context.Context, n int) ([]market.BrandStock, error) {
	return collect(ctx, s, "top brands", qTopBrands, stockFields, n)
}

// RemoveBrand deletes a brand. It returns ErrInUse if the brand has phones, and ErrNotFound if
// it does not exist.
func (s *Store) RemoveBrand(ctx context.Context, id string) error {
	return s.write(ctx, "remove brand", func(tx *conn) error {
		changed, err := tx.exec(qRemoveBrand, id)
		switch {
		case codeOf(err) == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
			return market.ErrInUse
		case err == nil && changed == 0:
			return market.ErrNotFound
		default:
			return err
		}
	})
}
