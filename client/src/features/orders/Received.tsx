import { useState } from "react";
import { errorMessage } from "@/api/errors";
import * as t from "@/texts/order";
import { Button, ConfirmDialog, useToast } from "@/ui";
import { useFulfilMutation } from "./orderEndpoints";

/** The buyer confirms that the phone is there. */
export function Received({ id }: { id: string }) {
  const [isAsking, setAsking] = useState(false);
  const [fulfil, { isLoading }] = useFulfilMutation();
  const toast = useToast();
  const confirm = async () => {
    const { error } = await fulfil({ id, action: "received" });
    setAsking(false);
    if (error) toast(errorMessage(error), "error");
  };
  return (
    <>
      <Button className="justify-self-start print:hidden" onClick={() => setAsking(true)}>
        {t.haveIt}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={t.receivedQuestion}
        confirmLabel={t.haveIt}
        cancelLabel={t.cancel}
        busy={isLoading}
        onConfirm={() => void confirm()}
        onCancel={() => setAsking(false)}
      >
        <p>{t.receivedConsequence}</p>
      </ConfirmDialog>
    </>
  );
}
