import * as t from "@/texts/ui";
import { Trans } from "@/ui/Trans";

interface Props {
  /** The path of the mailbox, of GET /config. */
  mailbox: string;
  to: string;
}

/** In a demo whose email is not sent but shown: the way to the emails of an address. */
export function DemoEmail({ mailbox, to }: Props) {
  return (
    <p className="rounded-md bg-brand-soft px-4 py-3 text-brand">
      <Trans
        text={t.demoEmail}
        values={{
          link: (words) => (
            <a
              href={`${mailbox}?to=${encodeURIComponent(to)}`}
              className="font-semibold underline underline-offset-4"
            >
              {words}
            </a>
          ),
        }}
      />
    </p>
  );
}
