import type { ReactNode } from "react";
import { Skeleton } from "@/ui/Skeleton";

interface Props {
  label: string;
  /** Undefined while loading. */
  value: string | undefined;
  /** A line of text below; its height is reserved when it is missing. */
  note?: ReactNode;
  /** A link to what the number counts, below the note. */
  link?: ReactNode;
}

/** A number with its label, inside a `<dl>`. It has the same size while loading. */
export function StatCard({ label, value, note, link }: Props) {
  return (
    <div className="grid content-start gap-1 rounded-lg border border-line bg-surface p-4 shadow-card sm:p-5">
      <dt className="font-semibold text-muted text-sm">{label}</dt>
      <dd className="font-extrabold text-3xl tabular-nums tracking-tight">
        {value ?? <Skeleton className="my-1 h-[1.5rem] w-16 sm:h-9" />}
      </dd>
      <dd className="min-h-5 text-muted text-xs">{note}</dd>
      {link && <dd>{link}</dd>}
    </div>
  );
}
