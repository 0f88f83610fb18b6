import type { StripeCardElementOptions } from "@stripe/stripe-js";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useTheme } from "@/ui";

type CardStyle = StripeCardElementOptions["style"];

/**
 * The colours of the theme for the card field. The field may be in a frame of the card provider, which does not have our
 * style sheet, so the computed colours of three sample elements are used. The caller renders them inside the element of
 * the returned ref.
 */
export function useCardStyle(): [RefObject<HTMLSpanElement | null>, CardStyle] {
  const [theme] = useTheme();
  const samplesRef = useRef<HTMLSpanElement>(null);
  const [style, setStyle] = useState<CardStyle>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours depend on the theme
  useEffect(() => {
    const [text, muted, danger] = [...(samplesRef.current?.children ?? [])].map(
      (sample) => getComputedStyle(sample).color,
    );
    const fontFamily = samplesRef.current ? getComputedStyle(samplesRef.current).fontFamily : undefined;
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
  return [samplesRef, style];
}
