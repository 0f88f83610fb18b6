package identity

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mileusna/useragent"

	"secondring/api/letters"
	"secondring/market"
)

// deviceCookie tells a browser that has signed in before from a new one. It gives no
// access.
const deviceCookie = "sr_device"

const (
	deviceLasts = 365 * 24 * time.Hour
	maxDevices  = 20 // known of one account, the newest
	maxAgent    = 60 // characters of a device's description
)

// deviceOf describes the browser of a request in words, such as "Firefox on Windows"; ""
// where it does not say.
func deviceOf(r *http.Request) string {
	agent := useragent.Parse(r.UserAgent())
	words := agent.Name
	if agent.OS != "" {
		words = strings.TrimPrefix(words+" on "+agent.OS, " on ")
	}
	words = strings.ToValidUTF8(words, "")
	if !market.IsName(words) {
		return ""
	}
	return string([]rune(words)[:min(maxAgent, len([]rune(words)))])
}

// deviceID returns the browser's own id, a new one if it has none.
func (s *Service) deviceID(r *http.Request) string {
	id := s.cookie(r, deviceCookie)
	if len(id) != base64.RawURLEncoding.EncodedLen(tokenBytes) {
		id = randomText()
	}
	return id
}

// noteDevice keeps the browser with the account, and writes to its owner where it is a
// new one. The first browser of an account is no news.
func (s *Service) noteDevice(r *http.Request, a market.Account, id string) error {
	hash := secretHash(id)
	if slices.Contains(a.Devices, hash) {
		return nil
	}
	var events []market.Event
	if len(a.Devices) > 0 {
		events = s.letters.Events(letters.Letter{Template: letterNewDevice, To: a.Email, UID: a.UID, Facts: browserFacts(r)})
	}
	_, err := s.change(r.Context(), a.UID, func(a *market.Account) error {
		devices := append(slices.Clone(a.Devices), hash)
		a.Devices = devices[max(0, len(devices)-maxDevices):]
		return nil
	}, events...)
	s.letters.Wake()
	return err
}
