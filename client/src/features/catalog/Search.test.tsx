import { screen, waitFor, within } from "@testing-library/react";
import { Route, Routes, useLocation } from "react-router-dom";
import { expect, test, vi } from "vitest";
import { LiveContext } from "@/api/live";
import type { Product, SignedInUser } from "@/api/types";
import { matches, parseQuery } from "@/lib/productQuery";
import { anEvent, aProduct, apple, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import Search from "./Search";

startServer();

const PATH = "/products/search";
const nokia = { ...apple, _id: "019a00000000a00000000002", name: "Nokia" };

/** Sets the responses to searches of all brands; they have no position, because they have no single topic. */
function onSearch(phones: Product[]) {
  on("get", PATH, (request) => {
    const { search } = new URL(request.url);
    const found = phones.filter((phone) => matches(parseQuery(search), phone));
    return { body: found.toReversed() as never, headers: { "X-Total-Count": String(found.length) } };
  });
}

const CurrentSearch = () => <output data-testid="search">{useLocation().search}</output>;

const Login = () => (
  <>
    <p>Please log in</p>
    <output data-testid="origin">{JSON.stringify(useLocation().state)}</output>
  </>
);

const onBrands = () => on("get", "/allCategories", { body: [{ ...apple }, nokia] });

function renderSearch(me: SignedInUser | null, search = "") {
  onBrands();
  return renderRoutes(me, search);
}

function renderRoutes(me: SignedInUser | null, search = "") {
  const subscribe = vi.fn((_topic: string, _position: string) => () => undefined);
  const screens = (
    <LiveContext value={{ subscribe, listFetched: () => undefined }}>
      <Routes>
        <Route
          path="/search"
          element={
            <>
              <Search />
              <CurrentSearch />
            </>
          }
        />
        <Route path="/login" element={<Login />} />
      </Routes>
    </LiveContext>
  );
  return { ...renderScreen(screens, { me, at: `/search${search}` }), subscribe };
}

const names = () =>
  screen.queryAllByRole("article").map((card) => within(card).getByRole("heading").textContent);
const currentSearch = () => screen.getByTestId("search").textContent;
const phones = () => [
  aProduct({ name: "iPhone 6" }),
  aProduct({ name: "Lumia", id: nokia._id, brand: "Nokia", resalePrice: 60 }),
];

test("a search shows the phones of all brands, or of the brands in the URL", async () => {
  onSearch(phones());
  const { user } = renderSearch(karim);
  await waitFor(() => expect(names()).toEqual(["Lumia", "iPhone 6"]));
  await user.click(screen.getByRole("button", { name: "Brand" }));
  await user.click(await screen.findByRole("checkbox", { name: "Nokia" }));
  await waitFor(() => expect(names()).toEqual(["Lumia"]));
  expect(currentSearch()).toBe(`?brand=${nokia._id}`);
  await user.click(screen.getByRole("button", { name: "Remove filter: Nokia" }));
  await waitFor(() => expect(names()).toHaveLength(2));
  expect(currentSearch()).toBe("");
});

test("a signed-in user subscribes to every brand, and the list is updated by the events of each", async () => {
  const [iphone, lumia] = phones() as [Product, Product];
  onSearch([iphone, lumia]);
  const { store, subscribe } = renderSearch(karim, "?available=true");
  await waitFor(() => expect(names()).toEqual(["Lumia", "iPhone 6"]));
  await waitFor(() =>
    expect(subscribe.mock.calls.map(([topic]) => topic)).toEqual([
      `brand:${apple._id}`,
      `brand:${nokia._id}`,
    ]),
  );
  const added = aProduct({ name: "Lumia 2", id: nokia._id, brand: "Nokia" });
  const booked = { ...iphone, booked: true, version: 2 };
  const sellersEvent = { ...lumia, resalePrice: 1, version: 9 };
  receiveEvents(
    store,
    anEvent(`brand:${apple._id}`, "product.booked", booked),
    anEvent(`brand:${nokia._id}`, "product.added", added),
    // The seller's own topic has fields of a phone that a search may not show.
    anEvent("me", "product.changed", sellersEvent),
  );
  expect(names()).toEqual(["Lumia", "iPhone 6", "Lumia 2"]);
  const card = screen.getByRole("article", { name: "iPhone 6" });
  expect(within(card).getByText("Booked")).toBeVisible();
  expect(screen.getByText("No longer matches")).toBeVisible();
  expect(screen.getByRole("button", { name: "Show 1 new" })).toBeVisible();
  expect(screen.getByText("$60")).toBeVisible();
});

test("a visitor has no location filter, and a location in the URL is ignored", async () => {
  onSearch(phones());
  renderSearch(null, "?location=Dhaka&q=lumia");
  await waitFor(() => expect(names()).toEqual(["Lumia"]));
  expect(screen.queryByLabelText("Location")).toBeNull();
  expect(callsTo("GET", PATH)[0]?.url).not.toContain("location");
});

test("a visitor's search is updated by the events of all brands", async () => {
  const all = phones();
  onSearch(all);
  const { store, subscribe } = renderSearch(null);
  await waitFor(() => expect(names()).toHaveLength(2));
  expect(subscribe.mock.calls.map(([topic]) => topic)).toEqual([`brand:${apple._id}`, `brand:${nokia._id}`]);
  const [first, second] = all as [Product, Product];
  const booked: Product = { ...first, version: 2, booked: true };
  receiveEvents(
    store,
    anEvent(`brand:${apple._id}`, "product.booked", booked),
    anEvent(`brand:${apple._id}`, "product.added", aProduct({ name: "Nexus 5" })),
    anEvent(`brand:${nokia._id}`, "product.removed", { _id: second._id, version: 2 }),
  );
  expect(names()).toEqual(["iPhone 6", "Nexus 5"]);
  expect(screen.getByText("Booked")).toBeVisible();
});

test("an error of the brands is shown with a retry, after which the search is live", async () => {
  onSearch(phones());
  on("get", "/allCategories", errorResponse(429, "Too many requests"));
  const { user, subscribe } = renderRoutes(null);
  await waitFor(() => expect(names()).toHaveLength(2));
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent("The brands could not be loaded.");
  expect(subscribe).not.toHaveBeenCalled();
  onBrands();
  await user.click(within(alert).getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(subscribe.mock.calls.map(([topic]) => topic)).toEqual([`brand:${apple._id}`, `brand:${nokia._id}`]);
});

test("corrected words are shown and applied to live phones, and the URL keeps the typed words", async () => {
  const [iphone, lumia] = phones() as [Product, Product];
  const corrected = (body: Product[], link?: string) => ({
    body: body as never,
    headers: { "X-Total-Count": "2", "X-Searched": "q=iphone", ...(link && { Link: link }) },
  });
  const older = aProduct({ _id: "000000000000000000000001", name: "iPhone 5" });
  on("get", PATH, ({ url }) => {
    if (url.includes("cursor=2")) return corrected([older]);
    if (url.includes("q=iphne")) return corrected([iphone], `<${PATH}?q=iphne&cursor=2>; rel="next"`);
    return { body: [lumia, iphone] as never, headers: { "X-Total-Count": "2" } };
  });
  const { store, user } = renderSearch(null);
  await waitFor(() => expect(names()).toHaveLength(2));
  expect(screen.queryByText(/^No phones match/)).toBeNull();
  const field = screen.getByLabelText("Search words");
  await user.type(field, "Iphne");
  const message = "No phones match “iphne”. Showing results for “iphone”.";
  expect(await screen.findByText(message)).toBeVisible();
  await waitFor(() => expect(screen.getByRole("log")).toHaveTextContent(`${message} 2 phones found`));
  expect(currentSearch()).toBe("?q=Iphne");
  await user.click(screen.getByRole("button", { name: "Load more" }));
  await waitFor(() => expect(names()).toEqual(["iPhone 6", "iPhone 5"]));
  const added = (name: string) => anEvent(`brand:${apple._id}`, "product.added", aProduct({ name }));
  receiveEvents(store, added("iPhone 7"), added("Iphne case"));
  expect(names()).toEqual(["iPhone 6", "iPhone 5", "iPhone 7"]);
  expect(screen.queryByText("No longer matches")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Change the search" }));
  expect(field).toHaveFocus();
  await user.keyboard("lumia");
  await waitFor(() => expect(screen.queryByText(/^No phones match/)).toBeNull());
  expect(currentSearch()).toBe("?q=lumia");
});

/** The buttons that remove a filter, by the filter's name. */
const chips = () =>
  within(screen.getByRole("list", { name: "Active filters" }))
    .getAllByRole("button")
    .map((button) => button.textContent);
const remove = (name: string) => screen.getByRole("button", { name: `Remove filter: ${name}` });

test("filters that the words mean are shown, and removing one leaves the other words", async () => {
  const [iphone, lumia] = phones() as [Product, Product];
  const made = "q=iphone&maxPrice=300&storage=64&storage=128";
  on("get", PATH, ({ url }) =>
    url.includes("+under+") ? { body: [iphone], headers: { "X-Searched": made } } : { body: [iphone, lumia] },
  );
  const { user, store } = renderSearch(karim, "?q=iPhone+under+$300+64/128gb&sort=price-up");
  await waitFor(() => expect(names()).toEqual(["iPhone 6"]));
  expect(chips()).toEqual(["Up to $300", "64 GB", "128 GB"]);
  expect(screen.getByLabelText("Search words")).toHaveValue("iPhone under $300 64/128gb");
  expect(screen.queryByText(/^No phone/)).toBeNull();
  const added = (name: string, resalePrice: number, storage: number) =>
    anEvent(`brand:${apple._id}`, "product.added", aProduct({ name, resalePrice, storage }));
  receiveEvents(store, added("iPhone 7", 299, 64), added("iPhone 8", 301, 64), added("iPhone 9", 99, 32));
  expect(names().sort()).toEqual(["iPhone 6", "iPhone 7"]);

  await user.click(remove("64 GB"));
  expect(currentSearch()).toBe("?q=iphone&maxPrice=300&storage=128&sort=price-up");
  expect(screen.getByLabelText("Search words")).toHaveValue("iphone");
  await waitFor(() => expect(chips()).toEqual(["Up to $300", "128 GB"]));
  await user.click(remove("Up to $300"));
  expect(currentSearch()).toBe("?q=iphone&storage=128&sort=price-up");
});

test("a colour of the words is shown, and phones of other colours do not join the list", async () => {
  const [iphone] = phones() as [Product, Product];
  on("get", PATH, () => ({
    body: [{ ...iphone, colour: "Sky Blue" }],
    headers: { "X-Searched": "q=iphone&colour=blue" },
  }));
  const { user, store } = renderSearch(karim, "?q=blue+iPhone");
  await waitFor(() => expect(names()).toEqual(["iPhone 6"]));
  expect(chips()).toEqual(["Blue"]);
  const added = (name: string, colour: string) =>
    anEvent(`brand:${apple._id}`, "product.added", aProduct({ name, colour }));
  receiveEvents(store, added("iPhone 7", "Blue"), added("iPhone 8", "Red"));
  expect(names().sort()).toEqual(["iPhone 6", "iPhone 7"]);
  await user.click(remove("Blue"));
  expect(currentSearch()).toBe("?q=iphone");
});

test("words that were let go are named, and stay when a filter of the words is removed", async () => {
  const [iphone] = phones() as [Product, Product];
  const headers = { "X-Searched": "q=iphone&minPrice=50", "X-Left-Out": "blue cafe" };
  on("get", PATH, () => ({ body: [iphone], headers }));
  const { user } = renderSearch(null, "?q=blue+iphone+over+50+café");
  const notice = "No phone has all these words. Searched without “blue” and “cafe”.";
  expect(await screen.findByText(notice)).toBeVisible();
  await user.click(remove("From $50"));
  expect(currentSearch()).toBe(`?${new URLSearchParams({ q: "blue iphone cafe" })}`);
});

test("a beginning of a word and other cases are no corrections", async () => {
  on("get", PATH, () => ({ body: phones(), headers: { "X-Searched": "q=ip*" } }));
  renderSearch(null, "?q=Ip");
  await waitFor(() => expect(names()).toHaveLength(2));
  expect(screen.queryByText(/^No phone/)).toBeNull();
});

test("words that were corrected and words that were let go are in one notice", async () => {
  const headers = { "X-Searched": "q=magpie", "X-Left-Out": "purple 5g" };
  on("get", PATH, () => ({ body: phones(), headers }));
  renderSearch(null, "?q=purple+magpei+5g");
  const notice =
    "No phones match “purple magpei 5g”. Showing results for “magpie”, without “purple” and “5g”.";
  expect(await screen.findByText(notice)).toBeVisible();
});

/** The first button of an empty result. */
async function firstButton() {
  const title = await screen.findByText("No matching phones");
  const isAfter = (button: HTMLElement) =>
    title.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING;
  return screen.getAllByRole("button").find(isAfter) as HTMLElement;
}

test("without results, the first button leads a visitor to the login and back to the search", async () => {
  on("get", PATH, () => ({ body: [], headers: { "X-Searched": "q=pixel&maxPrice=300" } }));
  const { user } = renderSearch(null, "?q=pixel+under+300");
  const first = await firstButton();
  expect(first).toHaveTextContent("Save this search");
  expect(screen.getByText(/^Log in to save this search, and you hear about it/)).toBeVisible();
  await user.click(first);
  expect(screen.getByText("Please log in")).toBeVisible();
  const origin = { from: "/search?q=pixel+under+300" };
  expect(JSON.parse(screen.getByTestId("origin").textContent ?? "")).toEqual(origin);
});

test("without results, the first button saves the query that was made", async () => {
  on("get", PATH, () => ({ body: [], headers: { "X-Searched": "q=pixel&maxPrice=300" } }));
  on("post", "/searches", { body: { acknowledged: true, insertedId: "1" } });
  const { user } = renderSearch(karim, "?q=pixel+under+300");
  const first = await firstButton();
  expect(first).toHaveTextContent("Save this search");
  await user.click(first);
  await user.click(await screen.findByRole("button", { name: "Save" }));
  const body = { name: "pixel under 300", query: "q=pixel&maxPrice=300" };
  await waitFor(() => expect(callsTo("POST", "/searches").map((call) => call.body)).toEqual([body]));
});

test("Book Now redirects a visitor to the login", async () => {
  onSearch(phones());
  const { user } = renderSearch(null, "?q=lumia");
  await user.click(await screen.findByRole("button", { name: "Book Now" }));
  expect(screen.getByText("Please log in")).toBeVisible();
});

test("on a narrow screen the filters are a dialog that shows the number of results", async () => {
  onSearch(phones());
  const { user } = renderSearch(karim);
  await waitFor(() => expect(names()).toHaveLength(2));
  await user.click(screen.getByRole("button", { name: "Filters" }));
  const dialog = within(screen.getByRole("dialog", { name: "Filters" }));
  await user.type(dialog.getByLabelText("Price to"), "100");
  await user.click(await dialog.findByRole("button", { name: "Show 1 phone" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(names()).toEqual(["Lumia"]);
  expect(screen.getByRole("button", { name: "Filters (1)" })).toBeInTheDocument();
});
