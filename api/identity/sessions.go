package identity

import (
	"net/http"
	"slices"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

// DeviceSession is a signed-in browser as its owner sees it.
type DeviceSession struct {
	ID        string    `json:"_id"`
	Current   bool      `json:"current" doc:"It is the browser that asks"`
	CreatedAt time.Time `json:"createdAt" doc:"When it signed in, UTC"`
	SeenAt    time.Time `json:"seenAt" doc:"When it was last used, UTC, to the hour"`
	Device    string    `json:"device" doc:"Such as Firefox on Windows; empty where unknown"`
	Network   string    `json:"network" doc:"The network address that it signed in from; empty where unknown"`
}

func (s *Service) sessionRoutes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/identity/sessions", ID: "listSessions", Access: rest.Cookie,
			Summary:  "Where the signed-in user is signed in, this browser first, then by last use",
			Response: []DeviceSession{}, Handle: signedIn(s.listSessions),
		},
		{
			Method: http.MethodDelete, Path: "/identity/sessions", ID: "endOtherSessions", Access: rest.Cookie,
			Summary: "Sign out everywhere but here",
			Status:  http.StatusNoContent, Handle: signedIn(s.endOtherSessions),
		},
		{
			Method: http.MethodDelete, Path: "/identity/sessions/{id}", ID: "endSession", Access: rest.Cookie,
			Summary: "End one of the signed-in user's sessions with its tokens and sockets",
			Status:  http.StatusNoContent, ErrorStatuses: []int{http.StatusNotFound}, Handle: signedIn(s.endSession),
		},
	}
}

// sessionsOf returns the sessions of the account that have not expired.
func (s *Service) sessionsOf(r *http.Request, in rest.SignedIn) ([]market.Session, error) {
	sessions, err := s.store.SessionsOf(r.Context(), in.Account.UID)
	now := s.clock.Now()
	return slices.DeleteFunc(sessions, func(v market.Session) bool { return !v.ExpiresAt.After(now) }), err
}

func (s *Service) listSessions(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	sessions, err := s.sessionsOf(r, in)
	if err != nil {
		return err
	}
	views := make([]DeviceSession, 0, len(sessions))
	for _, v := range sessions {
		if v.SeenAt.IsZero() { // stored by an earlier version
			v.SeenAt = v.ExpiresAt.Add(-sessionLasts)
		}
		views = append(views, DeviceSession{
			ID: v.ID, Current: v.ID == in.Session.ID, CreatedAt: v.CreatedAt, SeenAt: v.SeenAt, Device: v.Device, Network: v.Network,
		})
	}
	slices.SortFunc(views, func(a, b DeviceSession) int {
		switch {
		case a.Current:
			return -1
		case b.Current:
			return 1
		}
		return b.SeenAt.Compare(a.SeenAt)
	})
	w.Header().Set("Cache-Control", "no-store")
	rest.JSON(w, http.StatusOK, views)
	return nil
}

func (s *Service) endSession(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	id := rest.PathValue(r, "id")
	sessions, err := s.sessionsOf(r, in)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(sessions, func(v market.Session) bool { return v.ID == id })
	if i < 0 {
		return rest.NewError(market.CodeNotFound, "This device is signed out already")
	}
	if err := s.end(r.Context(), sessions[i], market.ReasonSignedOut); err != nil {
		return err
	}
	if id == in.Session.ID {
		s.setCookie(w, sessionCookie, "", 0)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Service) endOtherSessions(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	if err := s.endAll(r.Context(), in.Account.UID, in.Session.ID, market.ReasonSignedOut); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
