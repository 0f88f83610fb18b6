import type { ReactNode } from "react";

/** Draws 24 × 24 outlines in the colour of the text; decoration only, so hidden from readers. */
export function Icon({ children, className = "size-5" }: { children: ReactNode; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={className}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

/** What every icon takes. */
interface IconProps {
  className?: string;
}

/** A person in a circle: the default profile picture. */
export const PersonIcon = (p: IconProps) => (
  <Icon {...p}>
    <circle cx="12" cy="8.5" r="3.5" />
    <path d="M5 20c.8-3.6 3.6-5.5 7-5.5s6.2 1.9 7 5.5" />
  </Icon>
);
/** A speech bubble: the messages. */
export const MessageIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M5 5h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-7l-5 4v-4H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2Z" />
  </Icon>
);
/** Three lines: opens the menu. */
export const MenuIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M4 7h16M4 12h16M4 17h16" />
  </Icon>
);
/** A cross: closes or dismisses. */
export const CloseIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="m6 6 12 12M18 6 6 18" />
  </Icon>
);
/** A sun: the light theme. */
export const SunIcon = (p: IconProps) => (
  <Icon {...p}>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M5.6 18.4l1.1-1.1M17.3 6.7l1.1-1.1" />
  </Icon>
);
/** A moon: the dark theme. */
export const MoonIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z" />
  </Icon>
);
/** A tick in a seal: verified. */
export const VerifiedIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="m12 3 2.3 1.7 2.9-.1.8 2.7 2.4 1.6-1 2.7 1 2.7-2.4 1.6-.8 2.7-2.9-.1L12 20.2l-2.3-1.7-2.9.1-.8-2.7-2.4-1.6 1-2.7-1-2.7L6 7.3l.8-2.7 2.9.1Z" />
    <path d="m8.8 11.8 2.2 2.2 4.2-4.3" />
  </Icon>
);
/** A map pin: a place. */
export const LocationIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M12 21s7-6.2 7-11.5A7 7 0 0 0 5 9.5C5 14.8 12 21 12 21Z" />
    <circle cx="12" cy="9.5" r="2.5" />
  </Icon>
);
/** A telephone receiver. */
export const CallIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M6.5 3.5h3l1.5 4-2 1.5a12 12 0 0 0 6 6l1.5-2 4 1.5v3a2 2 0 0 1-2 2A16 16 0 0 1 4.5 5.5a2 2 0 0 1 2-2Z" />
  </Icon>
);
/** An envelope. */
export const MailIcon = (p: IconProps) => (
  <Icon {...p}>
    <rect x="3.5" y="5.5" width="17" height="13" rx="2" />
    <path d="m4 7 8 6 8-6" />
  </Icon>
);
/** A flag: report. */
export const FlagIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M6 21V4M6 4.5h11l-2 4 2 4H6" />
  </Icon>
);
/** An angle to the end of the line: the next one. */
export const NextIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="m9 5 7 7-7 7" />
  </Icon>
);
/** A payment card. */
export const CardIcon = (p: IconProps) => (
  <Icon {...p}>
    <rect x="3" y="5.5" width="18" height="13" rx="2.5" />
    <path d="M3 10h18M7 14.5h4" />
  </Icon>
);
/** An outline of a phone, where a photograph is missing. */
export const PhoneIcon = (p: IconProps) => (
  <Icon {...p}>
    <rect x="7" y="3" width="10" height="18" rx="2.5" />
    <path d="M10.8 18h2.4" />
  </Icon>
);
/** Two sliders: filters. */
export const FilterIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M4 8h8M18 8h2M4 16h2M12 16h8" />
    <circle cx="15" cy="8" r="2.5" />
    <circle cx="9" cy="16" r="2.5" />
  </Icon>
);
/** A looking glass: search. */
export const SearchIcon = (p: IconProps) => (
  <Icon {...p}>
    <circle cx="11" cy="11" r="6.5" />
    <path d="m16 16 4.5 4.5" />
  </Icon>
);
/** Three points joined: share. */
export const ShareIcon = (p: IconProps) => (
  <Icon {...p}>
    <circle cx="6" cy="12" r="2.5" />
    <circle cx="17.5" cy="6" r="2.5" />
    <circle cx="17.5" cy="18" r="2.5" />
    <path d="m8.2 10.8 7-3.6M8.2 13.2l7 3.6" />
  </Icon>
);
/** A pencil: edit. */
export const PencilIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="m4 20 1-4.5L15.5 5a2.1 2.1 0 0 1 3 0l.5.5a2.1 2.1 0 0 1 0 3L8.5 19 4 20Z" />
    <path d="m13.5 7 3.5 3.5" />
  </Icon>
);
/** A heart: watches a phone. */
export const HeartIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M12 20.2S3.5 15.4 3.5 9.3A4.6 4.6 0 0 1 12 6.9a4.6 4.6 0 0 1 8.5 2.4c0 6.1-8.5 10.9-8.5 10.9Z" />
  </Icon>
);
/** A bell: notifications. */
export const BellIcon = (p: IconProps) => (
  <Icon {...p}>
    <path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15Z" />
    <path d="M10 20.5a2.2 2.2 0 0 0 4 0" />
  </Icon>
);
