import { type DragEvent, useEffect, useEffectEvent, useState } from "react";

/**
 * Receives files that are dropped on an element, or pasted anywhere on the screen while it is mounted. `isOver` is true
 * while files are dragged over the element.
 */
export function useFileDrop(onFiles: (files: File[]) => void) {
  const [isOver, setOver] = useState(false);
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    onFiles(files);
  });
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => paste(event);
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, []);
  const dropZoneProps = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(event.dataTransfer.types.includes("Files"));
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      // Otherwise the browser would open the dropped file.
      event.preventDefault();
      setOver(false);
      onFiles([...event.dataTransfer.files]);
    },
  };
  return { isOver, dropZoneProps };
}
