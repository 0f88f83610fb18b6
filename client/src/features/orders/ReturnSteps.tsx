import { useLocation } from "react-router-dom";
import type { Booking } from "@/api/types";
import { dollars } from "@/texts/money";
import * as t from "@/texts/orderProblems";
import { CarrierFields } from "./CarrierFields";
import { ConfirmStep } from "./ConfirmStep";
import { HandOver } from "./HandOver";
import { HandoverCode } from "./HandoverCode";
import { codeIn } from "./handoverLink";
import { ReasonStep } from "./ReasonStep";
import { StepHead, stepCardClass } from "./StepCard";
import { StepForm } from "./StepForm";
import { deadlineOf, namesOf } from "./stage";

/** The buyer sends the phone back or meets the seller. One who has scanned the seller's code only confirms it. */
export function BuyerReturns({ order }: { order: Booking }) {
  const { _id: id } = order;
  const code = codeIn(useLocation().hash);
  const { seller } = namesOf(order);
  const total = dollars(order.total);
  return (
    <>
      {!code && (
        <StepForm
          id={id}
          title={t.sendBackTitle}
          lead={t.sendBackLead(seller, deadlineOf(order))}
          submit={t.sentBack}
          question={t.sentBackQuestion}
          consequence={({ carrier, tracking }) => t.sentBackConsequence(carrier, tracking)}
          names={["carrier", "tracking"]}
          defaultValues={{ carrier: "", tracking: "" }}
          stepOf={(values) => ({ action: "return", ...values })}
        >
          {(form) => <CarrierFields {...form} />}
        </StepForm>
      )}
      <HandOver
        key={code}
        id={id}
        title={t.meetInstead}
        lead={code ? t.returnFromLink(total) : t.meetInsteadLead(seller, total)}
        owner="seller"
        code={code}
      />
    </>
  );
}

/** The seller shows the code when they meet. */
export function SellerMeets({ order }: { order: Booking }) {
  return (
    <section className={stepCardClass}>
      <StepHead title={t.meetTitle(namesOf(order).buyer)} lead={t.meetLead(dollars(order.total))} />
      <HandoverCode id={order._id} reader="buyer" />
    </section>
  );
}

/** The seller confirms that the phone is back, or says what is wrong with it. */
export function SellerChecks({ order }: { order: Booking }) {
  const { _id: id } = order;
  const total = dollars(order.total);
  return (
    <section className={stepCardClass}>
      <StepHead title={t.checkTitle} lead={t.checkLead(total, deadlineOf(order))} />
      <div className="flex flex-wrap gap-3">
        <ConfirmStep id={id} action="returned" label={t.haveItBack} question={t.haveItBackQuestion} isPrimary>
          {t.haveItBackConsequence(total)}
        </ConfirmStep>
        <ReasonStep id={id} action="object" />
      </div>
    </section>
  );
}

/** The seller answers the problem. */
export function SellerAnswers({ order }: { order: Booking }) {
  return (
    <section className={stepCardClass}>
      <StepHead title={t.answerTitle} lead={t.answerLead} />
      <div>
        <ReasonStep id={order._id} action="answer" />
      </div>
    </section>
  );
}
