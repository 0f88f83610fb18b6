package market

import (
	"context"
	"errors"
)

// ReportRequest is the payload of POST /reportedItems. Only ProductID and Reason
// are taken from it; the rest must agree with the store.
type ReportRequest struct {
	ProductID, ProductName, BrandID, Brand string
	UserName, Email                        string
	Reason                                 string
	Key                                    string // of the form; may be empty
	Wrong                                  Fields
}

// AddReport reports a phone to the admins, as ReportTarget does, without a rule.
func (m *Market) AddReport(ctx context.Context, who Actor, in ReportRequest) (Report, error) {
	p, err := m.productOrNone(ctx, in.ProductID)
	if err != nil {
		return Report{}, err
	}
	if in.Email != "" && NormalEmail(in.Email) != NormalEmail(who.User.Email) {
		return Report{}, forbidden("You can only report as yourself")
	}
	if in.UserName, err = m.resolveName(ctx, who.User, in.UserName); err != nil {
		return Report{}, err
	}
	if err := in.check(who.User, p); err != nil {
		return Report{}, err
	}
	if err := m.mayReport(who.User); err != nil {
		return Report{}, err
	}
	c, err := m.caseOfPhone(ctx, p)
	if err != nil {
		return Report{}, err
	}
	return m.fileOnce(ctx, who, c, Report{Rule: RuleOther, Reason: in.Reason}.ofPhone(p), in.Key)
}

func (in ReportRequest) check(reporter User, p Product) error {
	f := FieldsOf(in.Wrong)
	f.text("productID", in.ProductID, maxShort)
	f.multiline("reason", in.Reason, maxLong)
	f.agrees("productName", in.ProductName, p.Name)
	f.agrees("id", in.BrandID, p.BrandID)
	f.agrees("brand", in.Brand, p.Brand)
	f.agrees("userName", in.UserName, reporter.Name)
	f.optional("key", in.Key, MaxKey)
	return f.Err()
}

// Reports lists all reports as they are now, for admins.
func (m *Market) Reports(ctx context.Context, who Actor, page Page) (List[ReportView], error) {
	if err := mustAdmin(who); err != nil {
		return List[ReportView]{}, err
	}
	stored, err := m.store.Reports(ctx, page)
	if err != nil {
		return List[ReportView]{}, err
	}
	phones, err := m.reportedPhones(ctx, stored.Items)
	if err != nil {
		return List[ReportView]{}, err
	}
	list := List[ReportView]{Total: stored.Total, More: stored.More}
	for _, r := range stored.Items {
		// Open screens get product.removed for a removal, so it is not stored with the
		// report.
		_, exists := phones[r.ProductID]
		if !exists {
			list.Items = append(list.Items, r.ViewWithoutPhone())
			continue
		}
		list.Items = append(list.Items, r.View())
	}
	return list, nil
}

// reportedPhones returns the phones of the reports that still exist, by ID.
func (m *Market) reportedPhones(ctx context.Context, reports []Report) (map[string]Product, error) {
	var ids []string
	for _, r := range reports {
		ids = append(ids, r.ProductID)
	}
	found, err := m.store.ProductsByID(ctx, ids)
	phones := map[string]Product{}
	for _, p := range found {
		phones[p.ID] = p
	}
	return phones, err
}

// RemoveReport removes a report, for admins. It returns 0 if another admin has removed it.
func (m *Market) RemoveReport(ctx context.Context, who Actor, id string) (int, error) {
	r, err := m.store.Report(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return 0, missing("report")
	}
	if err != nil {
		return 0, err
	}
	if err := mustAdmin(who); err != nil {
		return 0, err
	}
	reporter, err := m.idOf(ctx, r.ReporterUID)
	if err != nil {
		return 0, err
	}
	if err := m.dropReport(ctx, who.User, r); err != nil {
		return 0, err
	}
	r.Version++
	now := m.clock.Now()
	entry := NewAuditEntry(now, &who.User, ActionCloseReport).of(r.ID, r.ProductName, reporter)
	err = m.store.RemoveReport(ctx, r, append(m.reportEvents(TypeReportRemoved, r, now), entry))
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrConflict) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return 1, nil
}
