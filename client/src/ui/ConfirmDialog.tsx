import * as t from "@/texts/ui";
import { Button, type ButtonVariant } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import type { Elements } from "@/ui/Elements";

interface Props {
  open: boolean;
  /** The question, e.g. "Are you sure you want to delete this buyer?". */
  title: string;
  /** What will happen. */
  children?: Elements;
  confirmLabel?: string;
  /** Red by default, as most of these actions delete something. */
  confirmVariant?: ButtonVariant;
  cancelLabel?: string;
  busy?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks for confirmation of an action that cannot be undone; the focus starts on Cancel. */
export function ConfirmDialog({
  confirmLabel = t.deleteLabel,
  confirmVariant = "alarm",
  cancelLabel = t.cancel,
  busy,
  onConfirm,
  onCancel,
  children,
  ...rest
}: Props) {
  return (
    <Dialog {...rest} role="alertdialog" onClose={onCancel}>
      {children}
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onCancel} data-autofocus>
          {cancelLabel}
        </Button>
        <Button variant={confirmVariant} busy={busy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}
