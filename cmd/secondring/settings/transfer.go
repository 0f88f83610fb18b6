package settings

// ReadTransfer reads the settings that `secondring export` and `secondring import` need: the store
// and its images. It reads no other setting, so that a market can be exported even if another one
// is invalid.
func ReadTransfer(getenv func(string) string) (Settings, error) {
	r := reader{getenv: getenv}
	s := Settings{
		DataDir:      r.text("DATA_DIR", "./data"),
		MongoURI:     r.mongoURI("MONGODB_URI"),
		ImagesFolder: r.folder("IMAGES_URL"),
	}
	return s, r.err
}
