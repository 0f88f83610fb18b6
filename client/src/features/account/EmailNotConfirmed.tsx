import { useConfigQuery } from "@/api/config";
import { useSendConfirmation } from "@/api/emailConfirmation";
import * as t from "@/texts/emailConfirmation";
import { ActionButton } from "@/ui";
import { DemoEmail } from "@/ui/DemoEmail";

/** A notice to a user who has not confirmed their email address. */
export function EmailNotConfirmed({ email }: { email: string }) {
  const { data: config } = useConfigQuery();
  const sending = useSendConfirmation();
  if (!config?.mail) return null;
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 rounded-md bg-accent-soft px-4 py-3">
        <div className="grid gap-0.5">
          <p className="font-semibold text-accent">{t.notConfirmed}</p>
          <p className="text-sm">{config.verifyEmail ? t.neededTo : t.useLink}</p>
        </div>
        <ActionButton {...sending} size="sm">
          {t.sendAgain}
        </ActionButton>
      </div>
      {config.mailbox && <DemoEmail mailbox={config.mailbox} to={email} />}
    </div>
  );
}
