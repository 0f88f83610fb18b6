import { type ComponentProps, type Ref, useEffect, useRef } from "react";
import { IMAGE_TYPES, type UploadStates } from "@/lib/uploadState";
import * as t from "@/texts/uploads";
import { useAnnounce } from "@/ui/Announcer";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import type { Elements } from "@/ui/Elements";
import { FileField } from "@/ui/Field";
import { useFileDrop } from "@/ui/photos/useFileDrop";

interface Props extends Pick<ComponentProps<"input">, "name" | "onBlur"> {
  legend: string;
  label: string;
  hint: string;
  error?: string;
  inputRef?: Ref<HTMLInputElement>;
  /** The files that are chosen now, and the states of their uploads. */
  files: readonly File[];
  uploadStates: UploadStates;
  onFiles: (files: File[]) => void;
  className?: string;
  /** The list of the photos. */
  children: Elements;
}

/**
 * Chooses photos: from the device, by dropping or pasting them, or with the camera of a telephone. The control is a file
 * input; the photos are listed below it.
 */
export function PhotoChooser({ legend, files, uploadStates, onFiles, children, className, ...props }: Props) {
  const { label, hint, error, name, onBlur, inputRef } = props;
  const input = useFileInput(files);
  useAnnounceUploads(files, uploadStates);
  const add = (added: File[]) => added.length > 0 && onFiles(added);
  const { isOver, dropZoneProps } = useFileDrop(add);
  return (
    <fieldset
      {...dropZoneProps}
      className={cx(
        "grid min-w-0 gap-3 rounded-md border border-dashed p-4 transition-colors",
        isOver ? "border-brand bg-brand-soft" : "border-edge",
        className,
      )}
    >
      <legend className="px-2 text-muted text-sm">{isOver ? t.dropNow : legend}</legend>
      <FileField
        label={label}
        multiple
        accept={IMAGE_TYPES}
        hint={hint}
        error={error}
        name={name}
        ref={(element) => {
          input.current = element;
          if (typeof inputRef === "function") inputRef(element);
          else if (inputRef) inputRef.current = element;
        }}
        onBlur={onBlur}
        onChange={(event) => add([...(event.target.files ?? [])])}
      />
      <CameraButton onPhotos={add} />
      {children}
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
        accept={IMAGE_TYPES}
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
function useAnnounceUploads(files: readonly File[], uploadStates: UploadStates) {
  const announce = useAnnounce();
  const announced = useRef(new Set<File>());
  useEffect(() => {
    for (const file of files) {
      if (announced.current.has(file) || uploadStates.get(file)?.status !== "uploaded") continue;
      announced.current.add(file);
      announce(t.photoUploaded(file.name));
    }
  }, [files, uploadStates, announce]);
}

/**
 * Keeps the files of the input equal to all chosen files. By default an input has only the files of the last selection,
 * shows their number, and dispatches no event if a removed file is selected again.
 */
function useFileInput(files: readonly File[]) {
  const chooser = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!chooser.current || typeof DataTransfer === "undefined") return;
    const all = new DataTransfer();
    for (const file of files) all.items.add(file);
    chooser.current.files = all.files;
  }, [files]);
  return chooser;
}
