package mongo_test

import (
	"context"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/connstring"

	"secondring/market"
	"secondring/store/mongo/mongotest"
	"secondring/store/storetest"
)

// BenchmarkMarket measures the cost of waitlists, saved searches and messages. bench/market.sh makes a
// table of the results.
func BenchmarkMarket(b *testing.B) {
	storetest.Bench(b, func(b *testing.B) market.Store {
		b.Helper()
		return open(b, database(b)).Store
	}, plainTable)
}

func plainTable(b *testing.B) storetest.PlainTable {
	b.Helper()
	server, err := mongotest.Start()
	if err != nil {
		b.Fatal(err)
	}
	uri := server.Database()
	name, err := connstring.Parse(uri)
	if err != nil {
		b.Fatal(err)
	}
	client, err := driver.Connect(options.Client().ApplyURI(uri))
	if err != nil {
		b.Fatal(err)
	}
	database := client.Database(name.Database)
	b.Cleanup(func() {
		_ = database.Drop(context.Background())
		_ = client.Disconnect(context.Background())
	})
	plain := database.Collection("plain")
	index := driver.IndexModel{Keys: bson.D{{Key: "thread", Value: 1}, {Key: "_id", Value: 1}}}
	if _, err := plain.Indexes().CreateOne(b.Context(), index); err != nil {
		b.Fatal(err)
	}
	return func(id, thread, text string) error {
		_, err := plain.InsertOne(b.Context(), bson.D{{Key: "_id", Value: id}, {Key: "thread", Value: thread}, {Key: "text", Value: text}})
		return err
	}
}
