package market

import (
	"context"
	"errors"
	"strings"
)

// UserRequest is the payload of POST /users.
type UserRequest struct {
	Name        string
	Email       string
	AccountType string
	Wrong       Fields // errors that the decoder found
}

// AddUser makes a user of the signed-in account, or a seller of a buyer, who keeps all that
// they have. A repeated call returns the same user. It returns CodeExists if a seller asks to
// be a buyer, or an admin to be anything else.
func (m *Market) AddUser(ctx context.Context, who Account, in UserRequest) (User, error) {
	if in.Email != "" && NormalEmail(in.Email) != NormalEmail(who.Email) {
		return User{}, forbidden("You can only add yourself")
	}
	f := FieldsOf(in.Wrong)
	f.text("name", in.Name, maxName)
	f.text("email", in.Email, maxEmail)
	f.oneOf("accountType", in.AccountType, AccountUser, AccountSeller)
	if err := f.Err(); err != nil {
		return User{}, err
	}
	return m.ensureUser(ctx, who, in.Name, in.AccountType)
}

// EnsureBuyer adds a User for the account if it has none, as after a first sign-in with
// Google.
func (m *Market) EnsureBuyer(ctx context.Context, who Account) (User, error) {
	if u, err := m.store.User(ctx, who.UID); !errors.Is(err, ErrNotFound) {
		return u, err
	}
	name := who.DisplayName
	if name == "" { // signed up without a name
		name, _, _ = strings.Cut(who.Email, "@")
	}
	return m.ensureUser(ctx, who, name, AccountUser)
}

func (m *Market) ensureUser(ctx context.Context, who Account, name, accountType string) (User, error) {
	now := m.clock.Now()
	u := User{
		ID: NewID(now), UID: who.UID, Name: name, Email: who.Email,
		AccountType: accountType, Version: 1, CreatedAt: now,
	}
	err := m.store.AddUser(ctx, u, userEvents(TypeUserCreated, u, now))
	if err == nil {
		return u, nil
	}
	if !errors.Is(err, ErrExists) {
		return User{}, err
	}
	old, err := m.store.User(ctx, who.UID)
	switch {
	case errors.Is(err, ErrNotFound), err == nil && old.Removed:
		return User{}, refuse(CodeExists, "This email belongs to another account")
	case err == nil && old.IsBuyer() && accountType == AccountSeller:
		return m.becomeSeller(ctx, who.UID)
	case err == nil && old.AccountType != accountType:
		return User{}, refuse(CodeExists, "You already have an account of type "+old.AccountType)
	}
	return old, err
}

// becomeSeller changes the account type of a buyer. Their own screens hear of it, too.
func (m *Market) becomeSeller(ctx context.Context, uid string) (User, error) {
	var seller User
	err := m.changeUser(ctx, uid, func(u *User) []Effect {
		seller = *u
		if !u.IsBuyer() || u.Removed {
			return nil
		}
		u.AccountType = AccountSeller
		effects := m.userChanged(u)
		seller = *u
		return append(effects, meEvent(TypeUserChanged, *u, m.clock.Now()))
	})
	if err == nil && (!seller.IsSeller() || seller.Removed) { // an admin has changed the user meanwhile
		err = refuse(CodeExists, "You cannot become a seller")
	}
	return seller, err
}

// Rename sets the user's name to their account's new name. A verified seller loses the
// verification, because an admin has verified the old name. A seller's phones get the new
// name (see updateSellerPhones); orders keep the old one.
func (m *Market) Rename(ctx context.Context, uid, name string) error {
	var seller *User
	err := m.changeUser(ctx, uid, func(u *User) []Effect {
		seller = nil
		if u.Removed || u.Name == name {
			return nil
		}
		u.Name = name
		now, wasVerified := m.clock.Now(), u.IsVerified()
		moved := movedPerson(*u, now)
		if u.AccountType != AccountSeller {
			return append(m.userChanged(u), moved)
		}
		u.Status, u.SweepUntil, seller = "", now.Add(sweepFor), u
		effects := append(m.userChanged(u), moved)
		if wasVerified {
			// The seller's screens read the verification from the user in this event, so it
			// also announces the loss.
			effects = append(effects, meEvent(TypeSellerVerified, *u, now))
		}
		return effects
	})
	if err != nil || seller == nil {
		return err
	}
	return m.updateSellerPhones(ctx, *seller)
}

// ChangeEmail sets the user's email address to their account's new one. A seller's phones
// are updated as by VerifySeller; orders keep the old address. It returns CodeExists if
// another user has the address, and ErrNotFound if there is no user.
func (m *Market) ChangeEmail(ctx context.Context, uid, email string) error {
	var seller *User
	err := m.changeUser(ctx, uid, func(u *User) []Effect {
		seller = nil
		if u.Removed || u.Email == email {
			return nil
		}
		u.Email = email
		if u.AccountType == AccountSeller {
			u.SweepUntil, seller = m.clock.Now().Add(sweepFor), u
		}
		return m.userChanged(u)
	})
	if errors.Is(err, ErrExists) {
		return refuse(CodeExists, "This email belongs to another account")
	}
	if err != nil || seller == nil {
		return err
	}
	return m.updateSellerPhones(ctx, *seller)
}

// userChanged raises the version and returns the events for the admins, whose lists show the
// version also if nothing else on them has changed.
func (m *Market) userChanged(u *User) []Effect {
	u.Version++
	if u.Admin {
		return []Effect{} // no list shows admins
	}
	return userEvents(TypeUserChanged, *u, m.clock.Now())
}

// changeUser applies a change and stores the user. After a conflict it reads the user and
// applies the change again. change raises the version and returns the events, or returns
// nil to change nothing.
func (m *Market) changeUser(ctx context.Context, uid string, change func(*User) []Effect) error {
	for {
		u, err := m.store.User(ctx, uid)
		if err != nil {
			return err
		}
		effects := change(&u)
		if effects == nil {
			return nil
		}
		err = m.store.SaveUser(ctx, u, effects)
		if errors.Is(err, ErrConflict) {
			continue
		}
		return err
	}
}

// resolveName returns the user's name if sent is the name of their account, because a client
// shows that one. It returns any other name unchanged.
func (m *Market) resolveName(ctx context.Context, u User, sent string) (string, error) {
	if sent == "" || sameText(sent, u.Name) {
		return sent, nil
	}
	a, err := m.store.Account(ctx, u.UID)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return sent, err
	}
	if err == nil && a.DisplayName != "" && sameText(sent, a.DisplayName) {
		return u.Name, nil
	}
	return sent, nil
}

// Roles are the roles of one person for GET /users/{role}/{email}.
type Roles struct {
	Admin, Buyer, Seller, Verified bool
	Moderator                      bool // with Admin
}

// RolesOf looks a person up by email, for that person or an admin. Exactly one
// of Admin, Buyer and Seller is true for a user; none for an unknown address.
func (m *Market) RolesOf(ctx context.Context, who Actor, email string) (Roles, error) {
	if !who.User.Admin && NormalEmail(email) != NormalEmail(who.User.Email) {
		return Roles{}, forbidden("You can only request your own roles")
	}
	u, err := m.store.UserByEmail(ctx, email)
	if errors.Is(err, ErrNotFound) {
		return Roles{}, nil
	}
	return Roles{Admin: u.Admin, Moderator: u.Moderator, Buyer: u.IsBuyer(), Seller: u.IsSeller(), Verified: u.IsVerified()}, err
}

// Users lists buyers (AccountUser) or sellers (AccountSeller), for admins.
func (m *Market) Users(ctx context.Context, who Actor, accountType string, page Page) (List[User], error) {
	if err := mustAdmin(who); err != nil {
		return List[User]{}, err
	}
	return m.store.Users(ctx, accountType, page)
}

func mustAdmin(who Actor) error {
	if !who.User.Admin {
		return forbidden("Only an admin may do this")
	}
	return nil
}

// mustHandleMoney returns an error unless the person is an admin who handles money. Everything that shows
// an order to an admin, moves its money or records it needs that.
func mustHandleMoney(who Actor) error {
	if err := mustAdmin(who); err != nil {
		return err
	}
	if !who.User.HandlesMoney() {
		return forbidden("Moderators do not see orders or handle money. Please ask another admin")
	}
	return nil
}

// mayTrade returns CodeSuspended for a suspended person, and what mustHaveConfirmedEmail returns.
func (m *Market) mayTrade(ctx context.Context, who Actor) error {
	if err := m.mustNotBeSuspended(who.User); err != nil {
		return err
	}
	return m.mustHaveConfirmedEmail(ctx, who)
}

// mustHaveConfirmedEmail returns CodeVerifyEmail if the person has not confirmed their
// email address and the rules require it.
func (m *Market) mustHaveConfirmedEmail(ctx context.Context, who Actor) error {
	if !m.rules.VerifyEmail || who.User.Admin {
		return nil
	}
	a, err := m.store.Account(ctx, who.User.UID)
	if err == nil && a.Unconfirmed {
		return refuse(CodeVerifyEmail, "Please confirm your email address first. The link is in the email that we sent you")
	}
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// AdminRole is what a person may do as an admin.
type AdminRole string

// The roles of admins.
const (
	NoAdmin   AdminRole = ""          // a buyer or a seller
	FullAdmin AdminRole = "admin"     // everything
	Moderator AdminRole = "moderator" // phones and people, but neither orders nor money
)

// AdminRole returns the user's role as an admin.
func (u User) AdminRole() AdminRole {
	switch {
	case !u.Admin:
		return NoAdmin
	case u.Moderator:
		return Moderator
	}
	return FullAdmin
}

func (u *User) setAdminRole(role AdminRole) {
	u.Admin, u.Moderator = role != NoAdmin, role == Moderator
}

// MakeAdmin makes the account an admin. It adds a user if there is none.
func (m *Market) MakeAdmin(ctx context.Context, who Account) error {
	_, err := m.GrantAdmin(ctx, who, FullAdmin)
	return err
}

// GrantAdmin gives the account a role as an admin, and adds a user if there is none. Further events are
// stored with the change. It returns false if the account has the role already.
func (m *Market) GrantAdmin(ctx context.Context, who Account, role AdminRole, effects ...Effect) (granted bool, err error) {
	if _, err := m.EnsureBuyer(ctx, who); err != nil {
		return false, err
	}
	return m.setAdmin(ctx, who.UID, role, effects...)
}

// RevokeAdmin ends the rights of an admin or a moderator, who has their account type again.
func (m *Market) RevokeAdmin(ctx context.Context, email string) error {
	u, err := m.store.UserByEmail(ctx, email)
	if errors.Is(err, ErrNotFound) || (err == nil && !u.Admin) {
		return missing("admin")
	}
	if err != nil {
		return err
	}
	_, err = m.setAdmin(ctx, u.UID, NoAdmin)
	return err
}

// setAdmin changes the role. The person's own screens hear of it, too.
func (m *Market) setAdmin(ctx context.Context, uid string, role AdminRole, more ...Effect) (changed bool, err error) {
	err = m.changeUser(ctx, uid, func(u *User) []Effect {
		if changed = u.AdminRole() != role; !changed {
			return nil
		}
		now := m.clock.Now()
		u.setAdminRole(role)
		u.Version++
		kind := TypeUserRemoved // no list shows admins
		if role == NoAdmin {
			kind = TypeUserCreated // they are on a list again
		}
		effects := append(userEvents(kind, *u, now), meEvent(TypeUserChanged, *u, now), ControlEvent(TypeAccessChanged, Control{UID: uid}, now),
			NewAuditEntry(now, nil, roleActions[role]).OfPerson(u.ID, u.Name))
		return append(effects, more...)
	})
	return changed && err == nil, err
}

// roleActions are the actions in the audit log that give a role.
var roleActions = map[AdminRole]AuditAction{NoAdmin: ActionRevokeAdmin, FullAdmin: ActionMakeAdmin, Moderator: ActionMakeModerator}
