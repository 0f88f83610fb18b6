import { act, screen } from "@testing-library/react";
import { useState } from "react";
import { beforeEach, expect, it } from "vitest";
import type { Entity } from "@/lib/live";
import { errorResponse, type MockResponse, on, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import { api } from "./api";
import { liveList, type PageArg } from "./liveList";
import { retryFailedQueries } from "./retryFailedQueries";
import { useAllPages } from "./useAllPages";
import { rowsOf, useList } from "./useList";

startServer();

interface NumberArg extends PageArg {
  parity: string;
}

const { testNumbers } = api.injectEndpoints({
  endpoints: (build) => ({
    testNumbers: build.query(
      liveList<Entity, NumberArg>("reports", ({ parity }) => `/test/numbers?parity=${parity}`),
    ),
  }),
}).endpoints;

/** The pages of the list, by cursor. Each has one entity. */
const PAGES: Record<string, { _id: string; next?: string }> = {
  "": { _id: "c", next: "c" },
  c: { _id: "b", next: "b" },
  b: { _id: "a" },
};

/** Whether requests for further pages fail. */
let isDown: boolean;

beforeEach(() => {
  isDown = true;
  on("get", "/test/numbers", ({ url }): MockResponse => {
    const cursor = new URL(url).searchParams.get("cursor") ?? "";
    if (cursor && isDown) return errorResponse(503, "Please try again");
    const { _id, next } = PAGES[cursor] ?? { _id: "none" };
    const link = next && { Link: `</test/numbers?cursor=${next}>; rel="next"` };
    return { body: [{ _id, version: 1 }], headers: { "X-Total-Count": "3", ...link } };
  });
});

const namesOf = (list: Parameters<typeof rowsOf>[0]) => rowsOf(list).map(({ _id }) => _id);

function Numbers() {
  const [parity, setParity] = useState("odd");
  const { list, moreError, loadMore } = useList(testNumbers, { parity });
  return (
    <>
      <p>
        {namesOf(list)}: {moreError ?? "no error"}
      </p>
      <button type="button" onClick={loadMore}>
        More
      </button>
      <button type="button" onClick={() => setParity("even")}>
        Even
      </button>
    </>
  );
}

function AllNumbers() {
  const { list, error } = useAllPages(useList(testNumbers, { parity: "odd" }));
  return <p>{error ?? namesOf(list)}</p>;
}

async function renderWithFailedPage() {
  const view = renderScreen(<Numbers />);
  await screen.findByText("c: no error");
  await view.user.click(screen.getByRole("button", { name: "More" }));
  await screen.findByText("c: Please try again");
  return view;
}

it("the error of a page ends when a repeated query has loaded the page", async () => {
  const { store } = await renderWithFailedPage();
  isDown = false;
  act(() => store.dispatch(retryFailedQueries()));
  expect(await screen.findByText("cb: no error")).toBeVisible();
});

it("the error of a page is not shown for another filter", async () => {
  const { user } = await renderWithFailedPage();
  await user.click(screen.getByRole("button", { name: "Even" }));
  expect(await screen.findByText("c: no error")).toBeVisible();
});

it("further pages are loaded after a repeated query has loaded the page that failed", async () => {
  const { store } = renderScreen(<AllNumbers />);
  await screen.findByText("Please try again");
  isDown = false;
  act(() => store.dispatch(retryFailedQueries()));
  expect(await screen.findByText("cba")).toBeVisible();
});
