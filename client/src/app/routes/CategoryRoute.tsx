import { useEffect } from "react";
import { useDispatch } from "react-redux";
import { useParams } from "react-router-dom";
import { roleOf } from "@/api/role";
import { selectionCleared } from "@/api/selection";
import { selectAccessToken } from "@/api/session";
import type { AppStore } from "@/app/store";
import { selectUser } from "@/features/auth";
import { start } from "@/features/auth/session";
import BookingDialog from "@/features/booking/BookingDialog";
import Category from "@/features/catalog/Category";
import { allBrands } from "@/features/catalog/endpoints";
import { ofBrand, phoneList } from "@/features/catalog/phoneList";
import ReportDialog from "@/features/report/ReportDialog";

/**
 * Finds out who is signed in and asks for what the screen shows first, beside each other: whose token it is says the
 * list itself. What is looked for in the address is left to the screen.
 */
export async function ready({ dispatch, getState }: AppStore) {
  const [, brand] = /^\/category\/([^/]+)$/.exec(location.pathname) ?? [];
  const ask = () => [
    dispatch(allBrands.initiate(undefined, { subscribe: false })),
    brand && !location.search && dispatch(phoneList.initiate(ofBrand(brand), { subscribe: false })),
  ];
  const asked = selectAccessToken(getState()) ? ask() : null;
  await dispatch(start());
  const user = selectUser(getState());
  if (user)
    await Promise.all([dispatch(roleOf.initiate(user.email, { subscribe: false })), ...(asked ?? ask())]);
}

/** A brand's phones with the dialogs that their buttons open. */
export default function CategoryRoute() {
  const { id } = useParams();
  const dispatch = useDispatch();
  // biome-ignore lint/correctness/useExhaustiveDependencies: leaving this brand forgets the chosen phone
  useEffect(() => () => void dispatch(selectionCleared()), [id, dispatch]);
  return (
    <>
      <Category key={id} />
      <BookingDialog />
      <ReportDialog />
    </>
  );
}
