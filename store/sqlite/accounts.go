package sqlite

import (
	"context"
	"time"

	"secondring/market"
)

// accountColumns are the columns of accounts in the order of accountFields.
const accountColumns = "uid, email, password_hash, google_sub, display_name, photo_url, removed, unproven, links, devices, restored_at, second_factor, version, created_at"

var (
	accountTable      = newTable("accounts", accountColumns, "email_key")
	accountSwap       = accountTable.swap("account")
	qAccount          = query("SELECT " + accountColumns + " FROM accounts WHERE uid = ?")
	qAccountByEmail   = query("SELECT " + accountColumns + " FROM accounts WHERE email_key = ?")
	qAccountByGoogle  = query("SELECT " + accountColumns + " FROM accounts WHERE google_sub = ? AND google_sub <> ''")
	qPurgeAccount     = query(`DELETE FROM accounts WHERE uid = ?`)
	qOrphanedAccounts = query(`SELECT uid, coalesce(removed = 0 AND created_at < ?
		AND NOT EXISTS (SELECT 1 FROM users AS u WHERE u.uid = accounts.uid), 0)
		FROM accounts WHERE uid > ? ORDER BY uid LIMIT 0 + ?`)
)

func accountFields(a *market.Account) []any {
	return []any{
		&a.UID, &a.Email, &a.PasswordHash, &a.GoogleSub, &a.DisplayName, &a.PhotoURL, &a.Removed,
		&a.Unproven, asJSON(&a.Links), asJSON(&a.Devices),
		when{&a.RestoredAt},
		asJSON(&a.SecondFactor),
		&a.Version,
		when{&a.CreatedAt},
	}
}

func accountValues(a market.Account) []any {
	return append(accountFields(&a), market.NormalEmail(a.Email))
}

// AddAccount stores a new account; ErrExists where UID, email or Google
// subject is taken, by a removed account too.
func (s *Store) AddAccount(ctx context.Context, a market.Account, events []market.Event) error {
	return accountSwap.add(ctx, s, accountValues(a), events)
}

// SaveAccount replaces the account of that UID, with its version raised by one.
func (s *Store) SaveAccount(ctx context.Context, a market.Account, events []market.Event) error {
	return accountSwap.save(ctx, s, accountValues(a), a.UID, a.Version, events)
}

// Account finds by UID, removed ones too.
func (s *Store) Account(ctx context.Context, uid string) (market.Account, error) {
	return find(ctx, s, "account", qAccount, accountFields, uid)
}

// AccountByEmail finds by email in its NormalEmail form, removed ones too.
func (s *Store) AccountByEmail(ctx context.Context, email string) (market.Account, error) {
	return find(ctx, s, "account by email", qAccountByEmail, accountFields, market.NormalEmail(email))
}

// AccountByGoogle finds an account by Google's subject; "" belongs to no account.
func (s *Store) AccountByGoogle(ctx context.Context, sub string) (market.Account, error) {
	return find(ctx, s, "account by Google", qAccountByGoogle, accountFields, sub)
}

// PurgeAccount deletes an account completely. It is no error if there is none; the events
// are stored in any case.
func (s *Store) PurgeAccount(ctx context.Context, uid string, events []market.Event) error {
	return s.write(ctx, "purge account", func(tx *conn) error {
		if _, err := tx.exec(qPurgeAccount, uid); err != nil {
			return err
		}
		return tx.addEvents(events)
	})
}

// OrphanedAccounts looks at up to limit accounts after one, by UID, and returns
// those that were made before then and have no user, and the last; "" where that
// was the last of all.
func (s *Store) OrphanedAccounts(ctx context.Context, after string, before time.Time, limit int) (uids []string, last string, err error) {
	type row struct {
		uid      string
		orphaned bool
	}
	rows, err := collect(ctx, s, "orphaned accounts", qOrphanedAccounts, func(r *row) []any { return []any{&r.uid, &r.orphaned} },
		at(before), after, limit)
	for _, r := range rows {
		if r.orphaned {
			uids = append(uids, r.uid)
		}
	}
	if len(rows) == limit {
		last = rows[limit-1].uid
	}
	return uids, last, err
}
