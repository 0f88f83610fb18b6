import { act, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { sellerVerified } from "@/api/role";
import type { Config } from "@/api/types";
import { salma } from "@/testing/factories";
import { onConfig, onRole, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import { VerificationNote } from "./GetVerified";

startServer();

function renderNote(isVerified: boolean, config: Partial<Config> = {}) {
  onConfig(config);
  onRole(salma.email, "seller", isVerified);
  return renderScreen(<VerificationNote />, { me: salma });
}

/** Opens the dialog with the explanation. */
async function openExplanation({ user }: ReturnType<typeof renderNote>) {
  await user.click(await screen.findByRole("button", { name: "How to get verified" }));
  const dialog = within(screen.getByRole("dialog", { name: "How to get verified" }));
  expect(await dialog.findByText("Show us your shop.")).toBeVisible();
  return dialog;
}

it("explains the verification with the text and the contact data of the settings", async () => {
  const dialog = await openExplanation(renderNote(false));
  expect(dialog.getByText(/^A verified seller has shown us who they are/)).toBeVisible();
  expect(dialog.getByRole("link", { name: "Write to hello@example.com" })).toHaveAttribute(
    "href",
    "mailto:hello@example.com?subject=Get%20verified",
  );
  expect(dialog.getByRole("link", { name: "+880 2 000000" })).toHaveAttribute("href", "tel:+8802000000");
  expect(dialog.queryByRole("link", { name: "Contact us" })).toBeNull();
});

it("links to the contact page if the settings have no email and phone", async () => {
  const dialog = await openExplanation(
    renderNote(false, { contact: { email: "", phone: "", location: "Dhaka" } }),
  );
  expect(dialog.getByRole("link", { name: "Contact us" })).toHaveAttribute("href", "/contact");
});

it("shows the verification when its event arrives", async () => {
  const { store } = renderNote(false);
  expect(await screen.findByText("You are not verified yet.")).toBeVisible();
  act(() => void store.dispatch(sellerVerified(salma.email, true)));
  expect(await screen.findByText(/^You are verified\./)).toBeVisible();
  expect(screen.queryByRole("button")).toBeNull();
});
