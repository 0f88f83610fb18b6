import type { FormEventHandler } from "react";
import * as t from "@/texts/account";
import { Button } from "@/ui";
import type { Elements } from "@/ui/Elements";

interface Props {
  onSubmit: FormEventHandler<HTMLFormElement>;
  /** The label of the button that sends the form. */
  submit: string;
  busy: boolean;
  /** The error that belongs to no field. */
  failure: string | null;
  onCancel?: (() => void) | undefined;
  children: Elements;
}

/** A form of the account screen, with its error and its buttons. */
export function AccountForm({ onSubmit, submit, busy, failure, onCancel, children }: Props) {
  return (
    <form noValidate onSubmit={onSubmit} className="grid max-w-md gap-5">
      {children}
      {failure && (
        <p role="alert" className="rounded-sm bg-danger-soft px-3 py-2 text-danger">
          {failure}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy}>
          {submit}
        </Button>
        {onCancel && (
          <Button variant="quiet" onClick={onCancel}>
            {t.cancel}
          </Button>
        )}
      </div>
    </form>
  );
}
