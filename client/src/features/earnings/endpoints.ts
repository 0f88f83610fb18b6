import { api } from "@/api/api";
import { liveEntity } from "@/api/liveEntity";
import type { PageArg } from "@/api/liveList";
import type { Earnings, OnboardingLink } from "@/api/types";
import type { Entity } from "@/lib/live";

/** The only argument, because each user has one entity. */
export const MINE = {};
/** The argument for the sums without the sales. */
export const SUMS = { sumsOnly: true };

interface EarningsArg extends PageArg {
  id?: string;
  /** The first sale only is fetched with the sums. */
  sumsOnly?: boolean;
}

const stored = liveEntity<Earnings & Entity, EarningsArg>("earnings", ({ sumsOnly }) =>
  sumsOnly ? "/earnings?limit=1" : "/earnings",
);
let responses = 0;

const earningsApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** What the signed-in seller has earned, with all pages of sales. No event contains it, so each response replaces the previous one. */
    earnings: build.query({
      ...stored,
      // A closed screen learns of no event, so each visit fetches them.
      keepUnusedDataFor: 0,
      queryFn: (arg, store, extra, send) =>
        stored.queryFn(arg, store, extra, async (call) => {
          const result = await send(call);
          if (result.error) return result;
          const sums = result.data as Earnings;
          const lines = [...sums.lines];
          let cursor = result.meta?.nextCursor;
          while (cursor && !arg.sumsOnly) {
            const page = await send({ ...call, url: `${call.url}?${new URLSearchParams({ cursor })}` });
            if (page.error) return page;
            lines.push(...(page.data as Earnings).lines);
            cursor = page.meta?.nextCursor;
          }
          responses += 1;
          return { ...result, data: { ...sums, lines, _id: "earnings", version: responses } };
        }),
    }),
    /** Returns the URL of Stripe's page on which the seller sets up their account. */
    openOnboarding: build.mutation<OnboardingLink, void>({
      query: () => ({ url: "/payouts/onboarding", method: "POST" }),
    }),
  }),
});

export const { earnings } = earningsApi.endpoints;
export const { useOpenOnboardingMutation } = earningsApi;
