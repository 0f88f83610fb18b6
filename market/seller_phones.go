package market

import "context"

// updateSellerPhones updates what the phones of a seller show about them, after a
// verification, its loss, or a change of the name or the address: it sets Verified,
// SellerName and SellerEmail. If the seller may no longer advertise, it stops the advertising
// of their phones.
func (m *Market) updateSellerPhones(ctx context.Context, seller User) error {
	verified := seller.IsVerified()
	mayAdvertise := verified || m.rules.Advertise != AdvertiseVerified
	isCurrent := func(p Product) bool {
		return p.Verified == verified && p.SellerName == seller.Name && p.SellerEmail == seller.Email &&
			(mayAdvertise || !p.Advertised)
	}
	return m.eachProductOf(ctx, seller.UID, func(p Product) error {
		if isCurrent(p) {
			return nil
		}
		return m.changeIfExists(ctx, p.ID, func(p *Product) (string, error) {
			if isCurrent(*p) {
				return "", nil
			}
			p.Verified, p.SellerName, p.SellerEmail = verified, seller.Name, seller.Email
			p.Advertised = p.Advertised && mayAdvertise
			return TypeProductChanged, nil
		})
	})
}
