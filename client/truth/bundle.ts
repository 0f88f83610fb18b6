/** What the host takes out of a page's bundle. */
export { selectAccessToken } from "@/api/session";
// Endpoints are there by being imported, and a bundler leaves out what nobody asks for.
export { useBookMutation } from "@/features/booking/endpoints";
export { useCancelBookingMutation } from "@/features/orders/endpoints";
export { usePayableQuery } from "@/features/payment/endpoints";
export { useReportMutation } from "@/features/report/endpoints";
export { Actions } from "./actions";
export { Page } from "./page";
