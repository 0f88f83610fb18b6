import { type ChangeEvent, type ComponentProps, useState } from "react";
import { passwordStrength, type Strength } from "@/lib/passwordStrength";
import * as t from "@/texts/password";
import { cx } from "@/ui/cx";
import { PasswordField } from "@/ui/PasswordField";

const bars: Record<Strength, string> = {
  weak: "w-1/3 bg-danger",
  fair: "w-2/3 bg-accent",
  strong: "w-full bg-ok",
};

/** The field of a new password; under it is shown how strong the typed one is. */
export function NewPasswordField({ onChange, ...field }: ComponentProps<typeof PasswordField>) {
  const [strength, setStrength] = useState<Strength | null>(null);
  const onType = (event: ChangeEvent<HTMLInputElement>) => {
    const { value } = event.target;
    setStrength(value === "" ? null : passwordStrength(value));
    return onChange?.(event);
  };
  return (
    <PasswordField
      {...field}
      autoComplete="new-password"
      onChange={onType}
      note={<StrengthNote strength={strength} />}
    />
  );
}

/** As high without a password as with one, so that nothing moves while it is typed. */
function StrengthNote({ strength }: { strength: Strength | null }) {
  return (
    <div className="grid gap-1">
      <div aria-hidden="true" className="h-1 overflow-hidden rounded-full bg-sunk">
        {strength && <div className={cx("h-full rounded-full transition-[width]", bars[strength])} />}
      </div>
      <p className="text-muted text-sm">{strength ? t.strength[strength] : t.rule}</p>
    </div>
  );
}
