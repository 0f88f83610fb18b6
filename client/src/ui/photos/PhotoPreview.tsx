import { useEffect, useRef } from "react";
import { PhoneIcon } from "@/ui/icons";

/** Twice the displayed width, pixels. */
const WIDTH_PX = 160;

/**
 * A scaled-down preview of a file; eight full-size photos would use about 400 MB of memory. An icon is shown if the file
 * can't be decoded.
 */
export function PhotoPreview({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isCurrent = true;
    void decodeScaled(file).then((bitmap) => {
      const element = canvas.current;
      if (bitmap && element && isCurrent) {
        element.width = bitmap.width;
        element.height = bitmap.height;
        element.getContext("2d")?.drawImage(bitmap, 0, 0);
      }
      bitmap?.close();
    });
    return () => {
      isCurrent = false;
    };
  }, [file]);
  return (
    <div className="relative grid size-20 place-items-center self-start overflow-hidden rounded-sm bg-photo text-on-photo">
      <PhoneIcon className="size-8 opacity-60" />
      <canvas ref={canvas} width={1} height={1} className="absolute inset-0 size-full object-contain" />
    </div>
  );
}

async function decodeScaled(file: File): Promise<ImageBitmap | null> {
  try {
    return await createImageBitmap(file, { resizeWidth: WIDTH_PX, resizeQuality: "medium" });
  } catch {
    return null;
  }
}
