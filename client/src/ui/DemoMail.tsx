import * as t from "@/texts/ui";
import { Trans } from "@/ui/Trans";

/** In the demo, where email is not sent but shown: the way to the emails of an address. */
export function DemoMail({ to }: { to: string }) {
  return (
    <p className="rounded-md bg-brand-soft px-4 py-3 text-brand">
      <Trans
        text={t.demoMail}
        values={{
          link: (words) => (
            <a
              href={`/sandbox/mail?to=${encodeURIComponent(to)}`}
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
