import { Outlet, useOutletContext } from "react-router-dom";
import { useIsModerator } from "@/api/role";
import type { Role } from "@/api/types";
import { BecomeSeller } from "@/features/auth/BecomeSeller";
import * as t from "@/texts/layout";
import { EmptyState } from "@/ui";
import type { SignedInContext } from "./RequireUser";

const TITLES: Record<Role, string> = { admin: t.forAdmins, buyer: t.forBuyers, seller: t.forSellers };

interface Props {
  /** Who may see the screens; a page for others is named after the first. */
  roles: [Role, ...Role[]];
  /** Whether the screens show orders of other people, which moderators do not see. */
  ofOrders?: boolean;
}

/** A layout route inside RequireUser that shows its child routes to some roles only. */
export function RequireRole({ roles, ofOrders = false }: Props) {
  const context = useOutletContext<SignedInContext>();
  const isModerator = useIsModerator();
  if (ofOrders && isModerator) return <EmptyState title={t.notForModerators}>{t.chooseAnother}</EmptyState>;
  if (roles.includes(context.role)) return <Outlet context={context} />;
  const mayJoin = roles[0] === "seller" && context.role === "buyer";
  return <EmptyState title={TITLES[roles[0]]}>{mayJoin ? <BecomeSeller /> : t.chooseAnother}</EmptyState>;
}
