import { errorMessage } from "@/api/errors";
import { cleanLine } from "@/lib/cleanText";
import * as t from "@/texts/keptTexts";
import { Button, useToast } from "@/ui";
import { useKeepTextsMutation, useKeptTextsQuery } from "./endpoints";

interface Props {
  /** What is typed now. */
  text: string;
  onPick: (text: string) => void;
}

/** The reasons that the admins keep: one press uses one, keeps what is typed, or lets one go. */
export function KeptTexts({ text, onPick }: Props) {
  const { data } = useKeptTextsQuery();
  const [keep, { isLoading }] = useKeepTextsMutation();
  const toast = useToast();
  if (!data) return null;
  const { texts, version } = data;
  const save = async (next: string[]) => {
    const { error } = await keep({ texts: next, version });
    if (error) toast(errorMessage(error), "error");
  };
  const typed = cleanLine(text);
  return (
    <div className="grid gap-2">
      {texts.length > 0 && (
        <ul aria-label={t.kept} className="grid gap-1">
          {texts.map((one) => (
            <li key={one} className="flex items-center gap-2">
              <button
                type="button"
                onClick={() => onPick(one)}
                className="min-h-9 flex-1 rounded-sm border border-line px-3 py-1 text-start text-sm wrap-anywhere hover:border-brand"
              >
                {one}
              </button>
              <Button
                size="sm"
                variant="quiet"
                disabled={isLoading}
                title={t.letGoOf(one)}
                onClick={() => void save(texts.filter((other) => other !== one))}
              >
                {t.letGo}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Button
        size="sm"
        variant="secondary"
        className="justify-self-start"
        busy={isLoading}
        disabled={typed === "" || texts.includes(typed)}
        onClick={() => void save([...texts, typed])}
      >
        {t.keepThis}
      </Button>
    </div>
  );
}
