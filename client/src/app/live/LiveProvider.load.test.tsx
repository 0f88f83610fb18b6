import { memo, useCallback } from "react";
import { describe, expect, it } from "vitest";
import { useListEntity, useListIds } from "@/api/useListIds";
import { anEvent, aProduct, karim } from "@/testing/factories";
import {
  ALL,
  acceptSocket,
  advance,
  onServer,
  renderConnected,
  rowTexts,
  startLive,
  TOPIC,
  testPhones,
  waitForResponses,
} from "@/testing/liveScreen";
import { onList, onRole } from "@/testing/server";
import { storeOf } from "@/testing/serverScreen";
import { FakeSocket } from "@/testing/socket";

startLive();

describe("a thousand events a second", () => {
  let gridRenders = 0;
  let cardRenders = 0;

  const Card = memo(function Card({ id }: { id: string }) {
    cardRenders += 1;
    return <li>{useListEntity(testPhones, ALL, id)?.resalePrice}</li>;
  });

  function Grid() {
    gridRenders += 1;
    const { ids } = useListIds(testPhones, ALL);
    const card = useCallback((id: string) => <Card key={id} id={id} />, []);
    return <ul>{ids?.map(card)}</ul>;
  }

  it("render each changed card four times, and the grid not at all", async () => {
    onRole(karim.email, "buyer");
    const phones = onList(
      "/test/phones",
      TOPIC,
      Array.from({ length: 50 }, () => aProduct()),
    );
    renderConnected(storeOf(karim), <Grid />);
    await acceptSocket();
    await waitForResponses();
    expect(rowTexts()).toHaveLength(50);
    await advance(200);
    await onServer(() => FakeSocket.latest.receive({ subscribed: { me: "e1-0", [TOPIC]: "e1-1" } }));
    await waitForResponses();
    gridRenders = cardRenders = 0;
    for (let i = 0; i < 1000; i++) {
      const phone = phones[i % 10]!;
      const change = { ...phone, version: 2 + i, resalePrice: 1000 + i };
      FakeSocket.latest.receiveEvents(anEvent(TOPIC, "product.changed", change));
      if (i % 10 === 9) await advance(10);
    }
    await advance(250);
    expect(gridRenders).toBe(0);
    expect(cardRenders).toBeLessThanOrEqual(50);
    expect(cardRenders).toBeGreaterThanOrEqual(10);
    expect(rowTexts()).toContain("1999");
  });
});
