import { api } from "@/api/api";
import { toApiError } from "@/api/errors";
import type { Booking, Brand, Notification, Product, Report, SavedSearch, User, Wait } from "@/api/types";
import { signOut } from "@/features/auth/sessionEnd";
import { completeSignIn, renewToken } from "@/features/auth/sessionThunks";
import { allBrands } from "@/features/catalog/endpoints";
import { type ActionResult, pick, type RandomNumbers } from "./environment";
import type { Page } from "./page";
import {
  adminLists,
  brandPage,
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

/** Queries of saved searches: some match most phones, some few. */
const SAVED_QUERIES = [
  "q=ring",
  "condition=Good",
  "maxPrice=250",
  "minPrice=300&condition=Fair",
  "verified=true",
];

const ADDRESS = { name: "Karim", street: "12 Lake Road", postcode: "1209", town: "Dhaka" };
const NOT_POSSIBLE: ActionResult = { status: null };

type Endpoint = { initiate: (arg: unknown) => unknown };

/** The actions of a user, by the client's own calls. Random numbers choose the details. */
export class Actions {
  private brands: Brand[] = [];

  constructor(private readonly page: Page) {}

  /** Runs an action by its name; its status is null when it is not possible now. */
  async do(name: string, random: RandomNumbers, args: Record<string, string> = {}): Promise<ActionResult> {
    const all: Record<string, () => Promise<ActionResult>> = {
      signIn: () => this.signIn(args.email ?? "", args.password ?? ""),
      signOut: () => this.signOut(),
      renewToken: () => this.renewToken(),
      visit: () => this.visit(random, args.role ?? ""),
      loadMore: async () => ((await this.screen?.loadMore()) ? { status: 200 } : NOT_POSSIBLE),
      refetch: () => this.refetch(),
      book: () => this.book(random),
      cancel: () => this.onOrder(random, (order) => this.call("cancelBooking", order._id)),
      pay: () => this.onOrder(random, (order) => this.pay(order, random)),
      joinWaitlist: () => this.joinWaitlist(random),
      leaveWaitlist: () => this.leaveWaitlist(random),
      watch: () => this.watch(random),
      saveSearch: () => this.saveSearch(random),
      deleteSearch: () => this.deleteSearch(random),
      readNotifications: () => this.readNotifications(),
      report: () => this.report(random),
      add: () => this.add(random),
      edit: () => this.edit(random),
      advertise: () => this.advertise(random),
      stopAdvertising: () => this.stopAdvertising(random),
      delete: () => this.onOwnProduct(random, ({ _id }) => this.call("deleteProduct", _id)),
      verify: () => this.verify(random),
      deleteUser: () => this.deleteUser(random),
      deleteReport: () =>
        this.onListRow<Report>("reports", random, ({ _id }) => this.call("deleteReport", _id)),
    };
    const action = all[name];
    if (!action) throw new Error(`unknown action ${name}`);
    return action();
  }

  private get screen() {
    return this.page.screens[0];
  }

  private get email(): string {
    return this.page.me?.email ?? "";
  }

  /** Runs one of the client's calls. */
  private async call(endpoint: string, arg: unknown): Promise<ActionResult & { data?: unknown }> {
    const { initiate } = (api.endpoints as unknown as Record<string, Endpoint>)[endpoint] as Endpoint;
    const answer = await (this.page.store.dispatch(initiate(arg) as never) as unknown as Promise<{
      data?: unknown;
      error?: unknown;
    }>);
    if (answer.error === undefined) return { status: 200, data: answer.data };
    const { status, code } = toApiError(answer.error);
    return { status, code };
  }

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
    return this.openViews(...(pick(views, viewRandom) ?? [home()]));
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

  /** The entities of the open views with these names. */
  private entitiesOf<T>(...names: string[]): T[] {
    const screens = this.page.screens.filter(({ view }) => names.includes(view.name));
    return screens.flatMap(({ list }) => Object.values(list?.entities ?? {}) as unknown as T[]);
  }

  private shownPhones(): Product[] {
    return this.entitiesOf<Product>(
      "advertised",
      "brand",
      "filtered brand",
      "search",
      "phone",
      "watched phones",
    );
  }

  /** The phones that are shown; if there are none, those of a random brand. */
  private async somePhones(random: RandomNumbers): Promise<Product[]> {
    if (this.shownPhones().length > 0) return this.shownPhones();
    const brand = pick(await this.allBrands(), (random[3] ?? 0) ** 2);
    if (brand) await this.openViews(brandPage(brand._id, ""));
    return this.shownPhones();
  }

  private async book(random: RandomNumbers): Promise<ActionResult> {
    const { me } = this.page;
    const phone = pick(
      (await this.somePhones(random)).filter(({ booked }) => !booked),
      random[0],
    );
    if (!phone || !me) return NOT_POSSIBLE;
    const { _id: productID, id, name: productName, brand, img, resalePrice: price } = phone;
    const item = { productID, id, productName, brand, img, price };
    return this.call("book", {
      ...item,
      userName: me.displayName,
      email: me.email,
      phone: "01700000",
      location: "Dhaka",
    });
  }

  private async onOrder(
    random: RandomNumbers,
    act: (order: Booking) => Promise<ActionResult>,
  ): Promise<ActionResult> {
    if (!this.email) return NOT_POSSIBLE;
    if (this.entitiesOf("orders", "payment").length === 0) await this.openViews(...myOrders(this.email));
    const open = this.entitiesOf<Booking>("orders", "payment").filter(({ status }) => status === "held");
    const order = pick(open, random[0]);
    return order ? act(order) : NOT_POSSIBLE;
  }

  /** Joins the waitlist of a booked phone. */
  private async joinWaitlist(random: RandomNumbers): Promise<ActionResult> {
    const held = (await this.somePhones(random)).filter(({ booked, sold }) => booked && !sold);
    const phone = pick(held, random[0]);
    if (!phone || !this.email) return NOT_POSSIBLE;
    const values = { phone: "01700000", location: "Dhaka" };
    return this.call("joinWaitlist", { productID: phone._id, values });
  }

  private async leaveWaitlist(random: RandomNumbers): Promise<ActionResult> {
    if (!this.email) return NOT_POSSIBLE;
    if (this.entitiesOf("waits").length === 0) await this.openViews(...myOrders(this.email));
    const wait = pick(this.entitiesOf<Wait>("waits"), random[0]);
    return wait ? this.call("leaveWaitlist", wait) : NOT_POSSIBLE;
  }

  /** Watches a phone, or stops watching it. */
  private async watch(random: RandomNumbers): Promise<ActionResult> {
    const phone = pick(await this.somePhones(random), random[0]);
    if (!phone || !this.email) return NOT_POSSIBLE;
    return this.call("watch", { phone: phone._id, isWatched: (random[1] ?? 0) < 0.7 });
  }

  /** Saves a search under a random name. The same query may be saved already. */
  private async saveSearch(random: RandomNumbers): Promise<ActionResult> {
    const brand = pick(await this.allBrands(), (random[1] ?? 0) ** 2)?._id;
    const filters = pick(SAVED_QUERIES, random[0]);
    if (!this.email || !brand || !filters) return NOT_POSSIBLE;
    const query = (random[2] ?? 0) < 0.5 ? filters : `${filters}&brand=${brand}`;
    const name = `${query} ${Math.floor((random[3] ?? 0) * 1e6)}`;
    return this.call("saveSearch", { name, query });
  }

  private async deleteSearch(random: RandomNumbers): Promise<ActionResult> {
    if (!this.email) return NOT_POSSIBLE;
    if (this.entitiesOf("searches").length === 0) await this.openViews(...watchingScreen());
    const saved = pick(this.entitiesOf<SavedSearch>("searches"), random[0]);
    return saved ? this.call("deleteSearch", saved._id) : NOT_POSSIBLE;
  }

  /** Opens the notifications and marks them as read. */
  private async readNotifications(): Promise<ActionResult> {
    if (!this.email) return NOT_POSSIBLE;
    await this.openViews(ownNotifications(), watchedIds());
    const unread = this.entitiesOf<Notification>("notifications").filter(({ readAt }) => !readAt);
    const newest = unread
      .map(({ _id }) => _id)
      .sort()
      .at(-1);
    return newest ? this.call("markRead", newest) : NOT_POSSIBLE;
  }

  /** Pays as the payment screen does, after a choice of the delivery; the sandbox provides the card. */
  private async pay({ _id: bookingId, price }: Booking, random: RandomNumbers): Promise<ActionResult> {
    const { email } = this;
    const delivery = (random[1] ?? 0) < 0.5 ? "meet" : "send";
    const chosen = await this.call("chooseDelivery", { id: bookingId, delivery, address: ADDRESS });
    if (chosen.status !== 200) return chosen;
    const { data, ...result } = await this.call("createPaymentIntent", { price, bookingId });
    if (result.status !== 200) return result;
    const { clientSecret } = data as { clientSecret: string };
    const transactionId = clientSecret.split("_secret_")[0] as string;
    const status = await this.page.environment.confirm(transactionId, clientSecret);
    if (status !== 200) return { status, code: "card" };
    return this.call("recordPayment", { price, transactionId, email, bookingId });
  }

  private async report(random: RandomNumbers): Promise<ActionResult> {
    const { me } = this.page;
    const phone = pick(await this.somePhones(random), random[0]);
    if (!phone || !me) return NOT_POSSIBLE;
    const { _id: productID, id, name: productName, brand, img } = phone;
    const item = { productID, id, productName, brand, img };
    return this.call("report", {
      ...item,
      userName: me.displayName,
      email: me.email,
      reason: "It does not ring",
    });
  }

  private async add(random: RandomNumbers): Promise<ActionResult> {
    const { me } = this.page;
    const brand = pick(await this.allBrands(), (random[0] ?? 0) ** 2);
    if (!me || !brand) return NOT_POSSIBLE;
    return this.call("addProduct", {
      name: `Phone ${Math.floor((random[1] ?? 0) * 1e6)}`,
      postage: Math.floor((random[3] ?? 0) * 20),
      brand: brand.name,
      id: brand._id,
      img: "/images/a.jpg",
      originalPrice: 600,
      resalePrice: 100 + Math.floor((random[2] ?? 0) * 400),
      productCondition: pick(["Excellent", "Good", "Fair"], random[3]),
      usedTime: "1 year",
      description: (random[1] ?? 0) < 0.5 ? "It can ring." : "It hums.",
      sellerName: me.displayName,
      email: me.email,
      location: "Dhaka",
      phone: "01700000",
      selling_post_date: "2026-11-01",
    });
  }

  /** Acts on a random own phone that nobody has booked. */
  private async onOwnProduct(
    random: RandomNumbers,
    act: (own: Product) => Promise<ActionResult>,
    isAllowed = (_: Product) => true,
  ): Promise<ActionResult> {
    if (!this.email) return NOT_POSSIBLE;
    if (this.entitiesOf("own phones").length === 0) await this.openViews(ownPhones(this.email));
    const allowed = this.entitiesOf<Product>("own phones").filter(
      (phone) => !phone.booked && isAllowed(phone),
    );
    const own = pick(allowed, random[0]);
    return own ? act(own) : NOT_POSSIBLE;
  }

  private advertise(random: RandomNumbers): Promise<ActionResult> {
    const act = ({ _id }: Product) => this.call("advertise", _id);
    return this.onOwnProduct(random, act, ({ advertise }) => !advertise);
  }

  private stopAdvertising(random: RandomNumbers): Promise<ActionResult> {
    const act = ({ _id }: Product) => this.call("stopAdvertising", _id);
    return this.onOwnProduct(random, act, ({ advertise }) => advertise);
  }

  private edit(random: RandomNumbers): Promise<ActionResult> {
    const resalePrice = 100 + Math.floor((random[1] ?? 0) * 400);
    const change =
      (random[2] ?? 0) < 0.7 ? { resalePrice } : { description: `It rings ${resalePrice} times.` };
    return this.onOwnProduct(random, ({ _id: id, version }) =>
      this.call("changeProduct", { id, version, ...change }),
    );
  }

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
