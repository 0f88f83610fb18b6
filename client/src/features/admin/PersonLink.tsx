import { Link } from "react-router-dom";
import type { User } from "@/api/types";
import { rowLinkClass } from "@/ui";
import { personPath } from "./auditWords";

/** A person's name, with a link to their page. */
export function PersonLink({ user: { _id, name } }: { user: User }) {
  return (
    <Link to={personPath(_id)} className={rowLinkClass}>
      {name}
    </Link>
  );
}
