import { useState } from "react";
import { Link, useParams } from "react-router-dom";
import { toApiError } from "@/api/errors";
import { useLiveList } from "@/api/live";
import { useIsOwnPhone, useMe } from "@/api/me";
import type { Product } from "@/api/types";
import { dashboard, myProducts } from "@/texts/layout";
import * as t from "@/texts/selling";
import { Breadcrumbs, EmptyState, ErrorState, Spinner, useTitle } from "@/ui";
import { EditForm } from "./EditForm";
import { useOwnPhoneQuery } from "./endpoints";

/** /dashboard/myProducts/{id}: changes a phone of the signed-in seller while nobody has booked it. */
export default function EditPhone() {
  const { id = "" } = useParams();
  return <Phone key={id} id={id} />;
}

function Phone({ id }: { id: string }) {
  const found = useOwnPhone(id);
  const isOwn = useIsOwnPhone(found.product);
  const title = found.product && isOwn ? t.editTitle(found.product.name) : undefined;
  useTitle(title);
  return (
    <div className="grid gap-4">
      <Breadcrumbs current={title}>
        <Link to="/dashboard">{dashboard}</Link>
        <Link to="/dashboard/myProducts">{myProducts}</Link>
      </Breadcrumbs>
      <Found {...found} isOwn={isOwn} />
    </div>
  );
}

/** The form, or why there is none. */
function Found({ product, gone, failure, isFetching, refetch, isOwn }: OwnPhone & { isOwn: boolean }) {
  const me = useMe();
  if (product && me && isOwn) {
    return <EditForm me={me} product={product} gone={gone} refetch={refetch} />;
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
  if (failure?.status === 404) return <EmptyState title={t.notForSale}>{back}</EmptyState>;
  if (!failure) return <Spinner />;
  return (
    <ErrorState message={t.loadFailed(failure.message)} onRetry={() => void refetch()} busy={isFetching} />
  );
}

type OwnPhone = ReturnType<typeof useOwnPhone>;

/** The phone as it is now; once it was there its last state stays, whatever becomes of it. */
function useOwnPhone(id: string) {
  const query = useOwnPhoneQuery({ id }, { refetchOnMountOrArgChange: true });
  const { currentData, error, isFetching } = query;
  useLiveList(currentData);
  const now = currentData?.entities[id];
  const [kept, keep] = useState(now);
  if (now && now !== kept) keep(now);
  /** Asks the server for the phone; null where that did not work. */
  const refetch = async (): Promise<Product | null> => (await query.refetch()).data?.entities[id] ?? null;
  return {
    product: now ?? kept,
    gone: currentData !== undefined && now === undefined,
    failure: !currentData && error ? toApiError(error) : null,
    isFetching,
    refetch,
  };
}
