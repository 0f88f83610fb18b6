import { useEffect, useRef, useState } from "react";
import { type UseFormReturn, useController } from "react-hook-form";
import { IMAGE_TYPES } from "@/api/images/imageLimits";
import * as t from "@/texts/selling";
import { Button, cx, FileField, useAnnounce } from "@/ui";
import type { FormValues } from "./formValues";
import { PhotoRow } from "./PhotoRow";
import { type FormPhoto, filesOf, MAX_PHOTOS, photoList } from "./photoList";
import type { UploadStates, Uploads } from "./uploads";
import { useDragOrder } from "./useDragOrder";
import { useFileDrop } from "./useFileDrop";
import { checkPhotos } from "./validation";

interface Props {
  form: UseFormReturn<FormValues>;
  uploads: Uploads;
  uploadStates: UploadStates;
}

/**
 * The photos of a phone. Files can be selected, dropped or pasted, and reordered; they are uploaded while the seller fills
 * in the form. The control is a file input; the photos are listed below it.
 */
export function PhotoField({ form, uploads, uploadStates }: Props) {
  const { field, fieldState } = useController({
    name: "image",
    control: form.control,
    rules: { validate: checkPhotos },
  });
  const photos = field.value;
  const fileInput = useFileInput(photos);
  const { add, remove, describe, move } = photoList({ photos, uploadStates, onChange: field.onChange });
  const announce = useAnnounce();
  useAnnounceUploads(photos, uploadStates);
  const [rejectedCount, setRejectedCount] = useState(0);
  const addFiles = (files: File[]) => {
    if (files.length === 0) return;
    const added = add(files);
    setRejectedCount(files.length - added.length);
    for (const file of added) uploads.start(file);
  };
  const { isOver, dropZoneProps } = useFileDrop(addFiles);
  const indexOf = (key: string) => photos.findIndex((photo) => photo.key === key);
  const announcePosition = (index: number) => announce(t.photoPosition(index + 1, photos.length));
  const { dragged, handleProps } = useDragOrder(move, (key) => announcePosition(indexOf(key)));
  const removePhoto = (photo: FormPhoto) => {
    if ("file" in photo) uploads.stop(photo.file);
    setRejectedCount(0);
    remove(photo.key);
    form.setFocus("image");
  };

  return (
    <fieldset
      {...dropZoneProps}
      className={cx(
        "grid min-w-0 gap-3 rounded-md border border-dashed p-4 transition-colors sm:col-span-2",
        isOver ? "border-brand bg-brand-soft" : "border-edge",
      )}
    >
      <legend className="px-2 text-muted text-sm">{isOver ? t.dropNow : t.photos}</legend>
      <FileField
        label={t.labels.image}
        multiple
        accept={IMAGE_TYPES}
        hint={t.photosHint(MAX_PHOTOS)}
        error={
          fieldState.error?.message ??
          (rejectedCount > 0 ? t.tooManyPhotos(MAX_PHOTOS, rejectedCount) : undefined)
        }
        name={field.name}
        ref={(input) => {
          fileInput.current = input;
          field.ref(input);
        }}
        onBlur={field.onBlur}
        onChange={(event) => addFiles([...(event.target.files ?? [])])}
      />
      <CameraButton onPhotos={addFiles} />
      {photos.length > 0 && (
        <ol aria-label={t.chosenPhotos} className={cx("grid gap-2", photos.length > 1 && "xl:grid-cols-2")}>
          {photos.map((photo, index) => (
            <PhotoRow
              key={photo.key}
              photo={photo}
              index={index}
              count={photos.length}
              state={"file" in photo ? uploadStates.get(photo.file) : undefined}
              onAlt={(alt) => describe(photo.key, alt)}
              onMove={(to) => move(photo.key, to) && announcePosition(to)}
              onRemove={() => removePhoto(photo)}
              onStop={() => "file" in photo && uploads.stop(photo.file)}
              onRetry={() => "file" in photo && uploads.start(photo.file)}
              isDragged={dragged === photo.key}
              handleProps={handleProps(photo.key)}
            />
          ))}
        </ol>
      )}
    </fieldset>
  );
}

/** Opens the camera of a telephone or a tablet; other devices have none that a form can open. */
function CameraButton({ onPhotos }: { onPhotos: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="hidden pointer-coarse:block">
      <Button variant="secondary" onClick={() => input.current?.click()}>
        {t.takePhoto}
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        onChange={({ currentTarget }) => {
          onPhotos([...(currentTarget.files ?? [])]);
          // Otherwise the same file could not be chosen again.
          currentTarget.value = "";
        }}
      />
    </div>
  );
}

/** Announces uploaded photos to screen readers; a failed upload is an alert in its row. */
function useAnnounceUploads(photos: readonly FormPhoto[], uploadStates: UploadStates) {
  const announce = useAnnounce();
  const announced = useRef(new Set<File>());
  useEffect(() => {
    for (const file of filesOf(photos)) {
      if (announced.current.has(file) || uploadStates.get(file)?.status !== "uploaded") continue;
      announced.current.add(file);
      announce(t.photoUploaded(file.name));
    }
  }, [photos, uploadStates, announce]);
}

/**
 * Keeps the files of the input equal to all selected files. By default an input has only the files of the last selection,
 * shows their number, and dispatches no event if a removed file is selected again.
 */
function useFileInput(photos: readonly FormPhoto[]) {
  const chooser = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!chooser.current || typeof DataTransfer === "undefined") return;
    const all = new DataTransfer();
    for (const file of filesOf(photos)) all.items.add(file);
    chooser.current.files = all.files;
  }, [photos]);
  return chooser;
}
