import { Link, useParams } from "react-router-dom";
import { type ApiError, toApiError } from "@/api/errors";
import { useLiveList } from "@/api/live";
import { useRole } from "@/api/role";
import type { Booking } from "@/api/types";
import * as t from "@/texts/order";
import { buttonClass, cx, EmptyState, ErrorState, Loading, Skeleton, useTitle } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { useOrder } from "./endpoints";
import { OrderView } from "./OrderView";

interface Props {
  /** The buttons with which an admin decides about an order. */
  decide: (order: Booking) => Elements;
}

/** /dashboard/order/{id}: an order, for both sides and admins. */
export default function Order({ decide }: Props) {
  const { id = "" } = useParams();
  const { role } = useRole(); // the server shows an order to its two sides and to admins only
  const query = useOrder(id, role);
  useLiveList(query.currentData);
  const order = query.currentData?.entities[id];
  const side = order?.side ?? role;
  useTitle(order && side && t.titleOf(order.productName, side));
  const retry = () => void query.refetch();
  if (order && side) return <OrderView order={order} side={side} decide={decide} />;
  if (query.currentData && !order) return <Failure error={NOT_FOUND} onRetry={retry} busy={false} />;
  if (query.error) return <Failure error={toApiError(query.error)} onRetry={retry} busy={query.isFetching} />;
  return (
    <Loading label={t.loading} onRetry={retry}>
      <div className="grid gap-6">
        <Skeleton className="h-16" />
        <Skeleton className="h-160" />
      </div>
    </Loading>
  );
}

/** For an order that is not there any more. */
const NOT_FOUND: ApiError = { status: 404, code: "not_found", message: t.notFound };

interface FailureProps {
  error: ApiError;
  onRetry: () => void;
  busy: boolean;
}

/** Why there is no order to show. */
function Failure({ error: { status, message }, onRetry, busy }: FailureProps) {
  if (status === 403 || status === 404) {
    return (
      <EmptyState title={status === 403 ? t.notYours : t.notFound}>
        <p>{status === 403 ? t.notYoursLead : t.notFoundLead}</p>
        <Link to="/dashboard" className={cx(buttonClass({ variant: "secondary" }), "mt-4")}>
          {t.toDashboard}
        </Link>
      </EmptyState>
    );
  }
  return <ErrorState message={t.loadFailed(message)} onRetry={onRetry} busy={busy} />;
}
