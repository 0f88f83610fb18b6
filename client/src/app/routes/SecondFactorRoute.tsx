import { useDispatch } from "react-redux";
import { useLocation, useNavigate } from "react-router-dom";
import { SecondFactorSetup } from "@/features/account/SecondFactorSetup";
import { type AuthDispatch, loadSession } from "@/features/auth";
import { AuthCard } from "@/features/auth/AuthCard";
import { loginOriginOf } from "@/lib/loginOrigin";
import * as t from "@/texts/secondFactor";

/** /secondFactor: an admin who may not act without a second factor sets one up after the password. */
export default function SecondFactorRoute() {
  const dispatch = useDispatch<AuthDispatch>();
  const navigate = useNavigate();
  const { from } = loginOriginOf(useLocation());
  const onDone = async () => {
    await dispatch(loadSession());
    navigate(from, { replace: true });
  };
  return (
    <AuthCard title={t.requiredTitle}>
      <p className="text-muted">{t.required}</p>
      <SecondFactorSetup hasPassword onDone={() => void onDone()} />
    </AuthCard>
  );
}
