import * as t from "@/texts/search";
import { Button, Dialog } from "@/ui";
import { type Fields, FilterFields } from "./FilterFields";

interface Props extends Fields {
  open: boolean;
  onClose: () => void;
  onClear: () => void;
  /** The number of results as text; undefined while loading. */
  counted: string | undefined;
}

/** The filters on a narrow screen: a dialog whose close button shows the number of results. */
export function FilterSheet({ open, onClose, onClear, counted, ...fields }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={t.filters}>
      <form
        aria-label={t.filterPhones}
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
        }}
      >
        {/* Takes the focus, so that no on-screen keyboard opens. */}
        <span tabIndex={-1} data-autofocus className="sr-only">
          {t.filterPhones}
        </span>
        <FilterFields {...fields} />
        <div className="-mx-6 -mb-6 sm:-mx-8 sm:-mb-8 -bottom-6 sm:-bottom-8 sticky mt-6 grid grid-cols-[auto_1fr] gap-2 border-line border-t bg-surface px-6 py-4 sm:px-8">
          <Button variant="quiet" size="sm" onClick={onClear}>
            {t.clearFilters}
          </Button>
          <Button type="submit" className="whitespace-nowrap tabular-nums">
            {counted === undefined ? t.searching : t.showResults(counted)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
