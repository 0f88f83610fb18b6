import { useList } from "@/api/useList";
import * as t from "@/texts/adminOrders";
import { money } from "@/texts/language";
import { Button, Field, Options, Select } from "@/ui";
import { AdminTable } from "./AdminTable";
import { orders } from "./endpoints";
import { DecideCell, OrderCell, PersonCell, SellerCell, StateCell, StatusCell } from "./OrderCells";
import { useDecision } from "./useDecision";
import { useOrderChoice } from "./useOrderChoice";

/** /dashboard/orders: the orders of all people. */
export default function Orders() {
  const choice = useOrderChoice();
  const view = useList(orders, choice.arg);
  const decision = useDecision();
  const { isFiltered } = choice;
  return (
    <>
      <AdminTable
        title={t.title}
        note={t.note}
        view={view}
        choice={JSON.stringify(choice.choice)}
        controls={<Controls {...choice} />}
        columns={[
          { header: t.phone, cardSlot: "title", cell: (order) => <OrderCell order={order} /> },
          { header: t.buyer, cell: (order) => <PersonCell name={order.userName} email={order.email} /> },
          { header: t.seller, cell: (order) => <SellerCell order={order} /> },
          {
            header: t.price,
            width: "w-20",
            cell: (order) => <span className="font-semibold tabular-nums">{money(order.price)}</span>,
          },
          { header: t.status, width: "w-28", cell: (order) => <StatusCell order={order} /> },
          { header: t.state, width: "w-40", cell: (order) => <StateCell order={order} /> },
          {
            header: t.decide,
            cardSlot: "action",
            width: "w-36",
            cell: (order) => <DecideCell order={order} onChoose={decision.choose} />,
          },
        ]}
        empty={isFiltered ? t.noMatch : t.none}
        emptyHint={
          isFiltered ? (
            <>
              <p className="mb-4">{t.noMatchHint}</p>
              <Button variant="secondary" onClick={choice.clear}>
                {t.showAll}
              </Button>
            </>
          ) : (
            t.noneHint
          )
        }
      />
      {decision.dialog}
    </>
  );
}

function Controls({ choice, text, type, choose }: ReturnType<typeof useOrderChoice>) {
  return (
    // Below it is the place of the table's button that shows new rows.
    <div className="mb-9 grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
      {(["status", "state"] as const).map((name) => (
        <Select
          key={name}
          label={name === "status" ? t.status : t.state}
          name={name}
          value={choice[name]}
          onChange={(event) => choose({ [name]: event.target.value })}
        >
          <Options labels={name === "status" ? t.statuses : t.states} />
        </Select>
      ))}
      {(["buyer", "seller"] as const).map((name) => (
        <Field
          key={name}
          label={name === "buyer" ? t.buyerEmail : t.sellerEmail}
          name={name}
          type="search"
          autoComplete="off"
          maxLength={254}
          value={text[name]}
          onChange={(event) => type({ [name]: event.target.value })}
        />
      ))}
    </div>
  );
}
