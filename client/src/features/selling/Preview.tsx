import { useEffect, useRef } from "react";
import { PhoneIcon } from "@/ui/icons";

/** Twice the width it is shown in, pixels. */
const WIDTH = 160;

/**
 * A chosen file, drawn small: eight photographs of a telephone at full size would be some 400 MB. Of a
 * file that is no picture the outline of one stays.
 */
export function Preview({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isCurrent = true;
    void scaled(file).then((bitmap) => {
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

async function scaled(file: File): Promise<ImageBitmap | null> {
  try {
    return await createImageBitmap(file, { resizeWidth: WIDTH, resizeQuality: "medium" });
  } catch {
    return null;
  }
}
