import { toApiError } from "@/api/errors";
import type { Address } from "@/api/types";
import * as t from "@/texts/account";
import { Button, useToast } from "@/ui";
import { PostalAddress } from "@/ui/PostalAddress";
import { useForgetAddressMutation } from "./endpoints";
import { Section } from "./Section";

interface Props {
  address: Address;
  onChanged: () => void;
}

/** The address that the payment screen fills in for the next order. */
export function RememberedAddress({ address, onChanged }: Props) {
  const toast = useToast();
  const [forget, { isLoading }] = useForgetAddressMutation();
  const onClick = async () => {
    const { error } = await forget();
    if (error) return toast(toApiError(error).message, "error");
    toast(t.addressForgotten);
    onChanged();
  };
  return (
    <Section title={t.addressTitle}>
      <p className="text-muted">{t.addressLead}</p>
      <PostalAddress address={address} />
      <Button
        variant="secondary"
        busy={isLoading}
        onClick={() => void onClick()}
        className="justify-self-start"
      >
        {t.forgetAddress}
      </Button>
    </Section>
  );
}
