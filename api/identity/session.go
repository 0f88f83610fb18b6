package identity

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

// Times of a session (contract section 3).
const (
	sessionLasts = 30 * 24 * time.Hour
	slideEvery   = time.Hour // a session is not prolonged more often
	maxSessions  = 20        // of one person; the ones that were used least recently end
)

const (
	sessionCookie = "sr_session"
	hostPrefix    = "__Host-" // a browser takes such a cookie only over https, for this very host
	tokenBytes    = 32
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

// cookie returns the value of one of the provider's cookies, "" if it was not sent.
func (s *Service) cookie(r *http.Request, name string) string {
	c, err := r.Cookie(s.cookieName(name))
	if err != nil {
		return ""
	}
	return c.Value
}

// HasSession tells whether the request brings a session cookie, of whatever worth.
func (s *Service) HasSession(r *http.Request) bool { return s.cookie(r, sessionCookie) != "" }

// sessionID is what is stored of a cookie: who reads the store can sign in as nobody.
func sessionID(value string) string {
	sum := sha256.Sum256([]byte(value))
	return hex.EncodeToString(sum[:])
}

// signedIn makes a handler of one for whoever the session cookie belongs to; all
// others are asked to sign in.
func signedIn(serve func(http.ResponseWriter, *http.Request, rest.SignedIn) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		in, ok := rest.CookieOwner(r.Context())
		if !ok {
			return signInFirst()
		}
		return serve(w, r, in)
	}
}

func signInFirst() error { return rest.Refuse(market.CodeNoToken, "Please sign in first") }

// Cookie finds whose session cookie came with the request. CodeNoToken when
// there is none, or its session or account has ended.
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
	if errors.Is(err, market.ErrNotFound) || (err == nil && account.Removed) {
		return rest.SignedIn{}, signInFirst()
	}
	return rest.SignedIn{Account: account, Session: session}, err
}

// begin signs the browser in with a session of its own, whatever cookie it had,
// and ends the one that the same person had there. The account is looked at again after the session is there: one whose password
// has changed or that was removed since it was checked gets in no more.
func (s *Service) begin(w http.ResponseWriter, r *http.Request, a market.Account) error {
	ctx := r.Context()
	value := base64.RawURLEncoding.EncodeToString(random(tokenBytes))
	now := s.clock.Now()
	session := market.Session{ID: sessionID(value), UID: a.UID, CreatedAt: now, ExpiresAt: now.Add(sessionLasts)}
	if err := s.store.AddSession(ctx, session); err != nil {
		return err
	}
	fresh, err := s.store.Account(ctx, a.UID)
	if err != nil && !errors.Is(err, market.ErrNotFound) {
		return err
	}
	if err != nil || fresh.Removed || fresh.PasswordHash != a.PasswordHash {
		if err := s.store.EndSession(ctx, session.ID, nil); err != nil {
			return err
		}
		return wrongPassword()
	}
	if err := s.replace(r, a.UID); err != nil {
		return err
	}
	if err := s.endOldest(ctx, session); err != nil {
		return err
	}
	s.setCookie(w, sessionCookie, value, sessionLasts)
	return nil
}

// endOldest ends the sessions of the person above maxSessions, the newest one
// spared. Two sign-ins at once may each leave one too many: the next ends it.
func (s *Service) endOldest(ctx context.Context, newest market.Session) error {
	sessions, err := s.store.SessionsOf(ctx, newest.UID)
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
		if err := s.end(ctx, old); err != nil {
			return err
		}
	}
	return nil
}

// replace ends the person's session whose cookie came with the request: the
// browser has a new one now. Somebody else's is left to them.
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
	return s.end(r.Context(), old)
}

// slide moves the end of the cookie's session, at most once in slideEvery. The
// calls that a client makes every hour do it, so a session in use never ends.
func (s *Service) slide(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	until := s.clock.Now().Add(sessionLasts)
	if until.Sub(in.Session.ExpiresAt) < slideEvery {
		return nil
	}
	err := s.store.ExtendSession(r.Context(), in.Session.ID, until)
	if errors.Is(err, market.ErrNotFound) {
		return signInFirst()
	}
	if err != nil {
		return err
	}
	s.setCookie(w, sessionCookie, s.cookie(r, sessionCookie), sessionLasts)
	return nil
}

// ended is the event that tells every node to end tokens and sockets.
func (s *Service) ended(c market.Control) ([]market.Event, error) {
	data, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	return []market.Event{{
		Topic: market.TopicControl, Type: market.TypeSessionEnded, At: s.clock.Now(), Data: data,
	}}, nil
}

// end ends one session.
func (s *Service) end(ctx context.Context, session market.Session) error {
	events, err := s.ended(market.Control{UID: session.UID, Session: session.ID})
	if err != nil {
		return err
	}
	if err := s.store.EndSession(ctx, session.ID, events); err != nil {
		return err
	}
	s.market.NotifyRelay()
	return nil
}

// endAll ends the sessions of a person but one; "" spares none.
func (s *Service) endAll(ctx context.Context, uid, except string) error {
	events, err := s.ended(market.Control{UID: uid, Except: except})
	if err != nil {
		return err
	}
	if err := s.store.EndSessions(ctx, uid, except, events); err != nil {
		return err
	}
	s.market.NotifyRelay()
	return nil
}
