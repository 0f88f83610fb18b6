import { useState } from "react";
import { toApiError } from "@/api/errors";
import * as t from "@/texts/secondFactor";
import { Button, useToast } from "@/ui";
import { useStopSecondFactorMutation } from "./endpoints";
import { PasswordStep } from "./PasswordStep";
import { SecondFactorSetup } from "./SecondFactorSetup";
import { Section } from "./Section";

interface Props {
  isOn: boolean;
  hasPassword: boolean;
  onChanged: () => void;
}

/** Whether the login takes a code, with the forms to switch that on and off. */
export function SecondFactor({ isOn, hasPassword, onChanged }: Props) {
  const [isOpen, setOpen] = useState(false);
  const toast = useToast();
  const [stop] = useStopSecondFactorMutation();
  const close = () => setOpen(false);
  const onDone = () => {
    close();
    onChanged();
  };
  const switchOff = async (body: { password?: string }) => {
    const { error } = await stop(body);
    if (error) return toApiError(error);
    toast(t.off);
    onDone();
  };
  return (
    <Section title={t.title}>
      <p className="text-muted">{isOn ? t.isOn : t.lead}</p>
      {!isOpen && (
        <Button variant="secondary" onClick={() => setOpen(true)} className="justify-self-start">
          {isOn ? t.switchOff : t.setUp}
        </Button>
      )}
      {isOpen && isOn && (
        <PasswordStep hasPassword={hasPassword} submit={t.switchOff} onSubmit={switchOff} onCancel={close} />
      )}
      {isOpen && !isOn && <SecondFactorSetup hasPassword={hasPassword} onDone={onDone} onCancel={close} />}
    </Section>
  );
}
