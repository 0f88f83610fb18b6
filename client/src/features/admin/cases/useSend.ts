import { useState } from "react";
import { toApiError } from "@/api/errors";
import { useToast } from "@/ui";

/** The codes of a case that is another one than the admin has seen. */
const OUTDATED = new Set(["conflict", "decided"]);

/** What each form of a case gets. */
export interface FormProps {
  /** Shows why the server has refused the form; null for nothing. */
  onFailure: (message: string | null) => void;
  /** The server says that the case has changed. */
  onOutdated: () => void;
}

/** The errors of a form of a case, and the function that sends it. What is wrong with a field is shown there. */
export function useSend({ onFailure, onOutdated }: FormProps) {
  const [wrong, setWrong] = useState<Record<string, string | undefined>>({});
  const toast = useToast();
  /** Returns whether it was sent. `found` is what this client has found to be wrong. */
  const submit = async (
    found: Record<string, string | undefined>,
    send: () => Promise<{ error?: unknown }>,
    done: string,
  ): Promise<boolean> => {
    onFailure(null);
    setWrong(found);
    if (Object.values(found).some(Boolean)) return false;
    const { error } = await send();
    if (!error) {
      toast(done);
      return true;
    }
    const { message, code, fields } = toApiError(error);
    if (fields) setWrong(fields);
    else onFailure(message);
    if (OUTDATED.has(code)) onOutdated();
    return false;
  };
  return { wrong, submit };
}
