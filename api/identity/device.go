package identity

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mileusna/useragent"

	"secondring/market"
	"secondring/market/texts"
)

// deviceCookie identifies a browser that has signed in before. It gives no access.
const deviceCookie = "sr_device"

const (
	deviceLasts = 365 * 24 * time.Hour
	maxDevices  = 20 // remembered for one account, newest last
	maxAgent    = 60 // characters of a device's description
)

// deviceOf describes the browser of a request in words, such as "Firefox on Windows"; "" if
// its User-Agent is not known.
func deviceOf(r *http.Request) string {
	agent := useragent.Parse(r.UserAgent())
	words := agent.Name
	if agent.OS != "" {
		words = strings.TrimPrefix(words+" on "+agent.OS, " on ")
	}
	words = strings.ToValidUTF8(words, "")
	if !texts.IsName(words) {
		return ""
	}
	return string([]rune(words)[:min(maxAgent, len([]rune(words)))])
}

// deviceID returns the ID in the browser's device cookie, or a new one.
func (s *Service) deviceID(r *http.Request) string {
	id := s.cookie(r, deviceCookie)
	if len(id) != base64.RawURLEncoding.EncodedLen(tokenBytes) {
		id = randomText()
	}
	return id
}

// noteDevice stores the browser with the account, and sends its owner an email if the
// browser is new. There is no email for the first browser, to an address that is not
// confirmed, or above the limit.
func (s *Service) noteDevice(r *http.Request, a market.Account, id string) error {
	hash := secretHash(id)
	if slices.Contains(a.Devices, hash) {
		return nil
	}
	var effects []market.Effect
	if len(a.Devices) > 0 && a.CanGetEmail() {
		may, err := s.limit.mayEmailDevice(r.Context(), a.UID)
		if err != nil {
			return err
		}
		if may {
			effects = s.securityChanged(r.Context(), a, templateNewDevice, browserFacts(r))
		}
	}
	_, err := s.change(r.Context(), a.UID, func(a *market.Account) error {
		devices := append(slices.Clone(a.Devices), hash)
		a.Devices = devices[max(0, len(devices)-maxDevices):]
		return nil
	}, effects...)
	return err
}
