import { HttpResponse, http } from "msw";
import { afterEach, beforeEach } from "vitest";
import type { Booking, Fulfilment } from "@/api/types";
import { aPaidOrder, PAID_AT, SETTLES_AT } from "./orderScreen";
import { server } from "./server";

const HOST = "http://localhost:8080";
const ANSWERED_AT = "2026-11-21T10:00:00Z";
const RETURNED_AT = "2026-11-22T10:00:00Z";
const OBJECTED_AT = "2026-11-23T10:00:00Z";

/** The response to a step. */
export const stepDone = { body: { acknowledged: true, modifiedCount: 1 } };
export const stepsOf = ({ _id }: Booking) => `/bookings/${_id}/fulfilment`;
export const aPhoto = (name: string) => new File([name], name, { type: "image/jpeg" });

/** A problem that the seller has not answered. */
export const aProblem = (fulfilment: Partial<Fulfilment> = {}) =>
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
export const answer = { text: "It was whole", photos: ["/evidence/a1"], at: ANSWERED_AT };
export const sentBack = { carrier: "DHL", tracking: "R-1", at: RETURNED_AT };
export const objection = { text: "It is another phone", photos: ["/evidence/o1"], at: OBJECTED_AT };

/** For a test file: photographs load, and get object URLs "blob:1", "blob:2"; returns the URLs that were released. */
export function startEvidence(): { revoked: string[] } {
  const log: { revoked: string[] } = { revoked: [] };
  beforeEach(() => {
    sessionStorage.clear();
    let count = 0;
    log.revoked = [];
    URL.createObjectURL = () => {
      count += 1;
      return `blob:${count}`;
    };
    URL.revokeObjectURL = (url) => log.revoked.push(url);
    onEvidence();
  });
  afterEach(() => sessionStorage.clear());
  return log;
}

/** Sets the responses to photographs; returns the credentials of the calls by path. */
export function onEvidence(status = 200): [path: string, authorization: string | null][] {
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
export function onUploads(order: Booking, status = 200): (string | null)[] {
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
