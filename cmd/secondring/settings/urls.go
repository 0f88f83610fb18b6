package settings

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

func (r *reader) publicURL(name, fallback string) *url.URL {
	v := r.text(name, fallback)
	u, err := url.Parse(v)
	if err != nil || !isWeb(u) || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.User != nil {
		r.fail(name, fmt.Sprintf("is %q, which is not where browsers find a site", v), "write it like https://shop.example.com")
		return &url.URL{Scheme: "http", Host: "localhost"}
	}
	u.Path = ""
	return u
}

func (r *reader) webURL(name string) string {
	v := r.get(name)
	if v == "" {
		return ""
	}
	if u, err := url.Parse(v); err != nil || !isWeb(u) {
		r.fail(name, fmt.Sprintf("is %q, which is no web address", v), "write it like https://images.example.com/upload")
	}
	return v
}

// folder returns the folder that a file URL names.
func (r *reader) folder(name string) string {
	v := r.get(name)
	if v == "" {
		return ""
	}
	u, err := url.Parse(v)
	if err != nil || u.Scheme != "file" || u.Host != "" || !strings.HasPrefix(u.Path, "/") {
		r.fail(name, fmt.Sprintf("is %q, and this version keeps images in a folder", v), "write it like file:///var/lib/secondring/images")
		return ""
	}
	return u.Path
}

// mongoURI reads the address of a MongoDB. Errors do not contain it, because it may contain a
// password.
func (r *reader) mongoURI(name string) string {
	v := r.get(name)
	if v != "" && !strings.HasPrefix(v, "mongodb://") && !strings.HasPrefix(v, "mongodb+srv://") {
		r.fail(name, "is no address of a MongoDB", "write it like mongodb://user:password@host:27017/secondring")
	}
	return v
}

// smtpURL reads the address of an SMTP server. Errors do not contain it, because it may contain
// a password.
func (r *reader) smtpURL(name string) *url.URL {
	v := r.get(name)
	if v == "" {
		return nil
	}
	u, err := url.Parse(v)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" {
		r.fail(name, "is no address of an SMTP server", "write it like smtp://user:password@host:587, or smtps:// for TLS from the start")
		return nil
	}
	return u
}

// redisURL reads the address of a Redis; "none" means a single node. Errors do not contain the
// address, because it may contain a password.
func (r *reader) redisURL(name string) string {
	v := r.get(name)
	if v == "none" {
		return ""
	}
	if u, err := url.Parse(v); v != "" && (err != nil || u.Host == "" || u.Scheme != "redis" && u.Scheme != "rediss") {
		r.fail(name, "is no address of a Redis", "write it like redis://user:password@host:6379/0, or rediss:// for TLS")
	}
	return v
}

// origins returns the origin of PUBLIC_URL, the same with the other names of this machine if
// it is on this machine, and the listed origins.
func (r *reader) origins(name string, public *url.URL) []string {
	origins := []string{originOf(public)}
	if isLoopback(public.Hostname()) {
		for _, host := range []string{"localhost", "127.0.0.1", "[::1]"} {
			alias := url.URL{Scheme: public.Scheme, Host: host}
			if port := public.Port(); port != "" {
				alias.Host += ":" + port
			}
			if o := originOf(&alias); o != origins[0] {
				origins = append(origins, o)
			}
		}
	}
	for _, v := range list(r.get(name)) {
		u, err := url.Parse(v)
		if err != nil || !isWeb(u) || strings.Trim(u.Path, "/") != "" {
			r.fail(name, fmt.Sprintf("lists %q, which is no origin", v), "write them like https://a.example,https://b.example")
			continue
		}
		origins = append(origins, originOf(u))
	}
	return origins
}

// proxies reads the networks of proxies; "none" means that there is no proxy.
func (r *reader) proxies(name string) []netip.Prefix {
	if r.get(name) == "none" {
		return nil
	}
	return r.prefixes(name)
}

func (r *reader) prefixes(name string) []netip.Prefix {
	var prefixes []netip.Prefix
	for _, v := range list(r.get(name)) {
		p, err := netip.ParsePrefix(v)
		if ip, errIP := netip.ParseAddr(v); err != nil && errIP == nil {
			p, err = netip.PrefixFrom(ip, ip.BitLen()), nil
		}
		if err != nil {
			r.fail(name, fmt.Sprintf("lists %q, which is no network", v), "write them like 10.0.0.0/8,192.168.1.2/32")
			continue
		}
		prefixes = append(prefixes, p.Masked())
	}
	return prefixes
}

func list(v string) []string {
	return strings.FieldsFunc(v, func(c rune) bool { return c == ',' || c == ' ' })
}

func isWeb(u *url.URL) bool { return (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" }

func originOf(u *url.URL) string { return strings.ToLower(u.Scheme + "://" + u.Host) }
