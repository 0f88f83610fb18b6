import { Link } from "react-router-dom";
import type { Product } from "@/api/types";
import { type ListView, rowsOf } from "@/api/useList";
import { money } from "@/lib/money";
import { Badge, buttonClass, Figure, Picture, Skeleton, TimeLeft, tintOf } from "@/ui";
import { Frame } from "./Frame";
import { sellerFigures } from "./figures";
import { RowWords, Waiting } from "./Waiting";

/** What a seller wants to know first: how the phones stand, and which are about to be paid. */
export function SellerOverview({ view }: { view: ListView<Product> }) {
  const rows = rowsOf(view.list);
  const count = view.list && sellerFigures(rows);
  return (
    <Frame
      title="Your shop right now"
      views={[view]}
      action={
        <Link to="/dashboard/addProduct" className={buttonClass({ size: "sm" })}>
          List a phone
        </Link>
      }
      figures={
        <>
          <Figure
            label="On sale"
            value={count && `${count.onSale}`}
            note={count && `asking ${money(count.asked)}`}
          />
          <Figure label="Held" value={count && `${count.held}`} note="waiting for payment" />
          <Figure label="Sold" value={count && `${count.sold}`} note="paid in full" />
          <Figure label="Money taken in" value={count && money(count.taken)} note="from sold phones" />
        </>
      }
    >
      {view.list ? (
        <Waiting
          title="Held for a buyer"
          waiting={rows.filter(({ booked, sold }) => booked && !sold)}
          all={view.list.entities}
          nothing={
            rows.length === 0
              ? "You have no phones on sale yet. The first one takes two minutes."
              : "No booking waits for payment. When one is made, it appears here by itself."
          }
        >
          {(phone) => <HeldPhone phone={phone} />}
        </Waiting>
      ) : (
        <Skeleton className="h-32" />
      )}
    </Frame>
  );
}

function HeldPhone({ phone }: { phone: Product }) {
  return (
    <>
      <Picture
        src={phone.img}
        photo={phone.photos[0]}
        sizes="4rem"
        alt=""
        tint={tintOf(phone.id)}
        className="w-14 shrink-0 rounded-sm p-1"
      />
      <RowWords title={phone.name}>
        {money(phone.resalePrice)}
        {phone.booked && !phone.sold && phone.heldUntil && (
          <>
            {" · "}
            <TimeLeft until={phone.heldUntil} />
          </>
        )}
      </RowWords>
      {phone.sold && <Badge tone="ok">Paid</Badge>}
      {!phone.booked && <Badge>Free again</Badge>}
    </>
  );
}
