import type { Elements } from "@/ui/Elements";

interface Props {
  title: string;
  children: Elements;
}

/** A card of the account screen. */
export function Section({ title, children }: Props) {
  return (
    <div className="grid gap-5 rounded-lg border border-line bg-surface p-5 shadow-card sm:p-8">
      <h3 className="font-bold text-lg">{title}</h3>
      {children}
    </div>
  );
}
