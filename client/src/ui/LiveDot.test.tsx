import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ConnectionStatus } from "@/lib/live";
import { LiveDot, LiveStatusContext, LiveText } from "@/ui";

const renderWith = (status: ConnectionStatus) =>
  render(
    <LiveStatusContext value={status}>
      <LiveDot />
      <LiveText otherwise="not updating">updating live</LiveText>
    </LiveStatusContext>,
  );

test("a text about live data is shown while the connection is live", () => {
  renderWith("live");
  expect(screen.getByText("updating live")).toBeVisible();
  expect(screen.queryByText("not updating")).toBeNull();
});

test.each<ConnectionStatus>(["off", "connecting", "checking", "restarting", "reconnecting", "stopped"])(
  "nothing says that the data is live while the connection is %s",
  (status) => {
    const { container } = renderWith(status);
    expect(screen.getByText("not updating")).toBeVisible();
    expect(screen.queryByText("updating live")).toBeNull();
    expect(container.querySelector(".animate-beat")).toBeNull();
  },
);
