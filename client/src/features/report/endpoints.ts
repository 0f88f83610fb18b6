import { api } from "@/api/emptyApi";
import type { Acknowledged } from "@/api/types";

/** What POST /reportedItems takes (spec section 3); productID the phone's _id, id its brand's. */
export interface ReportPayload {
  userName: string;
  email: string;
  productName: string;
  productID: string;
  id: string;
  reason: string;
  brand: string;
  img: string;
}

const report = api.injectEndpoints({
  endpoints: (build) => ({
    /** Reports a phone to the admins; 409 when this person has reported it already. */
    report: build.mutation<Acknowledged, ReportPayload>({
      query: (body) => ({ url: "/reportedItems", method: "POST", body }),
    }),
  }),
});

export const { useReportMutation } = report;
