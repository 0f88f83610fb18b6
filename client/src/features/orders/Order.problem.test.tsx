import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Booking, Fulfilment, Role } from "@/api/types";
import { anEvent } from "@/testing/factories";
import {
  answer,
  aPhoto,
  aProblem,
  objection,
  onEvidence,
  onUploads,
  sentBack,
  startEvidence,
  stepDone,
  stepsOf,
} from "@/testing/orderEvidence";
import { aPaidOrder, button, findHeadline, PAID_AT, posted, renderOrder } from "@/testing/orderScreen";
import { callsTo, errorResponse, on, onConfig, startServer } from "@/testing/server";
import { receiveEvents } from "@/testing/serverScreen";

startServer();
const evidence = startEvidence();

const dialog = (name: string) => within(screen.getByRole("dialog", { name }));
const images = () => screen.getAllByRole("img").map((image) => image.getAttribute("alt"));

describe("reporting a problem", () => {
  const report = async (order: Booking) => {
    const view = renderOrder(order, "buyer");
    await screen.findByRole("button", { name: "Report a problem" });
    await view.user.click(button("Report a problem"));
    return { ...view, form: dialog("Report a problem") };
  };

  it("sends the category, the text and the photographs, which are uploaded with the session", async () => {
    const order = aPaidOrder(posted);
    const credentials = onUploads(order);
    on("put", stepsOf(order), stepDone);
    const { user, form } = await report(order);
    await user.click(form.getByLabelText("It is locked, or linked to somebody else's account"));
    await user.type(form.getByLabelText("What is wrong?"), "It asks for an account");
    await user.upload(form.getByLabelText("Add photographs"), [aPhoto("a.jpg"), aPhoto("b.jpg")]);
    expect(await form.findAllByText("Uploaded")).toHaveLength(2);
    await user.click(form.getByRole("button", { name: "Report a problem" }));
    await waitFor(() =>
      expect(callsTo("PUT", stepsOf(order)).map(({ body }) => body)).toEqual([
        {
          action: "problem",
          category: "locked",
          reason: "It asks for an account",
          photos: ["/evidence/1", "/evidence/2"],
        },
      ]),
    );
    expect(credentials).toEqual(["Bearer test-token", "Bearer test-token"]);
  });

  it("sends photographs to no other host, wherever those of phones go", async () => {
    const order = aPaidOrder(posted);
    onConfig({ imageHost: { url: "https://images.example/upload", key: "k" } });
    const credentials = onUploads(order);
    const { user, form } = await report(order);
    await user.upload(form.getByLabelText("Add photographs"), aPhoto("a.jpg"));
    expect(await form.findByText("Uploaded")).toBeVisible();
    expect(credentials).toEqual(["Bearer test-token"]);
  });

  it("is not sent while a photograph has failed; the text is kept, and the photograph can be removed", async () => {
    const order = aPaidOrder(posted);
    onUploads(order, 413);
    on("put", stepsOf(order), stepDone);
    const { user, form } = await report(order);
    await user.click(form.getByLabelText("Something else"));
    await user.type(form.getByLabelText("What is wrong?"), "See here");
    await user.upload(form.getByLabelText("Add photographs"), aPhoto("a.jpg"));
    expect(await form.findByText("Not accepted")).toBeVisible();
    await user.click(form.getByRole("button", { name: "Report a problem" }));
    expect(await form.findByText(/^1 photo has not been uploaded/)).toBeVisible();
    expect(form.getByLabelText("Add photographs")).toHaveFocus();
    expect(callsTo("PUT", stepsOf(order))).toEqual([]);
    expect(form.getByLabelText("What is wrong?")).toHaveValue("See here");
    await user.click(form.getByRole("button", { name: "Remove photo 1" }));
    await user.click(form.getByRole("button", { name: "Report a problem" }));
    await waitFor(() =>
      expect(callsTo("PUT", stepsOf(order)).map(({ body }) => body)).toEqual([
        { action: "problem", category: "other", reason: "See here" },
      ]),
    );
  });

  it("takes at most six photographs", async () => {
    const order = aPaidOrder(posted);
    onUploads(order);
    const { user, form } = await report(order);
    const files = Array.from({ length: 8 }, (_, n) => aPhoto(`${n}.jpg`));
    await user.upload(form.getByLabelText("Add photographs"), files);
    expect(form.getByText("Up to 6 photographs: 2 not added")).toBeVisible();
    expect(within(form.getByRole("list", { name: "Chosen photos" })).getAllByRole("listitem")).toHaveLength(
      6,
    );
    expect(await form.findAllByText("Uploaded")).toHaveLength(6);
  });

  it("keeps what was written and the photographs when the page is loaded again, until it is sent", async () => {
    const order = aPaidOrder(posted);
    onUploads(order);
    on("put", stepsOf(order), stepDone);
    const first = await report(order);
    await first.user.click(first.form.getByLabelText("It is not as described"));
    await first.user.type(first.form.getByLabelText("What is wrong?"), "It is blue");
    await first.user.upload(first.form.getByLabelText("Add photographs"), aPhoto("a.jpg"));
    await first.form.findByText("Uploaded");
    first.unmount();
    const { user, form } = await report(order);
    expect(form.getByLabelText("What is wrong?")).toHaveValue("It is blue");
    expect(form.getByLabelText("It is not as described")).toBeChecked();
    expect(await form.findByRole("img", { name: "Photo 1" })).toHaveAttribute("src", "blob:1");
    await user.click(form.getByRole("button", { name: "Report a problem" }));
    await waitFor(() =>
      expect(callsTo("PUT", stepsOf(order))[0]?.body).toEqual({
        action: "problem",
        category: "not_as_described",
        reason: "It is blue",
        photos: ["/evidence/1"],
      }),
    );
    await waitFor(() => expect(sessionStorage.getItem("orderDrafts")).toBeNull());
  });

  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();

  it.each<[string, Partial<Fulfilment>, boolean]>([
    ["waits, in the time to send it", { sendBy: hours(1) }, false],
    ["waits, after that time", { sendBy: hours(-1) }, true],
    ["was sent", posted, true],
    ["was received", { ...posted, state: "received", receivedAt: PAID_AT }, false],
  ])("of a phone that %s: whether it can be that it has not arrived", async (_, fulfilment, isOffered) => {
    const { form } = await report(aPaidOrder(fulfilment));
    expect(form.getAllByRole("radio")).toHaveLength(isOffered ? 5 : 4);
    expect(form.queryAllByLabelText("It has not arrived")).toHaveLength(isOffered ? 1 : 0);
  });
});

describe("what was said", () => {
  const all = aProblem({ answer, return: sentBack, objection });
  const said = async () => within(await screen.findByRole("region", { name: "What was said" }));

  it.each<Role>(["buyer", "seller", "admin"])("is shown to the %s in the order of time", async (role) => {
    const loads = onEvidence();
    renderOrder(all, role);
    const region = await said();
    expect(region.getAllByRole("heading", { level: 4 }).map(({ textContent }) => textContent)).toEqual([
      "Problem reported by Karim Uddin",
      "Answer from Salma Rahman",
      "Sent back by Karim Uddin",
      "Objection from Salma Rahman",
    ]);
    for (const text of [
      "It is damaged, or something does not work",
      "It is broken",
      "It was whole",
      "DHL, number R-1",
      "It is another phone",
    ])
      expect(region.getByText(text)).toBeVisible();
    await waitFor(() =>
      expect(images()).toEqual(
        expect.arrayContaining([
          "Photograph 1 of the problem, by the buyer",
          "Photograph 1 of the answer, by the seller",
          "Photograph 1 of the returned phone, by the seller",
        ]),
      ),
    );
    expect(loads.toSorted()).toEqual([
      ["/evidence/a1", "Bearer test-token"],
      ["/evidence/o1", "Bearer test-token"],
      ["/evidence/p1", "Bearer test-token"],
    ]);
  });

  it("opens a photograph large, and releases it when the page is left", async () => {
    const { user, unmount } = renderOrder(aProblem(), "seller");
    const name = "Photograph 1 of the problem, by the buyer";
    await user.click(await screen.findByRole("button", { name }));
    expect(dialog(name).getByRole("presentation")).toHaveAttribute("src", "blob:1");
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.getByRole("button", { name })).toHaveFocus();
    expect(evidence.revoked).toEqual([]);
    unmount();
    await waitFor(() => expect(evidence.revoked).toEqual(["blob:1"]));
  });

  it("says that a photograph was not loaded, and loads it again", async () => {
    onEvidence(500);
    const { user } = renderOrder(aProblem(), "seller");
    const name = "Load again: Photograph 1 of the problem, by the buyer";
    const again = await screen.findByRole("button", { name });
    expect(again).toHaveTextContent("Not loaded");
    onEvidence();
    await user.click(again);
    expect(await screen.findByRole("img", { name: /^Photograph 1/ })).toHaveAttribute("src", "blob:1");
  });

  it.each<[string, Partial<Fulfilment>, RegExp]>([
    ["is expected", {}, /^No answer from Salma Rahman yet, expected by 21 Nov 2026/],
    ["is late", { late: true }, /^Salma Rahman has not answered in time\.$/],
  ])("has that an answer %s", async (_, fulfilment, text) => {
    renderOrder(aProblem(fulfilment), "admin");
    expect((await said()).getByText(text)).toBeVisible();
  });

  it("has the words of a seller who cancelled", async () => {
    const cancelled = { outcome: "refund", reason: "seller_cancelled", problem: "It fell" } as const;
    renderOrder(aPaidOrder({ state: "settled", settledAt: PAID_AT, ...cancelled }), "buyer");
    const region = await said();
    expect(region.getByRole("heading", { level: 4 })).toHaveTextContent("Cancelled by Salma Rahman");
    expect(region.getByText("It fell")).toBeVisible();
  });

  it("is not there for an order that goes well", async () => {
    renderOrder(aPaidOrder(posted), "buyer");
    await findHeadline("Your phone is on its way");
    expect(screen.queryByRole("region", { name: "What was said" })).toBeNull();
  });
});

describe("the answer", () => {
  it("is the seller's, with photographs, once", async () => {
    const order = aProblem();
    onUploads(order);
    on("put", stepsOf(order), stepDone);
    const { user, store } = renderOrder(order, "seller");
    await user.click(await screen.findByRole("button", { name: "Answer the problem" }));
    const form = dialog("Answer the problem");
    expect(form.queryByRole("radio")).toBeNull();
    await user.click(form.getByRole("button", { name: "Answer the problem" }));
    expect(await form.findByText("Write your answer")).toBeVisible();
    await user.type(form.getByLabelText("Your answer"), "It was whole");
    await user.upload(form.getByLabelText("Add photographs"), aPhoto("a.jpg"));
    await user.click(form.getByRole("button", { name: "Answer the problem" }));
    await waitFor(() =>
      expect(callsTo("PUT", stepsOf(order)).map(({ body }) => body)).toEqual([
        { action: "answer", text: "It was whole", photos: ["/evidence/1"] },
      ]),
    );
    const answered = { ...order, version: 2, fulfilment: { ...order.fulfilment, answer } };
    receiveEvents(store, anEvent("me", "booking.changed", answered));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Answer the problem" })).toBeNull());
    expect(screen.getByText("It was whole")).toBeVisible();
  });

  it("shows the server's error of the text at its field", async () => {
    const order = aProblem();
    on("put", stepsOf(order), errorResponse(422, "Too long", { text: "At most 1,000 characters" }));
    const { user } = renderOrder(order, "seller");
    await user.click(await screen.findByRole("button", { name: "Answer the problem" }));
    const form = dialog("Answer the problem");
    await user.type(form.getByLabelText("Your answer"), "It was whole");
    await user.click(form.getByRole("button", { name: "Answer the problem" }));
    expect(await form.findByText("At most 1,000 characters")).toBeVisible();
    expect(form.getByLabelText("Your answer")).toHaveValue("It was whole");
  });

  it("is not the buyer's", async () => {
    renderOrder(aProblem(), "buyer");
    await findHeadline("We are looking into the problem");
    expect(screen.queryByRole("button", { name: "Answer the problem" })).toBeNull();
  });
});
