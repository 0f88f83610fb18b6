package payment

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"

	"github.com/stripe/stripe-go/v76"

	"secondring/market"
)

// disputeID is the form of Stripe's IDs of disputes: dp_… or du_….
var disputeID = regexp.MustCompile(`^d[a-z]_[A-Za-z0-9_]{1,200}$`)

// AnswerDispute submits the evidence of a dispute. docs/PAYMENTS.md says which field has what. The same
// answer has the same idempotency keys, also for its file.
func (g *Gateway) AnswerDispute(ctx context.Context, a market.DisputeAnswer) error {
	if !disputeID.MatchString(a.DisputeID) {
		return fmt.Errorf("payment: %q is no ID of a dispute", a.DisputeID)
	}
	evidence := &stripe.DisputeEvidenceParams{
		ProductDescription: textOf(a.Product), CustomerName: textOf(a.BuyerName), CustomerEmailAddress: textOf(a.BuyerEmail),
		ShippingCarrier: textOf(a.Carrier), ShippingTrackingNumber: textOf(a.Tracking), ShippingDate: textOf(a.SentOn),
		UncategorizedText: textOf(a.Facts),
	}
	if len(a.Photos) > 0 {
		photos, err := g.uploadPhotos(ctx, a)
		if err != nil {
			return g.wrapError(ctx, "upload the photographs for the dispute", a.DisputeID, err)
		}
		evidence.UncategorizedFile = &photos.ID
	}
	a.Photos = nil
	content := fmt.Appendf(nil, "%q %s", a, stripe.StringValue(evidence.UncategorizedFile))
	_, err := withKey(keysOf("secondring-dispute-"+a.DisputeID, content), isSpent, func(key string) (*stripe.Dispute, error) {
		return g.disputes.Update(a.DisputeID, &stripe.DisputeParams{
			Params: stripe.Params{Context: ctx, IdempotencyKey: &key}, Evidence: evidence, Submit: new(true),
		})
	})
	if err != nil {
		return g.wrapError(ctx, "answer the dispute", a.DisputeID, err)
	}
	return nil
}

// uploadPhotos uploads the picture of all photographs.
func (g *Gateway) uploadPhotos(ctx context.Context, a market.DisputeAnswer) (*stripe.File, error) {
	return withKey(keysOf("secondring-photographs-"+a.DisputeID, a.Photos), isSpent, func(key string) (*stripe.File, error) {
		return g.files.New(&stripe.FileParams{
			Params: stripe.Params{Context: ctx, IdempotencyKey: &key}, Filename: new("photographs.jpg"),
			FileReader: bytes.NewReader(a.Photos), Purpose: new(string(stripe.FilePurposeDisputeEvidence)),
		})
	})
}

// keysOf returns the idempotency keys of a call with this content.
func keysOf(name string, content []byte) []string {
	hash := sha256.Sum256(content)
	key := name + "-" + hex.EncodeToString(hash[:8])
	return []string{key, key + "-2", key + "-3"}
}

// textOf returns nil for "", which Stripe would take as the removal of a text.
func textOf(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
