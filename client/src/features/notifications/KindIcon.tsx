import type { ReactNode } from "react";
import { BellIcon, CardIcon, FlagIcon, PhoneIcon, SearchIcon, VerifiedIcon } from "@/ui/icons";

const ICONS: Record<string, ReactNode> = {
  booked: <PhoneIcon />,
  released: <PhoneIcon />,
  available: <PhoneIcon />,
  sold: <PhoneIcon />,
  price: <PhoneIcon />,
  paid: <CardIcon />,
  order: <CardIcon />,
  verified: <VerifiedIcon />,
  match: <SearchIcon />,
  report: <FlagIcon />,
  decision: <FlagIcon />,
};

/** The picture of a kind of notification. */
export function KindIcon({ kind }: { kind: string }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-10 shrink-0 place-items-center rounded-full bg-brand-soft text-brand"
    >
      {ICONS[kind] ?? <BellIcon />}
    </span>
  );
}
