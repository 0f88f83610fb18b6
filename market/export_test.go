package market

import "context"

// MustBeEvidence is mustBeEvidence for tests. It returns the errors of the fields, too.
func (m *Market) MustBeEvidence(ctx context.Context, b Booking, uid string, addresses ...string) error {
	f := Fields{}
	if err := m.mustBeEvidence(ctx, b, uid, f, addresses); err != nil {
		return err
	}
	return f.Err()
}
