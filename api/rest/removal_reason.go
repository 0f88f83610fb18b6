package rest

import (
	"net/http"

	"secondring/market"
)

// RemovalReason is the optional body of the removal of a phone, a user or a picture by an admin.
type RemovalReason struct {
	Rule  string `json:"rule,omitempty" doc:"For admins: the rule that was broken: stolen, counterfeit, not_as_shown, fake_price, contact, insult, spam, forbidden or other. other if missing"`
	Words string `json:"words,omitempty" maxLength:"1000" doc:"For admins: what the person concerned reads, 20 characters at least. Usual words if missing"`
}

// ReadRemovalReason reads the body.
func ReadRemovalReason(w http.ResponseWriter, r *http.Request) (market.RemovalReason, error) {
	in, wrong, err := DecodeOptional[RemovalReason](w, r)
	return market.RemovalReason{Rule: in.Rule, Words: in.Words, Wrong: wrong}, err
}
