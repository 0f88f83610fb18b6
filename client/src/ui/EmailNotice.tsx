import * as t from "@/texts/emailNotice";
import type { Elements } from "@/ui/Elements";
import { Trans } from "@/ui/Trans";

interface Props {
  /** What the emails are about. */
  text: string;
  /** The link to the choices of emails, with these words. */
  settings: (words: string) => Elements;
  /** The button that sends the link to confirm the address, which gets no emails before; null if it is confirmed. */
  confirm: Elements;
}

/** Says at the first booking or listing that there will be emails: what an unconfirmed address needs first, or where to change it. */
export function EmailNotice({ text, settings, confirm }: Props) {
  return (
    <div className="grid gap-2 text-muted text-sm [&_a]:font-semibold [&_a]:text-brand [&_a]:underline [&_a]:underline-offset-4">
      <p>
        <span>{text}</span>{" "}
        {confirm ? <span>{t.confirmFirst}</span> : <Trans text={t.change} values={{ link: settings }} />}
      </p>
      {confirm}
    </div>
  );
}
