import { useLocation } from "react-router-dom";
import type { Booking } from "@/api/types";
import { cleanCode } from "@/lib/cleanText";
import * as t from "@/texts/order";
import { Field } from "@/ui";
import { CarrierFields } from "./CarrierFields";
import { codeIn } from "./handoverLink";
import { ReasonStep } from "./ReasonStep";
import { StepHead, stepCardClass } from "./StepCard";
import { StepForm } from "./StepForm";
import { namesOf } from "./stage";

interface Props {
  order: Booking;
  state: "waiting" | "sent";
}

/** The seller meets the buyer, sends the phone, or cancels; first is what the buyer has chosen. One who has scanned the buyer's code only confirms it. */
export function SellerSteps({ order, state }: Props) {
  const code = codeIn(useLocation().hash);
  const canSend = state === "waiting" && !code;
  const isSent = order.delivery === "send";
  return (
    <>
      {canSend && isSent && <SendByPost id={order._id} />}
      <HandOver key={code} id={order._id} buyer={namesOf(order).buyer} code={code} />
      {canSend && (
        <>
          {!isSent && <SendByPost id={order._id} />}
          <section className={stepCardClass}>
            <StepHead title={t.cannotTitle} lead={t.cannotLead} />
            <div>
              <ReasonStep id={order._id} action="cancel" />
            </div>
          </section>
        </>
      )}
    </>
  );
}

interface HandOverProps {
  id: string;
  buyer: string;
  /** From the link in the QR code; "" without. */
  code: string;
}

function HandOver({ id, buyer, code }: HandOverProps) {
  return (
    <StepForm
      id={id}
      title={t.handTitle(buyer)}
      lead={code ? t.handFromLink : t.handLead}
      submit={t.hand}
      names={["code"]}
      defaultValues={{ code }}
      isFilled={code !== ""}
      stepOf={(values) => ({ action: "handed", code: values.code })}
    >
      {({ register, formState: { errors } }) => (
        <Field
          label={t.code}
          hint={t.codeHint}
          inputMode="numeric"
          autoComplete="off"
          maxLength={20}
          error={errors.code?.message}
          className="max-w-60 font-mono text-2xl tracking-widest"
          {...register("code", {
            setValueAs: cleanCode,
            required: t.required(t.code),
            pattern: { value: /^\d{6}$/, message: t.sixDigits },
          })}
        />
      )}
    </StepForm>
  );
}

function SendByPost({ id }: { id: string }) {
  return (
    <StepForm
      id={id}
      title={t.sendTitle}
      lead={t.sendLead}
      submit={t.send}
      question={t.sendQuestion}
      consequence={({ carrier, tracking }) => t.sendConsequence(carrier, tracking)}
      names={["carrier", "tracking"]}
      defaultValues={{ carrier: "", tracking: "" }}
      stepOf={(values) => ({ action: "send", ...values })}
    >
      {(form) => <CarrierFields {...form} />}
    </StepForm>
  );
}
