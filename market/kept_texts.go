package market

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Admins keep short texts, such as reasons for a decision, and use them again. All of them are one
// record, so one compare-and-set changes them.

// The record of the kept texts, and their limits.
const (
	keptTextsKind = "texts"
	keptTextsID   = "reasons"
	maxKeptTexts  = 50
	maxKeptText   = 500 // characters
)

// KeptTextsView is the texts that the admins keep, for admins.
type KeptTextsView struct {
	Texts   []string `json:"texts" doc:"In the order in which they were sent"`
	Version int64    `json:"version" doc:"Increases with each change; 0 if none was ever kept"`
}

// KeptTextsRequest is the payload of PUT /texts.
type KeptTextsRequest struct {
	Texts   []string
	Version *int   // of the texts that the admin has changed
	Wrong   Fields // errors that the decoder found
}

// KeptTexts returns the texts that the admins keep, for admins.
func (m *Market) KeptTexts(ctx context.Context, who Actor) (KeptTextsView, error) {
	v := KeptTextsView{Texts: []string{}}
	if err := mustAdmin(who); err != nil {
		return v, err
	}
	r, err := m.store.Record(ctx, keptTextsKind, keptTextsID)
	if errors.Is(err, ErrNotFound) {
		return v, nil
	}
	if err != nil {
		return v, err
	}
	v.Version = r.Version
	return v, json.Unmarshal(r.Data, &v.Texts)
}

// KeepTexts replaces all kept texts, for admins. It returns 0 if they are the same, and CodeConflict if
// another admin has changed them since the version of the request.
func (m *Market) KeepTexts(ctx context.Context, who Actor, in KeptTextsRequest) (int, error) {
	kept, err := m.KeptTexts(ctx, who)
	if err != nil {
		return 0, err
	}
	if err := in.check(); err != nil {
		return 0, err
	}
	conflict := refuse(CodeConflict, "Another admin has changed these texts in the meantime")
	switch {
	case slices.Equal(kept.Texts, in.Texts):
		return 0, nil
	case int64(*in.Version) != kept.Version:
		return 0, conflict
	}
	r := Record{Kind: keptTextsKind, ID: keptTextsID, Data: encode(in.Texts), Version: kept.Version + 1}
	if kept.Version == 0 {
		err = m.store.AddRecord(ctx, r, nil)
	} else {
		err = m.store.SaveRecord(ctx, r)
	}
	if IsTaken(err) {
		return 0, conflict
	}
	if err != nil {
		return 0, err
	}
	return 1, nil
}

func (in KeptTextsRequest) check() error {
	f := FieldsOf(in.Wrong)
	f.version(in.Version)
	switch {
	case in.Texts == nil:
		f.Add("texts", "is required")
	case len(in.Texts) > maxKeptTexts:
		f.Add("texts", fmt.Sprintf("must have at most %d", maxKeptTexts))
	default:
		for i, text := range in.Texts {
			f.text(fmt.Sprintf("texts[%d]", i), text, maxKeptText)
		}
	}
	return f.Err()
}
