import { errorMessage } from "@/api/errors";
import * as t from "@/texts/order";
import { Button, Countdown, useToast } from "@/ui";
import { useHandoverCodeMutation } from "./orderEndpoints";

/** The code that the buyer shows the seller when they meet. */
export function HandoverCode({ id }: { id: string }) {
  const [open, { data, isLoading }] = useHandoverCodeMutation();
  const toast = useToast();
  const show = async () => {
    const { error } = await open(id);
    if (error) toast(errorMessage(error), "error");
  };
  return (
    <div className="grid justify-items-start gap-3 print:hidden">
      {data && (
        <>
          <p>{t.codeLead}</p>
          <output className="font-bold font-mono text-4xl tracking-widest">{data.code}</output>
          <Countdown until={data.expiresAt} />
        </>
      )}
      <Button variant="secondary" busy={isLoading} onClick={() => void show()}>
        {data ? t.newCode : t.showCode}
      </Button>
    </div>
  );
}
