package identity

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

// Times and number of sessions.
const (
	sessionLasts = 30 * 24 * time.Hour
	extendEvery  = time.Hour // a session is extended at most this often
	maxSessions  = 20        // of one person; the least recently used ones are ended
)

const (
	sessionCookie = "sr_session"
	hostPrefix    = "__Host-" // browsers accept such a cookie only over https and send it to this host only
)

func (s *Service) secure() bool { return s.public.Scheme == "https" }

func (s *Service) cookieName(name string) string {
	if s.secure() {
		return hostPrefix + name
	}
	return name
}

// setCookie sets one of the provider's cookies; lasts 0 deletes it.
func (s *Service) setCookie(w http.ResponseWriter, name, value string, lasts time.Duration) {
	c := &http.Cookie{
		Name: s.cookieName(name), Value: value, Path: "/", MaxAge: int(lasts.Seconds()),
		HttpOnly: true, Secure: s.secure(), SameSite: http.SameSiteLaxMode,
	}
	if lasts == 0 {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}

// cookie returns the value of one of the provider's cookies; "" if it was not sent.
func (s *Service) cookie(r *http.Request, name string) string {
	c, err := r.Cookie(s.cookieName(name))
	if err != nil {
		return ""
	}
	return c.Value
}

// HasSession returns whether the request has a session cookie. It does not check the
// cookie.
func (s *Service) HasSession(r *http.Request) bool { return s.cookie(r, sessionCookie) != "" }

// sessionID hashes a cookie for the store, so that the stored ID cannot be used to sign in.
func sessionID(value string) string { return secretHash(value) }

// signedIn wraps a handler for the owner of the session cookie. Without a valid session
// the returned handler fails with CodeNoToken.
func signedIn(serve func(http.ResponseWriter, *http.Request, rest.SignedIn) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		in, ok := rest.CookieOwner(r.Context())
		if !ok {
			return signInFirst()
		}
		return serve(w, r, in)
	}
}

func signInFirst() error { return rest.NewError(market.CodeNoToken, "Please log in first") }

// Cookie returns the owner of the request's session cookie. It returns CodeNoToken if there
// is none, or its session or account has ended.
func (s *Service) Cookie(ctx context.Context, r *http.Request) (rest.SignedIn, error) {
	value := s.cookie(r, sessionCookie)
	if value == "" {
		return rest.SignedIn{}, signInFirst()
	}
	session, err := s.store.Session(ctx, sessionID(value))
	if errors.Is(err, market.ErrNotFound) || (err == nil && !session.ExpiresAt.After(s.clock.Now())) {
		return rest.SignedIn{}, signInFirst()
	}
	if err != nil {
		return rest.SignedIn{}, err
	}
	account, err := s.store.Account(ctx, session.UID)
	if errors.Is(err, market.ErrNotFound) || (err == nil && !account.Access().Allows(session)) {
		return rest.SignedIn{}, signInFirst()
	}
	return rest.SignedIn{Account: account, Session: session}, err
}

// startSession gives the browser a new session and ends the session that the same
// account had in that browser. a is the account whose owner was checked: if its credentials
// have changed since, the session is not valid from the start.
func (s *Service) startSession(w http.ResponseWriter, r *http.Request, a market.Account) error {
	ctx := r.Context()
	value := randomText()
	now := s.clock.Now()
	session := market.Session{
		ID: sessionID(value), UID: a.UID, Device: deviceOf(r), Network: rest.Network(rest.Address(ctx)),
		CreatedAt: now, SeenAt: now, ExpiresAt: now.Add(sessionLasts), CredentialsVersion: a.CredentialsVersion,
	}
	if err := s.store.AddSession(ctx, session); err != nil {
		return err
	}
	fresh, err := s.store.Account(ctx, a.UID)
	if errors.Is(err, market.ErrNotFound) || err == nil && !fresh.Access().Allows(session) {
		return wrongPassword()
	}
	if err != nil {
		return err
	}
	device := s.deviceID(r)
	if err := s.noteDevice(r, fresh, device); err != nil {
		return err
	}
	if err := s.replace(r, a.UID); err != nil {
		return err
	}
	if err := s.endOldest(ctx, fresh, session); err != nil {
		return err
	}
	s.setCookie(w, sessionCookie, value, sessionLasts)
	s.setCookie(w, deviceCookie, device, deviceLasts)
	return nil
}

// endOldest ends the oldest sessions of the account above maxSessions, except newest.
// Concurrent sign-ins may leave one too many; the next sign-in ends it.
func (s *Service) endOldest(ctx context.Context, a market.Account, newest market.Session) error {
	sessions, err := s.sessionsOf(ctx, a)
	if err != nil || len(sessions) <= maxSessions {
		return err
	}
	slices.SortFunc(sessions, func(a, b market.Session) int {
		return cmp.Or(b.ExpiresAt.Compare(a.ExpiresAt), b.CreatedAt.Compare(a.CreatedAt))
	})
	for _, old := range sessions[maxSessions:] {
		if old.ID == newest.ID {
			continue
		}
		if err := s.end(ctx, old, ""); err != nil {
			return err
		}
	}
	return nil
}

// replace ends the session of the request's cookie, because the browser has a new one. It
// does nothing if that session belongs to another account.
func (s *Service) replace(r *http.Request, uid string) error {
	value := s.cookie(r, sessionCookie)
	if value == "" {
		return nil
	}
	old, err := s.store.Session(r.Context(), sessionID(value))
	if errors.Is(err, market.ErrNotFound) || (err == nil && old.UID != uid) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.end(r.Context(), old, "")
}

// extendSession postpones the expiry of the session, at most once in extendEvery. The
// hourly call for an access token does it, so a session in use does not expire.
func (s *Service) extendSession(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	now := s.clock.Now()
	until := now.Add(sessionLasts)
	if until.Sub(in.Session.ExpiresAt) < extendEvery {
		return nil
	}
	err := s.store.ExtendSession(r.Context(), in.Session.ID, now, until)
	if errors.Is(err, market.ErrNotFound) {
		return signInFirst()
	}
	if err != nil {
		return err
	}
	s.setCookie(w, sessionCookie, s.cookie(r, sessionCookie), sessionLasts)
	return nil
}

// end ends one session. reason is one of market's constants; "" if the sockets need none.
func (s *Service) end(ctx context.Context, session market.Session, reason string) error {
	event := market.ControlEvent(market.TypeSessionEnded,
		market.Control{UID: session.UID, Session: session.ID, Reason: reason}, s.clock.Now())
	return s.store.EndSession(ctx, session.ID, []market.Effect{event})
}
