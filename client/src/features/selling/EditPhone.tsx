import { useState } from "react";
import { Link, useParams } from "react-router-dom";
import { toApiError } from "@/api/errors";
import { useLiveList } from "@/api/live";
import { useIsOwnPhone, useMe } from "@/api/me";
import type { Product } from "@/api/types";
import { dashboard, myProducts } from "@/texts/screenNames";
import * as t from "@/texts/selling";
import { Breadcrumbs, EmptyState, ErrorState, Spinner, useTitle } from "@/ui";
import { EditForm } from "./EditForm";
import { useOwnPhoneQuery } from "./endpoints";

/** /dashboard/myProducts/{id}: edits a phone of the signed-in seller while it is not booked. */
export default function EditPhone() {
  const { id = "" } = useParams();
  return <Phone key={id} id={id} />;
}

function Phone({ id }: { id: string }) {
  const phone = useOwnPhone(id);
  const isOwn = useIsOwnPhone(phone.product);
  const title = phone.product && isOwn ? t.editTitle(phone.product.name) : undefined;
  useTitle(title);
  return (
    <div className="grid gap-4">
      <Breadcrumbs current={title}>
        <Link to="/dashboard">{dashboard}</Link>
        <Link to="/dashboard/myProducts">{myProducts}</Link>
      </Breadcrumbs>
      <EditScreen {...phone} isOwn={isOwn} />
    </div>
  );
}

/** The form, or the reason why it can't be shown. */
function EditScreen({
  product,
  isRemoved,
  error,
  isFetching,
  refetch,
  isOwn,
}: OwnPhone & { isOwn: boolean }) {
  const me = useMe();
  if (product && me && isOwn) {
    return <EditForm me={me} product={product} isRemoved={isRemoved} refetch={refetch} />;
  }
  const back = (
    <Link to="/dashboard/myProducts" className="text-brand underline">
      {t.backToList}
    </Link>
  );
  if (product) {
    return (
      <EmptyState title={t.notYours}>
        <p>{t.notYoursHint}</p>
        {back}
      </EmptyState>
    );
  }
  if (error?.status === 404) return <EmptyState title={t.notForSale}>{back}</EmptyState>;
  if (!error) return <Spinner />;
  return (
    <ErrorState message={t.loadFailed(error.message)} onRetry={() => void refetch()} busy={isFetching} />
  );
}

type OwnPhone = ReturnType<typeof useOwnPhone>;

/** The current phone; after a removal its last state. */
function useOwnPhone(id: string) {
  const query = useOwnPhoneQuery({ id }, { refetchOnMountOrArgChange: true });
  const { currentData, error, isFetching } = query;
  useLiveList(currentData);
  const now = currentData?.entities[id];
  const [last, setLast] = useState(now);
  if (now && now !== last) setLast(now);
  /** Refetches the phone; resolves to null after an error. */
  const refetch = async (): Promise<Product | null> => (await query.refetch()).data?.entities[id] ?? null;
  return {
    product: now ?? last,
    isRemoved: currentData !== undefined && now === undefined,
    error: !currentData && error ? toApiError(error) : null,
    isFetching,
    refetch,
  };
}
