package sqlite

import (
	"context"
	"time"

	"secondring/market"
)

// accountColumns are the columns of accounts in the order of accountFields.
const accountColumns = "uid, email, password_hash, google_sub, display_name, photo_url, removed, unproven, links, devices, restored_at, second_factor, version, created_at, credentials_version, kept_session, restored_from"

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
		timeColumn{&a.RestoredAt},
		asJSON(&a.SecondFactor),
		&a.Version,
		timeColumn{&a.CreatedAt},
		&a.CredentialsVersion, &a.KeptSession,
		timeColumn{&a.RestoredFrom},
	}
}

// accountValues returns the fields of an account, then its value of email_key.
func accountValues(a market.Account) []any {
	return append(accountFields(&a), market.NormalEmail(a.Email))
}

// AddAccount stores a new account. It returns ErrExists if another account, which may be a
// removed one, has the UID, the email or the Google subject.
func (s *Store) AddAccount(ctx context.Context, a market.Account, events []market.Event) error {
	return accountSwap.add(ctx, s, accountValues(a), events)
}

// SaveAccount replaces the account with the same UID if the version is one above the stored
// one. Otherwise it returns ErrConflict, or ErrNotFound if none is stored with this
// UID.
func (s *Store) SaveAccount(ctx context.Context, a market.Account, events []market.Event) error {
	return accountSwap.save(ctx, s, accountValues(a), a.UID, a.Version, events)
}

// Account returns the account with a UID. It also finds removed accounts.
func (s *Store) Account(ctx context.Context, uid string) (market.Account, error) {
	return find(ctx, s, "account", qAccount, accountFields, uid)
}

// AccountByEmail returns the account whose email has the same NormalEmail form. It also
// finds removed accounts.
func (s *Store) AccountByEmail(ctx context.Context, email string) (market.Account, error) {
	return find(ctx, s, "account by email", qAccountByEmail, accountFields, market.NormalEmail(email))
}

// AccountByGoogle returns the account with a Google subject. It returns ErrNotFound for "".
func (s *Store) AccountByGoogle(ctx context.Context, sub string) (market.Account, error) {
	return find(ctx, s, "account by Google", qAccountByGoogle, accountFields, sub)
}

// PurgeAccount deletes an account completely. It returns no error if the account does not
// exist, and stores the events nevertheless.
func (s *Store) PurgeAccount(ctx context.Context, uid string, events []market.Event) error {
	return s.write(ctx, "purge account", func(tx *conn) error {
		if _, err := tx.exec(qPurgeAccount, uid); err != nil {
			return err
		}
		return tx.addEvents(events)
	})
}

// OrphanedAccounts reads up to limit accounts in the order of their UIDs, starting after a
// UID. It returns the UIDs of those that are not removed, were created before that time and
// have no user. last is the last UID that it read, or "" if there are no more accounts.
func (s *Store) OrphanedAccounts(ctx context.Context, after string, before time.Time, limit int) (uids []string, last string, err error) {
	type row struct {
		uid      string
		orphaned bool
	}
	rows, err := collect(ctx, s, "orphaned accounts", qOrphanedAccounts, func(r *row) []any { return []any{&r.uid, &r.orphaned} },
		timeParam(before), after, limit)
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
