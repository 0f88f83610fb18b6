import type { Brand } from "@/api/types";
import { EmptyState, ErrorState, Skeleton, Spinner } from "@/ui";
import { BrandCard } from "./BrandCard";

interface Props {
  brands: Brand[] | undefined;
  isError: boolean;
  isFetching: boolean;
  refetch: () => void;
}

/** The brands as cards; while they load, empty shapes of the same size. */
export function BrandGrid({ brands, isError, isFetching, refetch }: Props) {
  if (!brands && isError) {
    return <ErrorState message="The brands could not be loaded." onRetry={refetch} busy={isFetching} />;
  }
  if (brands?.length === 0) return <EmptyState title="No brands yet" />;
  return (
    <div className="grid grid-cols-2 gap-gap md:grid-cols-3">
      {brands?.map((brand, place) => (
        <BrandCard key={brand._id} brand={brand} eager={place < 6} />
      ))}
      {!brands && (
        <>
          <div className="sr-only">
            <Spinner label="Loading brands" />
          </div>
          {["a", "b", "c", "d", "e", "f"].map((key) => (
            <div key={key} className="overflow-hidden rounded-lg border border-line bg-surface pb-12">
              <Skeleton className="aspect-4/3 rounded-none" />
            </div>
          ))}
        </>
      )}
    </div>
  );
}
