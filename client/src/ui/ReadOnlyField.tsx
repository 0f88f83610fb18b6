import { type ComponentProps, useId } from "react";
import { cx } from "@/ui/cx";

interface Props extends ComponentProps<"input"> {
  label: string;
  /** Before the value, e.g. a currency; hidden from screen readers. */
  affix?: string;
  isStrong?: boolean;
}

/** A labelled value of the form that can't be changed; it looks like text. */
export function ReadOnlyField({ label, affix, isStrong, ...input }: Props) {
  const id = useId();
  return (
    <div className="grid min-w-0">
      <label htmlFor={id} className="text-muted text-xs">
        {label}
      </label>
      <span className={cx("flex min-w-0 text-sm/6", isStrong && "font-bold text-base/6")}>
        {affix && <span aria-hidden="true">{affix}</span>}
        <input
          type="text"
          {...input}
          id={id}
          readOnly
          className="w-full min-w-0 truncate bg-transparent text-ink outline-offset-2"
        />
      </span>
    </div>
  );
}
