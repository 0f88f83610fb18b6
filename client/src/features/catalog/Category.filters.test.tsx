import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { Route, Routes, useLocation, useNavigate } from "react-router-dom";
import { expect, test } from "vitest";
import type { Product } from "@/api/types";
import { matches, parseQuery } from "@/lib/productQuery";
import { createDeferred } from "@/testing/deferred";
import { anEvent, aProduct, apple, karim } from "@/testing/factories";
import { callsTo, type MockResponse, on, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import Category from "./Category";

startServer();

const path = `/categories/${apple._id}`;
const topic = `brand:${apple._id}`;

/** Sets the responses to searches of these phones. A response waits for the promise that `delay` returns. */
function onSearch(phones: Product[], delay: (search: string) => Promise<void> | null = () => null) {
  on("get", path, async (request): Promise<MockResponse> => {
    const { search } = new URL(request.url);
    await delay(search);
    const found = phones.filter((phone) => matches(parseQuery(search), phone));
    const headers = { "X-Total-Count": String(found.length), "Live-Position": `${topic}=e1-0` };
    return { body: found.toReversed() as never, headers };
  });
}

function CurrentSearch() {
  const navigate = useNavigate();
  return (
    <>
      <output data-testid="search">{useLocation().search}</output>
      <button type="button" onClick={() => void navigate(-1)}>
        Back
      </button>
    </>
  );
}

function renderCategory(search = "") {
  on("get", "/allCategories", { body: [{ ...apple }] });
  const screens = (
    <Routes>
      <Route
        path="/category/:id"
        element={
          <>
            <Category />
            <CurrentSearch />
          </>
        }
      />
    </Routes>
  );
  return renderScreen(screens, { me: karim, at: `/category/${apple._id}${search}` });
}

const names = () =>
  screen.queryAllByRole("article").map((card) => within(card).getByRole("heading").textContent);
const currentSearch = () => screen.getByTestId("search").textContent;
const phones = () => [
  aProduct({ name: "iPhone 5", resalePrice: 90 }),
  aProduct({ name: "iPhone 6", productCondition: "Fair", verified: false }),
  aProduct({ name: "Lumia", booked: true }),
];

test("the filters of the URL are set in the bar and sent to the server", async () => {
  onSearch(phones());
  renderCategory("?q=iphone&minPrice=100&condition=Fair&sort=price-up");
  await waitFor(() => expect(names()).toEqual(["iPhone 6"]));
  expect(screen.getByLabelText("Search words")).toHaveValue("iphone");
  expect(screen.getByLabelText("Price from")).toHaveValue("100");
  expect(screen.getByRole("checkbox", { name: "Fair", hidden: true })).toBeChecked();
  expect(screen.getByLabelText("Sort by")).toHaveValue("price-up");
  expect(screen.getByRole("button", { name: "Filters (2)" })).toBeInTheDocument();
  expect(callsTo("GET", path)).toHaveLength(1);
});

test("a colour is chosen, shown and removed, in any spelling", async () => {
  onSearch([aProduct({ colour: "Space Gray" }), aProduct({ name: "Lumia", colour: "Blue" })]);
  const { user } = renderCategory("?colour=Gray");
  await waitFor(() => expect(names()).toEqual(["iPhone 6"]));
  expect(screen.getByLabelText("Grey")).toBeChecked();
  await user.click(screen.getByLabelText("Blue"));
  expect(currentSearch()).toBe("?colour=Gray%2Cblue");
  await waitFor(() => expect(names()).toHaveLength(2));
  await user.click(screen.getByLabelText("Grey"));
  expect(currentSearch()).toBe("?colour=blue");
  await waitFor(() => expect(names()).toEqual(["Lumia"]));
  await user.click(screen.getByRole("button", { name: "Remove filter: Blue" }));
  expect(currentSearch()).toBe("");
});

test("typed words are searched after a pause, without a new history entry", async () => {
  onSearch(phones());
  const { user } = renderCategory();
  await waitFor(() => expect(names()).toHaveLength(3));
  await user.click(screen.getByLabelText("Available only"));
  await waitFor(() => expect(names()).toEqual(["iPhone 6", "iPhone 5"]));
  // Without the pauses that a busy machine makes between keys.
  for (const value of ["i", "ip", "iph", "ipho", "iphon", "iphone", "iphone ", "iphone 6"])
    fireEvent.change(screen.getByLabelText("Search words"), { target: { value } });
  await waitFor(() => expect(names()).toEqual(["iPhone 6"]));
  expect(currentSearch()).toBe("?q=iphone+6&available=true");
  expect(callsTo("GET", path)).toHaveLength(3);
  await waitFor(() => expect(screen.getByRole("log")).toHaveTextContent("1 phone found"));
  await user.click(screen.getByRole("button", { name: "Back" }));
  await waitFor(() => expect(names()).toHaveLength(3));
  expect(screen.getByLabelText("Search words")).toHaveValue("");
  expect(screen.getByLabelText("Available only")).not.toBeChecked();
});

test("the old list stays until the new one is loaded, and an outdated response is ignored", async () => {
  const delay = createDeferred();
  onSearch(phones(), (search) => (search.includes("q=lumia") ? delay.promise : null));
  const { user } = renderCategory();
  await waitFor(() => expect(names()).toHaveLength(3));
  const searchField = screen.getByLabelText("Search words");
  await user.type(searchField, "lumia");
  await waitFor(() => expect(callsTo("GET", path)).toHaveLength(2));
  expect(names()).toHaveLength(3);
  await user.clear(searchField);
  await user.type(searchField, "iphone");
  await waitFor(() => expect(names()).toEqual(["iPhone 6", "iPhone 5"]));
  await act(async () => delay.resolve());
  expect(names()).toEqual(["iPhone 6", "iPhone 5"]);
});

test("a search without results shows a message and a button for all phones", async () => {
  onSearch(phones());
  const { user } = renderCategory("?q=nokia");
  expect(await screen.findByText("No matching phones")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Show all phones" }));
  await waitFor(() => expect(names()).toHaveLength(3));
  expect(currentSearch()).toBe("");
  expect(screen.getByLabelText("Search words")).toHaveValue("");
});

test("an empty result lists the words and filters, each with a button to remove it", async () => {
  onSearch(phones());
  const { user } = renderCategory("?q=iphone&maxPrice=1&available=true");
  expect(await screen.findByText("No matching phones")).toBeVisible();
  const filters = screen.getByRole("list", { name: "Active filters" });
  expect(
    within(filters)
      .getAllByRole("button")
      .map(({ textContent }) => textContent),
  ).toEqual(["“iphone”", "Up to $1", "Available only"]);
  await user.click(screen.getByRole("button", { name: "Remove filter: “iphone”" }));
  await waitFor(() => expect(currentSearch()).toBe("?maxPrice=1&available=true"));
  expect(screen.getByLabelText("Search words")).toHaveValue("");
  await user.click(await screen.findByRole("button", { name: "Remove filter: Up to $1" }));
  await waitFor(() => expect(names().length).toBeGreaterThan(0));
});

test("a price range that is reversed shows an error at both fields and a chip, and is not in the URL", async () => {
  onSearch(phones());
  const { user } = renderCategory("?minPrice=100");
  await waitFor(() => expect(names()).toHaveLength(2));
  await user.click(screen.getByRole("button", { name: "Price" }));
  await user.type(screen.getByLabelText("Price to"), "$৯৯.00");
  expect(await screen.findByText("Must be at least $100")).toBeVisible();
  expect(screen.getByLabelText("Price to")).toBeInvalid();
  expect(screen.getByLabelText("Price from")).toBeInvalid();
  expect(screen.getByLabelText("Price from")).toHaveAccessibleDescription("Must be at most $99");
  await user.click(screen.getByRole("checkbox", { name: "Good", hidden: true }));
  await waitFor(() => expect(currentSearch()).toBe("?condition=Good&minPrice=100"));
  expect(screen.getByLabelText("Price to")).toHaveValue("$৯৯.00");
  expect(screen.getByLabelText("Price to")).toBeInvalid();
  await user.click(screen.getByRole("button", { name: "Remove filter: Up to $99: not applied" }));
  expect(screen.getByLabelText("Price to")).toHaveValue("");
  expect(screen.getByLabelText("Price from")).toBeValid();
});

test.each([
  ["300.00", "?maxPrice=300", null],
  ["1,250", "?maxPrice=1250", null],
  ["1.250,00", "?maxPrice=1250", null],
  ["US$ ২৫০", "?maxPrice=250", null],
  ["1 00 000", "?maxPrice=100000", null],
  ["cheap", "", /whole number of dollars/],
  ["3-4", "", /whole number of dollars/],
  ["250,50", "", /Prices are in whole dollars/],
  ["100001", "", /whole number of dollars/],
])("the highest price %s is the filter %s", async (typed, address, problem) => {
  onSearch(phones());
  const { user } = renderCategory("");
  await waitFor(() => expect(names().length).toBeGreaterThan(0));
  await user.click(screen.getByRole("button", { name: "Price" }));
  await user.type(screen.getByLabelText("Price to"), typed);
  expect(screen.getByLabelText("Price to")).toHaveValue(typed);
  if (problem) {
    expect(screen.getByLabelText("Price to")).toHaveAccessibleDescription(problem);
    expect(
      screen.getByRole("button", { name: `Remove filter: Price “${typed}”: not applied` }),
    ).toBeVisible();
    await user.click(screen.getByRole("checkbox", { name: "Good", hidden: true }));
    await waitFor(() => expect(currentSearch()).toBe("?condition=Good"));
  } else {
    expect(screen.getByLabelText("Price to")).toBeValid();
    await waitFor(() => expect(currentSearch()).toBe(address));
  }
});

test("with 'Available only' a phone that is booked stays, with a mark, until the list is updated", async () => {
  const all = phones();
  onSearch(all);
  const { store, user } = renderCategory("?available=true");
  await waitFor(() => expect(names()).toEqual(["iPhone 6", "iPhone 5"]));
  const [first] = all as [Product];
  const booked = { ...first, booked: true, version: 2 };
  receiveEvents(store, anEvent(topic, "product.booked", booked));
  const card = screen.getByRole("article", { name: "iPhone 5" });
  expect(within(card).getByText("Booked")).toBeVisible();
  expect(names()).toEqual(["iPhone 6", "iPhone 5"]);
  expect(screen.getByText("No longer matches")).toBeVisible();
  all[0] = booked;
  await user.click(screen.getByRole("button", { name: "Update the list" }));
  await waitFor(() => expect(names()).toEqual(["iPhone 6"]));
  expect(screen.queryByText("This phone is no longer in this list.")).toBeNull();
  expect(screen.queryByText("No longer matches")).toBeNull();
  expect(document.body, "the focus must not be lost with the removed button").not.toHaveFocus();
});

test("an updated list is never rendered with the placeholder of a removed phone", async () => {
  const all = Array.from({ length: 6 }, (_, n) => aProduct({ name: `Phone ${n}` }));
  let delay = createDeferred();
  delay.resolve();
  onSearch(all, () => delay.promise);
  const { store, user } = renderCategory("?available=true");
  await waitFor(() => expect(names()).toHaveLength(6));
  const wrongLists = new Set<string>();
  const observer = new MutationObserver(() => {
    if (screen.queryByText("This phone is no longer in this list.")) wrongLists.add(`${names()}`);
  });
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });

  for (let remaining = 5; remaining > 0; remaining--) {
    // The response is delayed, so that the list can be checked before it.
    const booked = { ...(all[remaining] as Product), booked: true, version: 2 };
    all[remaining] = booked;
    receiveEvents(store, anEvent(topic, "product.booked", booked));
    delay = createDeferred();
    const before = callsTo("GET", path).length;
    await user.click(screen.getByRole("button", { name: "Update the list" }));
    await waitFor(() => expect(callsTo("GET", path)).toHaveLength(before + 1));
    expect(names()).toHaveLength(remaining + 1);
    delay.resolve();
    await waitFor(() => expect(names()).toHaveLength(remaining));
  }
  observer.disconnect();
  expect([...wrongLists]).toEqual([]);
});

test("a phone that starts to match is appended; one that does not match is not added", async () => {
  onSearch(phones());
  const { store, user } = renderCategory("?q=iphone");
  await waitFor(() => expect(names()).toHaveLength(2));
  const added = (name: string) => anEvent(topic, "product.added", aProduct({ name }));
  receiveEvents(store, added("iPhone 7"), added("Xperia"));
  expect(names()).toEqual(["iPhone 6", "iPhone 5", "iPhone 7"]);
  await user.click(screen.getByRole("button", { name: "Show 1 new" }));
  expect(document.body, "the focus must not be lost with the removed button").not.toHaveFocus();
});
