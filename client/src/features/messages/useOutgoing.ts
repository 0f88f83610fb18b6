import { useEffect, useRef, useState } from "react";
import { useSelector } from "react-redux";
import { type ConnectionRoot, selectIsLive } from "@/api/connectionSlice";
import { toApiError } from "@/api/errors";
import { unsentMessages } from "@/api/tabStorage";
import { newFormKey } from "@/lib/formKey";
import { useSendMessageMutation } from "./endpoints";

/** A message that is not in the list yet. */
export interface Outgoing {
  /** Of the server's creation: the message is sent once, however often this is repeated. */
  key: string;
  text: string;
  confirm: boolean;
  state: "waiting" | "sent" | "failed" | "refused";
  /** The _id of a sent message. */
  id?: string;
  /** Why it was not sent. */
  error?: string;
}

/** A call that may succeed when it is repeated. */
const MAY_BE_REPEATED = (status: number) => status === 0 || status === 429 || status >= 500;

/**
 * The messages of a thread that are being sent, oldest first. They are sent one after another, so that they keep their
 * order. One that could not be sent is kept in this tab, and sent again when the connection is back.
 */
export function useOutgoing(threadID: string) {
  const [all, setAll] = useState<Outgoing[]>(() => stored(threadID));
  const [send] = useSendMessageMutation();
  const isLive = useSelector((state: ConnectionRoot) => selectIsLive(state));
  const isSending = useRef(false);
  const change = (key: string, part: Partial<Outgoing>) =>
    setAll((before) => before.map((one) => (one.key === key ? { ...one, ...part } : one)));

  useEffect(() => store(threadID, all), [threadID, all]);
  useEffect(() => {
    if (!isLive) return;
    setAll((before) => before.map((one) => (one.state === "failed" ? { ...one, state: "waiting" } : one)));
  }, [isLive]);

  const next = all.find(({ state }) => state === "waiting" || state === "failed");
  useEffect(() => {
    if (next?.state !== "waiting" || isSending.current) return;
    isSending.current = true;
    const { key, text, confirm } = next;
    void send({ threadID, key, text, confirm }).then(({ data, error }) => {
      isSending.current = false;
      if (data) return change(key, { state: "sent", id: data.insertedId });
      const { status, message } = toApiError(error);
      change(key, { state: MAY_BE_REPEATED(status) ? "failed" : "refused", error: message });
    });
  });

  return {
    outgoing: all,
    add: (text: string, confirm: boolean) =>
      setAll((before) => [...before, { key: newFormKey(), text, confirm, state: "waiting" }]),
    repeat: (key: string) => change(key, { state: "waiting", error: undefined }),
    remove: (key: string) => setAll((before) => before.filter((one) => one.key !== key)),
  };
}

const stored = (threadID: string) => (unsentMessages.read(threadID) ?? []) as Outgoing[];

function store(threadID: string, all: Outgoing[]): void {
  const unsent = all.filter(({ state }) => state !== "sent");
  unsentMessages.write(threadID, unsent.length > 0 ? unsent : null);
}
