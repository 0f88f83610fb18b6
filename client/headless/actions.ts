import type { ActionGroup } from "./actionGroup";
import { AdminActions } from "./adminActions";
import { BuyerActions } from "./buyerActions";
import { ConversationActions } from "./conversationActions";
import type { ActionResult, RandomNumbers } from "./environment";
import type { Page } from "./page";
import { SellerActions } from "./sellerActions";
import { SessionActions } from "./sessionActions";

/** The actions of a user, by the client's own calls. Random numbers choose the details. */
export class Actions {
  private readonly actions: ActionGroup["actions"];

  constructor(page: Page) {
    const groups = [SessionActions, BuyerActions, SellerActions, ConversationActions, AdminActions];
    this.actions = Object.assign({}, ...groups.map((Group) => new Group(page).actions));
  }

  /** Runs an action by its name; its status is null when it is not possible now. */
  async do(name: string, random: RandomNumbers, args: Record<string, string> = {}): Promise<ActionResult> {
    const action = this.actions[name];
    if (!action) throw new Error(`unknown action ${name}`);
    return action(random, args);
  }
}
