package market

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// ThreadReportRequest is the payload of POST /threads/{id}/report.
type ThreadReportRequest struct {
	Reason   string
	Messages []string // IDs
	Wrong    Fields
}

// Limits of a report about a thread.
const (
	maxReported  = 10      // messages
	quotesBeside = 2       // messages before and after each
	maxReason    = 1000    // characters
	maxQuotes    = 4 << 10 // bytes of all quotes: a report is sent to every admin; see maxEntity
)

// reportedSide separates the ID of a thread from the User.ID of the reported side in Case.TargetID: each side of a
// conversation may report the other, and these are two cases.
const reportedSide = "."

// ReportThread reports the other side of a thread to the admins, once. They see the messages that are
// named and those beside them, and nothing else of the thread.
func (m *Market) ReportThread(ctx context.Context, who Actor, id string, in ThreadReportRequest) (Report, error) {
	t, err := m.ownThread(ctx, who, id)
	if err != nil {
		return Report{}, err
	}
	f := FieldsOf(in.Wrong)
	f.multiline("reason", in.Reason, maxReason)
	if n := len(in.Messages); n == 0 || n > maxReported {
		f.Add("messages", fmt.Sprintf("must be one to %d of this conversation", maxReported))
	}
	if err := f.Err(); err != nil {
		return Report{}, err
	}
	quotes, err := m.quotes(ctx, t, who.User.UID, in.Messages)
	if err != nil {
		return Report{}, err
	}
	if len(quotes) == 0 {
		return Report{}, Invalid("messages", fmt.Sprintf("must be one to %d of this conversation", maxReported))
	}
	if err := m.mayReport(who.User); err != nil {
		return Report{}, err
	}
	other, err := m.store.User(ctx, t.other(who.User.UID))
	if ignoreNotFound(err) != nil {
		return Report{}, err
	}
	now := m.clock.Now()
	r := Report{
		ID: NewID(now), ProductID: t.ProductID, ProductName: t.Phone.Name, Img: t.Phone.Img, SellerID: other.ID,
		ReporterUID: who.User.UID, UserName: who.User.Name, Email: who.User.Email, Rule: RuleOther, Reason: in.Reason,
		ThreadID: t.ID, Quotes: quotes, Version: 1, CreatedAt: now,
	}
	if p, err := m.store.Product(ctx, t.ProductID); err == nil {
		r.BrandID, r.Brand = p.BrandID, p.Brand
	} else if !errors.Is(err, ErrNotFound) {
		return Report{}, err
	}
	c := Case{
		Kind: CaseThread, TargetID: t.ID + reportedSide + other.ID, Target: title(r.Brand, r.ProductName), Img: r.Img, AboutUID: t.other(who.User.UID), AboutID: other.ID, About: other.Name,
		Copy: &CaseCopy{Quotes: quotes, Verified: other.IsVerified()},
	}
	return m.file(ctx, c, r)
}

// quotes returns the messages with these IDs and those beside them, oldest first; none if one of them is
// not of the thread. Long texts are cut, so that all of them fit into a report.
func (m *Market) quotes(ctx context.Context, t Thread, reporter string, ids []string) ([]Quote, error) {
	var all []Message // newest first
	if err := m.eachMessageOf(ctx, t.ID, func(v Message) error { all = append(all, v); return nil }); err != nil {
		return nil, err
	}
	wanted := map[int]bool{}
	for _, id := range ids {
		i := slices.IndexFunc(all, func(v Message) bool { return v.ID == id })
		if i < 0 {
			return nil, nil
		}
		for beside := max(0, i-quotesBeside); beside <= min(len(all)-1, i+quotesBeside); beside++ {
			wanted[beside] = wanted[beside] || beside == i
		}
	}
	c, err := m.threadContext(ctx, reporter, t)
	var quotes []Quote
	for i, line := range slices.Backward(all) {
		isReported, isQuoted := wanted[i]
		if !isQuoted {
			continue
		}
		by := formerMember
		if u, ok := c.people[line.ByUID]; ok {
			by = u.Name
		}
		text := line.Text
		if most := maxQuotes / len(wanted); len(text) > most {
			text = cut(text, most/4) // a character has four bytes at most
		}
		quotes = append(quotes, Quote{Text: text, At: line.At, By: by, IsReported: isReported, ByReporter: line.ByUID == reporter})
	}
	return quotes, err
}
