import type { Product } from "@/api/types";
import { CONDITIONS } from "@/lib/productRules";
import { condition } from "@/texts/condition";
import { cx } from "@/ui";

interface Props {
  of: Product["productCondition"];
}

/** The condition as a word with one to three filled dots. */
export function Condition({ of }: Props) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5">
      <span>{condition[of]}</span>
      <ConditionDots of={of} />
    </span>
  );
}

/** The dots alone; hidden from screen readers. */
export function ConditionDots({ of }: Props) {
  const points = CONDITIONS.length - CONDITIONS.indexOf(of);
  return (
    <span aria-hidden="true" className="inline-flex gap-0.5">
      {CONDITIONS.map((name, index) => (
        <span
          key={name}
          className={cx("size-1.5 rounded-full", index < points ? "bg-ok" : "bg-current opacity-25")}
        />
      ))}
    </span>
  );
}
