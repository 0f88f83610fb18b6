import { type ReactNode, useId } from "react";

interface Props {
  name: string;
  value?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** What is chosen. */
  children: ReactNode;
  /** What that means, below it. */
  hint?: string;
  /** Decoration at the end; hidden from screen readers. */
  aside?: ReactNode;
}

/** A checkbox whose whole line can be tapped. */
export function FilterCheckbox({ name, value, checked, onChange, children, hint, aside }: Props) {
  const hintId = useId();
  return (
    <label className="-mx-2.5 flex min-h-11 cursor-pointer items-center gap-3 rounded-sm px-2.5 text-sm transition-colors hover:bg-sunk has-checked:font-semibold has-checked:text-brand">
      <input
        type="checkbox"
        name={name}
        value={value}
        checked={checked}
        aria-describedby={hint && hintId}
        onChange={(event) => onChange(event.target.checked)}
        className="size-5 shrink-0 accent-brand"
      />
      <span className="grid min-w-0 flex-1">
        <span className="truncate">{children}</span>
        {hint && (
          <span id={hintId} aria-hidden="true" className="font-normal text-muted text-xs">
            {hint}
          </span>
        )}
      </span>
      {aside && <span aria-hidden="true">{aside}</span>}
    </label>
  );
}
