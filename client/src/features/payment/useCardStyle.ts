import type { StripeCardElementOptions } from "@stripe/stripe-js";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useTheme } from "@/ui";

type CardStyle = StripeCardElementOptions["style"];

/**
 * Our colours for the card field, in light and in dark. It may be in a frame of
 * the card provider's, which knows nothing of our style sheet: so what the
 * browser makes of the three classes inside the returned element is read off it.
 */
export function useCardStyle(): [RefObject<HTMLSpanElement | null>, CardStyle] {
  const [theme] = useTheme();
  const samples = useRef<HTMLSpanElement>(null);
  const [style, setStyle] = useState<CardStyle>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme is what changes the colours
  useEffect(() => {
    const [text, muted, danger] = [...(samples.current?.children ?? [])].map(
      (sample) => getComputedStyle(sample).color,
    );
    const fontFamily = samples.current ? getComputedStyle(samples.current).fontFamily : undefined;
    setStyle({
      base: {
        color: text,
        iconColor: muted,
        fontFamily,
        fontSize: "16px",
        lineHeight: "36px",
        "::placeholder": { color: muted },
      },
      invalid: { color: danger, iconColor: danger },
    });
  }, [theme]);
  return [samples, style];
}
