import { useLocation } from "react-router-dom";
import { Appeal } from "@/features/auth/Appeal";
import { ConfirmEmail } from "@/features/auth/ConfirmEmail";
import { FirstAdmin } from "@/features/auth/FirstAdmin";
import { ForgotPassword } from "@/features/auth/ForgotPassword";
import { ResetPassword } from "@/features/auth/ResetPassword";
import { loginOriginOf, typedEmailOf } from "@/lib/loginOrigin";

const SCREENS = {
  forgot: Forgot,
  reset: ResetPassword,
  verify: ConfirmEmail,
  setup: FirstAdmin,
  appeal: Appeal,
};

/** The form of a forgotten password, and the screens of links; in one file, as they are small. */
export default function RecoveryRoute({ screen }: { screen: keyof typeof SCREENS }) {
  const Screen = SCREENS[screen];
  return <Screen />;
}

function Forgot() {
  const location = useLocation();
  return <ForgotPassword origin={loginOriginOf(location)} email={typedEmailOf(location)} />;
}
