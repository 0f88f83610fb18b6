import { useMemo } from "react";
import { useOutletContext } from "react-router-dom";
import { ownBookings } from "@/api/bookings";
import { useAllPages } from "@/api/useAllPages";
import { useList } from "@/api/useList";
import type { SignedInContext } from "@/app/RequireUser";
import { buyers, reports, sellers } from "@/features/admin/endpoints";
import { AdminOverview } from "@/features/dashboard/AdminOverview";
import { BuyerOverview } from "@/features/dashboard/BuyerOverview";
import { SellerOverview } from "@/features/dashboard/SellerOverview";
import { ownProducts } from "@/features/selling/endpoints";
import { VerificationNote } from "@/features/selling/GetVerified";

/** The same argument object in every render. */
const ALL = {};

/** /dashboard itself: an overview for each role, from the lists of that role's screens. */
export default function OverviewRoute() {
  const { role, user } = useOutletContext<SignedInContext>();
  if (role === "seller") return <Seller email={user.email} />;
  return role === "buyer" ? <Buyer email={user.email} /> : <Admin />;
}

function Seller({ email }: { email: string }) {
  const arg = useMemo(() => ({ email }), [email]);
  return <SellerOverview view={useAllPages(useList(ownProducts, arg))} note={<VerificationNote />} />;
}

function Buyer({ email }: { email: string }) {
  const arg = useMemo(() => ({ email }), [email]);
  return <BuyerOverview view={useAllPages(useList(ownBookings, arg))} />;
}

function Admin() {
  return (
    <AdminOverview
      buyers={useList(buyers, ALL)}
      sellers={useAllPages(useList(sellers, ALL))}
      reports={useList(reports, ALL)}
    />
  );
}
