// Command pocketbase is PocketBase with the data of the benchmark in one collection. It
// serves the data with PocketBase's own API and access rules.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"

	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

const (
	brands     = 12
	sellers    = 100
	phones     = 10_000
	advertised = 160
)

func main() {
	app := pocketbase.NewWithConfig(pocketbase.Config{DefaultDataDir: os.Getenv("FILE"), HideStartBanner: true})
	app.OnServe().BindFunc(func(e *core.ServeEvent) error {
		if err := fill(app); err != nil {
			return err
		}
		e.Router.GET("/token", func(e *core.RequestEvent) error {
			user, err := app.FindAuthRecordByEmail("users", email(0))
			if err != nil {
				return err
			}
			token, err := user.NewAuthToken()
			if err != nil {
				return err
			}
			return e.JSON(http.StatusOK, map[string]string{"token": token})
		})
		return e.Next()
	})
	app.RootCmd.SetArgs([]string{"serve", "--http=" + os.Getenv("ADDR")})
	if err := app.Start(); err != nil {
		log.Fatal(err)
	}
}

func email(seller int) string { return fmt.Sprintf("seller%d@example.com", seller) }

// fill creates the collections and their records, if they do not exist.
func fill(app core.App) error {
	if _, err := app.FindCollectionByNameOrId("phones"); err == nil {
		return nil
	}
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return err
	}
	users.Fields.Add(&core.TextField{Name: "role"})
	users.ViewRule = types.Pointer("@request.auth.id != ''")
	users.ListRule = users.ViewRule
	if err := app.Save(users); err != nil {
		return err
	}
	list, err := collection(app)
	if err != nil {
		return err
	}
	return app.RunInTransaction(func(tx core.App) error {
		for i := range sellers {
			user := core.NewRecord(users)
			user.SetEmail(email(i))
			user.SetEmailVisibility(true)
			user.SetRandomPassword()
			user.Set("role", "seller")
			if err := tx.SaveNoValidate(user); err != nil {
				return err
			}
		}
		for i := range phones {
			if err := tx.SaveNoValidate(phone(list, i)); err != nil {
				return err
			}
		}
		return nil
	})
}

func collection(app core.App) (*core.Collection, error) {
	c := core.NewBaseCollection("phones")
	for _, name := range []string{"name", "img", "usedTime", "condition", "description", "sellerName", "email", "location", "phone", "postedOn"} {
		c.Fields.Add(&core.TextField{Name: name})
	}
	for _, name := range []string{"brand", "originalPrice", "resalePrice"} {
		c.Fields.Add(&core.NumberField{Name: name})
	}
	for _, name := range []string{"verified", "advertised", "booked"} {
		c.Fields.Add(&core.BoolField{Name: name})
	}
	c.Fields.Add(&core.AutodateField{Name: "createdAt", OnCreate: true})
	c.AddIndex("ofBrand", false, "brand", "")
	c.AddIndex("ofSeller", false, "email", "")
	c.AddIndex("shown", false, "advertised, booked", "")
	signedIn := types.Pointer("@request.auth.id != ''")
	c.ListRule = types.Pointer("@request.auth.id != '' || (advertised = true && booked = false)")
	c.CreateRule = signedIn
	c.UpdateRule = types.Pointer("@request.auth.id != '' && booked = false")
	return c, app.Save(c)
}

func phone(c *core.Collection, i int) *core.Record {
	r := core.NewRecord(c)
	r.Load(map[string]any{
		"brand": i % brands, "name": fmt.Sprintf("Phone %d", i), "img": fmt.Sprintf("/images/demo/phone-%d.webp", i%140),
		"originalPrice": 700, "resalePrice": 300 + i%97, "usedTime": "2 years", "condition": "Good",
		"description": strings.Repeat("A phone in good order, with its box, a charger, and a case that has seen better days. ", 3),
		"sellerName":  fmt.Sprintf("Seller %d", i%sellers), "email": email(i % sellers), "location": "Dhaka", "phone": "01712345678",
		"postedOn": "2026-01-02", "verified": true, "advertised": i < advertised, "booked": false,
	})
	return r
}
