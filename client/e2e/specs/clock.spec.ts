import { expect, test } from "../fixtures";

const HOUR = 3_600_000;

for (const [clock, ahead] of [
  ["an hour ahead", HOUR],
  ["a day ahead", 24 * HOUR],
  ["two hours behind", -2 * HOUR],
] as const) {
  test(`on a device whose clock is ${clock} the time left is right, and one token is requested`, async ({
    brand,
    people,
    unique,
    visit,
  }) => {
    const buyer = await people.buyer();
    await buyer.book(await (await people.seller()).list(unique("Held"), brand));
    const page = await visit(buyer);
    await page.addInitScript((ms) => {
      const RealDate = Date;
      globalThis.Date = new Proxy(RealDate, {
        construct: (target, args) =>
          args.length > 0 ? Reflect.construct(target, args) : new target(target.now()),
        get: (target, key) =>
          key === "now"
            ? () => RealDate.prototype.getTime.call(new RealDate()) + ms
            : Reflect.get(target, key),
      });
    }, ahead);
    let tokens = 0;
    page.on("request", (request) => {
      if (new URL(request.url()).pathname === "/jwt") tokens += 1;
    });
    await page.goto("/dashboard/myOrders");
    // BOOKING_HOLD is an hour where nothing is set, and a day before that.
    await expect(page.getByText(/^(5\d min|23 h 5\d min) left$/).first()).toBeVisible();
    await page.goto("/");
    await expect(page.getByRole("button", { name: "SignOut", exact: true })).toBeVisible();
    await page.goto("/dashboard/myOrders");
    await expect(page.getByText(/^(5\d min|23 h 5\d min) left$/).first()).toBeVisible();
    expect(tokens).toBeLessThanOrEqual(2);
  });
}

test("a session that the server ends in one tab keeps the drafts of another", async ({
  people,
  visit,
  problems,
}) => {
  problems.expect(/Failed to load resource|WebSocket/);
  const seller = await people.seller();
  const first = await visit(seller);
  const second = await first.context().newPage();
  for (const page of [first, second]) {
    await page.goto("/dashboard/addProduct");
    await page.getByLabel("Name", { exact: true }).fill("A draft");
  }
  await first.route("**/products?*", (route) =>
    route.fulfill({ status: 401, json: { message: "Please log in again", code: "unauthorized" } }),
  );
  await first.goto("/dashboard/myProducts");
  await expect(first.getByRole("heading", { name: "Login" })).toBeVisible();
  await expect(second.getByRole("heading", { name: "Login" })).toBeVisible();
  await expect(second.getByText("Your session has ended. Please log in again.").first()).toBeVisible();
  expect(await second.evaluate(() => sessionStorage.getItem("formDraft"))).toContain("A draft");
});
