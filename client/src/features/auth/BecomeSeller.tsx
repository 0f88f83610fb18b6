import { errorMessage } from "@/api/errors";
import { useMe } from "@/api/me";
import * as t from "@/texts/sell";
import { ActionButton, useToast } from "@/ui";
import { useCreateUserMutation } from "./endpoints";

/** For a buyer where only sellers may be: one step makes the account a seller's, and the screen is shown. */
export function BecomeSeller() {
  const me = useMe();
  const toast = useToast();
  const [createUser, { isLoading, error }] = useCreateUserMutation();
  if (!me) return null;
  const onPress = async () => {
    const result = await createUser({
      name: me.displayName || me.email,
      email: me.email,
      accountType: "Seller",
    });
    if (result.error) return;
    document.getElementById("main")?.focus({ preventScroll: true });
    toast(t.isSeller);
  };
  return (
    <div className="grid justify-items-center gap-4">
      <p>{t.oneStep}</p>
      <ActionButton
        variant="primary"
        onPress={onPress}
        busy={isLoading}
        result={error ? { message: errorMessage(error), isError: true } : null}
      >
        {t.startSelling}
      </ActionButton>
    </div>
  );
}
