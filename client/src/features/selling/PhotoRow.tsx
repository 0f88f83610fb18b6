import { type MouseEvent, type PointerEvent, type RefObject, useRef } from "react";
import * as t from "@/texts/selling";
import { Badge, cx, Field, IconButton, Picture } from "@/ui";
import { CloseIcon, NextIcon } from "@/ui/icons";
import { Preview } from "./Preview";
import type { FormPhoto } from "./photos";
import { UploadStatus } from "./UploadStatus";
import type { UploadState } from "./uploads";
import { ROW } from "./useDragOrder";

interface Props {
  photo: FormPhoto;
  /** Counts from 0; the first is the card's. */
  place: number;
  count: number;
  /** Of a file: how far it is on its way. */
  state: UploadState | undefined;
  onAlt: (alt: string) => void;
  onMove: (place: number) => void;
  onRemove: () => void;
  onStop: () => void;
  onAgain: () => void;
  isDragged: boolean;
  grip: { onPointerDown: (event: PointerEvent) => void };
}

/** One photograph: what it looks like, what it shows in words, and where it stands among the others. */
export function PhotoRow({ photo, place, count, state, isDragged, grip, ...does }: Props) {
  const name = "file" in photo ? photo.file.name : t.photoName(place + 1);
  const removeButton = useRef<HTMLButtonElement>(null);
  return (
    <li
      {...{ [ROW]: photo.key }}
      className={cx(
        "grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 rounded-sm border bg-surface p-3",
        isDragged ? "border-brand shadow-lift" : "border-line",
      )}
    >
      <div
        {...(count > 1 && { ...grip, title: t.dragPhoto })}
        className={cx(
          "self-start",
          count > 1 && (isDragged ? "cursor-grabbing" : "cursor-grab"),
          "touch-none",
        )}
      >
        {"file" in photo ? (
          <Preview file={photo.file} />
        ) : (
          <Picture
            photo={photo.photo}
            sizes="5rem"
            alt=""
            className="pointer-events-none size-20 rounded-sm"
          />
        )}
      </div>
      <div className="grid min-w-0 gap-2">
        <p className="flex min-h-7 flex-wrap items-center gap-2 text-sm">
          <span className="min-w-0 truncate">{name}</span>
          {place === 0 && <Badge tone="brand">{t.onTheCard}</Badge>}
        </p>
        <Field
          label={t.photoShows(place + 1)}
          placeholder={t.photoShowsExample}
          maxLength={200}
          autoComplete="off"
          value={photo.alt}
          onChange={(event) => does.onAlt(event.target.value)}
        />
      </div>
      <div className="col-span-2 flex flex-wrap items-center justify-between gap-x-3">
        <div className="min-w-0 flex-1 basis-56">
          {"file" in photo && (
            <UploadStatus
              state={state}
              name={name}
              place={place + 1}
              onStop={does.onStop}
              onAgain={does.onAgain}
              focusAfter={removeButton}
            />
          )}
        </div>
        <Moves place={place} count={count} removeButton={removeButton} {...does} />
      </div>
    </li>
  );
}

interface MovesProps extends Pick<Props, "place" | "count" | "onMove" | "onRemove"> {
  removeButton: RefObject<HTMLButtonElement | null>;
}

function Moves({ place, count, onMove, onRemove, removeButton }: MovesProps) {
  /** Moving the row takes the focus from its button in some browsers. */
  const to = (goal: number) => (event: MouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget;
    onMove(goal);
    requestAnimationFrame(() => button.focus());
  };
  return (
    <div className="ms-auto flex justify-end gap-1">
      {count > 1 && (
        <>
          <IconButton
            label={t.moveForward(place + 1)}
            aria-disabled={place === 0}
            onClick={to(place - 1)}
            className="aria-disabled:opacity-40"
          >
            <NextIcon className="size-5 -rotate-90" />
          </IconButton>
          <IconButton
            label={t.moveBack(place + 1)}
            aria-disabled={place === count - 1}
            onClick={to(place + 1)}
            className="aria-disabled:opacity-40"
          >
            <NextIcon className="size-5 rotate-90" />
          </IconButton>
        </>
      )}
      <IconButton ref={removeButton} label={t.removePhoto(place + 1)} onClick={onRemove}>
        <CloseIcon />
      </IconButton>
    </div>
  );
}
