package settings

// ReadBackup reads the settings that `secondring backup` and `secondring restore` need: the
// folder of the embedded store, and the Redis of its live push. It reads no other setting, so
// that a market can be backed up even if another setting is invalid.
func ReadBackup(getenv func(string) string) (Settings, error) {
	r := reader{getenv: getenv}
	s := Settings{
		DataDir:      r.text("DATA_DIR", "./data"),
		MongoURI:     r.mongoURI("MONGODB_URI"),
		RedisURL:     r.redisURL("REDIS_URL"),
		ImagesFolder: r.folder("IMAGES_URL"),
	}
	if s.MongoURI != "" {
		r.fail("MONGODB_URI", "is set, and this command is for the market in DATA_DIR",
			"save that database by its own means (mongodump); of Redis nothing need be saved")
	}
	return s, r.err
}
