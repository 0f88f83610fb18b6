package apitest_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"secondring/api/server"
)

// BenchmarkCalls measures requests without the network: for a brand's 50 phones, for a role,
// and for responses that need neither the store nor credentials.
func BenchmarkCalls(b *testing.B) {
	e := newEnv(b)
	brand, seller, buyer := e.brand("Nokia"), e.seller("Sue"), e.buyer("Bob")
	for range 50 {
		seller.addPhone(brand)
	}
	config := e.config
	config.Registry, config.Log = nil, slog.New(slog.DiscardHandler)
	handler, err := server.New(config)
	must(b, err)
	for name, path := range map[string]string{
		"brand": "/categories/" + brand.ID, "role": "/users/buyer/" + buyer.user.Email,
		"brands": "/allCategories", "health": "/healthz", "screen": "/",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, path, nil)
				r.Host = "127.0.0.1:8080"
				r.Header.Set("Authorization", "Bearer "+buyer.token)
				response := httptest.NewRecorder()
				if handler.ServeHTTP(response, r); response.Code != http.StatusOK {
					b.Fatalf("%s: status %d", path, response.Code)
				}
			}
		})
	}
}
