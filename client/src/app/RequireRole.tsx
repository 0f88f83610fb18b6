import { Outlet, useOutletContext } from "react-router-dom";
import type { Role } from "@/api/types";
import { useSignOut } from "@/features/auth";
import { ADD_PRODUCT } from "@/lib/loginOrigin";
import * as t from "@/texts/layout";
import * as sell from "@/texts/sell";
import { Button, EmptyState } from "@/ui";
import type { SignedInContext } from "./RequireUser";

const TITLES: Record<Role, string> = { admin: t.forAdmins, buyer: t.forBuyers, seller: t.forSellers };

/** A layout route inside RequireUser that shows its child routes to one role only. */
export function RequireRole({ only }: { only: Role }) {
  const context = useOutletContext<SignedInContext>();
  if (context.role === only) return <Outlet context={context} />;
  return (
    <EmptyState title={TITLES[only]}>
      {only === "seller" && context.role === "buyer" ? <SellerAccountNeeded /> : t.chooseAnother}
    </EmptyState>
  );
}

/** For a buyer where only sellers may be: after the sign-out RequireUser leads to the login, and from there back here. */
function SellerAccountNeeded() {
  const signOut = useSignOut({ from: ADD_PRODUCT });
  return (
    <div className="grid justify-items-center gap-4">
      <p>{sell.needsSeller}</p>
      <Button onClick={signOut}>{sell.asSeller}</Button>
    </div>
  );
}
