import { useMemo, useState } from "react";
import { Navigate, useNavigate, useSearchParams } from "react-router-dom";
import { toApiError } from "@/api/errors";
import type { Product } from "@/api/types";
import { rowsOf, useList } from "@/api/useList";
import { newFormKey } from "@/lib/formKey";
import * as t from "@/texts/messages";
import { Button, Spinner } from "@/ui";
import { Composer } from "./Composer";
import { threads, useStartThreadMutation } from "./endpoints";
import { OfferForm } from "./OfferForm";
import { PhoneLine, useLivePhone } from "./PhoneLine";

/**
 * /dashboard/messages/new?phone=…: the first message or offer about a phone. A person who has a conversation about it is
 * led there.
 */
export default function NewConversation() {
  const [params] = useSearchParams();
  const phone = params.get("phone") ?? "";
  const view = useList(
    threads,
    useMemo(() => ({ filter: { productID: phone } }), [phone]),
  );
  const live = useLivePhone(phone);
  const known = rowsOf(view.list).find(({ role }) => role === "buyer");
  const hasOffer = params.has("offer");
  if (known && !hasOffer) return <Navigate to={`/dashboard/messages/${known._id}`} replace />;
  if ((!view.list && !view.error) || !live) return <Spinner page />;
  return <First key={phone} product={live} threadID={known?._id} isOffer={hasOffer} />;
}

interface Props {
  product: Product;
  /** The conversation that exists. */
  threadID: string | undefined;
  isOffer: boolean;
}

function First({ product, threadID, isOffer }: Props) {
  const navigate = useNavigate();
  const [start, { isLoading, error }] = useStartThreadMutation();
  const [isOffering, setOffering] = useState(isOffer);
  const [key, setKey] = useState(newFormKey);
  const open = (id: string) => navigate(`/dashboard/messages/${id}`, { replace: true });
  const send = async (text: string, confirm: boolean) => {
    const { data } = await start({ productID: product._id, text, key, confirm });
    if (data) open(data.insertedId);
    else setKey(newFormKey()); // the text may be another one now
  };
  return (
    <section
      aria-label={t.about(product.name)}
      className="grid gap-4 rounded-lg border border-line bg-surface p-4 shadow-card"
    >
      <h3 className="font-bold text-lg">{product.sellerName}</h3>
      <PhoneLine phone={product} live={product} />
      <p className="rounded-md bg-sunk p-3 text-muted text-sm">{t.safety}</p>
      {isOffering ? (
        <OfferForm
          product={product}
          onSent={open}
          onCancel={() => (threadID ? open(threadID) : setOffering(false))}
        />
      ) : (
        <>
          {product.offers && !product.sold && (
            <Button
              size="sm"
              variant="secondary"
              className="justify-self-start"
              onClick={() => setOffering(true)}
            >
              {t.makeOffer}
            </Button>
          )}
          <Composer
            isPaid={false}
            hasQuestions
            busy={isLoading}
            error={error && toApiError(error).message}
            onSend={(text, confirm) => void send(text, confirm)}
          />
        </>
      )}
    </section>
  );
}
