import { cleanCode } from "@/lib/cleanText";
import * as t from "@/texts/order";
import { Field } from "@/ui";
import { StepForm } from "./StepForm";

interface Props {
  id: string;
  title: string;
  lead: string;
  /** Who shows the code. */
  owner: "buyer" | "seller";
  /** From the link in the QR code; "" without. */
  code: string;
}

/** One side enters the code that the other one shows. */
export function HandOver({ id, title, lead, owner, code }: Props) {
  return (
    <StepForm
      id={id}
      title={title}
      lead={lead}
      submit={t.hand}
      names={["code"]}
      defaultValues={{ code }}
      isFilled={code !== ""}
      stepOf={(values) => ({ action: "handed", code: values.code })}
    >
      {({ register, formState: { errors } }) => (
        <Field
          label={t.code}
          hint={t.codeHint(owner)}
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
