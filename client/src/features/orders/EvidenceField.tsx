import { useRef } from "react";
import * as t from "@/texts/orderProblems";
import { chosenPhotos, photoName, removePhoto } from "@/texts/uploads";
import { IconButton } from "@/ui";
import { CloseIcon } from "@/ui/icons";
import { PhotoChooser } from "@/ui/photos/PhotoChooser";
import { PhotoPreview } from "@/ui/photos/PhotoPreview";
import { UploadStatus } from "@/ui/photos/UploadStatus";
import { EvidencePhoto } from "./EvidencePhoto";
import { type ChosenPhoto, MAX_EVIDENCE, type useEvidence } from "./useEvidence";

interface Props {
  evidence: ReturnType<typeof useEvidence>;
}

/** Chooses the photographs of a statement about an order. */
export function EvidenceField({ evidence }: Props) {
  const { photos, files, uploadStates, error, input, add } = evidence;
  return (
    <PhotoChooser
      legend={t.photos}
      label={t.addPhotos}
      hint={t.photosHint(MAX_EVIDENCE)}
      error={error}
      inputRef={input}
      files={files}
      uploadStates={uploadStates}
      onFiles={add}
    >
      {photos.length > 0 && (
        <ol aria-label={chosenPhotos} className="grid gap-2">
          {photos.map((photo, index) => (
            <Row key={photo.key} photo={photo} place={index + 1} evidence={evidence} />
          ))}
        </ol>
      )}
    </PhotoChooser>
  );
}

interface RowProps extends Props {
  photo: ChosenPhoto;
  /** From 1. */
  place: number;
}

/** One photograph: its preview, the state of its upload, and the button that removes it. */
function Row({ photo, place, evidence: { uploads, uploadStates, remove } }: RowProps) {
  const removeButton = useRef<HTMLButtonElement>(null);
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 rounded-sm border border-line bg-surface p-2">
      {"file" in photo ? (
        <PhotoPreview file={photo.file} />
      ) : (
        <EvidencePhoto address={photo.address} alt={photoName(place)} />
      )}
      <div className="min-w-0">
        <p className="truncate text-sm">{"file" in photo ? photo.file.name : photoName(place)}</p>
        {"file" in photo && (
          <UploadStatus
            state={uploadStates.get(photo.file)}
            name={photo.file.name}
            position={place}
            onStop={() => uploads.stop(photo.file)}
            onRetry={() => uploads.start(photo.file)}
            focusAfter={removeButton}
          />
        )}
      </div>
      <IconButton ref={removeButton} label={removePhoto(place)} onClick={() => remove(photo)}>
        <CloseIcon />
      </IconButton>
    </li>
  );
}
