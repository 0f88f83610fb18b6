import type { ReactNode } from "react";
import { PhoneIcon } from "@/ui/icons";

interface Props {
  title: string;
  /** What the user can do. */
  children?: ReactNode;
}

/** The message in place of an empty list. */
export function EmptyState({ title, children }: Props) {
  return (
    <div className="grid justify-items-center gap-3 rounded-lg bg-sunk px-6 py-16 text-center">
      <EmptyIcon />
      <p className="font-bold text-xl">{title}</p>
      {children && <div className="max-w-prose text-muted">{children}</div>}
    </div>
  );
}

/** A decorative phone in two rings. */
function EmptyIcon() {
  return (
    <span aria-hidden="true" className="relative mb-2 grid size-24 place-items-center text-muted">
      <span className="absolute inset-0 rounded-full border border-line" />
      <span className="absolute inset-3 rounded-full border border-edge opacity-50" />
      <PhoneIcon className="size-9" />
    </span>
  );
}
