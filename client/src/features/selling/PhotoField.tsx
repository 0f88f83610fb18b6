import { useEffect, useRef, useState } from "react";
import { type UseFormReturn, useController } from "react-hook-form";
import * as t from "@/texts/selling";
import { cx, FileField, useAnnounce } from "@/ui";
import type { FormValues } from "./formValues";
import { IMAGE_TYPES } from "./imageLimits";
import { PhotoRow } from "./PhotoRow";
import { type FormPhoto, filesOf, PHOTOS_MAX, photosOf } from "./photos";
import { checkPhotos } from "./rules";
import type { UploadStates, Uploads } from "./uploads";
import { useDragOrder } from "./useDragOrder";
import { useFileDrop } from "./useFileDrop";

interface Props {
  form: UseFormReturn<FormValues>;
  uploads: Uploads;
  sendings: UploadStates;
}

/**
 * The photographs of a phone: picked, dropped or pasted, several at once, in an order that the seller decides,
 * and sent while the rest is typed. The control is a file chooser; what it was given so far stands below it.
 */
export function PhotoField({ form, uploads, sendings }: Props) {
  const { field, fieldState } = useController({
    name: "image",
    control: form.control,
    rules: { validate: checkPhotos },
  });
  const photos = field.value;
  const chooser = useChooserOf(photos);
  const { add, remove, describe, move } = photosOf({ photos, sendings, onChange: field.onChange });
  const announce = useAnnounce();
  useTold(photos, sendings);
  const [surplus, setSurplus] = useState(0);
  const take = (files: File[]) => {
    if (files.length === 0) return;
    const taken = add(files);
    setSurplus(files.length - taken.length);
    for (const file of taken) uploads.start(file);
  };
  const { isOver, zone } = useFileDrop(take);
  const placeOf = (key: string) => photos.findIndex((photo) => photo.key === key);
  const tellPlace = (place: number) => announce(t.photoPlace(place + 1, photos.length));
  const { dragged, grip } = useDragOrder(move, (key) => tellPlace(placeOf(key)));
  const drop = (photo: FormPhoto) => {
    if ("file" in photo) uploads.stop(photo.file);
    setSurplus(0);
    remove(photo.key);
    form.setFocus("image");
  };

  return (
    <fieldset
      {...zone}
      className={cx(
        "grid min-w-0 gap-3 rounded-md border border-dashed p-4 transition-colors sm:col-span-2",
        isOver ? "border-brand bg-brand-soft" : "border-edge",
      )}
    >
      <legend className="px-2 text-muted text-sm">{isOver ? t.dropNow : t.photographs}</legend>
      <FileField
        label={t.labels.image}
        multiple
        accept={IMAGE_TYPES}
        hint={t.photosHint(PHOTOS_MAX)}
        error={fieldState.error?.message ?? (surplus > 0 ? t.surplus(PHOTOS_MAX, surplus) : undefined)}
        name={field.name}
        ref={(input) => {
          chooser.current = input;
          field.ref(input);
        }}
        onBlur={field.onBlur}
        onChange={(event) => take([...(event.target.files ?? [])])}
      />
      {photos.length > 0 && (
        <ol aria-label={t.chosenPhotos} className={cx("grid gap-2", photos.length > 1 && "xl:grid-cols-2")}>
          {photos.map((photo, place) => (
            <PhotoRow
              key={photo.key}
              photo={photo}
              place={place}
              count={photos.length}
              state={"file" in photo ? sendings.get(photo.file) : undefined}
              onAlt={(alt) => describe(photo.key, alt)}
              onMove={(to) => move(photo.key, to) && tellPlace(to)}
              onRemove={() => drop(photo)}
              onStop={() => "file" in photo && uploads.stop(photo.file)}
              onAgain={() => "file" in photo && uploads.start(photo.file)}
              isDragged={dragged === photo.key}
              grip={grip(photo.key)}
            />
          ))}
        </ol>
      )}
    </fieldset>
  );
}

/** Tells who does not see it when a photograph has arrived. That one has not is an alert in its row. */
function useTold(photos: readonly FormPhoto[], sendings: UploadStates) {
  const announce = useAnnounce();
  const told = useRef(new Set<File>());
  useEffect(() => {
    for (const file of filesOf(photos)) {
      if (told.current.has(file) || sendings.get(file)?.is !== "there") continue;
      told.current.add(file);
      announce(t.photoThere(file.name));
    }
  }, [photos, sendings, announce]);
}

/**
 * Keeps the file chooser's own list what is chosen in all: by itself it has the last choice only, says
 * that many, and does not notice when a photograph that was removed is chosen again.
 */
function useChooserOf(photos: readonly FormPhoto[]) {
  const chooser = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!chooser.current || typeof DataTransfer === "undefined") return;
    const all = new DataTransfer();
    for (const file of filesOf(photos)) all.items.add(file);
    chooser.current.files = all.files;
  }, [photos]);
  return chooser;
}
