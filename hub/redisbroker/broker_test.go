package redisbroker_test

import (
	"log/slog"
	"testing"

	"secondring/hub"
	"secondring/hub/brokertest"
	"secondring/hub/redisbroker"
	"secondring/hub/redisbroker/redistest"
)

func open(t *testing.T, s *redistest.Server, limits hub.HistoryLimits) *redisbroker.Broker {
	t.Helper()
	return openURL(t, s.URL, limits)
}

func openURL(t *testing.T, url string, limits hub.HistoryLimits) *redisbroker.Broker {
	t.Helper()
	b, err := redisbroker.New(redisbroker.Options{URL: url, Limits: limits, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

func TestBroker(t *testing.T) {
	brokertest.Run(t, func(t *testing.T, limits hub.HistoryLimits) brokertest.Backend {
		s := redistest.Start(t)
		return brokertest.Backend{
			Broker: open(t, s, limits), Peer: open(t, s, limits),
			Restart: func() hub.Broker {
				s.Kill()
				s.Restart(t)
				return open(t, s, limits)
			},
		}
	})
}

func TestBrokerWithCluster(t *testing.T) {
	c := redistest.StartCluster(t, 3)
	brokertest.Run(t, func(t *testing.T, limits hub.HistoryLimits) brokertest.Backend {
		c.Clear(t)
		return brokertest.Backend{
			Broker: openURL(t, c.URL, limits), Peer: openURL(t, c.URL, limits),
			Restart: func() hub.Broker {
				c.Clear(t)
				return openURL(t, c.URL, limits)
			},
		}
	})
}
