import { errorMessage } from "@/api/errors";
import type { Wait } from "@/api/types";
import { useLeaveWaitlistMutation } from "@/api/waitlist";
import * as t from "@/texts/waitlist";
import { ConfirmDialog, useToast } from "@/ui";

interface Props {
  wait: Wait;
  onClose: () => void;
}

/** Asks whether to leave the waitlist of a phone: the place is lost. */
export function LeaveDialog({ wait, onClose }: Props) {
  const [leave, { isLoading }] = useLeaveWaitlistMutation();
  const toast = useToast();
  const confirm = async () => {
    const { data, error } = await leave(wait);
    onClose();
    if (error) toast(errorMessage(error), "error");
    else if (data.deletedCount > 0) toast(t.left(wait.productName));
  };
  return (
    <ConfirmDialog
      open
      title={t.leaveQuestion}
      confirmLabel={t.leave}
      cancelLabel={t.keep}
      busy={isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>{t.leaveConsequence(wait.productName)}</p>
    </ConfirmDialog>
  );
}
