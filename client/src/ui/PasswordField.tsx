import { type ComponentProps, useState } from "react";
import * as t from "@/texts/password";
import { cx } from "@/ui/cx";
import { Field } from "@/ui/Field";
import { IconButton } from "@/ui/IconButton";
import { EyeIcon } from "@/ui/icons";

/** A field for a password, with a button in it that shows what is typed. */
export function PasswordField({ className, ...field }: ComponentProps<typeof Field>) {
  const [isShown, setShown] = useState(false);
  return (
    <Field
      autoComplete="current-password"
      autoCapitalize="none"
      spellCheck={false}
      {...field}
      type={isShown ? "text" : "password"}
      // Edge has a button of its own.
      className={cx("pe-13 [&::-ms-reveal]:hidden", className)}
      end={
        <IconButton
          label={t.show}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
          className="absolute inset-y-0 end-0.5 my-auto"
        >
          <EyeIcon isCrossed={isShown} />
        </IconButton>
      }
    />
  );
}
