import type { ReactNode } from "react";
import { LiveDot } from "@/ui";
import { CardIcon, VerifiedIcon } from "@/ui/icons";

const promises: { icon: ReactNode; title: string; words: string }[] = [
  {
    icon: <LiveDot className="size-3" />,
    title: "Live on every screen",
    words: "Two people never chase the same phone: a booking shows everywhere within a blink.",
  },
  {
    icon: <VerifiedIcon className="size-6" />,
    title: "Sellers with a name",
    words: "Each card says who sells, where, and whether we have verified them.",
  },
  {
    icon: <CardIcon className="size-6" />,
    title: "Booked, then paid by card",
    words: "A booking keeps the phone for you while you pay. Change your mind and it is free again.",
  },
];

/** What is special here, in three lines. */
export function Promises() {
  return (
    <ul aria-label="What is special here" className="screen-width grid gap-gap pt-8 lg:grid-cols-3 lg:pt-10">
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
