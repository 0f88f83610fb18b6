import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { expectConsoleOutput } from "@/testing/consoleOutput";
import { renderScreen } from "@/testing/serverScreen";
import { ErrorBoundary } from "./ErrorBoundary";

test("a screen that failed to render once is shown after Try again", async () => {
  let isBroken = true;
  function Screen() {
    if (isBroken) throw new Error("The node is not a child of this node.");
    return <h1>Phones</h1>;
  }
  const { user } = renderScreen(
    <ErrorBoundary path="/">
      <Screen />
    </ErrorBoundary>,
  );
  expect(screen.getByText("The node is not a child of this node.")).toBeVisible();
  isBroken = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(screen.getByRole("heading", { name: "Phones" })).toBeVisible();
  expectConsoleOutput(/not a child/);
});
