import type { Stripe } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { useEffect, useState } from "react";
import { useConfigQuery } from "@/api/config";
import type { Config } from "@/api/types";
import { LANG } from "@/texts/language";
import { runEffect } from "./runEffect";

/** The sandbox's replacement of Stripe.js. The server adds it to the page; the development server does not. */
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

async function loadProvider({ publishableKey, sandbox }: Config["stripe"]): Promise<Stripe> {
  if (sandbox && !("Stripe" in window)) await addScript(SANDBOX_SCRIPT);
  const stripe = await loadStripe(publishableKey, { locale: LANG });
  if (!stripe) throw new Error("Stripe.js needs a browser");
  return stripe;
}

/** The providers by publishable key; each adds its own frames to the page, so only one is created. */
const providers = new Map<string, Promise<Stripe>>();

/** Loads the card provider once; after a failure it may be loaded again. */
function getProvider(settings: Config["stripe"]): Promise<Stripe> {
  const key = settings.publishableKey;
  const existing = providers.get(key);
  if (existing) return existing;
  const provider = loadProvider(settings);
  providers.set(key, provider);
  provider.catch(() => providers.delete(key));
  return provider;
}

/** The card provider, and the state of loading it. */
export interface CardProvider {
  stripe: Stripe | null;
  /** Whether the sandbox is used; its form is higher. Undefined until the settings are loaded. */
  isSandbox: boolean | undefined;
  hasFailed: boolean;
  retry: () => void;
}

/** Loads the card provider's code when it is needed. */
export function useCardProvider(isNeeded: boolean): CardProvider {
  const config = useConfigQuery(undefined, { skip: !isNeeded });
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [failures, setFailures] = useState(0);
  const [retries, setTries] = useState(0);
  const settings = config.data?.stripe;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry runs the effect again
  useEffect(() => {
    if (!settings) return;
    return runEffect(async (signal) => {
      const coming = await getProvider(settings).catch(() => null);
      if (signal.aborted) return;
      setStripe(coming);
      if (!coming) setFailures((n) => n + 1);
    });
  }, [settings, retries]);

  return {
    stripe,
    isSandbox: settings?.sandbox,
    hasFailed: config.isError || failures > retries,
    retry: () => {
      if (config.isError) void config.refetch();
      else setTries(failures);
    },
  };
}
