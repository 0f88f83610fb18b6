import { useParams } from "react-router-dom";
import { toApiError } from "@/api/errors";
import { useRole } from "@/api/role";
import { useShownList } from "@/api/shownLists";
import type { Booking } from "@/api/types";
import * as t from "@/texts/order";
import { Button, Email, EmptyState, ErrorState, Loading, Picture, Skeleton, useTitle } from "@/ui";
import { OrderSteps, type Side } from "./OrderSteps";
import { NextStep, OrderTimeline } from "./OrderTimeline";
import { useOrderQuery } from "./orderEndpoints";

/** /dashboard/order/{id}: a paid order, for both sides and admins. */
export default function Order() {
  const { id = "" } = useParams();
  const query = useOrderQuery({ id }, { refetchOnMountOrArgChange: true });
  useShownList(query.currentData?.id);
  const order = query.currentData?.entities[id];
  const { role: side } = useRole(); // the server shows an order to its two sides and to admins only
  useTitle(order && t.titleOf(order.productName));
  if (order && side) return <OrderView order={order} side={side} />;
  if (!query.error) {
    return (
      <Loading label={t.loading} onRetry={() => void query.refetch()}>
        <Skeleton className="h-96" />
      </Loading>
    );
  }
  const { status, message } = toApiError(query.error);
  if (status === 404) return <EmptyState title={t.notFound} />;
  if (status === 403) return <EmptyState title={t.notYours} />;
  return (
    <ErrorState
      message={t.loadFailed(message)}
      onRetry={() => void query.refetch()}
      busy={query.isFetching}
    />
  );
}

function OrderView({ order, side }: { order: Booking; side: Side }) {
  const { fulfilment, seller } = order;
  return (
    <section aria-labelledby="order-title" className="grid gap-6">
      <div className="flex items-center gap-4">
        <Picture src={order.img} alt="" className="w-20 shrink-0 rounded-md" />
        <div className="min-w-0">
          <h2 id="order-title" className="font-bold text-2xl wrap-anywhere">
            {t.titleOf(order.productName)}
          </h2>
          <p className="text-muted">{order.brand}</p>
        </div>
      </div>
      {fulfilment ? <NextStep fulfilment={fulfilment} /> : <p>{t.notPaid}</p>}
      <OrderSteps order={order} side={side} />
      <dl className="grid gap-4 wrap-anywhere sm:grid-cols-2">
        {fulfilment && (
          <div>
            <dt className="text-muted">{t.paidAmount}</dt>
            <dd className="font-bold text-xl">{t.price(order.price)}</dd>
            <dt className="mt-2 text-muted">{t.transaction}</dt>
            <dd className="font-mono text-sm">{order.transactionId}</dd>
          </div>
        )}
        {seller && <Contact label={t.seller} {...seller} />}
        <Contact label={t.buyer} {...order} name={order.userName} />
      </dl>
      {fulfilment && <OrderTimeline fulfilment={fulfilment} />}
      {fulfilment && (
        <Button
          variant="secondary"
          className="justify-self-start print:hidden"
          onClick={() => window.print()}
        >
          {t.print}
        </Button>
      )}
    </section>
  );
}

interface ContactProps {
  label: string;
  name: string;
  email: string;
  phone: string;
  location: string;
}

function Contact({ label, name, email, phone, location }: ContactProps) {
  return (
    <div>
      <dt className="text-muted">{label}</dt>
      <dd className="font-semibold">{name}</dd>
      <dd>
        <Email address={email} />
      </dd>
      <dd>{phone}</dd>
      <dd>{location}</dd>
    </div>
  );
}
