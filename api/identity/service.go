package identity

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"sync"

	"secondring/api/cache"
	"secondring/api/emails"
	"secondring/api/rest"
	"secondring/market"
)

// Store is the part of market.Store that the identity provider uses.
type Store interface {
	market.AccountStore
	// User returns a user by UID, also a removed one. It returns market.ErrNotFound if
	// there is none.
	User(ctx context.Context, uid string) (market.User, error)
	// DocumentStore stores the links for the first admin, and reserved addresses. Meta has the
	// address that used such a link.
	market.DocumentStore
	Meta(ctx context.Context, name string) (string, error)
	SetMeta(ctx context.Context, name, value string) error
}

// Config is the configuration of a Service.
type Config struct {
	Store  Store
	Market *market.Market
	Clock  market.Clock
	Secret []byte // TOKEN_SECRET; at least MinSecret bytes
	// FactorKeys encrypt the secrets of second factors: the first encrypts, all decrypt. Each has at
	// least MinSecret bytes. If there are none, Secret is the only one.
	FactorKeys [][]byte
	PublicURL  *url.URL      // the URL at which browsers reach the product
	Google     *GoogleConfig // nil: no sign-in with Google
	Counter    rest.Counter  // counts failed sign-ins; nil: in this process
	Unlimited  bool          // true for RATE_LIMIT=off
	Product    string        // the product's name, in emails
	Emails     *emails.Queue // nil: no emails are sent
	// Versions counts the changes of Store and is hooked to it; then valid access tokens
	// are cached. It is nil if other nodes write to Store.
	Versions *cache.Versions
	Log      *slog.Logger
}

// MinSecret is the minimum length of Config.Secret and of each of FactorKeys, in bytes.
const MinSecret = 32

// Service is the identity provider. It is safe for concurrent use.
type Service struct {
	store      Store
	market     *market.Market
	clock      market.Clock
	public     *url.URL
	hash       *hasher
	limit      *limiter
	product    string
	emails     *emails.Queue // nil: none
	tokens     *tokens
	sealer     *sealer                    // of cookies
	factors    *sealer                    // of the secrets of second factors
	google     *google                    // nil: none
	tokenCache *cache.Cache[*cachedToken] // nil: none
	exports    sync.Map                   // the accounts whose data is being exported, by UID
	log        *slog.Logger
}

// New returns the service. It makes no network calls: Google's settings are fetched at the
// first sign-in with Google. It returns an error if the secret is too short.
func New(c Config) (*Service, error) {
	for _, secret := range append([][]byte{c.Secret}, c.FactorKeys...) {
		if len(secret) < MinSecret {
			return nil, fmt.Errorf("identity: a secret has %d bytes, %d are needed", len(secret), MinSecret)
		}
	}
	tokenKey, err := rest.DeriveKey(c.Secret, "access token")
	if err != nil {
		return nil, err
	}
	sealer, err := newSealer(c.Clock, "sign-in flow", c.Secret)
	if err != nil {
		return nil, err
	}
	if len(c.FactorKeys) == 0 {
		c.FactorKeys = [][]byte{c.Secret}
	}
	factors, err := newSealer(c.Clock, "second factor", c.FactorKeys...)
	if err != nil {
		return nil, err
	}
	counter := c.Counter
	if counter == nil {
		counter = rest.NewMemoryCounter(c.Clock)
	}
	s := &Service{
		store: c.Store, market: c.Market, clock: c.Clock, public: c.PublicURL, log: c.Log,
		product: c.Product, emails: c.Emails,
		hash:   newHasher(),
		limit:  newLimiter(counter, c.Unlimited),
		tokens: newTokens(tokenKey, c.Clock),
		sealer: sealer, factors: factors,
	}
	if c.Versions != nil {
		s.tokenCache = cache.New[*cachedToken](c.Versions, maxCachedTokens)
	}
	if c.Google != nil {
		s.google = newGoogle(*c.Google, c.PublicURL, c.Clock)
	}
	return s, nil
}
