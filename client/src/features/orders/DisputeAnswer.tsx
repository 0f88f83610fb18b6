import { useState } from "react";
import { errorMessage } from "@/api/errors";
import type { Booking } from "@/api/types";
import { serverNow } from "@/lib/serverTime";
import { shortMinute } from "@/texts/dates";
import * as t from "@/texts/disputes";
import { Button, ConfirmDialog, useToast } from "@/ui";
import { useAnswerDisputeMutation } from "./endpoints";
import { StepHead, stepCardClass } from "./StepCard";

type Dispute = NonNullable<Booking["dispute"]>;

interface Props {
  /** Of the order. */
  id: string;
  /** An open one. */
  dispute: Dispute;
}

/** An admin's answer to the dispute of an order's payment: until when, the button, and when it was sent. */
export function DisputeAnswer({ id, dispute }: Props) {
  return (
    <div className={stepCardClass}>
      <StepHead title={t.title} lead={leadOf(dispute)} />
      {isToAnswer(dispute) && <Answer id={id} />}
    </div>
  );
}

const isToAnswer = ({ answerBy, answering, answeredAt }: Dispute) =>
  !answering && !answeredAt && answerBy !== undefined && Date.parse(answerBy) > serverNow();

function leadOf(dispute: Dispute): string {
  const { answerBy, answering, answeredAt } = dispute;
  if (answeredAt) return t.answeredOn(shortMinute(answeredAt));
  if (!answerBy) return t.takesNone;
  if (Date.parse(answerBy) <= serverNow()) return t.timeOver(shortMinute(answerBy));
  return answering ? t.answering : t.answerBefore(shortMinute(answerBy));
}

/** The button, and the dialog that says what is sent. */
function Answer({ id }: { id: string }) {
  const [isAsking, setAsking] = useState(false);
  const [answer, { isLoading, isSuccess }] = useAnswerDisputeMutation();
  const toast = useToast();
  const confirm = async () => {
    const { error } = await answer({ id });
    setAsking(false);
    if (error) toast(errorMessage(error), "error");
  };
  return (
    <div>
      <Button className="wrap-anywhere" busy={isLoading || isSuccess} onClick={() => setAsking(true)}>
        {t.send}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={t.question}
        confirmLabel={t.send}
        confirmVariant="primary"
        cancelLabel={t.notYet}
        busy={isLoading}
        onConfirm={() => void confirm()}
        onCancel={() => setAsking(false)}
      >
        <p>{t.once}</p>
        <ul className="mt-3 grid list-disc gap-1 pl-5">
          {t.parts.map((part) => (
            <li key={part}>{part}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </div>
  );
}
