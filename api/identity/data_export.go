package identity

import (
	"encoding/json"
	"net/http"

	"secondring/api/rest"
	"secondring/market"
)

func (s *Service) exportRoutes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/identity/data", ID: "getMyData", Access: rest.Cookie,
			Summary: "Download all data about you, as a JSON file", Response: market.PersonView{}, Handle: signedIn(s.data),
		},
	}
}

// data sends the personal data of the signed-in user as an indented JSON file. An export reads
// all of it into memory, so a second one of the same account at the same time is refused.
func (s *Service) data(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	if _, isRunning := s.exports.LoadOrStore(in.Account.UID, true); isRunning {
		w.Header().Set("Retry-After", "5")
		return rest.NewError(rest.CodeTooFast, "Your data is being prepared already. Please wait until that has finished")
	}
	defer s.exports.Delete(in.Account.UID)
	person, err := s.market.Person(r.Context(), in.Account)
	if err != nil {
		return err
	}
	body, err := json.MarshalIndent(person, "", "  ")
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Disposition", `attachment; filename="secondring-data.json"`)
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body) // an error means that the client has disconnected
	return nil
}
