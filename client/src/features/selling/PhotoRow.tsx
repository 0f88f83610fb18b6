import { type MouseEvent, type PointerEvent, type RefObject, useRef } from "react";
import type { UploadState } from "@/lib/uploadState";
import * as t from "@/texts/selling";
import { Badge, cx, Field, IconButton, Picture } from "@/ui";
import { CloseIcon, Icon, NextIcon } from "@/ui/icons";
import { PhotoPreview } from "@/ui/photos/PhotoPreview";
import { UploadStatus } from "@/ui/photos/UploadStatus";
import type { FormPhoto } from "./photoList";
import { ROW_ATTRIBUTE } from "./useDragOrder";

interface Props {
  photo: FormPhoto;
  /** From 0; the first photo is shown on the card. */
  index: number;
  count: number;
  /** The state of the upload, if the photo is a file. */
  state: UploadState | undefined;
  onAlt: (alt: string) => void;
  onMove: (index: number) => void;
  onRemove: () => void;
  onStop: () => void;
  onRetry: () => void;
  isDragged: boolean;
  handleProps: { onPointerDown: (event: PointerEvent) => void };
}

/** One photo: its preview, its description and the buttons that move and remove it. */
export function PhotoRow({ photo, index, count, state, isDragged, handleProps, ...actions }: Props) {
  const name = "file" in photo ? photo.file.name : t.photoName(index + 1);
  const removeButton = useRef<HTMLButtonElement>(null);
  return (
    <li
      {...{ [ROW_ATTRIBUTE]: photo.key }}
      className={cx(
        "grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 rounded-sm border bg-surface p-3",
        isDragged ? "border-brand shadow-lift" : "border-line",
      )}
    >
      <div
        {...(count > 1 && { ...handleProps, title: t.dragPhoto })}
        className={cx(
          "self-start",
          count > 1 && (isDragged ? "cursor-grabbing" : "cursor-grab"),
          "touch-none",
        )}
      >
        {"file" in photo ? (
          <PhotoPreview file={photo.file} />
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
          {index === 0 && <Badge tone="brand">{t.coverPhoto}</Badge>}
        </p>
        <Field
          label={t.photoShows(index + 1)}
          placeholder={t.photoShowsExample}
          maxLength={200}
          autoComplete="off"
          value={photo.alt}
          onChange={(event) => actions.onAlt(event.target.value)}
        />
      </div>
      <div className="col-span-2 flex flex-wrap items-center justify-between gap-x-3">
        <div className="min-w-0 flex-1 basis-56">
          {"file" in photo && (
            <UploadStatus
              state={state}
              name={name}
              position={index + 1}
              onStop={actions.onStop}
              onRetry={actions.onRetry}
              focusAfter={removeButton}
            />
          )}
        </div>
        <RowButtons index={index} count={count} removeButton={removeButton} {...actions} />
      </div>
    </li>
  );
}

interface RowButtonsProps extends Pick<Props, "index" | "count" | "onMove" | "onRemove"> {
  removeButton: RefObject<HTMLButtonElement | null>;
}

function RowButtons({ index, count, onMove, onRemove, removeButton }: RowButtonsProps) {
  /** Restores the focus, which some browsers remove from the button when the row is moved. */
  const moveTo = (newIndex: number) => (event: MouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget;
    onMove(newIndex);
    requestAnimationFrame(() => button.focus());
  };
  return (
    <div className="ms-auto flex justify-end gap-1">
      {count > 1 && (
        <>
          <IconButton
            label={t.makeCover(index + 1)}
            aria-disabled={index === 0}
            onClick={moveTo(0)}
            className="aria-disabled:opacity-40"
          >
            <Icon>
              <path d="M5 4h14M12 20V9m-5 5 5-5 5 5" />
            </Icon>
          </IconButton>
          <IconButton
            label={t.moveForward(index + 1)}
            aria-disabled={index === 0}
            onClick={moveTo(index - 1)}
            className="aria-disabled:opacity-40"
          >
            <NextIcon className="size-5 -rotate-90" />
          </IconButton>
          <IconButton
            label={t.moveBack(index + 1)}
            aria-disabled={index === count - 1}
            onClick={moveTo(index + 1)}
            className="aria-disabled:opacity-40"
          >
            <NextIcon className="size-5 rotate-90" />
          </IconButton>
        </>
      )}
      <IconButton ref={removeButton} label={t.removePhoto(index + 1)} onClick={onRemove}>
        <CloseIcon />
      </IconButton>
    </div>
  );
}
