import type { Booking } from "@/api/types";
import * as t from "@/texts/order";
import { Field, Options, Select, Textarea } from "@/ui";
import { HandoverCode } from "./HandoverCode";
import { Received } from "./Received";
import { StepForm } from "./StepForm";

export type Side = "buyer" | "seller" | "admin";

/** What this side may do with the order now. */
export function OrderSteps({ order, side }: { order: Booking; side: Side }) {
  const state = order.fulfilment?.state;
  const { _id: id } = order;
  if (!order.paid || !state || state === "settled") return null;
  if (side === "admin") return <Decide id={id} />;
  if (state === "problem") return null;
  const isOnTheWay = state === "waiting" || state === "sent";
  if (side === "seller") {
    return (
      <>
        {state === "waiting" && <SendByPost id={id} />}
        {isOnTheWay && <HandOver id={id} />}
      </>
    );
  }
  return (
    <>
      {isOnTheWay && <HandoverCode id={id} />}
      {isOnTheWay && <Received id={id} />}
      <ReportProblem id={id} />
    </>
  );
}

function SendByPost({ id }: { id: string }) {
  return (
    <StepForm
      id={id}
      title={t.sendTitle}
      submit={t.send}
      names={["carrier", "tracking"]}
      defaultValues={{ carrier: "", tracking: "" }}
      stepOf={(values) => ({ action: "send", ...values })}
    >
      {({ register, formState: { errors } }) => (
        <>
          <Field
            label={t.carrier}
            error={errors.carrier?.message}
            {...register("carrier", { required: t.required(t.carrier) })}
          />
          <Field
            label={t.tracking}
            error={errors.tracking?.message}
            {...register("tracking", { required: t.required(t.tracking) })}
          />
        </>
      )}
    </StepForm>
  );
}

function HandOver({ id }: { id: string }) {
  return (
    <StepForm
      id={id}
      title={t.handTitle}
      submit={t.hand}
      names={["code"]}
      defaultValues={{ code: "" }}
      stepOf={({ code }) => ({ action: "handed", code: code.trim() })}
    >
      {({ register, formState: { errors } }) => (
        <Field
          label={t.code}
          hint={t.codeHint}
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          error={errors.code?.message}
          {...register("code", { required: t.required(t.code) })}
        />
      )}
    </StepForm>
  );
}

function ReportProblem({ id }: { id: string }) {
  return (
    <StepForm
      id={id}
      title={t.problemTitle}
      lead={t.problemLead}
      submit={t.problemTitle}
      names={["reason"]}
      defaultValues={{ reason: "" }}
      stepOf={({ reason }) => ({ action: "problem", reason })}
    >
      {({ register, formState: { errors } }) => (
        <Textarea
          label={t.reasonLabel}
          error={errors.reason?.message}
          {...register("reason", { required: t.required(t.reasonLabel) })}
        />
      )}
    </StepForm>
  );
}

function Decide({ id }: { id: string }) {
  return (
    <StepForm
      id={id}
      title={t.decideTitle}
      lead={t.decideLead}
      submit={t.decideTitle}
      question={t.confirmDecision}
      names={["outcome", "reason"]}
      defaultValues={{ outcome: "release", reason: "" }}
      stepOf={(values) => ({ action: "settle", ...values })}
    >
      {({ register, formState: { errors } }) => (
        <>
          <Select label={t.outcome} error={errors.outcome?.message} {...register("outcome")}>
            <Options labels={t.outcomes} />
          </Select>
          <Textarea
            label={t.reasonLabel}
            error={errors.reason?.message}
            {...register("reason", { required: t.required(t.reasonLabel) })}
          />
        </>
      )}
    </StepForm>
  );
}
