/** The exports that the host uses. */

// These modules inject endpoints. They are exported because the bundler removes unused imports.
export { useBookingQuery } from "@/api/booking";
export { selectAccessToken } from "@/api/session";
export { useLeaveWaitlistMutation } from "@/api/waitlist";
export { useWatchMutation } from "@/api/watching";
export { useBookMutation } from "@/features/booking/endpoints";
export { useMarkReadMutation } from "@/features/notifications/endpoints";
export { useCancelBookingMutation } from "@/features/orders/endpoints";
export { useReportMutation } from "@/features/report/endpoints";
export { useDeleteSearchMutation } from "@/features/watching/endpoints";
export { Actions } from "./actions";
export { Page } from "./page";
