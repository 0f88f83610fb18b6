import { act, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { reportDialogOpened } from "@/api/dialogSlice";
import { sessionEnded } from "@/api/sessionSlice";
import { aProduct, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, startServer } from "@/testing/server";
import { renderScreen, signInAs } from "@/testing/serverScreen";
import ReportDialog from "./ReportDialog";

startServer();

const phone = aProduct({ name: "iPhone 6" });

function openDialog() {
  const view = renderScreen(<ReportDialog />, { me: karim });
  act(() => void view.store.dispatch(reportDialogOpened(phone)));
  return view;
}

const submitButton = () => screen.getByRole("button", { name: "Send report" });

it("the report dialog shows the user and the phone in read-only fields", () => {
  openDialog();
  const fields = {
    "User Name": "Karim Uddin",
    Email: "karim@example.com",
    "Product Name": "iPhone 6",
    Brand: "Apple",
  };
  for (const [label, value] of Object.entries(fields)) {
    expect(screen.getByLabelText(label)).toHaveValue(value);
    expect(screen.getByLabelText(label)).toHaveAttribute("readonly");
  }
});

it("the report dialog sends the spec's payload, shows a toast and closes", async () => {
  on("post", "/reportedItems", { body: { acknowledged: true, insertedId: "r1" } });
  const { user, store } = openDialog();
  await user.type(screen.getByLabelText("Reason"), "Not the phone in the picture");
  await user.click(submitButton());
  expect(await screen.findByText("Thanks for your response..We saved your report")).toBeVisible();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(store.getState().dialog).toBeNull();
  expect(callsTo("POST", "/reportedItems").map(({ body }) => body)).toEqual([
    {
      userName: "Karim Uddin",
      email: "karim@example.com",
      productName: "iPhone 6",
      productID: phone._id,
      id: phone.id,
      reason: "Not the phone in the picture",
      brand: "Apple",
      img: phone.img,
      key: expect.stringMatching(/^[0-9a-f]{32}$/),
    },
  ]);
});

it("the report dialog names the rule that the person chooses", async () => {
  on("post", "/reports", { body: { acknowledged: true, insertedId: "r1" } });
  const { user } = openDialog();
  expect(screen.getByLabelText("Reason")).toHaveFocus();
  await user.type(screen.getByLabelText("Reason"), "It is mine");
  await user.selectOptions(screen.getByLabelText("What is it about? (optional)"), "Stolen");
  await user.click(submitButton());
  expect(await screen.findByText("Thanks for your response..We saved your report")).toBeVisible();
  expect(callsTo("POST", "/reportedItems")).toHaveLength(0);
  expect(callsTo("POST", "/reports").map(({ body }) => body)).toEqual([
    {
      kind: "product",
      id: phone._id,
      rule: "stolen",
      reason: "It is mine",
      key: expect.stringMatching(/^[0-9a-f]{32}$/),
    },
  ]);
});

it("the report dialog sends the same key again when it is repeated", async () => {
  on("post", "/reportedItems", errorResponse(503, "Please try again"));
  const { user } = openDialog();
  await user.type(screen.getByLabelText("Reason"), "Stolen");
  await user.click(submitButton());
  await screen.findAllByText("Please try again");
  await user.click(submitButton());
  await waitFor(() => expect(callsTo("POST", "/reportedItems")).toHaveLength(2));
  const [first, second] = callsTo("POST", "/reportedItems").map(({ body }) => body as { key: string });
  expect(first?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(second?.key).toBe(first?.key);
});

it("the report dialog requires a reason", async () => {
  const { user } = openDialog();
  await user.click(submitButton());
  expect(await screen.findByText("Reason is required")).toBeVisible();
  expect(callsTo("POST", "/reportedItems")).toHaveLength(0);
});

it("the report dialog shows the server's message when the report fails, and keeps the reason", async () => {
  on("post", "/reportedItems", errorResponse(409, "You have reported this phone already"));
  const { user } = openDialog();
  await user.type(screen.getByLabelText("Reason"), "Stolen");
  await user.click(submitButton());
  // In the toast and in the form.
  expect(await screen.findAllByText("You have reported this phone already")).toHaveLength(2);
  expect(screen.getByLabelText("Reason")).toHaveValue("Stolen");
});

it("the report dialog sends a pasted reason as it is meant, and shows the server's reason at the field only", async () => {
  on("post", "/reportedItems", errorResponse(422, "Reason is too long", { reason: "Reason is too long" }));
  const { user } = openDialog();
  await user.type(screen.getByLabelText("Reason"), "Fake\u200b\u00a0box\u2028No receipt ");
  await user.click(submitButton());
  expect(await screen.findAllByText("Reason is too long")).toHaveLength(1);
  expect(callsTo("POST", "/reportedItems")[0]?.body).toMatchObject({ reason: "Fake box\nNo receipt" });
});

it("the report dialog restores the reason after the login if the session ended", async () => {
  on("post", "/identity/sign-out", {});
  const { store, unmount, user } = openDialog();
  await user.type(screen.getByLabelText("Reason"), "Stolen");
  act(() => void store.dispatch(sessionEnded({ by: "server", reason: "Your session has ended." })));
  expect(screen.queryByRole("dialog")).toBeNull();
  await waitFor(() => expect(callsTo("POST", "/identity/sign-out")).toHaveLength(1));
  unmount();
  act(() => signInAs(store, karim));
  renderScreen(<ReportDialog />, { store });
  expect(await screen.findByLabelText("Reason")).toHaveValue("Stolen");
});
