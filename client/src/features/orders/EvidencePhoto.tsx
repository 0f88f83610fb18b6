import { useState } from "react";
import * as t from "@/texts/orderProblems";
import { Dialog, Skeleton } from "@/ui";
import { useEvidenceQuery } from "./endpoints";

interface Props {
  /** The address of the photograph. */
  address: string;
  alt: string;
}

/** A photograph of a paid order, which only its two sides and admins may load; a press opens it as large as the window. */
export function EvidencePhoto({ address, alt }: Props) {
  const { currentData: src, isError, isFetching, refetch } = useEvidenceQuery(address);
  const [isLarge, setLarge] = useState(false);
  const isMissing = isError && !isFetching;
  return (
    <div className="size-24 overflow-hidden rounded-sm border border-line bg-photo text-on-photo">
      {src && (
        <button type="button" onClick={() => setLarge(true)} className="block size-full cursor-zoom-in!">
          <img src={src} alt={alt} className="size-full object-cover" />
        </button>
      )}
      {!src && isMissing && (
        <button
          type="button"
          aria-label={t.loadAgain(alt)}
          onClick={() => void refetch()}
          className="grid size-full place-content-center gap-1 text-sm"
        >
          <span>{t.notLoaded}</span>
          <span className="font-semibold underline">{t.tryAgain}</span>
        </button>
      )}
      {!src && !isMissing && (
        <span role="img" aria-label={t.loadingPhoto(alt)} className="block size-full">
          <Skeleton className="size-full" />
        </span>
      )}
      <Dialog open={isLarge && src !== undefined} isFull title={alt} onClose={() => setLarge(false)}>
        <div className="grid h-full place-items-center overflow-auto bg-photo">
          <img src={src} alt="" className="max-h-full max-w-full object-contain" />
        </div>
      </Dialog>
    </div>
  );
}
