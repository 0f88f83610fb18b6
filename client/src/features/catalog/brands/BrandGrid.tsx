import { useDeferredValue } from "react";
import type { Brand } from "@/api/types";
import * as t from "@/texts/home";
import { EmptyState, ErrorState, Loading, Skeleton } from "@/ui";
import { BrandCard } from "./BrandCard";

interface Props {
  brands: Brand[] | undefined;
  isError: boolean;
  isFetching: boolean;
  refetch: () => void;
  /** As many shapes while they load. */
  expected?: number;
}

const GRID = "grid grid-cols-2 gap-gap md:grid-cols-3";

/** The brands as cards; while they load, empty shapes of the same size. */
export function BrandGrid({ brands: answered, isError, isFetching, refetch, expected = 6 }: Props) {
  // A task of their own: on Home the phones of the first panel come at the same moment.
  const brands = useDeferredValue(answered);
  if (!answered && isError) {
    return <ErrorState message={t.brandsFailed} onRetry={refetch} busy={isFetching} />;
  }
  if (!brands) return <BrandSkeletons count={expected} onRetry={refetch} />;
  if (brands.length === 0) return <EmptyState title={t.noBrands} />;
  return (
    <div className={GRID}>
      {brands.map((brand, place) => (
        <BrandCard key={brand._id} brand={brand} eager={place < 6} />
      ))}
    </div>
  );
}

function BrandSkeletons({ count, onRetry }: { count: number; onRetry: () => void }) {
  return (
    <Loading label={t.loadingBrands} onRetry={onRetry}>
      <div className={GRID}>
        {Array.from({ length: count }, (_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: shapes have nothing but their place
          <div key={place} className="overflow-hidden rounded-lg border border-line bg-surface pb-12">
            <Skeleton className="aspect-4/3 rounded-none" />
          </div>
        ))}
      </div>
    </Loading>
  );
}
