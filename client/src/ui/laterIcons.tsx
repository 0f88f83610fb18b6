import { Icon, type IconProps } from "@/ui/icons";

// Icons of screens that a first visit does not load; those of the first screen are in icons.tsx.

/** Three points joined: share. */
export const ShareIcon = (p: IconProps) => (
  <Icon {...p}>
    <circle cx="6" cy="12" r="2.5" />
    <circle cx="17.5" cy="6" r="2.5" />
    <circle cx="17.5" cy="18" r="2.5" />
    <path d="m8.2 10.8 7-3.6M8.2 13.2l7 3.6" />
  </Icon>
);
/** A pencil: change it. */
export const PencilIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="m4 20 1-4.5L15.5 5a2.1 2.1 0 0 1 3 0l.5.5a2.1 2.1 0 0 1 0 3L8.5 19 4 20Z" />
    <path d="m13.5 7 3.5 3.5" />
  </Icon>
);
