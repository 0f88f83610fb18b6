import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { loadStyles, renderCardField, startSandbox } from "@/testing/sandbox";

startSandbox();

const user = userEvent.setup({ delay: null });
const field = (name: string) => document.querySelector<HTMLInputElement>(`input[name="${name}"]`)!;
const number = () => field("cardnumber");
const futureYear = String((new Date().getFullYear() + 3) % 100);

/** Types a complete card into the number's input; each complete input moves the focus to the next one. */
async function typeCard(digits: string, date = `12${futureYear}`, cvc = "123") {
  await user.click(number());
  await user.keyboard(digits + date + cvc);
}

describe("the sandbox's card field", () => {
  it("has Stripe's inputs with names, labels and autocomplete", async () => {
    renderCardField();
    const textboxes = await screen.findAllByRole("textbox");
    const inputs = textboxes.map((input) => [
      input.getAttribute("name"),
      input.getAttribute("aria-label"),
      input.getAttribute("autocomplete"),
      input.getAttribute("inputmode"),
    ]);
    expect(inputs).toEqual([
      ["cardnumber", "Card number", "cc-number", "numeric"],
      ["exp-date", "Expiry date", "cc-exp", "numeric"],
      ["cvc", "Security code", "cc-csc", "numeric"],
      ["postal", "Postal code", "postal-code", null],
    ]);
    expect(document.querySelector("iframe")).toBeNull();
    expect(document.querySelector("[style], style")).toBeNull();
  });

  it("shows that it is a sandbox", async () => {
    renderCardField();
    await waitFor(() => expect(screen.getByText(/Nothing is charged/)).toBeVisible());
    expect(screen.getByText("Sandbox")).toBeVisible();
  });

  it("is ready and visible after its style sheet has loaded", async () => {
    const { card } = renderCardField();
    const ready = new Promise<unknown>((resolve) => card.on("ready", resolve));
    expect(number()).not.toBeVisible();
    loadStyles();
    await ready;
    expect(number()).toBeVisible();
  });

  it("groups the digits, formats the date and moves the focus to the next input", async () => {
    const { changes } = renderCardField();
    await typeCard("4242424242424242");
    expect(number()).toHaveValue("4242 4242 4242 4242");
    expect(field("exp-date")).toHaveValue(`12 / ${futureYear}`);
    expect(field("cvc")).toHaveValue("123");
    expect(field("postal")).toHaveFocus();
    expect(changes.at(-1)).toMatchObject({
      elementType: "card",
      complete: true,
      empty: false,
      error: undefined,
    });
  });

  it("groups the digits of an Amex card and accepts its four-digit code", async () => {
    const { changes } = renderCardField();
    await typeCard("378282246310005", undefined, "1234");
    expect(number()).toHaveValue("3782 822463 10005");
    expect(field("cvc")).toHaveValue("1234");
    expect(changes.at(-1)).toMatchObject({ complete: true });
  });

  it("keeps the caret at the edited position", async () => {
    renderCardField();
    await user.type(number(), "42424242");
    number().setSelectionRange(2, 2);
    await user.keyboard("9");
    expect(number()).toHaveValue("4294 2424 2");
    expect(number().selectionStart).toBe(3);
    await user.keyboard("{Backspace}");
    expect(number()).toHaveValue("4242 4242");
    expect(number().selectionStart).toBe(2);
  });

  it("allows deleting a date, and completes the month", async () => {
    renderCardField();
    const date = field("exp-date");
    await user.type(date, "3");
    expect(date).toHaveValue("03 / ");
    await user.keyboard("{Backspace}");
    expect(date).toHaveValue("03");
    await user.keyboard("{Backspace}{Backspace}");
    expect(date).toHaveValue("");
    await user.keyboard("13");
    expect(date).toHaveValue("01 / 3");
  });

  it("accepts a date with a four-digit year from autofill", async () => {
    renderCardField();
    await user.click(field("exp-date"));
    await user.paste("12/2034");
    expect(field("exp-date")).toHaveValue("12 / 34");
  });
});

describe("an invalid card", () => {
  const now = new Date();
  const thisYear = String(now.getFullYear() % 100);
  it.each([
    ["4242424242424241", `12${futureYear}`, "invalid_number"],
    ["4242424242424242", "1220", "invalid_expiry_year_past"],
    ["4242424242424242", "0034", "invalid_expiry_month"],
  ])("%s %s has the error %s", async (digits, date, code) => {
    const { changes } = renderCardField();
    await user.type(number(), digits);
    await user.type(field("exp-date"), date);
    expect(changes.at(-1)?.error).toMatchObject({ type: "validation_error", code });
    expect(changes.at(-1)).toMatchObject({ complete: false });
  });

  it.runIf(now.getMonth() > 0)(
    "a past month of this year has the error invalid_expiry_month_past",
    async () => {
      const { changes } = renderCardField();
      await user.type(field("exp-date"), `01${thisYear}`);
      expect(changes.at(-1)?.error).toMatchObject({ code: "invalid_expiry_month_past" });
    },
  );

  it.each([
    ["cardnumber", "4242", "incomplete_number"],
    ["exp-date", "12", "incomplete_expiry"],
    ["cvc", "1", "incomplete_cvc"],
    ["postal", "1", "incomplete_zip"],
  ])("%s with %s has the error %s after it loses the focus", async (name, text, code) => {
    const { changes } = renderCardField();
    await user.type(field(name), text);
    expect(changes.at(-1)?.error).toBeUndefined();
    await user.click(document.body);
    expect(changes.at(-1)?.error).toMatchObject({ code });
    expect(field(name)).toHaveAttribute("aria-invalid", "true");
    await user.type(field(name), "2");
    expect(changes.at(-1)?.error).toBeUndefined();
  });
});

describe("the card element", () => {
  it("has test cards that fill it in", async () => {
    const { changes } = renderCardField();
    await user.click(screen.getByText("Test cards"));
    await user.click(screen.getByRole("button", { name: "4000 0000 0000 9995" }));
    expect(number()).toHaveValue("4000 0000 0000 9995");
    expect(changes.at(-1)).toMatchObject({ complete: true });
    expect(field("postal")).toHaveValue("12345");
  });

  it("has Stripe's class while it has the focus", async () => {
    renderCardField();
    const element = document.querySelector(".StripeElement");
    await user.click(number());
    await user.tab();
    expect(element).toHaveClass("StripeElement--focus");
    await user.click(document.body);
    expect(element).not.toHaveClass("StripeElement--focus");
  });

  it("can be disabled and destroyed", async () => {
    const { card } = renderCardField();
    card.update({ disabled: true });
    for (const input of await screen.findAllByRole("textbox")) expect(input).toBeDisabled();
    card.destroy();
    expect(document.querySelector("input")).toBeNull();
  });
});
