package api

import (
	"context"
	"encoding/json"
	"net/http"

	"secondring/api/cache"
	"secondring/api/rest"
	"secondring/market"
)

// newUser is the body of POST /users.
type newUser struct {
	Name        string `json:"name" maxLength:"100"`
	Email       string `json:"email" doc:"Your email address"`
	AccountType string `json:"accountType" enum:"User,Seller" doc:"User is a buyer"`
}

// verification is the body of PUT /users/seller/{person}.
type verification struct {
	Version *int `json:"version,omitempty" doc:"The version of the seller whose name you have checked. If the seller has changed since, the status is 409"`
}

// The responses of the role lookups.
type (
	isAdmin struct {
		IsAdmin     bool `json:"isAdmin"`
		IsModerator bool `json:"isModerator,omitempty" doc:"True for an admin who decides about phones and people, and gets status 403 for orders and money. Absent otherwise"`
	}
	isBuyer struct {
		IsBuyer bool `json:"isBuyer"`
	}
	isSeller struct {
		IsSeller bool `json:"isSeller"`
	}
	isVerified struct {
		IsVerified bool `json:"isVerified"`
	}
)

// users returns the routes about the caller's own user. The path parameter is called
// person, because PUT and DELETE /users/seller/{person} take an _id there, and OpenAPI requires one
// name for the same place in a path.
func (h handlers) users() []rest.Route {
	role := func(name, what string, answer any, pick func(market.Roles) any) rest.Route {
		return rest.Route{
			Method: http.MethodGet, Path: "/users/" + name + "/{person}", ID: "is" + name, Tag: "users",
			Summary: "Check by email address whether a person is " + what + ". Only admins can check other people", Access: rest.Bearer,
			Response: answer, ErrorStatuses: []int{http.StatusForbidden}, Handle: h.roleOf(pick),
		}
	}
	return []rest.Route{
		{
			Method: http.MethodPost, Path: "/users", ID: "addUser", Tag: "users",
			Summary: "Create your user after sign-up, as a buyer (User) or a seller (Seller), who may buy, too. A buyer becomes a seller with Seller, and keeps everything", Access: rest.Cookie,
			Body: newUser{}, Response: Inserted{}, Handle: h.addUser,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusConflict},
		},
		role("admin", "an admin", isAdmin{}, func(has market.Roles) any { return isAdmin{has.Admin, has.Moderator} }),
		role("buyer", "a buyer", isBuyer{}, func(has market.Roles) any { return isBuyer{has.Buyer} }),
		role("seller", "a seller", isSeller{}, func(has market.Roles) any { return isSeller{has.Seller} }),
		role("verified", "a verified seller", isVerified{}, func(has market.Roles) any { return isVerified{has.Verified} }),
	}
}

// people returns the admins' routes about users.
func (h handlers) people() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/users/buyers", ID: "listBuyers", Tag: "users",
			Summary: "List all buyers (admins only)", Access: rest.Bearer, IsList: true,
			Response: []market.UserView{}, ErrorStatuses: []int{http.StatusForbidden}, Handle: h.usersOf(market.AccountUser),
		},
		{
			Method: http.MethodGet, Path: "/users/sellers", ID: "listSellers", Tag: "users",
			Summary: "List all sellers (admins only)", Access: rest.Bearer, IsList: true,
			Response: []market.UserView{}, ErrorStatuses: []int{http.StatusForbidden}, Handle: h.usersOf(market.AccountSeller),
		},
		{
			Method: http.MethodGet, Path: "/people/{id}", ID: "getPerson", Tag: "users",
			Summary: "Get a person by their _id: contact, numbers of phones, orders and reports, and what was decided about them (admins only). The header Live-Position of the response is for the topic admin", Access: rest.Bearer,
			Response: market.PersonSummary{}, ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound}, Handle: h.person,
		},
		{
			Method: http.MethodPut, Path: "/users/seller/{person}", ID: "verifySeller", Tag: "users",
			Summary: "Verify a seller by their _id (admins only)", Access: rest.Bearer,
			Body: verification{}, OptionalBody: true, Response: Modified{}, Handle: h.verifySeller,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodDelete, Path: "/users/seller/{person}", ID: "takeBadge", Tag: "users",
			Summary: "Take back the Verified badge of a seller by their _id. Their phones are then not advertised, if only verified sellers may advertise (admins only)",
			Access:  rest.Bearer, Response: Modified{}, ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound}, Handle: h.takeBadge,
		},
		{
			Method: http.MethodDelete, Path: "/users/{id}", ID: "removeUser", Tag: "users",
			Summary: "Close the account of a buyer or a seller, and end their unpaid bookings (admins only). Account and phones are hidden until the time for an appeal is over", Access: rest.Bearer,
			Body: rest.RemovalReason{}, OptionalBody: true,
			Response: Deleted{}, ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound}, Handle: h.removeUser,
		},
	}
}

func (h handlers) addUser(w http.ResponseWriter, r *http.Request) error {
	who, _ := rest.CookieOwner(r.Context())
	in, wrong, err := rest.Decode[newUser](w, r)
	if err != nil {
		return err
	}
	u, err := h.market.AddUser(r.Context(), who.Account, market.UserRequest{
		Name: in.Name, Email: in.Email, AccountType: in.AccountType, Wrong: wrong,
	})
	if err != nil {
		return err
	}
	rest.JSON(w, http.StatusOK, Inserted{Acknowledged: true, InsertedID: u.ID})
	return nil
}

// roleOf sends a user's role. Responses to callers about themselves are cached.
func (h handlers) roleOf(pick func(market.Roles) any) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		who, email := actor(r), rest.PathValue(r, "person")
		read := func(ctx context.Context) (*rest.Response, error) {
			roles, err := h.market.RolesOf(ctx, who, email)
			if err != nil {
				return nil, err
			}
			body, err := json.Marshal(pick(roles))
			return rest.NewResponse("", body), err
		}
		var got *rest.Response
		var err error
		if uid := who.User.UID; isOwn(who, email) {
			got, err = h.cached(r, uid, []string{cache.Person(uid)}, read)
		} else {
			got, err = read(r.Context())
		}
		if err == nil {
			got.Send(w, r)
		}
		return err
	}
}

func (h handlers) usersOf(accountType string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		who := actor(r)
		return listing[market.User]{
			topic: topicAdmin(r),
			read: func(ctx context.Context, page market.Page) (market.List[market.User], error) {
				return h.market.Users(ctx, who, accountType, page)
			},
			encode: viewed(market.User.View), id: func(u market.User) string { return u.ID },
		}.serve(h, w, r)
	}
}

func (h handlers) person(w http.ResponseWriter, r *http.Request) error {
	return readLive(h, w, r, topicAdmin(r), func(ctx context.Context) (market.PersonSummary, error) {
		return h.market.PersonSummary(ctx, actor(r), rest.PathValue(r, "id"))
	})
}

func (h handlers) verifySeller(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.DecodeOptional[verification](w, r)
	if err != nil {
		return err
	}
	n, err := h.market.VerifySeller(r.Context(), actor(r), rest.PathValue(r, "person"), market.VerifyRequest{Version: in.Version, Wrong: wrong})
	return modified(w, n, err)
}

func (h handlers) takeBadge(w http.ResponseWriter, r *http.Request) error {
	n, err := h.market.TakeBadge(r.Context(), actor(r), rest.PathValue(r, "person"))
	return modified(w, n, err)
}

func (h handlers) removeUser(w http.ResponseWriter, r *http.Request) error {
	reason, err := rest.ReadRemovalReason(w, r)
	if err != nil {
		return err
	}
	n, err := h.market.RemoveUser(r.Context(), actor(r), rest.PathValue(r, "id"), reason)
	return deleted(w, n, err)
}
