package stripe

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"time"
)

const filePrefix = "file_" // of the IDs of files

// file is the document of an uploaded file. The sandbox keeps its size and its hash, and not its content:
// the document store is not made for large files.
type file struct {
	ID       string `json:"id"`
	Filename string `json:"filename"`
	Purpose  string `json:"purpose"`
	Size     int64  `json:"size"`
	SHA256   string `json:"sha256"`
	Created  int64  `json:"created"`
}

func (file) kind() string   { return "stripe.file" }
func (file) due() time.Time { return time.Time{} }

func (s *Sandbox) createFile(ctx context.Context, c *call) (object, error) {
	if c.file == nil {
		return nil, invalid("parameter_missing", "file", "The file is missing.")
	}
	content, err := c.file.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = content.Close() }()
	hash := sha256.New()
	size, err := io.Copy(hash, content)
	if err != nil {
		return nil, err
	}
	f := &file{
		ID: filePrefix + c.op, Filename: c.file.Filename, Purpose: c.text("purpose"), Size: size,
		SHA256: hex.EncodeToString(hash.Sum(nil)), Created: s.now().Unix(),
	}
	if f, err = create(ctx, s, f.ID, f); err != nil {
		return nil, err
	}
	return f.view(), nil
}

func (s *Sandbox) retrieveFile(ctx context.Context, c *call) (object, error) {
	f, _, err := load[file](ctx, s, c.id)
	if err != nil {
		return nil, err
	}
	return f.view(), nil
}

// view returns the JSON object of the file. Stripe's has no hash.
func (f *file) view() object {
	return object{
		"id": f.ID, "object": "file", "created": f.Created, "filename": f.Filename, "purpose": f.Purpose, "size": f.Size, "sha256": f.SHA256,
	}
}
