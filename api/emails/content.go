package emails

import (
	"bytes"
	_ "embed"
	htmltemplate "html/template"
	texttemplate "text/template"
)

// Content is the text of an email. It is plain text, from which HTML is made. Links to other
// sites in it are made harmless (other_sites.go).
type Content struct {
	To         string // "" for the email's own address
	Subject    string
	Greeting   string   // such as "Hello Maya,"
	Paragraphs []string // before the button
	Groups     []Group  // lists, before the button
	Action     *Action  // nil for no button
	Note       []string // after the button, smaller
	Settings   *Action  // the link to the email settings, after the notes; nil for none
	Addresses  []string // email addresses in the text that stay as they are
}

// Action is the button of an email, or a link. Its URL may contain a secret.
type Action struct{ Label, URL string }

// Group is a list of links under a title.
type Group struct {
	Title string
	Links []Action
}

// Brand is the shop's data in every email.
type Brand struct {
	Name    string
	URL     string // the shop's URL
	Contact string // its email address; "" where there is none
}

//go:embed content.html
var htmlSource string

//go:embed content.txt
var textSource string

var (
	htmlLayout = htmltemplate.Must(htmltemplate.New("html").Parse(htmlSource))
	textLayout = texttemplate.Must(texttemplate.New("text").Parse(textSource))
)

// message renders the content as HTML and as plain text.
func (c Content) message(b Brand) (Message, error) {
	c = c.withoutOtherSites(b.URL)
	page := struct {
		Content
		Brand Brand
	}{c, b}
	var html, text bytes.Buffer
	if err := htmlLayout.Execute(&html, page); err != nil {
		return Message{}, err
	}
	if err := textLayout.Execute(&text, page); err != nil {
		return Message{}, err
	}
	return Message{Subject: c.Subject, Text: text.String(), HTML: html.String()}, nil
}
