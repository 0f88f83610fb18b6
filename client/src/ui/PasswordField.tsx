import { type ComponentProps, useState } from "react";
import * as t from "@/texts/password";
import { cx } from "@/ui/cx";
import { Field } from "@/ui/Field";
import { IconButton } from "@/ui/IconButton";
import { Icon } from "@/ui/icons";

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

/** An eye; crossed out where pressing it hides. */
const EyeIcon = ({ isCrossed }: { isCrossed: boolean }) => (
  <Icon>
    <path d="M2.5 12s3.5-6.5 9.5-6.5 9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.5S2.5 12 2.5 12Z" />
    <circle cx="12" cy="12" r="2.8" />
    {isCrossed && <path d="m4 4 16 16" />}
  </Icon>
);
