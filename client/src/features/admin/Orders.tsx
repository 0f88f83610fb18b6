import { useConfigQuery } from "@/api/config";
import { useList } from "@/api/useList";
import * as t from "@/texts/adminOrders";
import { Button, Field, Options, Select } from "@/ui";
import { AdminTable } from "./AdminTable";
import { DownloadDue } from "./DownloadDue";
import { allOrders } from "./endpoints";
import { DecideCell, MoneyCell, OrderCell, PersonCell, SellerCell, StatusCell } from "./OrderCells";
import { useDecision } from "./useDecision";
import { useOrderChoice } from "./useOrderChoice";

/** /dashboard/orders: the orders of all people. */
export default function Orders() {
  const choice = useOrderChoice();
  const view = useList(allOrders, choice.arg);
  const decision = useDecision();
  const isManual = useConfigQuery().data?.payouts === "manual";
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
          { header: t.money, width: "w-44", cell: (order) => <MoneyCell order={order} /> },
          { header: t.status, width: "w-40", cell: (order) => <StatusCell order={order} /> },
          {
            header: t.decide,
            cardSlot: "action",
            width: "w-44",
            cell: (order) => <DecideCell order={order} isManual={isManual} onChoose={decision.choose} />,
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

const SELECTS = [
  ["status", t.status, t.statuses],
  ["state", t.state, t.states],
  ["payout", t.payout, t.payouts],
] as const;
const EMAILS = [
  ["buyer", t.buyerEmail],
  ["seller", t.sellerEmail],
] as const;

function Controls({ choice, text, type, choose }: ReturnType<typeof useOrderChoice>) {
  return (
    // Leaves space for the table's button that shows new rows.
    <div className="mb-9 grid gap-3 sm:grid-cols-6">
      {SELECTS.map(([name, label, labels]) => (
        <div key={name} className="sm:col-span-2">
          <Select
            label={label}
            name={name}
            value={choice[name]}
            onChange={(event) => choose({ [name]: event.target.value })}
          >
            <Options labels={labels} />
          </Select>
        </div>
      ))}
      {EMAILS.map(([name, label]) => (
        <div key={name} className="sm:col-span-3">
          <Field
            label={label}
            name={name}
            type="search"
            autoComplete="off"
            maxLength={254}
            value={text[name]}
            onChange={(event) => type({ [name]: event.target.value })}
          />
        </div>
      ))}
      <div className="sm:col-span-6">
        <DownloadDue />
      </div>
    </div>
  );
}
