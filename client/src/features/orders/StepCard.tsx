/** The card of a step. */
export const stepCardClass = "grid gap-4 rounded-lg border border-line bg-surface p-5 sm:p-6";

/** What a step is for. */
export function StepHead({ title, lead }: { title: string; lead?: string }) {
  return (
    <div className="grid gap-1">
      <h3 className="font-bold text-xl wrap-anywhere">{title}</h3>
      {lead && <p className="text-muted">{lead}</p>}
    </div>
  );
}
