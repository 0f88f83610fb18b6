import { useMemo } from "react";
import { useOutletContext } from "react-router-dom";
import { ownBookings, ownSales } from "@/api/bookings";
import { useAllPages } from "@/api/useAllPages";
import { useList } from "@/api/useList";
import type { SignedInContext } from "@/app/RequireUser";
import { AdminDesk } from "@/features/admin/AdminDesk";
import { DeskFigures } from "@/features/earnings/Figures";
import { useOfferTasks } from "@/features/messages/useOfferTasks";
import { BuyerDesk } from "@/features/orders/BuyerDesk";
import { ownProducts } from "@/features/selling/endpoints";
import { VerificationNote } from "@/features/selling/GetVerified";
import { SellerDesk } from "@/features/selling/SellerDesk";

/** /dashboard itself: what there is to do, for each role, from the lists of that role's screens. */
export default function OverviewRoute() {
  const { role, user } = useOutletContext<SignedInContext>();
  if (role === "seller") return <Seller email={user.email} />;
  return role === "buyer" ? <Buyer email={user.email} /> : <AdminDesk />;
}

function Seller({ email }: { email: string }) {
  const arg = useMemo(() => ({ email }), [email]);
  return (
    <SellerDesk
      phones={useAllPages(useList(ownProducts, arg))}
      sales={useAllPages(useList(ownSales, arg))}
      offers={useOfferTasks(email)}
      note={<VerificationNote />}
      money={<DeskFigures />}
    />
  );
}

function Buyer({ email }: { email: string }) {
  const arg = useMemo(() => ({ email }), [email]);
  return <BuyerDesk view={useAllPages(useList(ownBookings, arg))} offers={useOfferTasks(email)} />;
}
