import { useState } from "react";
import { toApiError } from "@/api/errors";
import type { EmailSettings } from "@/api/types";
import * as t from "@/texts/emails";
import { Options, Select } from "@/ui";
import { useSetEmailsMutation } from "./emailSettings";

interface Props {
  kind: string;
  settings: EmailSettings;
  /** Called with the message about the result of a change. */
  onStatus: (status: string) => void;
}

/** When the user gets an email about one kind of notifications. A change is saved at once. */
export function EmailChoice({ kind, settings, onStatus }: Props) {
  const [save, { error }] = useSetEmailsMutation();
  // The user's choice, until the server's settings contain it.
  const [chosen, setChosen] = useState<{ when: string; version: number } | null>(null);
  const change = async (when: string) => {
    setChosen({ when, version: settings.version });
    onStatus(t.saving);
    const result = await save({ id: settings._id, email: { [kind]: when } });
    if (result.error) setChosen(null);
    onStatus(result.error ? "" : t.saved);
  };
  const isSaved = chosen === null || chosen.version < settings.version;
  return (
    <Select
      label={t.kinds[kind] ?? kind}
      name={`email.${kind}`}
      value={isSaved ? settings.email[kind] : chosen.when}
      onChange={({ target }) => void change(target.value)}
      error={error && toApiError(error).message}
    >
      <Options labels={t.choices} />
    </Select>
  );
}
