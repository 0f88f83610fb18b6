package site_test

import (
	"testing"

	"secondring/api/site"
)

func TestScreenPath(t *testing.T) {
	for path, want := range map[string]string{
		"/": "/", "//": "/", "/login/": "/login", "//login": "/login", "/LOGIN///": "/login", "/signup": "/signUp", "/Signup//": "/signUp",
		"/phone/7aF/": "/phone/7aF", "//phone//7aF": "/phone/7aF", "/PHONE/a%2Fb/": "/phone/a%2Fb", "/dashboard//MYPRODUCTS": "/dashboard/myProducts",
		"/dashboard/myproducts/7/": "/dashboard/myProducts/7", "/dashboard/order/7": "/dashboard/order/7",
		"/phone": "", "/phone//": "", "/phone/7/8": "", "//evil.example/": "", "/%2Fevil.example/": "", "/log%69n": "", "/products/7/": "", "/dashboard/none": "",
	} {
		if got, ok := site.ScreenPath(path); got != want || ok != (want != "") {
			t.Errorf("%s means the screen %q, want %q", path, got, want)
		}
	}
}
