import { act, screen } from "@testing-library/react";
import { bookingDialogOpened } from "@/api/dialogSlice";
import type { Product } from "@/api/types";
import BookingDialog from "@/features/booking/BookingDialog";
import { aProduct, karim } from "./factories";
import { on } from "./server";
import { renderScreen } from "./serverScreen";

/** The phone of the dialog. */
export const phone = aProduct({ name: "iPhone 6", resalePrice: 180 });

/** Sets the server's response for one phone. */
export function onProduct(product: Product) {
  const headers = { "Live-Position": `brand:${product.id}=e1-1` };
  on("get", `/products/${product._id}`, { body: { ...product }, headers });
}

/** Opens the dialog for a phone. */
export function openDialog(product: Product = phone, me = karim) {
  onProduct(product);
  const view = renderScreen(<BookingDialog />, { me });
  act(() => void view.store.dispatch(bookingDialogOpened(product)));
  return view;
}

/** The rendered dialog, its user and its store. */
export type View = ReturnType<typeof openDialog>;

export const dialog = () => screen.queryByRole("dialog");
export const submitButton = () => screen.getByRole("button", { name: "Confirm booking" });

/** Types a phone number and presses Confirm booking. */
export async function submitPhoneNumber(user: View["user"], number = "01711 000000") {
  await user.type(screen.getByLabelText("Phone"), number);
  await user.click(submitButton());
}
