import { Fragment, Suspense } from "react";
import { useParams } from "react-router-dom";
import { useRole } from "@/api/role";
import Phone from "@/features/catalog/phone/Phone";
import { lazyPart } from "@/ui/lazyPart";
import { PhoneDialogs } from "./PhoneDialogs";

const RemovePhone = lazyPart(() => import("@/features/admin/RemovePhone"));

/** A phone's own page with the dialogs that its buttons open. */
export default function PhoneRoute() {
  const { id = "" } = useParams();
  const isAdmin = useRole().role === "admin";
  return (
    <Fragment key={id}>
      <Phone
        id={id}
        tools={
          isAdmin
            ? ({ name }) => (
                <Suspense>
                  <RemovePhone id={id} name={name} />
                </Suspense>
              )
            : undefined
        }
      />
      <PhoneDialogs />
    </Fragment>
  );
}
