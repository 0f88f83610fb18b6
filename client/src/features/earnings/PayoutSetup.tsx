import { errorMessage } from "@/api/errors";
import type { Earnings } from "@/api/types";
import * as t from "@/texts/earnings";
import { Button, useToast } from "@/ui";
import { useOpenOnboardingMutation } from "./endpoints";

/** Where the market pays by Stripe: the state of the seller's account there, and the way to its setup. */
export function PayoutSetup({ account }: { account: NonNullable<Earnings["account"]> }) {
  const [open, { isLoading }] = useOpenOnboardingMutation();
  const toast = useToast();
  const leave = async () => {
    const { data, error } = await open();
    if (error) toast(errorMessage(error), "error");
    else window.location.assign(data.url);
  };
  if (account === "ready") return <p className="text-sm">{t.accountReady}</p>;
  return (
    <section
      aria-labelledby="setup-title"
      className="grid justify-items-start gap-3 rounded-lg border border-line bg-surface p-4 shadow-card sm:p-5"
    >
      <h3 id="setup-title" className="font-bold text-lg">
        {t.setup[account].title}
      </h3>
      <p>{t.setup[account].hint}</p>
      <Button busy={isLoading} onClick={() => void leave()}>
        {t.setup[account].action}
      </Button>
    </section>
  );
}
