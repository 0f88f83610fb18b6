// What the host uses, and modules that inject endpoints: they are exported because the bundler removes unused imports.
export { useBookingByIdQuery } from "@/api/bookings";
export { selectAccessToken } from "@/api/sessionSlice";
export { useLeaveWaitlistMutation } from "@/api/waitlist";
export { useWatchMutation } from "@/api/watching";
export { useBookMutation } from "@/features/booking/endpoints";
export { useSendMessageMutation } from "@/features/messages/endpoints";
export { useMarkReadMutation } from "@/features/notifications/endpoints";
export { useCancelBookingMutation } from "@/features/orders/endpoints";
export { useRecordPaymentMutation } from "@/features/payment/endpoints";
export { useReportMutation } from "@/features/report/endpoints";
export { useDeleteSearchMutation } from "@/features/watching/endpoints";
export { Actions } from "./actions";
export { Page } from "./page";
