import { api } from "@/api/api";
import { toApiError } from "@/api/errors";
import type { Booking, Brand, Notification, Product, Report, SavedSearch, User, Wait } from "@/api/types";
import { completeSignIn, renewToken, signOut } from "@/features/auth/sessionThunks";
import { allBrands } from "@/features/catalog/endpoints";
import { type ActionResult, pick, type RandomNumbers } from "./environment";
import type { Page } from "./page";
import {
  adminLists,
  brandPage,
  hearts,
  home,
  myOrders,
  ownNotifications,
  ownPhones,
  payment,
  phonePage,
  search,
  type View,
  watchingScreen,
} from "./views";

/** Queries of the search screens, as in the address. */
const QUERIES = [
  "available=true",
  "sort=price-up",
  "minPrice=300&sort=price-down",
  "q=ring",
  "condition=Good",
  "verified=true",
];

/** Queries of saved searches: those that most phones match, and few. */
const SAVED_QUERIES = [
  "q=ring",
  "condition=Good",
  "maxPrice=250",
  "minPrice=300&condition=Fair",
  "verified=true",
];

const NOT_POSSIBLE: ActionResult = { status: null };

type Call = (arg: unknown, options?: object) => unknown;

/** The actions of a user in a window, by the client's own calls; random numbers choose the details. */
export class Actions {
  private brands: Brand[] = [];

  constructor(private readonly page: Page) {}

  /** Runs an action by its name; its status is null when it is not possible now. */
  async do(name: string, dice: RandomNumbers, more: Record<string, string> = {}): Promise<ActionResult> {
    const all: Record<string, () => Promise<ActionResult>> = {
      signIn: () => this.signIn(more.email ?? "", more.password ?? ""),
      signOut: () => this.signOut(),
      renew: () => this.renew(),
      visit: () => this.visit(dice, more.role ?? ""),
      more: async () => ((await this.screen?.loadMore()) ? { status: 200 } : NOT_POSSIBLE),
      refetch: () => this.refetch(),
      book: () => this.book(dice),
      cancel: () => this.onOrder(dice, (order) => this.call("cancelBooking", order._id)),
      pay: () => this.onOrder(dice, (order) => this.pay(order)),
      wait: () => this.wait(dice),
      leaveWaitlist: () => this.leaveWaitlist(dice),
      watch: () => this.watch(dice),
      saveSearch: () => this.saveSearch(dice),
      deleteSearch: () => this.deleteSearch(dice),
      read: () => this.read(),
      report: () => this.report(dice),
      add: () => this.add(dice),
      edit: () => this.edit(dice),
      advertise: () =>
        this.onOwnProduct(
          dice,
          (own) => this.call("advertise", own._id),
          ({ advertise }) => !advertise,
        ),
      stopAdvertising: () =>
        this.onOwnProduct(
          dice,
          (own) => this.call("stopAdvertising", own._id),
          ({ advertise }) => advertise,
        ),
      delete: () => this.onOwnProduct(dice, (own) => this.call("deleteProduct", own._id)),
      verify: () =>
        this.onListRow<User>(
          1,
          dice,
          ({ status }) => status !== "verified",
          (u) => this.call("verifySeller", u._id),
        ),
      deleteUser: () => this.deleteUser(dice),
      deleteReport: () =>
        this.onListRow<Report>(
          2,
          dice,
          () => true,
          (r) => this.call("deleteReport", r._id),
        ),
    };
    return (await all[name]?.()) ?? NOT_POSSIBLE;
  }

  private get screen() {
    return this.page.screens[0];
  }

  private get email(): string {
    return this.page.me?.email ?? "";
  }

  /** Runs one of the client's calls. */
  private async call(
    endpoint: string,
    arg: unknown,
    options?: object,
  ): Promise<ActionResult & { data?: unknown }> {
    const { initiate } = (api.endpoints as unknown as Record<string, { initiate: Call }>)[endpoint] as {
      initiate: Call;
    };
    const answer = await (this.page.store.dispatch(initiate(arg, options) as never) as unknown as Promise<{
      data?: unknown;
      error?: unknown;
    }>);
    if (answer.error === undefined) return { status: 200, data: answer.data };
    const { status, code } = toApiError(answer.error);
    return { status, code };
  }

  /** Logs in with only the login screen open: a visitor's data of a phone is not shown after the login. */
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

  private async renew(): Promise<ActionResult> {
    if (!this.page.me) return NOT_POSSIBLE;
    await this.page.store.dispatch(renewToken() as never);
    return { status: 200 };
  }

  /** Opens a random screen of this role. */
  private async visit(dice: RandomNumbers, role: string): Promise<ActionResult> {
    const [where = 0, which = 0, how = 0] = dice;
    const brand = pick(await this.allBrands(), which * which)?._id;
    const phone = pick(this.shownPhones(), which)?._id;
    const views: View[][] = [[home()]];
    if (phone) views.push([phonePage(phone, this.email !== "")]);
    if (this.email && brand) {
      views.push(
        [brandPage(brand, "")],
        [brandPage(brand, "")],
        [brandPage(brand, pick(QUERIES, how) ?? "")],
      );
      views.push([
        search(
          how < 0.5 ? "" : (pick(QUERIES, how * 2 - 1) ?? ""),
          this.brands.map(({ _id }) => _id),
        ),
      ]);
    }
    if (role === "buyer") {
      const order = pick(this.entitiesOf<Booking>("orders"), how);
      views.push(
        myOrders(this.email),
        myOrders(this.email),
        order ? [payment(order._id)] : myOrders(this.email),
      );
    }
    if (role === "seller") views.push([ownPhones(this.email)], [ownPhones(this.email)]);
    if (role === "admin") views.push(adminLists(), adminLists());
    if (role === "buyer" || role === "seller") views.push(watchingScreen());
    if (this.email) views.push([ownNotifications(), hearts()]);
    return this.openViews(...(pick(views, where) ?? [home()]));
  }

  private async openViews(...views: View[]): Promise<ActionResult> {
    this.page.openViews(...views);
    await Promise.all(this.page.screens.map((screen) => screen.ready()));
    return { status: 200 };
  }

  private async refetch(): Promise<ActionResult> {
    if (!this.screen) return NOT_POSSIBLE;
    await this.screen.refetch();
    return { status: 200 };
  }

  private async allBrands(): Promise<Brand[]> {
    if (this.brands.length === 0) {
      const { data } = await this.call(allBrands.name, undefined);
      this.brands = (data as Brand[] | undefined) ?? [];
    }
    return this.brands;
  }

  /** The entities of the open screens with these names. */
  private entitiesOf<T>(...names: string[]): T[] {
    const screens = this.page.screens.filter(({ view }) => names.includes(view.name));
    return screens.flatMap(({ list }) => Object.values(list?.entities ?? {}) as unknown as T[]);
  }

  private shownPhones(): Product[] {
    return this.entitiesOf<Product>(
      "advertised",
      "brand",
      "brand, narrowed",
      "search",
      "phone",
      "watched phones",
    );
  }

  private async somePhones(dice: RandomNumbers): Promise<Product[]> {
    if (this.shownPhones().length > 0) return this.shownPhones();
    const brand = pick(await this.allBrands(), (dice[3] ?? 0) ** 2);
    if (brand) await this.openViews(brandPage(brand._id, ""));
    return this.shownPhones();
  }

  private async book(dice: RandomNumbers): Promise<ActionResult> {
    const { me } = this.page;
    const phone = pick(
      (await this.somePhones(dice)).filter(({ booked }) => !booked),
      dice[0],
    );
    if (!phone || !me) return NOT_POSSIBLE;
    const { _id: productID, id, name: productName, brand, img, resalePrice: price } = phone;
    const what = { productID, id, productName, brand, img, price };
    return this.call("book", {
      ...what,
      userName: me.displayName,
      email: me.email,
      phone: "01700000",
      location: "Dhaka",
    });
  }

  private async onOrder(
    dice: RandomNumbers,
    act: (order: Booking) => Promise<ActionResult>,
  ): Promise<ActionResult> {
    if (!this.email) return NOT_POSSIBLE;
    if (this.entitiesOf("orders", "payment").length === 0) await this.openViews(...myOrders(this.email));
    const open = this.entitiesOf<Booking>("orders", "payment").filter(({ status }) => status === "held");
    const order = pick(open, dice[0]);
    return order ? act(order) : NOT_POSSIBLE;
  }

  /** Waits for a phone that somebody has booked. */
  private async wait(dice: RandomNumbers): Promise<ActionResult> {
    const held = (await this.somePhones(dice)).filter(({ booked, sold }) => booked && !sold);
    const phone = pick(held, dice[0]);
    if (!phone || !this.email) return NOT_POSSIBLE;
    const values = { phone: "01700000", location: "Dhaka" };
    return this.call("joinWaitlist", { productID: phone._id, values });
  }

  private async leaveWaitlist(dice: RandomNumbers): Promise<ActionResult> {
    if (!this.email) return NOT_POSSIBLE;
    if (this.entitiesOf("waits").length === 0) await this.openViews(...myOrders(this.email));
    const wait = pick(this.entitiesOf<Wait>("waits"), dice[0]);
    return wait ? this.call("leaveWaitlist", wait) : NOT_POSSIBLE;
  }

  /** Watches a phone, or stops watching it. */
  private async watch(dice: RandomNumbers): Promise<ActionResult> {
    const phone = pick(await this.somePhones(dice), dice[0]);
    if (!phone || !this.email) return NOT_POSSIBLE;
    return this.call("watch", { phone: phone._id, isWatched: (dice[1] ?? 0) < 0.7 });
  }

  /** Saves a search under a name of its own; it may be a saved one already. */
  private async saveSearch(dice: RandomNumbers): Promise<ActionResult> {
    const brand = pick(await this.allBrands(), (dice[1] ?? 0) ** 2)?._id;
    const filters = pick(SAVED_QUERIES, dice[0]);
    if (!this.email || !brand || !filters) return NOT_POSSIBLE;
    const query = (dice[2] ?? 0) < 0.5 ? filters : `${filters}&brand=${brand}`;
    const name = `${query} ${Math.floor((dice[3] ?? 0) * 1e6)}`;
    return this.call("saveSearch", { name, query });
  }

  private async deleteSearch(dice: RandomNumbers): Promise<ActionResult> {
    if (!this.email) return NOT_POSSIBLE;
    if (this.entitiesOf("searches").length === 0) await this.openViews(...watchingScreen());
    const saved = pick(this.entitiesOf<SavedSearch>("searches"), dice[0]);
    return saved ? this.call("deleteSearch", saved._id) : NOT_POSSIBLE;
  }

  /** Opens the notifications, which reads them. */
  private async read(): Promise<ActionResult> {
    if (!this.email) return NOT_POSSIBLE;
    await this.openViews(ownNotifications(), hearts());
    const unread = this.entitiesOf<Notification>("notifications").filter(({ readAt }) => !readAt);
    const newest = unread
      .map(({ _id }) => _id)
      .sort()
      .at(-1);
    return newest ? this.call("markRead", newest) : NOT_POSSIBLE;
  }

  /** Pays as the payment screen does; the sandbox provides the card. */
  private async pay({ _id: bookingId, price }: Booking): Promise<ActionResult> {
    const { email } = this;
    const { data, ...result } = await this.call("createPaymentIntent", { price, bookingId });
    if (result.status !== 200) return result;
    const { clientSecret } = data as { clientSecret: string };
    const transactionId = clientSecret.split("_secret_")[0] as string;
    const status = await this.page.environment.confirm(transactionId, clientSecret);
    if (status !== 200) return { status, code: "card" };
    return this.call("recordPayment", { price, transactionId, email, bookingId });
  }

  private async report(dice: RandomNumbers): Promise<ActionResult> {
    const { me } = this.page;
    const phone = pick(await this.somePhones(dice), dice[0]);
    if (!phone || !me) return NOT_POSSIBLE;
    const { _id: productID, id, name: productName, brand, img } = phone;
    const what = { productID, id, productName, brand, img };
    return this.call("report", {
      ...what,
      userName: me.displayName,
      email: me.email,
      reason: "It does not ring",
    });
  }

  private async add(dice: RandomNumbers): Promise<ActionResult> {
    const { me } = this.page;
    const brand = pick(await this.allBrands(), (dice[0] ?? 0) ** 2);
    if (!me || !brand) return NOT_POSSIBLE;
    return this.call("addProduct", {
      name: `Phone ${Math.floor((dice[1] ?? 0) * 1e6)}`,
      brand: brand.name,
      id: brand._id,
      img: "/images/a.jpg",
      originalPrice: 600,
      resalePrice: 100 + Math.floor((dice[2] ?? 0) * 400),
      productCondition: pick(["Excellent", "Good", "Fair"], dice[3]),
      usedTime: "1 year",
      description: (dice[1] ?? 0) < 0.5 ? "It can ring." : "It hums.",
      sellerName: me.displayName,
      email: me.email,
      location: "Dhaka",
      phone: "01700000",
      selling_post_date: "2026-11-01",
    });
  }

  private async onOwnProduct(
    dice: RandomNumbers,
    act: (own: Product) => Promise<ActionResult>,
    may = (_: Product) => true,
  ): Promise<ActionResult> {
    if (!this.email) return NOT_POSSIBLE;
    if (this.entitiesOf("own phones").length === 0) await this.openViews(ownPhones(this.email));
    const own = pick(
      this.entitiesOf<Product>("own phones").filter((phone) => !phone.booked && may(phone)),
      dice[0],
    );
    return own ? act(own) : NOT_POSSIBLE;
  }

  private edit(dice: RandomNumbers): Promise<ActionResult> {
    const resalePrice = 100 + Math.floor((dice[1] ?? 0) * 400);
    const change = (dice[2] ?? 0) < 0.7 ? { resalePrice } : { description: `It rings ${resalePrice} times.` };
    return this.onOwnProduct(dice, ({ _id: id, version }) =>
      this.call("changeProduct", { id, version, ...change }),
    );
  }

  private async onListRow<T>(
    at: 0 | 1 | 2,
    dice: RandomNumbers,
    may: (one: T) => boolean,
    act: (one: T) => Promise<ActionResult>,
  ): Promise<ActionResult> {
    if (!this.email) return NOT_POSSIBLE;
    const name = (["buyers", "sellers", "reports"] as const)[at];
    if (this.page.screens.length !== 3) await this.openViews(...adminLists());
    const one = pick(this.entitiesOf<T>(name).filter(may), dice[0]);
    return one ? act(one) : NOT_POSSIBLE;
  }

  private deleteUser(dice: RandomNumbers): Promise<ActionResult> {
    return this.onListRow<User>(
      (dice[1] ?? 0) < 0.5 ? 0 : 1,
      dice,
      // The driver's own seller is never deleted.
      ({ email }) => !email.startsWith("dealer"),
      async (user) => ({
        ...(await this.call("deleteUser", user._id)),
        email: user.email,
      }),
    );
  }
}
