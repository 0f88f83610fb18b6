package google

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/subtle"
	"fmt"
	"net/http"
	"net/url"
	"sync"

	"secondring/api/rest"
	"secondring/market"
	"secondring/sandbox/page"
)

// Person is a user with a Google account in the sandbox.
type Person struct {
	Subject    string // if empty, it is derived from the address
	Email      string
	Name       string
	Picture    string // an http(s) URL or empty
	Unverified bool   // the address is not verified
}

// Config is the configuration of an Issuer.
type Config struct {
	Issuer       string // its own URL: PUBLIC_URL and the path it is mounted under
	ClientID     string
	ClientSecret string               // the same on all nodes; signs the codes
	Redirect     string               // the redirect URI of the client
	Records      market.DocumentStore // stores which codes were redeemed
	Clock        market.Clock
	People       []Person // the accounts on the page; another address can be typed
}

// Issuer is the provider. It is safe for concurrent use.
type Issuer struct {
	config Config
	base   string // the path it is mounted under, without a slash at the end
	origin string
	codes  *codes
	key    func() (*rsa.PrivateKey, error)
	mux    *http.ServeMux
}

// keyBits is the length of the signing key; RFC 7518 requires at least 2048.
const keyBits = 2048

// New returns the issuer. Its signing key is generated at the first use, so that it does not
// delay the start. It returns an error for an issuer that is not an http(s) URL.
func New(c Config) (*Issuer, error) {
	u, err := url.Parse(c.Issuer)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("sandbox: the issuer %q is not an http(s) URL", c.Issuer)
	}
	i := &Issuer{
		config: c, base: u.Path, origin: u.Scheme + "://" + u.Host, codes: newCodes(c.Records, c.Clock, c.ClientSecret),
		key: sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, keyBits) }),
		mux: http.NewServeMux(),
	}
	i.mux.HandleFunc("GET "+i.base+"/.well-known/openid-configuration", i.discovery)
	i.mux.HandleFunc("GET "+i.base+"/keys", i.keys)
	i.mux.HandleFunc("GET "+i.base+"/style.css", page.Style)
	i.mux.HandleFunc("GET "+i.base+"/authorize", i.showAccounts)
	i.mux.HandleFunc("POST "+i.base+"/authorize", i.handleChoice)
	i.mux.HandleFunc("POST "+i.base+"/token", i.token)
	return i, nil
}

// Client returns an HTTP client whose requests reach the issuer inside the process, so
// that sign-in does not depend on the network between PUBLIC_URL and the listener.
func (i *Issuer) Client() *http.Client { return rest.InProcess(i) }

// ServeHTTP implements http.Handler. It expects whole paths, with the path of the issuer: mount it
// without stripping a prefix.
func (i *Issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	i.mux.ServeHTTP(w, r)
}

// maxForm is the maximum length of a form, in bytes.
const maxForm = 16 << 10

func secureEqual(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
