import type { ReactNode } from "react";
import * as t from "@/texts/home";
import { LiveDot } from "@/ui";
import { CardIcon, VerifiedIcon } from "@/ui/icons";

const promises: { icon: ReactNode; title: string; words: string }[] = [
  {
    icon: <LiveDot className="size-3" />,
    title: t.live,
    words: t.liveLead,
  },
  {
    icon: <VerifiedIcon className="size-6" />,
    title: t.named,
    words: t.namedLead,
  },
  {
    icon: <CardIcon className="size-6" />,
    title: t.paid,
    words: t.paidLead,
  },
];

/** Three reasons to use the market. */
export function ValueProps() {
  return (
    <ul aria-label={t.special} className="screen-width grid gap-gap pb-part lg:grid-cols-3">
      {promises.map(({ icon, title, words }) => (
        <li key={title} className="grid grid-cols-[auto_1fr] content-start gap-x-4">
          <span className="row-span-2 grid size-11 place-items-center rounded-full bg-brand-soft text-brand">
            {icon}
          </span>
          <p className="font-bold text-lg">{title}</p>
          <p className="text-muted text-sm">{words}</p>
        </li>
      ))}
    </ul>
  );
}
