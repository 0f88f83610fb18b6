import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "@/ui/cx";
import { NextIcon } from "@/ui/icons";

/** What every labelled control takes beside its own attributes. */
interface Labelled {
  label: string;
  /** The validation message; shown under the control and tied to it. */
  error?: string;
  /** A short help text under the label. */
  hint?: string;
}

const control =
  "w-full rounded-sm border bg-surface px-3.5 text-ink transition-colors placeholder:text-muted " +
  "enabled:hover:border-brand disabled:cursor-not-allowed disabled:bg-sunk";

/** Only for text: the browser counts a select and a file chooser as read-only. */
const text = cx(control, "read-only:border-line read-only:bg-sunk");

/** Label, hint and message around one control, with the ids and aria attributes that join them. */
function useLabelled({ label, error, hint }: Labelled, givenId?: string) {
  const own = useId();
  const id = givenId ?? own;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  const aria = { id, "aria-invalid": error ? true : undefined, "aria-describedby": described || undefined };
  const wrap = (child: ReactNode) => (
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
      {error && (
        <p id={`${id}-error`} role="alert" className="font-medium text-danger text-sm">
          {error}
        </p>
      )}
    </div>
  );
  return { aria, wrap, edge: error ? "border-danger" : "border-edge" };
}

type FieldProps = Labelled &
  ComponentProps<"input"> & {
    /** Stands in the control before what is typed, as a currency does; the label says it for readers. */
    affix?: string;
  };

/** A labelled `<input>`; spread react-hook-form's `register("name")` into it. */
export function Field({ label, error, hint, affix, className, ...input }: FieldProps) {
  const { aria, wrap, edge } = useLabelled({ label, error, hint }, input.id);
  const look = cx(text, edge, "h-12", affix && "ps-8", className);
  const control = <input type="text" {...input} {...aria} className={look} />;
  if (!affix) return wrap(control);
  return wrap(
    <div className="relative">
      <span aria-hidden="true" className="absolute inset-y-0 start-3.5 grid place-items-center text-muted">
        {affix}
      </span>
      {control}
    </div>,
  );
}

type SelectProps = Labelled & ComponentProps<"select">;

/** A labelled `<select>`; its options are its children. */
export function Select({ label, error, hint, className, ...select }: SelectProps) {
  const { aria, wrap, edge } = useLabelled({ label, error, hint }, select.id);
  // The arrow is ours, so that it has the colour of the text in the dark and where the system paints.
  return wrap(
    <div className="relative">
      <select {...select} {...aria} className={cx(control, edge, "h-12 appearance-none pe-11", className)} />
      <NextIcon className="pointer-events-none absolute inset-y-0 end-3.5 my-auto size-5 rotate-90 text-muted" />
    </div>,
  );
}

type TextareaProps = Labelled & ComponentProps<"textarea">;

/** A labelled `<textarea>`. */
export function Textarea({ label, error, hint, className, ...area }: TextareaProps) {
  const { aria, wrap, edge } = useLabelled({ label, error, hint }, area.id);
  return wrap(<textarea rows={4} {...area} {...aria} className={cx(text, edge, "py-2.5", className)} />);
}

type FileProps = Labelled & Omit<ComponentProps<"input">, "type">;

/** A labelled file chooser; `accept` as usual, value is the register()'s FileList. */
export function FileField({ label, error, hint, className, ...input }: FileProps) {
  const { aria, wrap, edge } = useLabelled({ label, error, hint }, input.id);
  return wrap(
    <input
      {...input}
      {...aria}
      type="file"
      className={cx(
        control,
        edge,
        "min-h-12 py-1.5 file:me-3 file:rounded-sm file:border-0 file:bg-brand-soft file:px-3 file:py-1 file:font-semibold file:text-brand",
        className,
      )}
    />,
  );
}
