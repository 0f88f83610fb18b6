import { useState } from "react";
import { toApiError } from "@/api/errors";
import * as t from "@/texts/account";
import { Button, useToast } from "@/ui";
import { useUnlinkGoogleMutation } from "./endpoints";
import { PasswordStep } from "./PasswordStep";
import { Section } from "./Section";

/** The linked Google account, with the form to unlink it. Without a password the account needs it. */
export function LinkedGoogle({ hasPassword, onChanged }: { hasPassword: boolean; onChanged: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const toast = useToast();
  const [unlink] = useUnlinkGoogleMutation();
  const onSubmit = async (body: { password?: string }) => {
    const { error } = await unlink(body);
    if (error) return toApiError(error);
    toast(t.googleUnlinked);
    onChanged();
  };
  return (
    <Section title={t.googleTitle}>
      <p className="text-muted">{hasPassword ? t.googleLead : t.googleOnly}</p>
      {hasPassword && !isOpen && (
        <Button variant="secondary" onClick={() => setOpen(true)} className="justify-self-start">
          {t.unlinkGoogle}
        </Button>
      )}
      {hasPassword && isOpen && (
        <PasswordStep
          hasPassword
          submit={t.unlinkGoogle}
          onSubmit={onSubmit}
          onCancel={() => setOpen(false)}
        />
      )}
    </Section>
  );
}
