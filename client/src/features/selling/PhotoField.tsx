import { useMemo, useState } from "react";
import { type UseFormReturn, useController } from "react-hook-form";
import type { Uploads } from "@/api/images/uploads";
import type { UploadStates } from "@/lib/uploadState";
import * as t from "@/texts/selling";
import { cx, useAnnounce } from "@/ui";
import { PhotoChooser } from "@/ui/photos/PhotoChooser";
import type { FormValues } from "./formValues";
import { PhotoRow } from "./PhotoRow";
import { type FormPhoto, filesOf, MAX_PHOTOS, photoList } from "./photoList";
import { useDragOrder } from "./useDragOrder";
import { checkPhotos } from "./validation";

interface Props {
  form: UseFormReturn<FormValues>;
  uploads: Uploads;
  uploadStates: UploadStates;
}

/**
 * The photos of a phone. They can be reordered and described; they are uploaded while the seller fills in the form.
 */
export function PhotoField({ form, uploads, uploadStates }: Props) {
  const { field, fieldState } = useController({
    name: "image",
    control: form.control,
    rules: { validate: checkPhotos },
  });
  const photos = field.value;
  const files = useMemo(() => filesOf(photos), [photos]);
  const { add, remove, describe, move } = photoList({ photos, uploadStates, onChange: field.onChange });
  const announce = useAnnounce();
  const [rejectedCount, setRejectedCount] = useState(0);
  const addFiles = (files: File[]) => {
    const added = add(files);
    setRejectedCount(files.length - added.length);
    for (const file of added) uploads.start(file);
  };
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
    <PhotoChooser
      legend={t.photos}
      label={t.labels.image}
      hint={t.photosHint(MAX_PHOTOS)}
      error={
        fieldState.error?.message ??
        (rejectedCount > 0 ? t.tooManyPhotos(MAX_PHOTOS, rejectedCount) : undefined)
      }
      name={field.name}
      inputRef={field.ref}
      onBlur={field.onBlur}
      files={files}
      uploadStates={uploadStates}
      onFiles={addFiles}
      className="sm:col-span-2"
    >
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
    </PhotoChooser>
  );
}
