import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Booking, Fulfilment, Role } from "@/api/types";
import { anEvent } from "@/testing/factories";
import {
  aPaidOrder,
  button,
  findHeadline,
  PAID_AT,
  posted,
  renderOrder,
  SETTLES_AT,
} from "@/testing/orderScreen";
import { callsTo, errorResponse, on, server, startServer } from "@/testing/server";
import { receiveEvents } from "@/testing/serverScreen";

startServer();

const HOST = "http://localhost:8080";
const ANSWERED_AT = "2026-11-21T10:00:00Z";
const RETURNED_AT = "2026-11-22T10:00:00Z";
const OBJECTED_AT = "2026-11-23T10:00:00Z";
const done = { body: { acknowledged: true, modifiedCount: 1 } };
const pathOf = ({ _id }: Booking) => `/bookings/${_id}/fulfilment`;
const aPhoto = (name: string) => new File([name], name, { type: "image/jpeg" });

/** A problem that the seller has not answered. */
const aProblem = (fulfilment: Partial<Fulfilment> = {}) =>
  aPaidOrder({
    state: "problem",
    category: "damaged",
    problem: "It is broken",
    problemAt: PAID_AT,
    answerBy: ANSWERED_AT,
    decideBy: SETTLES_AT,
    photos: ["/evidence/p1"],
    ...fulfilment,
  });
const answer = { text: "It was whole", photos: ["/evidence/a1"], at: ANSWERED_AT };
const sentBack = { carrier: "DHL", tracking: "R-1", at: RETURNED_AT };
const objection = { text: "It is another phone", photos: ["/evidence/o1"], at: OBJECTED_AT };

let revoked: string[];
beforeEach(() => {
  sessionStorage.clear();
  let count = 0;
  revoked = [];
  URL.createObjectURL = () => {
    count += 1;
    return `blob:${count}`;
  };
  URL.revokeObjectURL = (url) => revoked.push(url);
  onEvidence();
});
afterEach(() => sessionStorage.clear());

/** Sets the responses to photographs; returns the credentials of the calls by path. */
function onEvidence(status = 200): [path: string, authorization: string | null][] {
  const loads: [string, string | null][] = [];
  server.use(
    http.get(`${HOST}/evidence/:name`, ({ request }) => {
      loads.push([new URL(request.url).pathname, request.headers.get("authorization")]);
      if (status !== 200) return HttpResponse.json({ message: "No", code: "test" }, { status });
      return HttpResponse.arrayBuffer(new ArrayBuffer(3), { headers: { "Content-Type": "image/webp" } });
    }),
  );
  return loads;
}

/** Sets the responses to uploads: an address of its own for each, or this status. */
function onUploads(order: Booking, status = 200): (string | null)[] {
  const credentials: (string | null)[] = [];
  server.use(
    http.post(`${HOST}/orders/${order._id}/photos`, ({ request }) => {
      credentials.push(request.headers.get("authorization"));
      if (status !== 200) return HttpResponse.json({ message: "Too large", code: "test" }, { status });
      return HttpResponse.json({ success: true, data: { url: `/evidence/${credentials.length}` } });
    }),
  );
  return credentials;
}

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
    on("put", pathOf(order), done);
    const { user, form } = await report(order);
    await user.click(form.getByLabelText("It is locked, or linked to somebody else's account"));
    await user.type(form.getByLabelText("What is wrong?"), "It asks for an account");
    await user.upload(form.getByLabelText("Add photographs"), [aPhoto("a.jpg"), aPhoto("b.jpg")]);
    expect(await form.findAllByText("Uploaded")).toHaveLength(2);
    await user.click(form.getByRole("button", { name: "Report a problem" }));
    await waitFor(() =>
      expect(callsTo("PUT", pathOf(order)).map(({ body }) => body)).toEqual([
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

  it("is not sent while a photograph has failed; the text is kept, and the photograph can be removed", async () => {
    const order = aPaidOrder(posted);
    onUploads(order, 413);
    on("put", pathOf(order), done);
    const { user, form } = await report(order);
    await user.click(form.getByLabelText("Something else"));
    await user.type(form.getByLabelText("What is wrong?"), "See here");
    await user.upload(form.getByLabelText("Add photographs"), aPhoto("a.jpg"));
    expect(await form.findByText("Not accepted")).toBeVisible();
    await user.click(form.getByRole("button", { name: "Report a problem" }));
    expect(await form.findByText(/^1 photo has not been uploaded/)).toBeVisible();
    expect(form.getByLabelText("Add photographs")).toHaveFocus();
    expect(callsTo("PUT", pathOf(order))).toEqual([]);
    expect(form.getByLabelText("What is wrong?")).toHaveValue("See here");
    await user.click(form.getByRole("button", { name: "Remove photo 1" }));
    await user.click(form.getByRole("button", { name: "Report a problem" }));
    await waitFor(() =>
      expect(callsTo("PUT", pathOf(order)).map(({ body }) => body)).toEqual([
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
    on("put", pathOf(order), done);
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
      expect(callsTo("PUT", pathOf(order))[0]?.body).toEqual({
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
    expect(revoked).toEqual([]);
    unmount();
    await waitFor(() => expect(revoked).toEqual(["blob:1"]));
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
    on("put", pathOf(order), done);
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
      expect(callsTo("PUT", pathOf(order)).map(({ body }) => body)).toEqual([
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
    on("put", pathOf(order), errorResponse(422, "Too long", { text: "At most 1,000 characters" }));
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

describe("a return", () => {
  const returning = (fulfilment: Partial<Fulfilment> = {}) =>
    aProblem({
      state: "returning",
      answerBy: undefined,
      returnBy: SETTLES_AT,
      decideBy: undefined,
      ...fulfilment,
    });
  const isBack = () =>
    returning({ state: "sentBack", return: sentBack, returnBy: undefined, refundsAt: SETTLES_AT });

  it("is sent by the buyer with carrier and number, after a question", async () => {
    const order = returning();
    on("put", pathOf(order), done);
    const { user } = renderOrder(order, "buyer");
    await findHeadline("Send the phone back to Salma Rahman");
    const form = within(screen.getByRole("form", { name: "Send the phone back" }));
    await user.type(form.getByLabelText("Carrier"), "DHL");
    await user.type(form.getByLabelText("Tracking number"), "R-1");
    await user.click(form.getByRole("button", { name: "I have sent it back" }));
    const question = within(
      await screen.findByRole("alertdialog", { name: "Have you sent the phone back?" }),
    );
    expect(callsTo("PUT", pathOf(order))).toEqual([]);
    await user.click(question.getByRole("button", { name: "I have sent it back" }));
    await waitFor(() =>
      expect(callsTo("PUT", pathOf(order)).map(({ body }) => body)).toEqual([
        { action: "return", carrier: "DHL", tracking: "R-1" },
      ]),
    );
  });

  it("is handed over by the buyer with the seller's code instead", async () => {
    const order = returning();
    on("put", pathOf(order), done);
    const { user } = renderOrder(order, "buyer");
    await findHeadline("Send the phone back to Salma Rahman");
    const form = within(screen.getByRole("form", { name: "Meet instead" }));
    expect(form.getByText(/Enter it, and \$180 goes back to you at once\./)).toBeVisible();
    await user.type(form.getByLabelText("Code"), "123456");
    await user.click(form.getByRole("button", { name: "Confirm the handover" }));
    await waitFor(() =>
      expect(callsTo("PUT", pathOf(order)).map(({ body }) => body)).toEqual([
        { action: "handed", code: "123456" },
      ]),
    );
  });

  it("only has to be confirmed by a buyer who has scanned the code", async () => {
    renderOrder(returning(), "buyer", "#code=654321");
    await findHeadline("Send the phone back to Salma Rahman");
    expect(screen.getByLabelText("Code")).toHaveValue("654321");
    await waitFor(() => expect(button("Confirm the handover")).toHaveFocus());
    expect(screen.queryByRole("form", { name: "Send the phone back" })).toBeNull();
  });

  it("is received by the seller with a code for the buyer", async () => {
    const order = returning();
    const { user } = renderOrder(order, "seller");
    await findHeadline("Karim Uddin returns the phone to you");
    on("post", `/bookings/${order._id}/handover`, {
      body: { code: "012345", expiresAt: new Date(Date.now() + 600_000).toISOString() },
    });
    await user.click(button("Show the handover code"));
    expect(await screen.findByText("The buyer enters these digits, or scans the QR code.")).toBeVisible();
    expect(screen.getByRole("img", { name: /^QR code for the buyer/ })).toBeVisible();
    expect(screen.queryByRole("button", { name: "I have it back" })).toBeNull();
  });

  it("is confirmed by the seller, who reads what happens to the money and until when", async () => {
    const order = isBack();
    on("put", pathOf(order), done);
    const { user } = renderOrder(order, "seller");
    await findHeadline("Check the returned phone");
    expect(screen.getByText(/^If you do nothing, \$180 goes back to the buyer on 25 Nov 2026/)).toBeVisible();
    await user.click(button("I have it back"));
    const question = within(screen.getByRole("alertdialog", { name: "Do you have the phone back?" }));
    expect(question.getByText(/\$180 goes back to the buyer at once/)).toBeVisible();
    await user.click(question.getByRole("button", { name: "I have it back" }));
    await waitFor(() =>
      expect(callsTo("PUT", pathOf(order)).map(({ body }) => body)).toEqual([{ action: "returned" }]),
    );
  });

  it("is objected to by the seller, with photographs", async () => {
    const order = isBack();
    onUploads(order);
    on("put", pathOf(order), done);
    const { user } = renderOrder(order, "seller");
    await user.click(await screen.findByRole("button", { name: "Something is wrong with it" }));
    const form = dialog("Something is wrong with it");
    await user.type(form.getByLabelText("What is wrong with the returned phone?"), "It is another phone");
    await user.upload(form.getByLabelText("Add photographs"), aPhoto("a.jpg"));
    await user.click(form.getByRole("button", { name: "Something is wrong with it" }));
    await waitFor(() =>
      expect(callsTo("PUT", pathOf(order)).map(({ body }) => body)).toEqual([
        { action: "object", text: "It is another phone", photos: ["/evidence/1"] },
      ]),
    );
  });

  it("asks nothing more of the buyer after it was sent", async () => {
    renderOrder(isBack(), "buyer");
    await findHeadline("The phone is on its way back to Salma Rahman");
    for (const name of ["I have sent it back", "Confirm the handover", "Report a problem", "I have it back"])
      expect(screen.queryByRole("button", { name })).toBeNull();
  });

  const timeline = () =>
    within(screen.getByRole("region", { name: "Timeline" }))
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent?.replace(/\d+ Nov 2026, ..:../, "").trim())
      .slice(2);

  it.each<[string, Booking, string[]]>([
    [
      "returning",
      returning({ answer }),
      [
        "Problem reported by the buyer It is damaged, or something does not work",
        "Answered by the seller",
        "Sent back by the buyer, or handed over in person (still to come)",
        "Refunded to the buyer (still to come)",
      ],
    ],
    [
      "sentBack",
      isBack(),
      [
        "Problem reported by the buyer It is damaged, or something does not work",
        "Sent back by the buyer DHL, number R-1",
        "Received by the seller (still to come)",
        "Refunded to the buyer (still to come)",
      ],
    ],
    [
      "a problem again",
      aProblem({ return: sentBack, objection }),
      [
        "Problem reported by the buyer It is damaged, or something does not work",
        "Sent back by the buyer DHL, number R-1",
        "Objection of the seller",
        "Decision of an admin (still to come)",
      ],
    ],
  ])("that is %s has its steps in the timeline", async (_, order, steps) => {
    renderOrder(order, "buyer");
    await screen.findByRole("region", { name: "Timeline" });
    expect(timeline()).toEqual(steps);
  });
});

describe("an admin", () => {
  const RETURN = "Return first, then refund";

  it("decides that the phone is returned first, with what both sides have said", async () => {
    const order = aProblem();
    on("get", "/texts", { body: { texts: [], version: 1 } });
    on("put", pathOf(order), done);
    const { user } = renderOrder(order, "admin");
    await user.click(await screen.findByRole("button", { name: RETURN }));
    const form = dialog("Have the phone returned first?");
    expect(form.getByText(/gets the whole payment back when/)).toBeVisible();
    expect(form.getByText("It is damaged, or something does not work")).toBeVisible();
    expect(form.getByText("It is broken")).toBeVisible();
    expect(form.getByText(/^No answer from Salma Rahman yet, expected by 21 Nov 2026/)).toBeVisible();
    expect(await form.findByRole("img", { name: /^Photograph 1 of the problem/ })).toBeVisible();
    await user.click(form.getByRole("button", { name: /^Photograph 1 of the problem/ }));
    await user.keyboard("{Escape}");
    // The photograph is closed, the decision is not.
    await user.type(dialog("Have the phone returned first?").getByLabelText("Reason"), "Send it back");
    await user.click(form.getByRole("button", { name: RETURN }));
    await waitFor(() =>
      expect(callsTo("PUT", pathOf(order)).map(({ body }) => body)).toEqual([
        { action: "settle", outcome: "return", reason: "Send it back" },
      ]),
    );
    expect(await screen.findByText("The Buyer Returns the Phone")).toBeVisible();
  });

  it.each<[string, Booking]>([
    ["after an objection", aProblem({ return: sentBack, objection })],
    ["while it is returned", aProblem({ state: "returning" })],
    ["while it is sent back", aProblem({ state: "sentBack", return: sentBack })],
    ["before there is a problem", aPaidOrder(posted)],
  ])("releases or refunds only, %s", async (_, order) => {
    renderOrder(order, "admin");
    expect(await screen.findByRole("button", { name: /^Release \$/ })).toBeEnabled();
    expect(button("Refund Karim Uddin $180")).toBeEnabled();
    expect(screen.queryByRole("button", { name: RETURN })).toBeNull();
  });
});
