import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";

interface Props {
  /** The key of the content. */
  name: string;
  children: ReactNode;
}

/** A container whose height never shrinks when its content changes, so that nothing below moves. */
export function StableHeight({ name, children }: Props) {
  const height = useRef(0);
  return (
    <Content key={name} height={height}>
      {children}
    </Content>
  );
}

function Content({ height, children }: { height: RefObject<number>; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const div = element.current;
    if (!div) return;
    if (height.current > 0) div.style.minHeight = `${height.current}px`;
    return () => {
      // React runs this cleanup before it removes the element, so it can still be measured.
      height.current = div.offsetHeight;
    };
  }, [height]);
  return (
    <div ref={element} className="grid content-start gap-6">
      {children}
    </div>
  );
}
