import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Booking, Fulfilment } from "@/api/types";
import {
  answer,
  aPhoto,
  aProblem,
  objection,
  onUploads,
  sentBack,
  startEvidence,
  stepDone,
  stepsOf,
} from "@/testing/orderEvidence";
import { aPaidOrder, button, findHeadline, posted, renderOrder, SETTLES_AT } from "@/testing/orderScreen";
import { callsTo, on, startServer } from "@/testing/server";

startServer();
startEvidence();

const dialog = (name: string) => within(screen.getByRole("dialog", { name }));

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
    on("put", stepsOf(order), stepDone);
    const { user } = renderOrder(order, "buyer");
    await findHeadline("Send the phone back to Salma Rahman");
    const form = within(screen.getByRole("form", { name: "Send the phone back" }));
    await user.type(form.getByLabelText("Carrier"), "DHL");
    await user.type(form.getByLabelText("Tracking number"), "R-1");
    await user.click(form.getByRole("button", { name: "I have sent it back" }));
    const question = within(
      await screen.findByRole("alertdialog", { name: "Have you sent the phone back?" }),
    );
    expect(callsTo("PUT", stepsOf(order))).toEqual([]);
    await user.click(question.getByRole("button", { name: "I have sent it back" }));
    await waitFor(() =>
      expect(callsTo("PUT", stepsOf(order)).map(({ body }) => body)).toEqual([
        { action: "return", carrier: "DHL", tracking: "R-1" },
      ]),
    );
  });

  it("is handed over by the buyer with the seller's code instead", async () => {
    const order = returning();
    on("put", stepsOf(order), stepDone);
    const { user } = renderOrder(order, "buyer");
    await findHeadline("Send the phone back to Salma Rahman");
    const form = within(screen.getByRole("form", { name: "Meet instead" }));
    expect(form.getByText(/Enter it, and \$180 goes back to you at once\./)).toBeVisible();
    await user.type(form.getByLabelText("Code"), "123456");
    await user.click(form.getByRole("button", { name: "Confirm the handover" }));
    await waitFor(() =>
      expect(callsTo("PUT", stepsOf(order)).map(({ body }) => body)).toEqual([
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
    on("put", stepsOf(order), stepDone);
    const { user } = renderOrder(order, "seller");
    await findHeadline("Check the returned phone");
    expect(screen.getByText(/^If you do nothing, \$180 goes back to the buyer on 25 Nov 2026/)).toBeVisible();
    await user.click(button("I have it back"));
    const question = within(screen.getByRole("alertdialog", { name: "Do you have the phone back?" }));
    expect(question.getByText(/\$180 goes back to the buyer at once/)).toBeVisible();
    await user.click(question.getByRole("button", { name: "I have it back" }));
    await waitFor(() =>
      expect(callsTo("PUT", stepsOf(order)).map(({ body }) => body)).toEqual([{ action: "returned" }]),
    );
  });

  it("is objected to by the seller, with photographs", async () => {
    const order = isBack();
    onUploads(order);
    on("put", stepsOf(order), stepDone);
    const { user } = renderOrder(order, "seller");
    await user.click(await screen.findByRole("button", { name: "Something is wrong with it" }));
    const form = dialog("Something is wrong with it");
    await user.type(form.getByLabelText("What is wrong with the returned phone?"), "It is another phone");
    await user.upload(form.getByLabelText("Add photographs"), aPhoto("a.jpg"));
    await user.click(form.getByRole("button", { name: "Something is wrong with it" }));
    await waitFor(() =>
      expect(callsTo("PUT", stepsOf(order)).map(({ body }) => body)).toEqual([
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
    on("put", stepsOf(order), stepDone);
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
      expect(callsTo("PUT", stepsOf(order)).map(({ body }) => body)).toEqual([
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
