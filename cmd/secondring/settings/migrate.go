package settings

// ReadMigration reads the settings that `secondring migrate` needs: the old and the new store.
// It reads no other setting. IMAGES_URL is the folder of the old server here, and
// TOKEN_SECRET need not be set yet.
func ReadMigration(getenv func(string) string) (Settings, error) {
	r := reader{getenv: getenv}
	s := Settings{
		DataDir:      r.text("DATA_DIR", "./data"),
		MongoURI:     r.mongoURI("MONGODB_URI"),
		ImagesFolder: r.folder("IMAGES_URL"),
		TokenSecret:  r.secret("TOKEN_SECRET"),
	}
	if s.MongoURI == "" {
		r.fail("MONGODB_URI", "is empty", "name the empty database to move the market in DATA_DIR to")
	}
	return s, r.err
}
