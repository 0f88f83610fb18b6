module secondring

go 1.26.0

require (
	github.com/Shopify/toxiproxy/v2 v2.12.0 // tests: a proxy that breaks connections or lets them hang
	github.com/alexedwards/argon2id v1.0.0 // password hashes
	github.com/coreos/go-oidc/v3 v3.21.0 // sign-in with Google: discovery and ID tokens
	github.com/danielgtaylor/huma/v2 v2.38.0 // JSON schemas of the OpenAPI document
	github.com/deepteams/webp v1.1.0 // encodes WebP, without cgo
	github.com/emersion/go-sasl v0.0.0-20241020182733-b788ff22d5a6 // tests: passwords of the SMTP server
	github.com/emersion/go-smtp v0.24.0 // tests: an SMTP server
	github.com/go-chi/chi/v5 v5.2.5 // the router and its middleware
	github.com/go-chi/httprate v0.16.1 // rate limits, in one process or over Redis
	github.com/go-jose/go-jose/v4 v4.1.8 // the key set of the Google sandbox
	github.com/golang-jwt/jwt/v5 v5.3.1 // access tokens
	github.com/google/go-cmp v0.7.0 // tests: the differences between two values
	github.com/gorilla/websocket v1.5.3 // the WebSockets of the hub
	github.com/hashicorp/golang-lru/v2 v2.0.7 // bounded maps: cached responses and tokens, counts of failed sign-ins
	github.com/klauspost/compress v1.20.1 // gzip of responses, faster than the standard library
	github.com/mileusna/useragent v1.3.5 // names of browsers and systems in the list of sessions
	github.com/oauth2-proxy/mockoidc v0.0.0-20240214162133-caebfff84d25 // tests: an OpenID provider that is not ours
	github.com/pquerna/otp v1.5.0 // codes of authenticator apps
	github.com/prometheus/client_golang v1.23.2 // GET /metrics
	github.com/redis/go-redis/v9 v9.17.2 // live updates and rate limits of many nodes
	github.com/rs/zerolog v1.33.0 // tests: the logger that toxiproxy requires
	github.com/stripe/stripe-go/v76 v76.25.0 // card payments and payouts
	github.com/wneessen/go-mail v0.8.1 // composes and sends email
	go.mongodb.org/mongo-driver/v2 v2.9.3 // the store for many nodes
	go.uber.org/goleak v1.3.0 // tests: finds goroutines that do not end
	go.yaml.in/yaml/v2 v2.4.2 // tests: reads the alert rules
	gocloud.dev v0.47.0 // one interface to stored files: a folder, or GridFS
	golang.org/x/crypto v0.58.0 // tests: passwords hashed without our parameters
	golang.org/x/image v0.47.0 // decodes WebP, resizes pictures
	golang.org/x/net v0.61.0 // the public suffix list: which origins belong to one site
	golang.org/x/oauth2 v0.37.0 // sign-in with Google: the code flow with PKCE
	golang.org/x/sync v0.24.0 // singleflight, errgroup, semaphore
	golang.org/x/sys v0.49.0 // file locks on Windows; tests: a terminal
	golang.org/x/term v0.47.0 // passwords that a terminal does not show
	golang.org/x/text v0.43.0 // NFKC of the words of searches, and of messages
	modernc.org/sqlite v1.62.0 // SQLite without cgo
	pgregory.net/rapid v1.2.0 // tests: random input that is reduced when it fails
)

require (
	github.com/beorn7/perks v1.0.1 // indirect
	github.com/boombuler/barcode v1.0.1-0.20190219062509-6c824513bacc // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/dgryski/go-rendezvous v0.0.0-20200823014737-9f7001d12a5f // indirect
	github.com/dustin/go-humanize v1.1.0 // indirect
	github.com/go-jose/go-jose/v3 v3.0.1 // indirect
	github.com/go-logr/logr v1.4.4 // indirect
	github.com/go-logr/stdr v1.2.2 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/googleapis/gax-go/v2 v2.24.1 // indirect
	github.com/gorilla/mux v1.8.1 // indirect
	github.com/klauspost/cpuid/v2 v2.3.0 // indirect
	github.com/kr/text v0.2.0 // indirect
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/munnerz/goautoneg v0.0.0-20191010083416-a7dc8b61c822 // indirect
	github.com/ncruces/go-strftime v1.1.0 // indirect
	github.com/prometheus/client_model v0.6.2 // indirect
	github.com/prometheus/common v0.66.1 // indirect
	github.com/prometheus/procfs v0.22.0 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	github.com/rs/xid v1.5.0 // indirect
	github.com/xdg-go/pbkdf2 v1.0.0 // indirect
	github.com/xdg-go/scram v1.2.0 // indirect
	github.com/xdg-go/stringprep v1.0.4 // indirect
	github.com/youmark/pkcs8 v0.0.0-20240726163527-a2c0da244d78 // indirect
	github.com/zeebo/xxh3 v1.0.2 // indirect
	go.opentelemetry.io/auto/sdk v1.2.1 // indirect
	go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp v0.72.0 // indirect
	go.opentelemetry.io/otel v1.47.0 // indirect
	go.opentelemetry.io/otel/log v1.47.0 // indirect
	go.opentelemetry.io/otel/metric v1.47.0 // indirect
	go.opentelemetry.io/otel/sdk v1.47.0 // indirect
	go.opentelemetry.io/otel/sdk/metric v1.47.0 // indirect
	go.opentelemetry.io/otel/trace v1.47.0 // indirect
	golang.org/x/xerrors v0.0.0-20240903120638-7835f813f4da // indirect
	google.golang.org/api v0.297.0 // indirect
	google.golang.org/genproto/googleapis/api v0.0.0-20261005182115-fad411399dd8 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20261005182115-fad411399dd8 // indirect
	google.golang.org/grpc v1.84.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
	gopkg.in/tomb.v1 v1.0.0-20141024135613-dd632973f1e7 // indirect
	modernc.org/libc v1.80.1 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.12.1 // indirect
)

ignore (
	./client/node_modules
	./scripts/photos/node_modules
)
