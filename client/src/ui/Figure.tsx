import type { ReactNode } from "react";
import { Skeleton } from "@/ui/Spinner";

interface Props {
  /** What is counted. */
  label: string;
  /** Undefined while it is not known yet. */
  value: string | undefined;
  /** A word about it; its line is there without it too. */
  note?: ReactNode;
}

/** One number that matters, with its words: inside a `<dl>`. As large before the number has come. */
export function Figure({ label, value, note }: Props) {
  return (
    <div className="grid content-start gap-1 rounded-lg border border-line bg-surface p-4 shadow-card sm:p-5">
      <dt className="font-semibold text-muted text-sm">{label}</dt>
      <dd className="font-extrabold text-3xl tabular-nums tracking-tight">
        {value ?? <Skeleton className="my-1 h-[1.5rem] w-16 sm:h-9" />}
      </dd>
      <dd className="min-h-5 text-muted text-xs">{note}</dd>
    </div>
  );
}
