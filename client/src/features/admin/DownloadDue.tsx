import { errorMessage } from "@/api/errors";
import type { Booking } from "@/api/types";
import { csv } from "@/lib/csv";
import { serverNow } from "@/lib/serverTime";
import * as t from "@/texts/adminOrders";
import { Button, useToast } from "@/ui";
import { useLazyDueOrdersQuery } from "./endpoints";

/** The file of the orders whose money is due, one row each; dates are UTC. */
function fileOf(due: Booking[]): string {
  const rows = due.map(({ _id, productName, seller, payout, fulfilment }) => [
    seller?.name ?? t.nobody,
    seller?.email ?? "",
    ((payout?.cents ?? 0) / 100).toFixed(2),
    _id,
    productName,
    fulfilment?.settledAt?.slice(0, 10) ?? "",
  ]);
  return csv([t.csvColumns, ...rows]);
}

/** Has the browser store a file. */
function save(name: string, content: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: "text/csv" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Downloads all orders whose money is due, also those that the table does not show. */
export function DownloadDue() {
  const [fetchDue, { isFetching }] = useLazyDueOrdersQuery();
  const toast = useToast();
  const download = async () => {
    const { data, error } = await fetchDue();
    if (error) return toast(errorMessage(error), "error");
    if (!data?.length) return toast(t.nothingDue);
    save(t.fileName(new Date(serverNow()).toISOString().slice(0, 10)), fileOf(data));
  };
  return (
    <Button variant="secondary" size="sm" busy={isFetching} onClick={() => void download()}>
      {t.download}
    </Button>
  );
}
