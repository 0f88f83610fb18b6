import { api } from "@/api/emptyApi";
import { toApiError } from "@/api/errors";
import type { Booking, Brand, Product, Report, User } from "@/api/types";
import { enter, renew, signOut } from "@/features/auth/session";
import { allBrands } from "@/features/catalog/endpoints";
import {
  adminLists,
  brandPage,
  home,
  type Look,
  orders,
  ownPhones,
  payment,
  phonePage,
  search,
} from "./looks";
import type { Page } from "./page";
import { type Deed, type Dice, pick } from "./world";

/** What is looked for now and then, as the address has it. */
const FINDS = [
  "available=true",
  "sort=price-up",
  "minPrice=300&sort=price-down",
  "q=ring",
  "condition=Good",
  "verified=true",
];

const NOTHING: Deed = { status: null };

type Call = (arg: unknown, options?: object) => unknown;

/** What a person does in a window, by the client's own calls; each takes its chances from the dice. */
export class Deeds {
  private brands: Brand[] = [];

  constructor(private readonly page: Page) {}

  /** Does one thing by name; what nobody can do now is nothing. */
  async do(name: string, dice: Dice, more: Record<string, string> = {}): Promise<Deed> {
    const all: Record<string, () => Promise<Deed>> = {
      signIn: () => this.signIn(more.email ?? "", more.password ?? ""),
      signOut: () => this.signOut(),
      renew: () => this.renew(),
      visit: () => this.visit(dice, more.role ?? ""),
      more: async () => ((await this.screen?.more()) ? { status: 200 } : NOTHING),
      tidy: () => this.tidy(),
      book: () => this.book(dice),
      cancel: () => this.ofOrder(dice, (order) => this.call("cancelBooking", order._id)),
      pay: () => this.ofOrder(dice, (order) => this.pay(order)),
      report: () => this.report(dice),
      add: () => this.add(dice),
      edit: () => this.edit(dice),
      advertise: () =>
        this.ofOwn(
          dice,
          (own) => this.call("advertise", own._id),
          ({ advertise }) => !advertise,
        ),
      delete: () => this.ofOwn(dice, (own) => this.call("deleteProduct", own._id)),
      verify: () =>
        this.ofList<User>(
          1,
          dice,
          ({ status }) => status !== "verified",
          (u) => this.call("verifySeller", u._id),
        ),
      deleteUser: () => this.deleteUser(dice),
      deleteReport: () =>
        this.ofList<Report>(
          2,
          dice,
          () => true,
          (r) => this.call("deleteReport", r._id),
        ),
    };
    return (await all[name]?.()) ?? NOTHING;
  }

  private get screen() {
    return this.page.screens[0];
  }

  private get email(): string {
    return this.page.me?.email ?? "";
  }

  /** Runs one of the client's calls. */
  private async call(endpoint: string, arg: unknown, options?: object): Promise<Deed & { data?: unknown }> {
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

  private async signIn(email: string, password: string): Promise<Deed> {
    const { data, ...deed } = await this.call("signIn", { email, password });
    if (deed.status !== 200) return deed;
    try {
      await this.page.store.dispatch(enter(data as never) as never);
    } catch (error) {
      return { status: toApiError(error).status };
    }
    return deed;
  }

  private async signOut(): Promise<Deed> {
    if (!this.page.me) return NOTHING;
    const told = await this.page.store.dispatch(signOut() as never);
    return { status: told ? 200 : 0 };
  }

  private async renew(): Promise<Deed> {
    if (!this.page.me) return NOTHING;
    await this.page.store.dispatch(renew() as never);
    return { status: 200 };
  }

  /** Goes to a screen that is there for this person. */
  private async visit(dice: Dice, role: string): Promise<Deed> {
    const [where = 0, which = 0, how = 0] = dice;
    const brand = pick(await this.allBrands(), which * which)?._id;
    const phone = pick(this.phones(), which)?._id;
    const looks: Look[][] = [[home()]];
    if (phone) looks.push([phonePage(phone, this.email !== "")]);
    if (this.email && brand) {
      looks.push([brandPage(brand, "")], [brandPage(brand, "")], [brandPage(brand, pick(FINDS, how) ?? "")]);
      looks.push([
        search(
          how < 0.5 ? "" : (pick(FINDS, how * 2 - 1) ?? ""),
          this.brands.map(({ _id }) => _id),
        ),
      ]);
    }
    if (role === "buyer") {
      const order = pick(this.held<Booking>("orders"), how);
      looks.push(
        [orders(this.email)],
        [orders(this.email)],
        order ? [payment(order._id)] : [orders(this.email)],
      );
    }
    if (role === "seller") looks.push([ownPhones(this.email)], [ownPhones(this.email)]);
    if (role === "admin") looks.push(adminLists(), adminLists());
    return this.go(...(pick(looks, where) ?? [home()]));
  }

  private async go(...looks: Look[]): Promise<Deed> {
    this.page.go(...looks);
    await Promise.all(this.page.screens.map((screen) => screen.ready()));
    return { status: 200 };
  }

  private async tidy(): Promise<Deed> {
    if (!this.screen) return NOTHING;
    await this.screen.again();
    return { status: 200 };
  }

  private async allBrands(): Promise<Brand[]> {
    if (this.brands.length === 0) {
      const { data } = await this.call(allBrands.name, undefined);
      this.brands = (data as Brand[] | undefined) ?? [];
    }
    return this.brands;
  }

  /** The entities of the present screen of that name. */
  private held<T>(...names: string[]): T[] {
    const screens = this.page.screens.filter(({ look }) => names.includes(look.name));
    return screens.flatMap(({ list }) => Object.values(list?.entities ?? {}) as unknown as T[]);
  }

  private phones(): Product[] {
    return this.held<Product>("advertised", "brand", "brand, narrowed", "search", "phone");
  }

  private async somePhones(dice: Dice): Promise<Product[]> {
    if (this.phones().length > 0) return this.phones();
    const brand = pick(await this.allBrands(), (dice[3] ?? 0) ** 2);
    if (brand) await this.go(brandPage(brand._id, ""));
    return this.phones();
  }

  private async book(dice: Dice): Promise<Deed> {
    const { me } = this.page;
    const phone = pick(
      (await this.somePhones(dice)).filter(({ booked }) => !booked),
      dice[0],
    );
    if (!phone || !me) return NOTHING;
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

  private async ofOrder(dice: Dice, act: (order: Booking) => Promise<Deed>): Promise<Deed> {
    if (!this.email) return NOTHING;
    if (this.held("orders", "payment").length === 0) await this.go(orders(this.email));
    const open = this.held<Booking>("orders", "payment").filter(({ status }) => status === "held");
    const order = pick(open, dice[0]);
    return order ? act(order) : NOTHING;
  }

  /** Pays as the payment's screen does; the card itself is the sandbox's business. */
  private async pay({ _id: bookingId, price }: Booking): Promise<Deed> {
    const { email } = this;
    const { data, ...deed } = await this.call("createPaymentIntent", { price, bookingId });
    if (deed.status !== 200) return deed;
    const { clientSecret } = data as { clientSecret: string };
    const transactionId = clientSecret.split("_secret_")[0] as string;
    const status = await this.page.world.confirm(transactionId, clientSecret);
    if (status !== 200) return { status, code: "card" };
    return this.call("recordPayment", { price, transactionId, email, bookingId });
  }

  private async report(dice: Dice): Promise<Deed> {
    const { me } = this.page;
    const phone = pick(await this.somePhones(dice), dice[0]);
    if (!phone || !me) return NOTHING;
    const { _id: productID, id, name: productName, brand, img } = phone;
    const what = { productID, id, productName, brand, img };
    return this.call("report", {
      ...what,
      userName: me.displayName,
      email: me.email,
      reason: "It does not ring",
    });
  }

  private async add(dice: Dice): Promise<Deed> {
    const { me } = this.page;
    const brand = pick(await this.allBrands(), (dice[0] ?? 0) ** 2);
    if (!me || !brand) return NOTHING;
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

  private async ofOwn(
    dice: Dice,
    act: (own: Product) => Promise<Deed>,
    may = (_: Product) => true,
  ): Promise<Deed> {
    if (!this.email) return NOTHING;
    if (this.held("own phones").length === 0) await this.go(ownPhones(this.email));
    const own = pick(
      this.held<Product>("own phones").filter((phone) => !phone.booked && may(phone)),
      dice[0],
    );
    return own ? act(own) : NOTHING;
  }

  private edit(dice: Dice): Promise<Deed> {
    const resalePrice = 100 + Math.floor((dice[1] ?? 0) * 400);
    const change = (dice[2] ?? 0) < 0.7 ? { resalePrice } : { description: `It rings ${resalePrice} times.` };
    return this.ofOwn(dice, ({ _id: id, version }) => this.call("changeProduct", { id, version, ...change }));
  }

  private async ofList<T>(
    at: 0 | 1 | 2,
    dice: Dice,
    may: (one: T) => boolean,
    act: (one: T) => Promise<Deed>,
  ): Promise<Deed> {
    if (!this.email) return NOTHING;
    const name = (["buyers", "sellers", "reports"] as const)[at];
    if (this.page.screens.length !== 3) await this.go(...adminLists());
    const one = pick(this.held<T>(name).filter(may), dice[0]);
    return one ? act(one) : NOTHING;
  }

  private deleteUser(dice: Dice): Promise<Deed> {
    return this.ofList<User>(
      (dice[1] ?? 0) < 0.5 ? 0 : 1,
      dice,
      // The driver's own seller stays.
      ({ email }) => !email.startsWith("dealer"),
      async (user) => ({
        ...(await this.call("deleteUser", user._id)),
        whom: user.email,
      }),
    );
  }
}
