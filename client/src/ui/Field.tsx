import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "@/ui/cx";
import type { Elements } from "@/ui/Elements";
import { NextIcon } from "@/ui/icons";

/** The props of every labelled control beside its own attributes. */
interface LabelProps {
  label: string;
  /** The validation message; shown under the control and tied to it. */
  error?: string;
  /** A short help text under the label. */
  hint?: string;
  /** Shown under the control, before the error; part of the control's description. */
  note?: ReactNode;
}

const control =
  "w-full rounded-sm border bg-surface px-3.5 text-ink transition-colors placeholder:text-muted " +
  "enabled:hover:border-brand disabled:cursor-not-allowed disabled:bg-sunk";

/** Only for text: the browser counts a select and a file chooser as read-only. */
const text = cx(control, "read-only:border-line read-only:bg-sunk");

/** Renders label, hint and error around a control and connects them by ids and aria attributes. */
function useLabel({ label, error, hint, note }: LabelProps, givenId?: string) {
  const own = useId();
  const id = givenId ?? own;
  const described = [hint && `${id}-hint`, note && `${id}-note`, error && `${id}-error`]
    .filter(Boolean)
    .join(" ");
  const aria = { id, "aria-invalid": error ? true : undefined, "aria-describedby": described || undefined };
  const wrap = (child: Elements) => (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="font-semibold text-sm">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-muted text-sm">
          {hint}
        </p>
      )}
      {child}
      {note && <div id={`${id}-note`}>{note}</div>}
      {error && (
        <p id={`${id}-error`} role="alert" className="font-medium text-danger text-sm">
          {error}
        </p>
      )}
    </div>
  );
  return { aria, wrap, borderClass: error ? "border-danger" : "border-edge" };
}

type FieldProps = LabelProps &
  ComponentProps<"input"> & {
    /** A prefix inside the control, e.g. a currency; hidden from screen readers. */
    affix?: string;
    /** A button inside the control, at its end. */
    end?: Elements;
  };

/** A labelled `<input>`; spread react-hook-form's `register("name")` into it. */
export function Field({ label, error, hint, note, affix, end, className, ...input }: FieldProps) {
  const { aria, wrap, borderClass } = useLabel({ label, error, hint, note }, input.id);
  const inputClass = cx(text, borderClass, "h-12", affix && "ps-8", className);
  const control = <input type="text" {...input} {...aria} className={inputClass} />;
  if (!affix && !end) return wrap(control);
  return wrap(
    <div className="relative">
      {affix && (
        <span aria-hidden="true" className="absolute inset-y-0 start-3.5 grid place-items-center text-muted">
          {affix}
        </span>
      )}
      {control}
      {end}
    </div>,
  );
}

type SelectProps = LabelProps & ComponentProps<"select">;

/** A labelled `<select>`; its options are its children. */
export function Select({ label, error, hint, className, ...select }: SelectProps) {
  const { aria, wrap, borderClass } = useLabel({ label, error, hint }, select.id);
  // Our own arrow has the colour of the text in both themes.
  return wrap(
    <div className="relative">
      <select
        {...select}
        {...aria}
        className={cx(control, borderClass, "h-12 appearance-none pe-11", className)}
      />
      <NextIcon className="pointer-events-none absolute inset-y-0 end-3.5 my-auto size-5 rotate-90 text-muted" />
    </div>,
  );
}

/** The `<option>`s of a Select: texts by value, in the order of the record. */
export function Options({ labels }: { labels: Record<string, string> }) {
  return Object.entries(labels).map(([value, words]) => (
    <option key={value} value={value}>
      {words}
    </option>
  ));
}

type TextareaProps = LabelProps & ComponentProps<"textarea">;

/** A labelled `<textarea>`. */
export function Textarea({ label, error, hint, note, className, ...area }: TextareaProps) {
  const { aria, wrap, borderClass } = useLabel({ label, error, hint, note }, area.id);
  return wrap(
    <textarea rows={4} {...area} {...aria} className={cx(text, borderClass, "py-2.5", className)} />,
  );
}

type FileProps = LabelProps & Omit<ComponentProps<"input">, "type">;

/** A labelled file chooser; `accept` as usual, value is the register()'s FileList. */
export function FileField({ label, error, hint, className, ...input }: FileProps) {
  const { aria, wrap, borderClass } = useLabel({ label, error, hint }, input.id);
  return wrap(
    <input
      {...input}
      {...aria}
      type="file"
      className={cx(
        control,
        borderClass,
        "min-h-12 py-1.5 file:me-3 file:rounded-sm file:border-0 file:bg-brand-soft file:px-3 file:py-1 file:font-semibold file:text-brand",
        className,
      )}
    />,
  );
}
