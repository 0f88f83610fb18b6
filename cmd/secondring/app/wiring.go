package app

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"

	"gocloud.dev/blob"

	"secondring/api"
	"secondring/api/cache"
	"secondring/api/caseletters"
	"secondring/api/identity"
	"secondring/api/images"
	"secondring/api/openapi"
	"secondring/api/payment"
	"secondring/api/rest"
	"secondring/api/server"
	"secondring/client"
	"secondring/cmd/secondring/datastore"
	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/settings"
	"secondring/hub"
	"secondring/market"
)

// maxCachedPeople is how many people's access is in memory. Each takes about 300 bytes.
const maxCachedPeople = 16384

// Product is the product's name in texts.
const Product = "SecondRing"

// open creates the parts of the App, in the order in which they are needed.
func (a *App) open(ctx context.Context, o Options) error {
	data, err := a.openStore(ctx, o)
	if err != nil {
		return err
	}
	p, err := a.openServices(ctx, o, data)
	if err != nil {
		return err
	}
	if err := a.openHub(ctx, p.market, p.people, data.versions); err != nil {
		return err
	}
	a.addBackgroundWork(o, data, p)
	return a.listen(ctx, a.serverConfig(o, data, p))
}

// storage has what belongs to the opened store.
type storage struct {
	factorKeys [][]byte // see identity.Config
	secret     []byte
	images     *blob.Bucket    // nil: images are in a folder
	versions   *cache.Versions // of what this process has seen change
	// cached is versions if they are complete, so that responses can be cached. It is nil if
	// other nodes write to the same store.
	cached *cache.Versions
}

// openStore opens the store and measures it. It prevents that another server opens the same
// files.
func (a *App) openStore(ctx context.Context, o Options) (storage, error) {
	s := a.settings
	opened, err := datastore.Open(ctx, s)
	if err != nil {
		return storage{}, err
	}
	data := storage{images: opened.Images, versions: cache.NewVersions()}
	if o.StoreHook != nil {
		opened.Store = opened.Hooked(o.StoreHook)
	}
	opened.Store = opened.Hooked(a.metrics.storeHook).Hooked(data.versions.StoreHook).Hooked(a.runner.StoreHook)
	a.store = opened
	a.metrics.watchStore(a.store, o.Clock, storeFolder(s))
	if a.lock, err = datastore.LockServer(s); err != nil {
		return storage{}, err
	}
	if opened.OutsideWrites != nil {
		data.cached = data.versions
		a.loops = append(a.loops, watchOutsideWrites(opened.OutsideWrites, func() {
			data.versions.AllChanged()
			a.runner.Wake()
		}))
	}
	if s.MongoURI != "" {
		a.loops = append(a.loops, func(ctx context.Context) { datastore.AnnounceNode(ctx, opened, o.Log) })
	}
	if data.secret, err = datastore.TokenSecret(s); err != nil {
		return data, err
	}
	data.factorKeys, err = datastore.SecondFactorKeys(s)
	return data, err
}

// services are the parts that have routes or background work.
type services struct {
	market    *market.Market
	payments  *paymentSetup
	email     emailSetup
	letters   caseletters.Letters
	people    *identity.Service
	pictures  *images.Host
	hasGoogle bool                    // people can sign in with Google
	sandboxes map[string]http.Handler // by path
}

// openServices creates the market and the services around it, and connects to Redis.
func (a *App) openServices(ctx context.Context, o Options, data storage) (p services, err error) {
	s := a.settings
	if p.market, p.payments, err = openMarket(ctx, s, a.store, data.secret, a.metrics, o); err != nil {
		return p, err
	}
	access := cache.New[market.AccountAccess](data.versions, maxCachedPeople)
	p.market.UseAccessCache(func(ctx context.Context, uid string, read func(context.Context) (market.AccountAccess, error)) (market.AccountAccess, error) {
		return access.Load(ctx, uid, []string{cache.Person(uid)}, read)
	})
	google, googleSandbox, err := googleSignIn(s, data.secret, a.store, o.Clock)
	if err != nil {
		return p, err
	}
	p.hasGoogle = google != nil
	if a.cluster, err = openCluster(s, o); err != nil {
		return p, err
	}
	if s.RateLimit > 0 {
		p.market.UseRateCounter(a.cluster.attempts)
	}
	if p.email, err = openEmail(s, a.store, o.Clock); err != nil {
		return p, err
	}
	p.sandboxes = mergeHandlers(googleSandbox, p.payments.mounts, p.email.mounts)
	if p.people, err = identity.New(identity.Config{
		Store: a.store, Market: p.market, Clock: o.Clock, Counter: a.cluster.attempts, Secret: data.secret, FactorKeys: data.factorKeys, PublicURL: s.PublicURL,
		Google: google, Unlimited: s.RateLimit == 0, Product: Product, Emails: p.email.queue, Log: o.Log,
		Versions: data.cached,
	}); err != nil {
		return p, err
	}
	if !s.Demo {
		if a.firstAdmin, err = p.people.FirstAdminLink(ctx); err != nil {
			return p, err
		}
	}
	if p.pictures, err = imageHost(s, a.store, p.market, data.images, a.uploadCounter(), o.Clock, o.Log); err != nil {
		return p, err
	}
	p.market.UsePictures(imageHosts{demo.Pictures{}, p.pictures})
	p.market.UseTakedowns(p.pictures)
	p.market.UseEvidencePictures(p.pictures)
	caseKey, err := rest.DeriveKey(data.secret, "cases")
	if err != nil {
		return p, err
	}
	p.market.UseCaseKey(caseKey)
	if p.email.queue != nil {
		p.letters = caseletters.Letters{Market: p.market, Queue: p.email.queue, PublicURL: s.PublicURL, Product: Product}
		p.market.UseLetters(p.letters)
	}
	return p, nil
}

// addBackgroundWork adds what runs beside the server.
func (a *App) addBackgroundWork(o Options, data storage, p services) {
	a.runner.Add(market.NewRelay(p.market, publisher{a.cluster.broker, data.versions, a.metrics, o.Clock}).Work())
	p.market.AddTransitions(a.runner)
	p.market.AddPaymentChecks(a.runner)
	p.market.AddAnnouncements(a.runner)
	p.market.AddWatcherCounts(a.runner)
	p.market.AddConversations(a.runner)
	p.market.AddBooksCheck(a.runner)
	p.market.AddPurges(a.runner)
	p.pictures.AddJobs(a.runner)
	a.addEmails(p.email, p.market, p.people, p.letters, o.Clock)
	a.metrics.watchBooks(p.market)
	a.metrics.expectJobs(a.runner.JobKinds())
	a.runner.Add(p.payments.work...)
	a.loops = append(a.loops, a.cluster.loops...)
}

// serverConfig connects the services with the HTTP server.
func (a *App) serverConfig(o Options, data storage, p services) server.Config {
	s := a.settings
	return server.Config{
		Config: api.Config{
			Market: p.market, Secret: data.secret, Positions: a.cluster.broker, Versions: data.cached,
			RateLimit: s.RateLimit, ChangeCounter: a.cluster.changes,
		},
		Bearer: p.people.Bearer, Cookie: p.people.Cookie, HasSession: p.people.HasSession,
		Routes: slices.Concat(p.people.Routes(), p.pictures.Routes(), p.payments.routes), Live: allowSameOrigin(s.PublicURL, a.hub),
		Client: client.Files(), Photos: demo.Photos(), Mounts: p.sandboxes,
		Settings: clientSettings(s, p.hasGoogle, p.email, p.payments.client), PublicURL: s.PublicURL.String(),
		AllowedOrigins: s.AllowedOrigins[1:], TrustedProxies: s.TrustedProxies, RateCounter: a.cluster.rates,
		MetricsOnLoopback: s.MetricsAddr == "", Registry: a.metrics.registry,
		Ready: a.ready, Log: o.Log, Version: o.Version,
	}
}

// mergeHandlers merges maps of handlers by path.
func mergeHandlers(byPath ...map[string]http.Handler) map[string]http.Handler {
	merged := map[string]http.Handler{}
	for _, handlers := range byPath {
		maps.Copy(merged, handlers)
	}
	return merged
}

// openHub creates the hub of this node. The hub accepts no sockets until it is subscribed to
// the events of ended sessions; everything else is served meanwhile.
func (a *App) openHub(ctx context.Context, m *market.Market, people *identity.Service, versions *cache.Versions) (err error) {
	a.hub, err = hub.New(hub.Config{
		Broker: a.cluster.broker,
		Authenticate: func(ctx context.Context, token string) (hub.Viewer, error) {
			actor, expires, err := people.Bearer(ctx, token)
			return hub.Viewer{
				UID: actor.User.UID, Session: actor.Session, Expires: expires, CredentialsVersion: actor.CredentialsVersion,
			}, err
		},
		Authorize: func(ctx context.Context, v hub.Viewer, topic string) (string, bool, error) {
			return m.Topic(ctx, v.UID, topic)
		},
		CheckSession: func(ctx context.Context, v hub.Viewer) (bool, error) {
			return m.MayStay(ctx, v.UID, v.Session)
		},
		OnAccessChanged: versions.AccessChanged,
		AllowedOrigins:  hub.Origins(a.settings.AllowedOrigins...),
		Address:         func(r *http.Request) string { return rest.Network(rest.Address(r.Context())) },
		PerAddress:      a.settings.SocketsPerAddress,
		Unlimited:       a.settings.RateLimit == 0,
		Logger:          a.log,
		OnSent:          a.metrics.observeSent,
	})
	if err != nil {
		return err
	}
	a.metrics.watchHub(a.hub)
	if err := a.hub.Run(ctx); err != nil {
		a.log.WarnContext(ctx, "sockets are not accepted yet", "error", err)
		a.loops = append(a.loops, a.acceptSocketsWhenSubscribed)
	}
	return nil
}

// listen creates the server and its listener. The server ends requests that are too slow or
// too long.
func (a *App) listen(ctx context.Context, c server.Config) error {
	if a.settings.MetricsAddr != "" {
		var err error
		if a.metricsServer, err = listenMetrics(ctx, a.settings.MetricsAddr, a.metrics.registry); err != nil {
			return err
		}
	}
	handler, err := server.New(c)
	if err != nil {
		return err
	}
	listener, err := listenOn(ctx, "ADDR", a.settings.Addr)
	if err != nil {
		return err
	}
	a.server = &http.Server{
		Handler: handler, ReadHeaderTimeout: headerTimeout, ReadTimeout: callTimeout, WriteTimeout: callTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes, ErrorLog: debugLog(a.log),
	}
	a.listener = server.LimitConnections(listener, a.server, maxConnections())
	return nil
}

func listenOn(ctx context.Context, setting, addr string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, &settings.Error{
			Setting: setting, Problem: fmt.Sprintf("is %s, which cannot be used now (%v)", addr, err),
			Fix: "stop what is there, or name another address",
		}
	}
	return listener, nil
}

// debugLog returns a logger that logs net/http's own errors, such as a broken TLS handshake, at debug level.
func debugLog(l *slog.Logger) *log.Logger {
	return slog.NewLogLogger(l.Handler(), slog.LevelDebug)
}

// Document returns the OpenAPI document of all calls. It needs no server.
func Document() ([]byte, error) {
	routes, err := server.Routes(server.Config{
		Routes: slices.Concat(new(identity.Service).Routes(), new(images.Host).Routes(), new(payment.Service).Routes()),
	})
	if err != nil {
		return nil, err
	}
	return openapi.Document(routes)
}
