import { errorMessage } from "@/api/errors";
import type { HandoverCode as HandoverCodeData } from "@/api/types";
import * as t from "@/texts/order";
import { Button, Countdown, useNow } from "@/ui";
import { useHandoverCodeMutation } from "./endpoints";
import { handoverLink } from "./handoverLink";
import { QrCode } from "./QrCode";
import { Failure } from "./StepForm";

interface Props {
  id: string;
  /** Who enters the code. */
  reader: "buyer" | "seller";
  /** Whether the button is the main one of the screen. */
  isPrimary?: boolean;
}

/** The code that one side shows the other when they meet: as digits, and as a link to scan. */
export function HandoverCode({ id, reader, isPrimary }: Props) {
  const [open, { data, error, isLoading }] = useHandoverCodeMutation();
  return (
    <div className="grid justify-items-start gap-4">
      {data && <Code id={id} reader={reader} {...data} />}
      <Failure message={error ? errorMessage(error) : null} />
      <Button
        variant={isPrimary && !data ? "primary" : "secondary"}
        busy={isLoading}
        onClick={() => void open(id)}
      >
        {data ? t.newCode : t.showCode}
      </Button>
    </div>
  );
}

function Code({ id, reader, code, expiresAt }: HandoverCodeData & Pick<Props, "id" | "reader">) {
  const isOver = useNow(expiresAt) >= Date.parse(expiresAt);
  if (isOver) return <p role="status">{t.codeExpired}</p>;
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-4">
      <div className="grid gap-1">
        <output className="flex gap-3 font-bold font-mono text-4xl tabular-nums tracking-wider">
          <span>{code.slice(0, 3)}</span>
          <span>{code.slice(3)}</span>
        </output>
        <Countdown until={expiresAt} className="font-semibold" />
        <p className="max-w-60 text-muted text-sm">{t.codeLead(reader)}</p>
      </div>
      <QrCode text={handoverLink(window.location.origin, id, code)} label={t.qrCode(reader)} />
    </div>
  );
}
