package sqlite

// Statements returns all SQL that runs once the store is open.
func Statements() (texts []string) {
	for _, q := range statements {
		texts = append(texts, q.text)
	}
	return texts
}
