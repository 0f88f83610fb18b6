import { Icon } from "@/ui/icons";

/** A magnifying glass with a plus. */
export const ZoomInIcon = () => (
  <Icon>
    <circle cx="11" cy="11" r="6.5" />
    <path d="m16 16 4.5 4.5M11 8.5v5M8.5 11h5" />
  </Icon>
);
/** A magnifying glass with a minus. */
export const ZoomOutIcon = () => (
  <Icon>
    <circle cx="11" cy="11" r="6.5" />
    <path d="m16 16 4.5 4.5M8.5 11h5" />
  </Icon>
);
