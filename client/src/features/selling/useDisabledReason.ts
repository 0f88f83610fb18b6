import { useConfigQuery } from "@/api/config";
import { useRole } from "@/api/role";
import type { AdvertisePolicy } from "@/api/types";
import * as t from "@/texts/selling";

/** Why the seller can't advertise any phone now; null if they can. */
function disabledReason(policy: AdvertisePolicy, isVerified: boolean): string | null {
  if (policy === "off") return t.advertisingOff;
  return policy === "verified" && !isVerified ? t.getVerified : null;
}

/** The reason for the signed-in seller; live. */
export function useDisabledReason(): string | null {
  const { data: config } = useConfigQuery();
  const { isVerified } = useRole();
  // The server's default, until the settings are loaded.
  return disabledReason(config?.advertise ?? "verified", isVerified);
}
