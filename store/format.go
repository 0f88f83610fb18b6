package store

// Format is the number of the format of a store and of an exported file. An engine refuses a store with
// another number. It counts from the first release on: then every release that adds a kind, a key or a
// field of what is stored raises it. Until then a store of another commit may not be readable.
//
// testdata/format-N.txt lists what a store of the format N has. cmd/secondring/testdata/formats has
// a backup and an export of each format, which a test reads.
const Format = 1
