import { Fragment } from "react";
import { useParams } from "react-router-dom";
import Category from "@/features/catalog/Category";
import { PhoneDialogs } from "./PhoneDialogs";

/** A brand's phones with the dialogs that their buttons open. */
export default function CategoryRoute() {
  const { id } = useParams();
  return (
    <Fragment key={id}>
      <Category />
      <PhoneDialogs />
    </Fragment>
  );
}
