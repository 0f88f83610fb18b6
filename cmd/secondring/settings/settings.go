package settings

import (
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"secondring/market"
)

// Settings are the checked settings of the environment.
type Settings struct {
	Addr           string
	DataDir        string
	MongoURI       string // "" is SQLite in DataDir
	RedisURL       string // "" is a single node, whose live push and rate limits are in the process
	PublicURL      *url.URL
	AllowedOrigins []string // the origin of PUBLIC_URL is the first
	TokenSecret    []byte   // nil: generated once in DataDir
	// SecondFactorKeys encrypt the secrets of authenticator apps: the first encrypts, all decrypt.
	// nil: generated once in DataDir; with MongoURI, TokenSecret.
	SecondFactorKeys [][]byte
	TrustedProxies   []netip.Prefix
	RateLimit        int // calls a second; 0 is no limit
	// SocketsPerAddress is the maximum number of sockets of one address to a node; 0 is no
	// limit.
	SocketsPerAddress int
	Rules             market.Rules
	Stripe            Stripe
	Google            Google
	ImageHostURL      string // "" is the built-in image host
	ImageHostKey      string
	ImagesFolder      string // of IMAGES_URL; "" is a folder in DataDir, or GridFS with MongoURI
	Contact           Contact
	Email             Email
	VerifiedText      string // tells sellers how they get verified
	MetricsAddr       string
	Demo              bool
}

// Google are the settings of the sign-in with Google, which is off without a client ID.
type Google struct {
	ClientID, ClientSecret, Issuer string
}

// Contact is the content of the contact screen.
type Contact struct {
	Email, Phone, Location string
}

// Email are the settings of sending emails. Without an SMTP server none are sent.
type Email struct {
	SMTP *url.URL // nil: none
	From string   // an email address, or a name with one in angle brackets
}

// HTTPS returns whether browsers reach the server over TLS.
func (s Settings) HTTPS() bool { return s.PublicURL.Scheme == "https" }

// Loopback returns whether only browsers on this machine reach the server.
func (s Settings) Loopback() bool { return isLoopback(s.PublicURL.Hostname()) }

// Store returns the setting that names the store, and a description of the store for errors.
// It never returns the address of a database, which may contain a password.
func (s Settings) Store() (setting, description string) {
	if s.MongoURI != "" {
		return "MONGODB_URI", "the database that MONGODB_URI names"
	}
	return "DATA_DIR", "DATA_DIR " + s.DataDir
}

// Error means that a setting is invalid. It has a suggestion.
type Error struct{ Setting, Problem, Fix string }

// Error returns the problem and the suggestion in one line.
func (e *Error) Error() string {
	return fmt.Sprintf("%s %s: %s", e.Setting, e.Problem, e.Fix)
}

// loopbackAddr is the default of ADDR if PUBLIC_URL is on this machine.
const loopbackAddr = "127.0.0.1:8080"

// Read reads all settings and checks them. It returns an *Error about the first invalid one.
func Read(getenv func(string) string) (Settings, error) {
	r := reader{getenv: getenv}
	s := Settings{
		Addr:           r.addr("ADDR", ":8080"),
		DataDir:        r.text("DATA_DIR", "./data"),
		MongoURI:       r.mongoURI("MONGODB_URI"),
		RedisURL:       r.redisURL("REDIS_URL"),
		PublicURL:      r.publicURL("PUBLIC_URL", "http://localhost:8080"),
		TrustedProxies: r.proxies("TRUSTED_PROXIES"),
		RateLimit:      r.rate("RATE_LIMIT", 100),
		Rules:          r.rules(),
		Stripe:         r.stripe(),
		Google:         r.google(),
		ImageHostURL:   r.webURL("IMAGE_HOST_URL"),
		ImageHostKey:   r.text("IMAGE_HOST_KEY", ""),
		ImagesFolder:   r.folder("IMAGES_URL"),
		Contact:        r.contact(),
		VerifiedText: r.text("VERIFIED_TEXT", "Write to us from the email address of your account, with your full name "+
			"and your phone number. We check who you are and answer by email."),
		Email:       r.email(),
		MetricsAddr: r.addr("METRICS_ADDR", ""),
		Demo:        r.onOff("DEMO"),
	}
	r.limitsPerAddress(&s)
	s.Rules.VerifyEmail = r.boolean("VERIFY_EMAIL", s.Email.SMTP != nil)
	s.Rules.AdminFactor = r.onOff("ADMIN_2FA")
	s.TokenSecret, s.SecondFactorKeys = r.secret("TOKEN_SECRET"), r.secrets("SECOND_FACTOR_KEY")
	s.AllowedOrigins = r.origins("ALLOWED_ORIGINS", s.PublicURL)
	s.Rules.PublicURL = s.AllowedOrigins[0]
	if r.get("ADDR") == "" && s.Loopback() {
		s.Addr = loopbackAddr // without PUBLIC_URL only this machine has access
	}
	r.checkCombinations(s)
	r.checkStripe(s)
	r.checkProxies(s)
	return s, r.err
}

// rules reads the rules of the market whose defaults depend on no other setting.
func (r *reader) rules() market.Rules {
	return market.Rules{
		BookingHold: r.duration("BOOKING_HOLD", time.Hour),
		TurnHold:    r.duration("TURN", 15*time.Minute),
		OfferHold:   r.duration("OFFER_HOLD", 12*time.Hour),
		SendWithin:  r.duration("SEND_WITHIN", 120*time.Hour),
		Transit:     r.duration("TRANSIT", 168*time.Hour),
		SettleAfter: r.duration("SETTLE_AFTER", 72*time.Hour),
		Payouts:     r.choice("PAYOUTS", market.PayoutsManual, market.PayoutsManual, market.PayoutsStripe, market.PayoutsOff),
		Commission:  r.percent("COMMISSION"),
		MaxHolds:    r.count("MAX_HOLDS", 5),
		Advertise: r.choice("ADVERTISE", market.AdvertiseVerified,
			market.AdvertiseVerified, market.AdvertiseAll, market.AdvertiseOff),
		Contact: r.choice("CONTACT", market.ContactShown, market.ContactShown, market.ContactAfterPayment),
	}
}

func (r *reader) google() Google {
	return Google{
		ClientID:     r.text("GOOGLE_CLIENT_ID", ""),
		ClientSecret: r.text("GOOGLE_CLIENT_SECRET", ""),
		Issuer:       r.text("GOOGLE_ISSUER", "https://accounts.google.com"),
	}
}

func (r *reader) contact() Contact {
	return Contact{
		Email:    r.text("CONTACT_EMAIL", ""),
		Phone:    r.text("CONTACT_PHONE", ""),
		Location: r.text("CONTACT_LOCATION", "Dhaka, Bangladesh"),
	}
}

func (r *reader) email() Email {
	return Email{
		SMTP: r.smtpURL("SMTP_URL"),
		From: r.text("MAIL_FROM", r.text("CONTACT_EMAIL", "")),
	}
}

// limitsPerAddress reads the limits of one network address. Without RATE_LIMIT there are none.
func (r *reader) limitsPerAddress(s *Settings) {
	sockets, holds := r.count("MAX_SOCKETS_PER_ADDRESS", 300), r.count("MAX_HOLDS_PER_ADDRESS", 50)
	if s.RateLimit > 0 {
		s.SocketsPerAddress, s.Rules.MaxHoldsPerNetwork = sockets, holds
	}
}

// checkCombinations checks settings that depend on each other.
func (r *reader) checkCombinations(s Settings) {
	switch {
	case r.err != nil:
	case s.MongoURI != "" && s.TokenSecret == nil:
		r.fail("TOKEN_SECRET", "is empty while MONGODB_URI is set", "make one for all nodes with: openssl rand -hex 32")
	case s.MongoURI != "" && r.get("REDIS_URL") == "":
		r.fail("REDIS_URL", "is empty while MONGODB_URI is set", "write none for a single node")
	case s.MongoURI != "" && s.ImagesFolder != "":
		r.fail("IMAGES_URL", "is a folder of one machine while MONGODB_URI is set", "leave it empty: images are kept in MongoDB then")
	case s.Demo && !s.Loopback():
		r.fail("DEMO", "is on, but PUBLIC_URL is not this machine", "unset DEMO, or use a PUBLIC_URL of localhost")
	case s.Email.SMTP != nil && s.Email.From == "":
		r.fail("MAIL_FROM", "is empty while SMTP_URL is set", "write the address that email comes from, or set CONTACT_EMAIL")
	case s.Email.SMTP != nil && !isAddress(s.Email.From):
		r.fail("MAIL_FROM", fmt.Sprintf("is %q, which is no email address", s.Email.From), "write it like SecondRing <hello@shop.example.com>")
	case s.Rules.VerifyEmail && s.Email.SMTP == nil && !s.Demo:
		r.fail("VERIFY_EMAIL", "is on while SMTP_URL is empty, so nobody could confirm an address", "set SMTP_URL, or leave VERIFY_EMAIL empty")
	case s.Google.ClientID != "" && s.Google.ClientSecret == "":
		r.fail("GOOGLE_CLIENT_SECRET", "is empty while GOOGLE_CLIENT_ID is set", "set both, or neither")
	case s.Google.ClientID == "" && s.Google.ClientSecret != "":
		r.fail("GOOGLE_CLIENT_ID", "is empty while GOOGLE_CLIENT_SECRET is set", "set both, or neither")
	case s.ImageHostURL == "" && s.ImageHostKey != "":
		r.fail("IMAGE_HOST_URL", "is empty while IMAGE_HOST_KEY is set", "set both, or neither")
	}
}

// checkProxies checks that a server behind TLS knows its proxy.
func (r *reader) checkProxies(s Settings) {
	if s.HTTPS() && r.get("TRUSTED_PROXIES") == "" {
		r.fail("TRUSTED_PROXIES", "is empty while PUBLIC_URL is https, so all callers would share the proxy's address and its limits",
			"name the network of the proxy that ends TLS, or write none if there is none")
	}
}

func isAddress(v string) bool {
	_, err := mail.ParseAddress(v)
	return err == nil && !strings.ContainsAny(v, "\r\n")
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || (ip != nil && ip.IsLoopback())
}

// reader reads settings and stores the first error.
type reader struct {
	getenv func(string) string
	err    error
}

func (r *reader) get(name string) string { return strings.TrimSpace(r.getenv(name)) }

func (r *reader) fail(name, problem, fix string) {
	if r.err == nil {
		r.err = &Error{name, problem, fix}
	}
}

func (r *reader) text(name, fallback string) string {
	if v := r.get(name); v != "" {
		return v
	}
	return fallback
}

func (r *reader) addr(name, fallback string) string {
	v := r.text(name, fallback)
	if v == "" {
		return ""
	}
	_, port, err := net.SplitHostPort(v)
	n, errPort := strconv.Atoi(port)
	if err != nil || errPort != nil || n < 0 || n > 65535 {
		r.fail(name, fmt.Sprintf("is %q, which is no address to listen on", v), "write it like :8080 or 127.0.0.1:8080")
	}
	return v
}

func (r *reader) duration(name string, fallback time.Duration) time.Duration {
	v := r.get(name)
	if v == "" {
		return fallback
	}
	d, err := time.ParseDuration(v)
	if err != nil || d <= 0 {
		r.fail(name, fmt.Sprintf("is %q, which is no length of time", v), "write it like 24h, 90m or 30s")
	}
	return d
}

func (r *reader) count(name string, fallback int) int {
	v := r.get(name)
	if v == "" {
		return fallback
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > 10_000 {
		r.fail(name, fmt.Sprintf("is %q, which is no count", v), "write a number from 1 to 10000")
	}
	return n
}

// percent reads a whole number from 0, which is the default, to 100.
func (r *reader) percent(name string) int {
	v := r.text(name, "0")
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 || n > 100 {
		r.fail(name, fmt.Sprintf("is %q, which is no percentage", v), "write a whole number from 0 to 100")
	}
	return n
}

func (r *reader) choice(name, fallback string, choices ...string) string {
	v := r.text(name, fallback)
	if !slices.Contains(choices, v) {
		r.fail(name, fmt.Sprintf("is %q", v), "choose one of "+strings.Join(choices, ", "))
	}
	return v
}

func (r *reader) onOff(name string) bool { return r.boolean(name, false) }

func (r *reader) boolean(name string, fallback bool) bool {
	switch strings.ToLower(r.get(name)) {
	case "":
		return fallback
	case "0", "off", "false", "no":
		return false
	case "1", "on", "true", "yes":
		return true
	}
	r.fail(name, fmt.Sprintf("is %q", r.get(name)), "write on or off")
	return false
}

func (r *reader) rate(name string, fallback int) int {
	v := r.get(name)
	switch v {
	case "":
		return fallback
	case "off":
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSuffix(v, "/s"))
	if err != nil || n < 1 || !strings.HasSuffix(v, "/s") {
		r.fail(name, fmt.Sprintf("is %q", v), "write it like 100/s, or off")
	}
	return n
}

const minSecretLength = 32

func (r *reader) secret(name string) []byte {
	v := r.get(name)
	if v == "" {
		return nil
	}
	r.checkSecret(name, v)
	return []byte(v)
}

// secrets reads secrets that are separated by commas; nil if there are none.
func (r *reader) secrets(name string) (all [][]byte) {
	for v := range strings.SplitSeq(r.get(name), ",") {
		if v = strings.TrimSpace(v); v != "" {
			r.checkSecret(name, v)
			all = append(all, []byte(v))
		}
	}
	return all
}

func (r *reader) checkSecret(name, v string) {
	if len(v) < minSecretLength {
		r.fail(name, "is shorter than 32 characters", "make one with: openssl rand -hex 32")
	}
}
