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

	"secondring/api"
	"secondring/api/cache"
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

// Product is the product's name in texts.
const Product = "SecondRing"

// open creates the parts of the App, in the order in which they are needed.
func (a *App) open(ctx context.Context, o Options) error {
	s := a.settings
	opened, err := datastore.Open(ctx, s)
	if err != nil {
		return err
	}
	a.store = opened
	if o.Store != nil {
		a.store = o.Store(a.store)
	}
	a.metrics.store = a.store
	versions := cache.NewVersions()
	a.store = market.HookStore(a.store, a.metrics.storeHook, versions.StoreHook)
	if a.lock, err = datastore.LockServer(s); err != nil {
		return err
	}
	cached := versions
	if opened.OutsideWrites == nil { // other nodes write to the same store
		cached = nil
	} else {
		a.loops = append(a.loops, watchOutsideWrites(opened.OutsideWrites, versions))
	}
	secret, err := datastore.TokenSecret(s)
	if err != nil {
		return err
	}
	m, paying, err := openMarket(ctx, s, a.store, secret, a.metrics.countPaymentProblem, o)
	if err != nil {
		return err
	}
	google, mounts, err := googleSignIn(s, secret, a.store, o.Clock)
	if err != nil {
		return err
	}
	if a.cluster, err = openCluster(s, o); err != nil {
		return err
	}
	email, err := openEmail(s, a.store, o.Clock)
	if err != nil {
		return err
	}
	people, err := identity.New(identity.Config{
		Store: a.store, Market: m, Clock: o.Clock, Counter: a.cluster.attempts, Secret: secret, PublicURL: s.PublicURL,
		Google: google, Unlimited: s.RateLimit == 0, Product: Product, Emails: email.queue, Log: o.Log,
		Versions: cached,
	})
	if err != nil {
		return err
	}
	if !s.Demo {
		if a.firstAdmin, err = people.FirstAdminLink(ctx); err != nil {
			return err
		}
	}
	pictures, err := imageHost(s, a.store, opened.Images, a.uploadCounter(o), o.Clock, o.Log)
	if err != nil {
		return err
	}
	m.UsePictures(imageHosts{demo.Pictures{}, pictures})
	a.metrics.watchStore(a.store, o.Clock, storeFolder(s))
	if err := a.openHub(ctx, s, m, people); err != nil {
		return err
	}
	relay, janitor := market.NewRelay(m, publisher{a.cluster.broker, versions, a.metrics, o.Clock}, o.Log), market.NewJanitor(m, o.Log)
	a.loops = slices.Concat(a.loops, []func(context.Context){relay.Run, janitor.Run, market.NewAnnouncer(m, o.Log).Run, pictures.Run, a.metrics.watchBooks(m, o.Log)}, a.cluster.loops, paying.loops)
	a.loops = append(a.loops, a.emailLoops(email, m, people, o.Clock)...)
	return a.listen(ctx, s, server.Config{
		Config: api.Config{
			Market: m, Secret: secret, Positions: a.cluster.broker, Versions: cached,
			RateLimit: s.RateLimit, ChangeCounter: a.cluster.changes,
		},
		Bearer: people.Bearer, Cookie: people.Cookie, HasSession: people.HasSession,
		Routes: slices.Concat(people.Routes(), pictures.Routes(), paying.routes), Live: allowSameOrigin(s.PublicURL, a.hub),
		Client: client.Files(), Photos: demo.Photos(), Mounts: mergeHandlers(mounts, paying.mounts, email.mounts),
		Settings: clientSettings(s, google != nil, email, paying.client), PublicURL: s.PublicURL.String(),
		AllowedOrigins: s.AllowedOrigins[1:], TrustedProxies: s.TrustedProxies, RateCounter: a.cluster.rates,
		Ready: a.ready, Log: o.Log, Version: o.Version,
	})
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
func (a *App) openHub(ctx context.Context, s settings.Settings, m *market.Market, people *identity.Service) (err error) {
	a.hub, err = hub.New(hub.Config{
		Broker: a.cluster.broker,
		Authenticate: func(ctx context.Context, token string) (hub.Viewer, error) {
			actor, expires, err := people.Bearer(ctx, token)
			return hub.Viewer{UID: actor.User.UID, Session: actor.Session, Expires: expires}, err
		},
		Authorize: func(ctx context.Context, v hub.Viewer, topic string) (string, bool, error) {
			return m.Topic(ctx, v.UID, topic)
		},
		CheckSession: func(ctx context.Context, v hub.Viewer) (bool, error) {
			_, err := m.Actor(ctx, v.UID, v.Session)
			if market.CodeOf(err) == market.CodeNoToken {
				return false, nil
			}
			return err == nil, err
		},
		AllowedOrigins: hub.Origins(s.AllowedOrigins...),
		Address:        func(r *http.Request) string { return rest.Network(rest.Address(r.Context())) },
		PerAddress:     s.SocketsPerAddress,
		Unlimited:      s.RateLimit == 0,
		Logger:         a.log,
		OnSent:         a.metrics.observeSent,
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
func (a *App) listen(ctx context.Context, s settings.Settings, c server.Config) error {
	c.MetricsOnLoopback, c.Registry = s.MetricsAddr == "", a.metrics.registry
	if s.MetricsAddr != "" {
		var err error
		if a.metricsServer, err = listenMetrics(ctx, s.MetricsAddr, a.metrics.registry); err != nil {
			return err
		}
	}
	handler, err := server.New(c)
	if err != nil {
		return err
	}
	listener, err := listenOn(ctx, "ADDR", s.Addr)
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
