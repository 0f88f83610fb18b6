package identity

import (
	"context"
	"net/http"
	"slices"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

// DeviceSession is a signed-in browser as its owner sees it.
type DeviceSession struct {
	ID        string    `json:"_id"`
	Current   bool      `json:"current" doc:"Whether this is the session of the request"`
	CreatedAt time.Time `json:"createdAt" doc:"When the session began, UTC"`
	SeenAt    time.Time `json:"seenAt" doc:"When the session was last used, UTC, accurate to about an hour"`
	Device    string    `json:"device" doc:"Browser and operating system, such as Firefox on Windows. Empty if unknown"`
	Network   string    `json:"network" doc:"Network address of the sign-in. Empty if unknown"`
}

func (s *Service) sessionRoutes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/identity/sessions", ID: "listSessions", Access: rest.Cookie,
			Summary:  "List your sessions. The current one is first, then the last used ones",
			Response: []DeviceSession{}, Handle: signedIn(s.listSessions),
		},
		{
			Method: http.MethodDelete, Path: "/identity/sessions", ID: "endOtherSessions", Access: rest.Cookie,
			Summary: "End all your other sessions",
			Status:  http.StatusNoContent, Handle: signedIn(s.endOtherSessions),
		},
		{
			Method: http.MethodDelete, Path: "/identity/sessions/{id}", ID: "endSession", Access: rest.Cookie,
			Summary: "End one of your sessions, with its access tokens and live connections",
			Status:  http.StatusNoContent, ErrorStatuses: []int{http.StatusNotFound}, Handle: signedIn(s.endSession),
		},
	}
}

// sessionsOf returns the valid sessions of an account.
func (s *Service) sessionsOf(ctx context.Context, a market.Account) ([]market.Session, error) {
	sessions, err := s.store.SessionsOf(ctx, a.UID)
	now := s.clock.Now()
	return slices.DeleteFunc(sessions, func(v market.Session) bool { return !v.ExpiresAt.After(now) || !a.Access().Allows(v) }), err
}

func (s *Service) listSessions(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	sessions, err := s.sessionsOf(r.Context(), in.Account)
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
	sessions, err := s.sessionsOf(r.Context(), in.Account)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(sessions, func(v market.Session) bool { return v.ID == id })
	if i < 0 {
		return rest.NewError(market.CodeNotFound, "This device is signed out already")
	}
	if err := s.end(r.Context(), sessions[i], market.ReasonSignedOutElsewhere); err != nil {
		return err
	}
	if id == in.Session.ID {
		s.setCookie(w, sessionCookie, "", 0)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Service) endOtherSessions(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	sessions, err := s.sessionsOf(r.Context(), in.Account)
	if err != nil {
		return err
	}
	for _, v := range sessions {
		if v.ID == in.Session.ID {
			continue
		}
		if err := s.end(r.Context(), v, market.ReasonSignedOutElsewhere); err != nil {
			return err
		}
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
