import { Fragment, Suspense } from "react";
import { useParams } from "react-router-dom";
import { useIsOwnPhone } from "@/api/me";
import { useRole } from "@/api/role";
import type { Product } from "@/api/types";
import Phone from "@/features/catalog/phone/Phone";
import { ListAnother } from "@/features/selling/ListAnother";
import { lazyPart } from "@/ui/lazyPart";
import { PhoneDialogs } from "./PhoneDialogs";

const RemovePhone = lazyPart(() => import("@/features/admin/RemovePhone"));

/** Further actions of admins, and of the phone's seller. */
function Tools({ product }: { product: Product }) {
  const isAdmin = useRole().role === "admin";
  const isOwn = useIsOwnPhone(product);
  if (isOwn) return <ListAnother product={product} />;
  if (!isAdmin) return null;
  return (
    <Suspense>
      <RemovePhone id={product._id} name={product.name} />
    </Suspense>
  );
}

/** A phone's own page with the dialogs that its buttons open. */
export default function PhoneRoute() {
  const { id = "" } = useParams();
  return (
    <Fragment key={id}>
      <Phone id={id} tools={(product) => <Tools product={product} />} />
      <PhoneDialogs />
    </Fragment>
  );
}
