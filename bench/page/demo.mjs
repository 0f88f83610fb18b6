// Functions of the page benchmarks for a running demo.

/** The ID of the brand with the most available phones. */
export async function brandOf(base) {
  const response = await fetch(`${base}/categories`, { headers: { Accept: "application/json" } });
  const [brand] = await response.json();
  return brand._id;
}

/** The email address and the password of the demo's buyer. */
async function buyer(base) {
  const config = await (await fetch(`${base}/config`)).json();
  const login = config.demoLogins?.find(({ role }) => role === "buyer");
  if (!login) throw new Error("The server is not a demo: start it with DEMO=1");
  return { email: login.email, password: login.password };
}

/** An access token of the demo's buyer, without a browser. */
export async function tokenOf(base) {
  const login = await buyer(base);
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(`${base}/identity/sign-in`, { method: "POST", headers, body: JSON.stringify(login) });
  const cookie = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]).join("; ");
  const token = await fetch(`${base}/jwt?email=${encodeURIComponent(login.email)}`, { headers: { cookie } });
  return (await token.json()).accessToken;
}

/** Signs the demo's buyer in, in the browser, which then has the cookie and the stored token. */
export async function signIn(browser, base) {
  const login = await buyer(base);
  const page = await browser.newPage();
  await page.goto(`${base}/blog`);
  const isSignedIn = await page.evaluate(async ({ email, password }) => {
    const body = JSON.stringify({ email, password });
    const headers = { "Content-Type": "application/json" };
    const response = await fetch("/identity/sign-in", { method: "POST", headers, body });
    const { accessToken } = await (await fetch(`/jwt?email=${encodeURIComponent(email)}`)).json();
    localStorage.setItem("accessToken", accessToken);
    return response.ok;
  }, login);
  await page.close();
  if (!isSignedIn) throw new Error("The demo's buyer could not sign in");
}
