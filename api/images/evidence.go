package images

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"gocloud.dev/gcerrors"

	"secondring/api/rest"
	"secondring/market"
)

// evidencePrefix is what the names of the files of orders' photographs begin with. No other file has it,
// and GET /images/{name} sends none that has it.
const evidencePrefix = "evidence-"

func evidenceFile(e market.Evidence) string { return evidencePrefix + e.ID + extension }

func isEvidenceFile(name string) bool {
	id, hasPrefix := strings.CutPrefix(strings.TrimSuffix(name, extension), evidencePrefix)
	return hasPrefix && strings.HasSuffix(name, extension) && market.IsEvidenceID(id)
}

// evidenceRoutes returns the routes of the photographs of orders.
func (h *Host) evidenceRoutes(query []rest.Param) []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodPost, Path: "/orders/{id}/photos", ID: "uploadEvidence", Tag: "orders", Access: rest.Bearer,
			Summary: "Add a photograph to a paid order that is not settled (its buyer and its seller; at most 12 each)", Query: query,
			Form: Form{}, Response: Uploaded{}, ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
			Fail: rest.FailUpload, Handle: h.uploadEvidence,
		},
		{
			Method: http.MethodGet, Path: market.EvidencePath + "{name}", ID: "getEvidence", Tag: "orders", Access: rest.Bearer,
			Summary:   "Get a photograph of an order (its buyer, its seller and admins). It is deleted 180 days after the settlement of the order",
			MediaType: mediaType, ErrorStatuses: []int{http.StatusNotFound}, Fail: rest.FailUpload, Handle: h.serveEvidence,
		},
	}
}

// uploadEvidence stores a photograph of an order.
func (h *Host) uploadEvidence(w http.ResponseWriter, r *http.Request) error {
	who, ok := rest.Actor(r.Context())
	if !ok {
		return errSignIn
	}
	id := rest.PathValue(r, "id")
	if err := h.market.MayAddEvidence(r.Context(), who, id); err != nil {
		return err
	}
	return h.uploadOf(who.User.UID, w, r, func(ctx context.Context, encoded reencoded) (Data, error) {
		return h.saveEvidence(ctx, who, id, encoded)
	})
}

// saveEvidence stores the photograph before its file, so that the deletion finds every file.
func (h *Host) saveEvidence(ctx context.Context, who market.Actor, bookingID string, encoded reencoded) (Data, error) {
	e, err := h.market.AddEvidence(ctx, who, bookingID)
	if err != nil {
		return Data{}, err
	}
	if err := h.writeFile(ctx, evidenceFile(e), mediaType, encoded.file); err != nil {
		return Data{}, errors.Join(err, h.deleteEvidence(context.WithoutCancel(ctx), e))
	}
	size := encoded.picture.Bounds().Size()
	return Data{URL: e.Address(), Width: size.X, Height: size.Y, Blur: blur(encoded.picture, size)}, nil
}

// serveEvidence sends a photograph of an order. No cache may keep it.
func (h *Host) serveEvidence(w http.ResponseWriter, r *http.Request) error {
	who, ok := rest.Actor(r.Context())
	if !ok {
		return errSignIn
	}
	e, err := h.market.Evidence(r.Context(), who, rest.PathValue(r, "name"))
	if err != nil {
		return err
	}
	return h.send(w, r, evidenceFile(e), map[string]string{"Cache-Control": "private, no-store"})
}

// deleteEvidence deletes the file of a photograph, and then the photograph.
func (h *Host) deleteEvidence(ctx context.Context, e market.Evidence) error {
	if err := h.deleteEvidenceFile(ctx, e); err != nil {
		return err
	}
	return h.market.RemoveEvidence(ctx, e)
}

// deleteEvidenceFile returns no error if there is no file.
func (h *Host) deleteEvidenceFile(ctx context.Context, e market.Evidence) error {
	err := h.bucket.Delete(ctx, evidenceFile(e))
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil
	}
	return err
}
