package sqlite

import (
	"context"

	"secondring/market"
)

// userColumns are the columns of users in the order of userFields.
const userColumns = "id, uid, name, email, account_type, admin, status, removed, leaving, sweep_until, version, " +
	"created_at, emails, payout_account"

var (
	userTable    = newTable("users", userColumns, "email_key")
	userSwap     = userTable.swap("user")
	qUser        = query("SELECT " + userColumns + " FROM users WHERE uid = ? ORDER BY removed, id DESC LIMIT 1")
	qUserByID    = query("SELECT " + userColumns + " FROM users WHERE id = ?")
	qUserByEmail = query("SELECT " + userColumns + " FROM users WHERE email_key = ? AND removed = 0")
	qAdmins      = query("SELECT " + userColumns + " FROM users WHERE admin = 1 AND removed = 0 LIMIT 0 + ?")
	qUserSweep   = query("SELECT " + userColumns + " FROM users WHERE sweep_until IS NOT NULL ORDER BY sweep_until, id LIMIT 0 + ?")
	qPurgeUser   = query(`DELETE FROM users WHERE uid = ? AND removed = 1`)

	userList = listing[market.User]{
		page: query("SELECT " + userColumns + " FROM users WHERE account_type = ? AND admin = 0 AND removed = 0 AND id < ? ORDER BY id DESC LIMIT 0 + ?"), fields: userFields,
		countName: "users",
	}
)

func userFields(u *market.User) []any {
	return []any{
		&u.ID, &u.UID, &u.Name, &u.Email, &u.AccountType, &u.Admin, &u.Status, &u.Removed, &u.Leaving,
		timeColumn{&u.SweepUntil},
		&u.Version,
		timeColumn{&u.CreatedAt},
		asJSON(&u.Emails),
		asJSON(&u.PayoutAccount),
	}
}

// userValues returns the fields of a user, then its value of email_key.
func userValues(u market.User) []any { return append(userFields(&u), market.NormalEmail(u.Email)) }

// AddUser stores a new user. It returns ErrExists if the ID exists, or if the user is not
// removed and another user who is not removed has the UID or the email.
func (s *Store) AddUser(ctx context.Context, u market.User, events []market.Event) error {
	return userSwap.add(ctx, s, userValues(u), events)
}

// SaveUser replaces the user with the same ID if the version is one above the stored
// one. Otherwise it returns ErrConflict, or ErrNotFound if none is stored with this ID.
func (s *Store) SaveUser(ctx context.Context, u market.User, events []market.Event) error {
	return userSwap.save(ctx, s, userValues(u), u.ID, u.Version, events)
}

// User returns the user with a UID. If several users have the UID, it prefers the one who is
// not removed, then the newest.
func (s *Store) User(ctx context.Context, uid string) (market.User, error) {
	return find(ctx, s, "user", qUser, userFields, uid)
}

// UserByID returns the user with an ID. It also finds removed users.
func (s *Store) UserByID(ctx context.Context, id string) (market.User, error) {
	return find(ctx, s, "user by id", qUserByID, userFields, id)
}

// UserByEmail returns the user whose email has the same NormalEmail form. It does not find
// removed users.
func (s *Store) UserByEmail(ctx context.Context, email string) (market.User, error) {
	return find(ctx, s, "user by email", qUserByEmail, userFields, market.NormalEmail(email))
}

// Users lists the users of an account type who are neither admins nor removed, newest first.
func (s *Store) Users(ctx context.Context, accountType string, page market.Page) (market.List[market.User], error) {
	return list(ctx, s, userList, page, accountType)
}

// Admins returns up to limit admins who are not removed.
func (s *Store) Admins(ctx context.Context, limit int) ([]market.User, error) {
	return collect(ctx, s, "admins", qAdmins, userFields, limit)
}

// UsersToSweep returns up to limit users whose SweepUntil is set, earliest first.
func (s *Store) UsersToSweep(ctx context.Context, limit int) ([]market.User, error) {
	return collect(ctx, s, "users to sweep", qUserSweep, userFields, limit)
}

// PurgeUser deletes the removed users with a UID completely. It does not delete a user who is
// not removed, and returns no error if there is no removed user.
func (s *Store) PurgeUser(ctx context.Context, uid string) error {
	_, err := s.exec(ctx, "purge user", qPurgeUser, uid)
	return err
}
