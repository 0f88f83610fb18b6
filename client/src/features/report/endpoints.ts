import { api } from "@/api/api";
import type { Inserted, ReportPayload, RuleReport } from "@/api/types";

const report = api.injectEndpoints({
  endpoints: (build) => ({
    /** Reports a phone to the admins; 409 if the user has already reported it. */
    report: build.mutation<Inserted, ReportPayload>({
      query: (body) => ({ url: "/reportedItems", method: "POST", body }),
    }),
    /** The same with a rule of the market. */
    reportRule: build.mutation<Inserted, RuleReport>({
      query: (body) => ({ url: "/reports", method: "POST", body }),
    }),
  }),
});

export const { useReportMutation, useReportRuleMutation } = report;
