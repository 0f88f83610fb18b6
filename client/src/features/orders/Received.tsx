import { useState } from "react";
import { errorMessage } from "@/api/errors";
import * as t from "@/texts/order";
import { Button, ConfirmDialog, useToast } from "@/ui";
import { useFulfilMutation } from "./endpoints";

interface Props {
  id: string;
  /** Whether the button is the main one of the screen. */
  isPrimary: boolean;
}

/** The button with which the buyer confirms the receipt. */
export function Received({ id, isPrimary }: Props) {
  const [isAsking, setAsking] = useState(false);
  const [fulfil, { isLoading, isSuccess }] = useFulfilMutation();
  const toast = useToast();
  const confirm = async () => {
    const { error } = await fulfil({ id, action: "received" });
    setAsking(false);
    if (error) toast(errorMessage(error), "error");
  };
  return (
    <>
      <Button
        variant={isPrimary ? "primary" : "secondary"}
        busy={isLoading || isSuccess}
        onClick={() => setAsking(true)}
      >
        {t.haveIt}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={t.receivedQuestion}
        confirmLabel={t.haveIt}
        confirmVariant="primary"
        cancelLabel={t.notYet}
        busy={isLoading}
        onConfirm={() => void confirm()}
        onCancel={() => setAsking(false)}
      >
        <p>{t.receivedConsequence}</p>
      </ConfirmDialog>
    </>
  );
}
