import type { Product } from "@/api/types";
import { ActionGroup, NOT_POSSIBLE } from "./actionGroup";
import { type ActionResult, pick, type RandomNumbers } from "./environment";
import { ownPhones } from "./views";

/** What a seller does with their phones. */
export class SellerActions extends ActionGroup {
  readonly actions = {
    add: (random: RandomNumbers) => this.add(random),
    edit: (random: RandomNumbers) => this.edit(random),
    advertise: (random: RandomNumbers) => this.advertise(random),
    stopAdvertising: (random: RandomNumbers) => this.stopAdvertising(random),
    delete: (random: RandomNumbers) =>
      this.onOwnProduct(random, ({ _id }) => this.call("deleteProduct", _id)),
  };

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
}
