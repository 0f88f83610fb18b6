import { Outlet, useOutletContext } from "react-router-dom";
import type { Role } from "@/api/types";
import * as t from "@/texts/layout";
import { EmptyState } from "@/ui";
import type { Known } from "./guards";

const FOR: Record<Role, string> = { admin: t.forAdmins, buyer: t.forBuyers, seller: t.forSellers };

/** Inside RequireUser: shows its routes to one role only. */
export function RequireRole({ only }: { only: Role }) {
  const known = useOutletContext<Known>();
  if (known.role === only) return <Outlet context={known} />;
  return <EmptyState title={FOR[only]}>{t.chooseAnother}</EmptyState>;
}
