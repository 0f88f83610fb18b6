import { longMinute } from "@/texts/dates";
import { EvidencePhoto } from "./EvidencePhoto";

interface Props {
  /** Who said what kind of thing. */
  title: string;
  /** When, RFC 3339; it may be unknown. */
  at?: string;
  /** In few words, before the text. */
  summary?: string;
  text?: string;
  /** The addresses of photographs, and the description of each by its place, from 1. */
  photos?: readonly string[];
  altOf?: (place: number) => string;
}

/** What one side has said about a problem, with photographs. */
export function Statement({ title, at, summary, text, photos = [], altOf = String }: Props) {
  return (
    <article className="grid gap-2 wrap-anywhere">
      <div>
        <h4 className="font-semibold">{title}</h4>
        {at && (
          <time dateTime={at} className="block text-muted text-sm">
            {longMinute(at)}
          </time>
        )}
      </div>
      {summary && <p className="font-medium">{summary}</p>}
      {text && <blockquote className="border-accent border-s-4 ps-4 whitespace-pre-line">{text}</blockquote>}
      {photos.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {photos.map((address, index) => (
            <li key={address}>
              <EvidencePhoto address={address} alt={altOf(index + 1)} />
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}
