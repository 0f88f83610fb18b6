import { toApiError } from "@/api/errors";
import type { Booking, Thread } from "@/api/types";
import { signOut } from "@/features/auth/sessionEnd";
import { completeSignIn, renewToken } from "@/features/auth/sessionThunks";
import { ActionGroup, NOT_POSSIBLE } from "./actionGroup";
import { type ActionResult, pick, type RandomNumbers } from "./environment";
import {
  adminLists,
  brandPage,
  conversation,
  conversations,
  home,
  myOrders,
  ownNotifications,
  ownPhones,
  payment,
  phonePage,
  search,
  type View,
  watchedIds,
  watchingScreen,
} from "./views";

/** Queries of the search screens, as in the URL. */
const QUERIES = [
  "available=true",
  "sort=price-up",
  "minPrice=300&sort=price-down",
  "q=ring",
  "condition=Good",
  "verified=true",
];

/** The session of a user, and the screens that are open. */
export class SessionActions extends ActionGroup {
  readonly actions = {
    signIn: (_: RandomNumbers, { email = "", password = "" }: Record<string, string>) =>
      this.signIn(email, password),
    signOut: () => this.signOut(),
    renewToken: () => this.renewToken(),
    visit: (random: RandomNumbers, { role = "" }: Record<string, string>) => this.visit(random, role),
    loadMore: async () => ((await this.screen?.loadMore()) ? { status: 200 } : NOT_POSSIBLE),
    refetch: () => this.refetch(),
  };

  /** Signs in with the home screen open, because a visitor's data of a phone is not shown after the login. */
  private async signIn(email: string, password: string): Promise<ActionResult> {
    if (this.email === "") this.page.openViews(home());
    const { data, ...result } = await this.call("signIn", { email, password });
    if (result.status !== 200) return result;
    try {
      await this.page.store.dispatch(completeSignIn(data as never) as never);
    } catch (error) {
      return { status: toApiError(error).status };
    }
    return result;
  }

  private async signOut(): Promise<ActionResult> {
    if (!this.page.me) return NOT_POSSIBLE;
    const signedOut = await this.page.store.dispatch(signOut() as never);
    return { status: signedOut ? 200 : 0 };
  }

  private async renewToken(): Promise<ActionResult> {
    if (!this.page.me) return NOT_POSSIBLE;
    await this.page.store.dispatch(renewToken() as never);
    return { status: 200 };
  }

  /** Opens a random screen of this role. */
  private async visit(random: RandomNumbers, role: string): Promise<ActionResult> {
    const [viewRandom = 0, phoneRandom = 0, queryRandom = 0] = random;
    const brand = pick(await this.allBrands(), phoneRandom ** 2)?._id;
    const phone = pick(this.shownPhones(), phoneRandom)?._id;
    const views: View[][] = [[home()]];
    if (phone) views.push([phonePage(phone, this.email !== "")]);
    if (this.email && brand) {
      views.push(
        [brandPage(brand, "")],
        [brandPage(brand, "")],
        [brandPage(brand, pick(QUERIES, queryRandom) ?? "")],
      );
      views.push([
        search(
          queryRandom < 0.5 ? "" : (pick(QUERIES, queryRandom * 2 - 1) ?? ""),
          this.brands.map(({ _id }) => _id),
        ),
      ]);
    }
    if (role === "buyer" || role === "seller") {
      const order = pick(this.entitiesOf<Booking>("orders"), queryRandom);
      views.push(
        myOrders(this.email),
        myOrders(this.email),
        order ? [payment(order._id)] : myOrders(this.email),
        watchingScreen(),
      );
    }
    if (role === "seller") views.push([ownPhones(this.email)], [ownPhones(this.email)]);
    if (role === "admin") views.push(adminLists(), adminLists());
    if (this.email) views.push([ownNotifications(), watchedIds()]);
    if (role === "buyer" || role === "seller") {
      const thread = pick(this.entitiesOf<Thread>("threads"), queryRandom);
      views.push(
        conversations(this.email),
        thread ? conversation(thread, this.email) : conversations(this.email),
      );
    }
    return this.openViews(...(pick(views, viewRandom) ?? [home()]));
  }

  private async refetch(): Promise<ActionResult> {
    if (!this.screen) return NOT_POSSIBLE;
    await this.screen.refetch();
    return { status: 200 };
  }
}
