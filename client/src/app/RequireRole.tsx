import { Outlet, useOutletContext } from "react-router-dom";
import type { Role } from "@/api/types";
import * as t from "@/texts/layout";
import { EmptyState } from "@/ui";
import type { SignedInContext } from "./guards";

const TITLES: Record<Role, string> = { admin: t.forAdmins, buyer: t.forBuyers, seller: t.forSellers };

/** A layout route inside RequireUser that shows its child routes to one role only. */
export function RequireRole({ only }: { only: Role }) {
  const context = useOutletContext<SignedInContext>();
  if (context.role === only) return <Outlet context={context} />;
  return <EmptyState title={TITLES[only]}>{t.chooseAnother}</EmptyState>;
}
