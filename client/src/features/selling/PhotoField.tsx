import { type DragEvent, useEffect, useRef, useState } from "react";
import { type UseFormReturn, useController } from "react-hook-form";
import { cx, FileField, useAnnounce } from "@/ui";
import { PhotoRow } from "./PhotoRow";
import { type Chosen, PHOTOS_MAX, type Progress, photosOf } from "./photos";
import { checkImages, IMAGE_TYPES } from "./rules";
import type { Typed } from "./useAddProduct";

interface Props {
  form: UseFormReturn<Typed>;
  progress: Progress;
}

/**
 * The photographs of a new phone: picked or dropped, several at once, in an order that the seller decides.
 * The control is a file chooser; what it was given so far stands below it.
 */
export function PhotoField({ form, progress }: Props) {
  const { field, fieldState } = useController({
    name: "image",
    control: form.control,
    rules: { validate: checkImages },
  });
  const photos = field.value;
  const chooser = useChooserOf(photos);
  const { add, remove, describe, move } = photosOf({ photos, progress, onChange: field.onChange });
  const announce = useAnnounce();
  const [dragged, drag] = useState<string | null>(null);
  const [surplus, setSurplus] = useState(0);
  const take = (files: FileList) => {
    if (files.length > 0) setSurplus(add([...files]));
  };
  const moveTo = (key: string, place: number) => {
    if (move(key, place)) announce(`Photograph ${place + 1} of ${photos.length}`);
  };

  return (
    <fieldset
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event: DragEvent) => {
        // Whatever is dropped here: the browser would leave the page to show it.
        event.preventDefault();
        take(event.dataTransfer.files);
      }}
      className="grid min-w-0 gap-3 rounded-md border border-edge border-dashed p-4 sm:col-span-2"
    >
      <legend className="px-2 text-muted text-sm">Photographs</legend>
      <FileField
        label="Image"
        multiple
        accept={IMAGE_TYPES}
        hint={`Up to ${PHOTOS_MAX}, picked or dropped here: JPEG, PNG or WebP, up to 10 MB each`}
        error={
          fieldState.error?.message ??
          (surplus > 0 ? `A phone has up to ${PHOTOS_MAX} photographs: ${surplus} left out` : undefined)
        }
        name={field.name}
        ref={(input) => {
          chooser.current = input;
          field.ref(input);
        }}
        onBlur={field.onBlur}
        onChange={(event) => take(event.target.files as FileList)}
      />
      {photos.length > 0 && (
        <ol
          aria-label="Chosen photographs"
          className={cx("grid gap-2", photos.length > 1 && "xl:grid-cols-2")}
        >
          {photos.map((photo, place) => (
            <PhotoRow
              key={photo.key}
              photo={photo}
              place={place}
              count={photos.length}
              progress={progress.get(photo.file)}
              onAlt={(alt) => describe(photo.key, alt)}
              onMove={(to) => moveTo(photo.key, to)}
              onRemove={() => {
                setSurplus(0);
                remove(photo.key);
                form.setFocus("image");
              }}
              onDragStart={() => drag(photo.key)}
              onDropOn={() => {
                if (dragged) moveTo(dragged, place);
                drag(null);
              }}
            />
          ))}
        </ol>
      )}
    </fieldset>
  );
}

/**
 * Keeps the file chooser's own list what is chosen in all: by itself it has the last choice only, says
 * that many, and does not notice when a photograph that was removed is chosen again.
 */
function useChooserOf(photos: readonly Chosen[]) {
  const chooser = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!chooser.current || typeof DataTransfer === "undefined") return;
    const all = new DataTransfer();
    for (const { file } of photos) all.items.add(file);
    chooser.current.files = all.files;
  }, [photos]);
  return chooser;
}
