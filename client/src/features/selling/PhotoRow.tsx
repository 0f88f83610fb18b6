import type { MouseEvent } from "react";
import { Badge, cx, Field, IconButton } from "@/ui";
import { CloseIcon, NextIcon } from "@/ui/icons";
import { Preview } from "./Preview";
import type { Chosen } from "./photos";

interface Props {
  photo: Chosen;
  /** Counts from 0; the first is the card's. */
  place: number;
  count: number;
  progress: "sending" | "there" | "refused" | "failed" | undefined;
  onAlt: (alt: string) => void;
  onMove: (place: number) => void;
  onRemove: () => void;
  onDragStart: () => void;
  onDropOn: () => void;
}

/** One chosen photograph: what it looks like, what it shows in words, and where it stands among the others. */
export function PhotoRow({ photo, place, count, progress, onAlt, onDragStart, onDropOn, ...rest }: Props) {
  return (
    <li
      draggable={count > 1}
      onDragStart={onDragStart}
      onDrop={onDropOn}
      className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 rounded-sm border border-line bg-surface p-2.5"
    >
      <Preview file={photo.file} />
      <div className="grid min-w-0 gap-2">
        <p className="flex min-h-7 flex-wrap items-center gap-2 text-sm">
          <span className="min-w-0 truncate">{photo.file.name}</span>
          {place === 0 && <Badge tone="brand">On the card</Badge>}
          <State of={progress} />
        </p>
        <Field
          label={`What photograph ${place + 1} shows`}
          placeholder="The back, with one scratch"
          maxLength={200}
          value={photo.alt}
          onChange={(event) => onAlt(event.target.value)}
        />
        <Moves place={place} count={count} {...rest} />
      </div>
    </li>
  );
}

/** Its room is there before there is anything to say. */
function State({ of }: { of: Props["progress"] }) {
  return (
    <span
      role="status"
      className={cx("ms-auto text-xs", of === "refused" || of === "failed" ? "text-danger" : "text-muted")}
    >
      {of === "sending" && "Sending…"}
      {of === "there" && "Sent"}
      {of === "refused" && "Not taken"}
      {of === "failed" && "Not sent"}
    </span>
  );
}

function Moves({ place, count, onMove, onRemove }: Pick<Props, "place" | "count" | "onMove" | "onRemove">) {
  /** Moving the row takes the focus from its button in some browsers. */
  const to = (goal: number) => (event: MouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget;
    onMove(goal);
    requestAnimationFrame(() => button.focus());
  };
  return (
    <div className="flex justify-end gap-1">
      {count > 1 && (
        <>
          <IconButton
            label={`Move photograph ${place + 1} forward`}
            aria-disabled={place === 0}
            onClick={to(place - 1)}
            className="aria-disabled:opacity-40"
          >
            <NextIcon className="size-5 -rotate-90" />
          </IconButton>
          <IconButton
            label={`Move photograph ${place + 1} back`}
            aria-disabled={place === count - 1}
            onClick={to(place + 1)}
            className="aria-disabled:opacity-40"
          >
            <NextIcon className="size-5 rotate-90" />
          </IconButton>
        </>
      )}
      <IconButton label={`Remove photograph ${place + 1}`} onClick={onRemove}>
        <CloseIcon />
      </IconButton>
    </div>
  );
}
