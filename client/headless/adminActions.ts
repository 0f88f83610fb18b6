import type { Report, User } from "@/api/types";
import { ActionGroup, NOT_POSSIBLE } from "./actionGroup";
import { type ActionResult, pick, type RandomNumbers } from "./environment";
import { adminLists } from "./views";

/** What an admin does. */
export class AdminActions extends ActionGroup {
  readonly actions = {
    verify: (random: RandomNumbers) => this.verify(random),
    deleteUser: (random: RandomNumbers) => this.deleteUser(random),
    deleteReport: (random: RandomNumbers) =>
      this.onListRow<Report>("reports", random, ({ _id }) => this.call("deleteReport", _id)),
  };

  /** Acts on a random row of one of the admin's lists. */
  private async onListRow<T>(
    list: "buyers" | "sellers" | "reports",
    random: RandomNumbers,
    act: (row: T) => Promise<ActionResult>,
    isAllowed = (_: T) => true,
  ): Promise<ActionResult> {
    if (!this.email) return NOT_POSSIBLE;
    if (this.page.screens.length !== 3) await this.openViews(...adminLists());
    const row = pick(this.entitiesOf<T>(list).filter(isAllowed), random[0]);
    return row ? act(row) : NOT_POSSIBLE;
  }

  private verify(random: RandomNumbers): Promise<ActionResult> {
    const act = ({ _id, version }: User) => this.call("verifySeller", { id: _id, version });
    return this.onListRow("sellers", random, act, ({ status }) => status !== "verified");
  }

  private deleteUser(random: RandomNumbers): Promise<ActionResult> {
    const act = async ({ _id, email }: User) => ({ ...(await this.call("deleteUser", _id)), email });
    // The Go test needs its own seller, so that one is never deleted.
    const isAllowed = ({ email }: User) => !email.startsWith("protected-seller");
    return this.onListRow((random[1] ?? 0) < 0.5 ? "buyers" : "sellers", random, act, isAllowed);
  }
}
