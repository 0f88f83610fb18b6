import { useLocation } from "react-router-dom";
import type { Booking } from "@/api/types";
import * as t from "@/texts/order";
import { CarrierFields } from "./CarrierFields";
import { HandOver } from "./HandOver";
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
      <HandOver
        key={code}
        id={order._id}
        title={t.handTitle(namesOf(order).buyer)}
        lead={code ? t.handFromLink : t.handLead}
        owner="buyer"
        code={code}
      />
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
