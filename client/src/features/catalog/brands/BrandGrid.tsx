import { useDeferredValue, useMemo, useState } from "react";
import type { Brand } from "@/api/types";
import * as t from "@/texts/home";
import { EmptyState, ErrorState, Loading } from "@/ui";
import { BrandCard, BrandSkeleton } from "./BrandCard";

interface Props {
  brands: Brand[] | undefined;
  isError: boolean;
  isFetching: boolean;
  refetch: () => void;
  /** The number of skeletons while they load. */
  expected: number;
  /** Grid classes. */
  columns: string;
}

/** The brands as cards; while they load, skeletons of the same size. */
export function BrandGrid({ brands: answered, isError, isFetching, refetch, expected, columns }: Props) {
  // Rendered in a separate task, because on Home the phones of the first panel arrive at the same time.
  const brands = useDeferredValue(useFixedPlaces(answered));
  if (!answered && isError) {
    return <ErrorState message={t.brandsFailed} onRetry={refetch} busy={isFetching} />;
  }
  if (!brands) {
    return (
      <Loading label={t.loadingBrands} onRetry={refetch}>
        <div className={columns}>
          {Array.from({ length: expected }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have nothing but their index
            <BrandSkeleton key={index} />
          ))}
        </div>
      </Loading>
    );
  }
  if (brands.length === 0) return <EmptyState title={t.noBrands} />;
  return (
    <div className={columns}>
      {brands.map((brand, index) => (
        <BrandCard key={brand._id} brand={brand} eager={index < 6} />
      ))}
    </div>
  );
}

/**
 * The brands of the first response, each with the numbers of the latest response that has it: a refetch, which may have
 * other numbers and so another order, moves no card.
 */
function useFixedPlaces(answered: Brand[] | undefined): Brand[] | undefined {
  const [first, setFirst] = useState(answered);
  if (answered && !first?.length && first !== answered) setFirst(answered);
  return useMemo(
    () => first?.map((brand) => answered?.find(({ _id }) => _id === brand._id) ?? brand),
    [first, answered],
  );
}
