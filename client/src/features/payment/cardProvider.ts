import type { Stripe } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { useEffect, useState } from "react";
import { useConfigQuery } from "@/api/config";
import type { Config } from "@/api/types";
import { LANG } from "@/texts/language";
import { whileMounted } from "./sleep";

/** The sandbox's stand-in for Stripe.js; the server names it in the page, a development server does not. */
const SANDBOX_SCRIPT = "/sandbox/stripe/v3.js";

function addScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src });
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error(`${src} could not be loaded`));
    };
    document.head.append(script);
  });
}

async function load({ publishableKey, sandbox }: Config["stripe"]): Promise<Stripe> {
  if (sandbox && !("Stripe" in window)) await addScript(SANDBOX_SCRIPT);
  const stripe = await loadStripe(publishableKey, { locale: LANG });
  if (!stripe) throw new Error("There is no browser here");
  return stripe;
}

/** By publishable key: each instance keeps frames of its own in the page. */
const loaded = new Map<string, Promise<Stripe>>();

/** The card provider's code, made once; a failed load may be asked for again. */
function cardProvider(settings: Config["stripe"]): Promise<Stripe> {
  const key = settings.publishableKey;
  const known = loaded.get(key);
  if (known) return known;
  const coming = load(settings);
  loaded.set(key, coming);
  coming.catch(() => loaded.delete(key));
  return coming;
}

/** The card provider, as far as it is there. */
export interface CardProvider {
  stripe: Stripe | null;
  /** No real money: the form is higher by what says so. Undefined until that is known. */
  isSandbox: boolean | undefined;
  hasFailed: boolean;
  retry: () => void;
}

/** Loads the card provider's code, once it is needed. */
export function useCardProvider(isNeeded: boolean): CardProvider {
  const config = useConfigQuery(undefined, { skip: !isNeeded });
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [failures, setFailures] = useState(0);
  const [tries, setTries] = useState(0);
  const settings = config.data?.stripe;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is what starts it again
  useEffect(() => {
    if (!settings) return;
    return whileMounted(async (signal) => {
      const coming = await cardProvider(settings).catch(() => null);
      if (signal.aborted) return;
      setStripe(coming);
      if (!coming) setFailures((n) => n + 1);
    });
  }, [settings, tries]);

  return {
    stripe,
    isSandbox: settings?.sandbox,
    hasFailed: config.isError || failures > tries,
    retry: () => {
      if (config.isError) void config.refetch();
      else setTries(failures);
    },
  };
}
