package app_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/nodetest"
	"secondring/market"
)

// The open sockets of a running server get the events of a write by an admin command.
func TestCommandsReachSocketsOfRunningServer(t *testing.T) {
	s := nodetest.Settings(t, map[string]string{"DEMO": "1"})
	srv := start(t, s)
	login := demo.Logins()[0]
	socket := srv.signIn(login.Email, login.Password).subscribe("admin", "me")

	admin, err := app.OpenAdmin(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = admin.Close() }()
	if err := admin.Identity.PromoteAdmin(t.Context(), demo.Logins()[4].Email, "a new one", market.FullAdmin); err != nil {
		t.Fatal(err)
	}
	waitForFrame(t, socket, `"user.removed"`)
	if err := admin.Market.RevokeAdmin(t.Context(), login.Email); err != nil {
		t.Fatal(err)
	}
	waitForFrame(t, socket, `"denied":["admin"]`)
	if err := admin.Identity.SetPassword(t.Context(), login.Email, "a new one"); err != nil {
		t.Fatal(err)
	}
	wantClose(t, socket, 4401)
}

// The cached responses of a running server contain a write by an admin command within a
// second.
func TestCommandsReachResponsesOfRunningServer(t *testing.T) {
	s := nodetest.Settings(t, map[string]string{"DEMO": "1"})
	b := start(t, s).newBrowser()
	brands := func() (names []string) {
		var all []struct{ Name string }
		b.call(http.MethodGet, "/allCategories", nil, &all)
		for _, brand := range all {
			names = append(names, brand.Name)
		}
		return names
	}
	for began := time.Now(); time.Since(began) < time.Second; { // until the response is cached
		brands()
	}
	admin, err := app.OpenAdmin(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = admin.Close() }()
	waitForBrand := func(name string, exists bool) {
		t.Helper()
		for began := time.Now(); slices.Contains(brands(), name) != exists; {
			if time.Since(began) > time.Second {
				t.Fatalf("after a second the brands are %v; want %s among them: %v", brands(), name, exists)
			}
		}
	}
	if err := admin.AddBrand(t.Context(), "Zeta", ""); err != nil {
		t.Fatal(err)
	}
	waitForBrand("Zeta", true)
	if err := admin.Market.RemoveBrand(t.Context(), "Zeta"); err != nil {
		t.Fatal(err)
	}
	waitForBrand("Zeta", false)
}
