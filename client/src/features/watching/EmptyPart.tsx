import { Link } from "react-router-dom";
import { EmptyState } from "@/ui";

interface Props {
  title: string;
  hint: string;
  /** The link to a screen on which entries can be added. */
  to: string;
  link: string;
  /** The other part of the screen has entries, so this one takes one line only. */
  isBrief: boolean;
}

/** What a part of the screen shows without entries. */
export function EmptyPart({ title, hint, to, link, isBrief }: Props) {
  const way = (
    <Link to={to} className="inline-block py-1 text-brand underline">
      {link}
    </Link>
  );
  if (isBrief) {
    return (
      <p className="text-muted">
        <span>{`${title}. `}</span>
        {way}
      </p>
    );
  }
  return (
    <EmptyState title={title}>
      <p>{hint}</p>
      <p className="mt-2">{way}</p>
    </EmptyState>
  );
}
