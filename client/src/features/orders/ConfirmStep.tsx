import { type ReactNode, useState } from "react";
import { errorMessage } from "@/api/errors";
import * as t from "@/texts/order";
import { Button, ConfirmDialog, useToast } from "@/ui";
import { useFulfilMutation } from "./endpoints";

interface Props {
  id: string;
  action: "received" | "wait" | "returned";
  /** Of the button, and of the one that confirms. */
  label: string;
  question: string;
  /** Whether the button is the main one of the screen. */
  isPrimary?: boolean;
  /** What the step does. */
  children: ReactNode;
}

/** The button of a step that only asks for a confirmation. */
export function ConfirmStep({ id, action, label, question, isPrimary, children }: Props) {
  const [isAsking, setAsking] = useState(false);
  const [fulfil, { isLoading, isSuccess }] = useFulfilMutation();
  const toast = useToast();
  const confirm = async () => {
    const { error } = await fulfil({ id, action });
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
        {label}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={question}
        confirmLabel={label}
        confirmVariant="primary"
        cancelLabel={t.notYet}
        busy={isLoading}
        onConfirm={() => void confirm()}
        onCancel={() => setAsking(false)}
      >
        <p>{children}</p>
      </ConfirmDialog>
    </>
  );
}
