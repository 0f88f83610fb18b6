import { useConfigQuery } from "@/api/config";
import type { Booking } from "@/api/types";
import { useList } from "@/api/useList";
import * as t from "@/texts/adminOrders";
import { Button, Field, Options, Select } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { AdminTable } from "./AdminTable";
import { DownloadDue } from "./DownloadDue";
import { allOrders } from "./endpoints";
import { DecideCell, MoneyCell, OrderCell, PersonCell, SellerCell, StatusCell } from "./OrderCells";
import { useDecision } from "./useDecision";
import { useOrderChoice } from "./useOrderChoice";

interface Props {
  /** What both sides have said about an order. */
  evidence: (order: Booking) => Elements;
}

/** /dashboard/orders: the orders of all people. */
export default function Orders({ evidence }: Props) {
  const choice = useOrderChoice();
  const view = useList(allOrders, choice.arg);
  const decision = useDecision((order) => evidence(view.list?.entities[order._id] ?? order));
  const isManual = useConfigQuery().data?.payouts === "manual";
  const { isFiltered } = choice;
  return (
    <>
      <AdminTable
        title={t.title}
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
  ["payout", t.payout, t.payouts],
] as const;

function Controls({ choice, text, type, choose }: ReturnType<typeof useOrderChoice>) {
  return (
    // Leaves space for the table's button that shows new rows.
    <div className="mb-9 grid gap-3">
      <fieldset aria-label={t.tabsLabel} className="flex flex-wrap gap-1.5">
        {Object.entries(t.tabs).map(([tab, label]) => (
          <Button
            key={tab}
            size="sm"
            variant={choice.tab === tab ? "primary" : "secondary"}
            aria-pressed={choice.tab === tab}
            onClick={() => choose({ tab })}
          >
            {label}
          </Button>
        ))}
      </fieldset>
      <div className="grid grid-cols-2 items-end gap-3 sm:grid-cols-[minmax(0,1fr)_11rem_11rem_auto]">
        <div className="max-sm:col-span-2">
          <Field
            label={t.search}
            placeholder={t.searchHint}
            name="q"
            type="search"
            autoComplete="off"
            maxLength={254}
            value={text}
            onChange={(event) => type(event.target.value)}
          />
        </div>
        {SELECTS.map(([name, label, labels]) => (
          <Select
            key={name}
            label={label}
            name={name}
            value={choice[name]}
            onChange={(event) => choose({ [name]: event.target.value })}
          >
            <Options labels={labels} />
          </Select>
        ))}
        <div className="max-sm:hidden">
          <DownloadDue />
        </div>
      </div>
    </div>
  );
}
