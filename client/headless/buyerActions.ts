import type { Booking, Notification, SavedSearch, Wait } from "@/api/types";
import { ActionGroup, NOT_POSSIBLE } from "./actionGroup";
import { type ActionResult, pick, type RandomNumbers } from "./environment";
import { myOrders, ownNotifications, watchedIds, watchingScreen } from "./views";

/** Queries of saved searches: some match most phones, some few. */
const SAVED_QUERIES = [
  "q=ring",
  "condition=Good",
  "maxPrice=250",
  "minPrice=300&condition=Fair",
  "verified=true",
];

const ADDRESS = { name: "Karim", street: "12 Lake Road", postcode: "1209", town: "Dhaka" };

/** What people do who buy. */
export class BuyerActions extends ActionGroup {
  readonly actions = {
    book: (random: RandomNumbers) => this.book(random),
    cancel: (random: RandomNumbers) => this.onOrder(random, (order) => this.call("cancelBooking", order._id)),
    pay: (random: RandomNumbers) => this.onOrder(random, (order) => this.pay(order, random)),
    joinWaitlist: (random: RandomNumbers) => this.joinWaitlist(random),
    leaveWaitlist: (random: RandomNumbers) => this.leaveWaitlist(random),
    watch: (random: RandomNumbers) => this.watch(random),
    saveSearch: (random: RandomNumbers) => this.saveSearch(random),
    deleteSearch: (random: RandomNumbers) => this.deleteSearch(random),
    readNotifications: () => this.readNotifications(),
    report: (random: RandomNumbers) => this.report(random),
  };

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
}
