import { type ComponentProps, type ReactNode, useId } from "react";
import type { Elements } from "@/ui/Elements";

type Props = Omit<ComponentProps<"input">, "type"> & { children: ReactNode };

/** One choice of a few as a card: a radio button and its label, the children. */
export function RadioCard({ children, ...input }: Props) {
  return (
    <label className="flex min-h-12 cursor-pointer items-center gap-3 rounded-sm border border-edge px-3.5 py-2 transition-colors hover:border-brand has-checked:border-brand has-checked:bg-brand-soft has-disabled:cursor-not-allowed has-disabled:opacity-60">
      <input {...input} type="radio" className="size-5 shrink-0 accent-brand" />
      <span className="tabular-nums">{children}</span>
    </label>
  );
}

interface GroupProps {
  label: string;
  /** The validation message; shown under the cards. */
  error?: string;
  /** RadioCards of one name. */
  children: Elements;
}

/** The cards of one question. */
export function RadioGroup({ label, error, children }: GroupProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={error && id} className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 font-semibold text-sm">{label}</legend>
      {children}
      {error && (
        <p id={id} role="alert" className="font-medium text-danger text-sm">
          {error}
        </p>
      )}
    </fieldset>
  );
}
