import { useState } from "react";
import { useForm } from "react-hook-form";
import { toApiError } from "@/api/errors";
import type { NewSecondFactor } from "@/api/types";
import { useFormErrors } from "@/api/useFormErrors";
import { cleanCode } from "@/lib/cleanText";
import * as t from "@/texts/secondFactor";
import { Button, Field } from "@/ui";
import { AccountForm } from "./AccountForm";
import { useConfirmSecondFactorMutation, useStartSecondFactorMutation } from "./endpoints";
import { PasswordStep } from "./PasswordStep";

interface Props {
  hasPassword: boolean;
  /** Called once the recovery codes have been read. */
  onDone: () => void;
  onCancel?: () => void;
}

/** Switches the second factor on, in three steps: the password, the app, the recovery codes. */
export function SecondFactorSetup({ hasPassword, onDone, onCancel }: Props) {
  const [start] = useStartSecondFactorMutation();
  const [factor, setFactor] = useState<NewSecondFactor>();
  const [codes, setCodes] = useState<string[]>();
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (factor) return <AppStep factor={factor} onConfirmed={setCodes} />;
  const onPassword = async (body: { password?: string }) => {
    const { data, error } = await start(body);
    if (data) setFactor(data);
    return error && toApiError(error);
  };
  return <PasswordStep hasPassword={hasPassword} submit={t.next} onSubmit={onPassword} onCancel={onCancel} />;
}

interface AppStepProps {
  factor: NewSecondFactor;
  onConfirmed: (codes: string[]) => void;
}

function AppStep({ factor, onConfirmed }: AppStepProps) {
  const [confirm] = useConfirmSecondFactorMutation();
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { code: "" } });
  const { failure, showError, clearFailure } = useFormErrors(setError, ["code"]);
  const onSubmit = async (values: { code: string }) => {
    clearFailure();
    const { data, error } = await confirm(values);
    if (data) onConfirmed(data.recoveryCodes);
    if (error) showError(toApiError(error));
  };
  return (
    <AccountForm
      onSubmit={(event) => void handleSubmit(onSubmit)(event)}
      submit={t.switchOn}
      busy={formState.isSubmitting}
      failure={failure}
    >
      <p>{t.scan}</p>
      <img src={factor.qr} alt={t.qrAlt} width={240} height={240} className="rounded-md bg-white" />
      <p className="text-muted text-sm">
        <span>{t.typeSecret}</span>{" "}
        <code className="select-all break-all font-mono text-ink">{factor.secret}</code>
      </p>
      <Field
        label={t.code}
        hint={t.codeHint}
        autoComplete="one-time-code"
        inputMode="numeric"
        error={formState.errors.code?.message}
        {...register("code", { setValueAs: cleanCode, required: t.codeRequired })}
      />
    </AccountForm>
  );
}

function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <div className="grid max-w-md gap-5">
      <p role="status">{t.on}</p>
      <p>{t.keepCodes}</p>
      <ul aria-label={t.recoveryCodes} className="grid gap-2 rounded-md bg-sunk p-4 font-mono sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Button onClick={onDone} className="justify-self-start">
        {t.kept}
      </Button>
    </div>
  );
}
