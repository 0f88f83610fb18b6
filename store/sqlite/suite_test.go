package sqlite_test

import (
	"testing"

	"secondring/market"
	"secondring/store/storetest"
)

func TestSuite(t *testing.T) {
	storetest.Run(t, func(t *testing.T) market.Store { return open(t, file(t)) })
}
