import type { Message, Offer, Product, Thread } from "@/api/types";
import { ActionGroup, NOT_POSSIBLE } from "./actionGroup";
import { type ActionResult, pick, type RandomNumbers } from "./environment";
import { conversation, conversations, search } from "./views";

/** The number of times that a message is sent whose call had no answer, or an error of the server. */
const TRIES = 4;

/** What people say to one another, and the prices that they agree on. */
export class ConversationActions extends ActionGroup {
  readonly actions = {
    ask: (random: RandomNumbers) => this.ask(random),
    sendMessage: (random: RandomNumbers) => this.onThread(random, (thread) => this.answer(thread, random)),
    readThread: (random: RandomNumbers) =>
      this.onThread(
        random,
        (thread) => this.read(thread),
        ({ unread }) => unread > 0,
      ),
    block: (random: RandomNumbers) =>
      this.onThread(
        random,
        ({ _id }) => this.call("block", { threadID: _id, isBlocked: true }),
        ({ blocked }) => !blocked,
      ),
    unblock: (random: RandomNumbers) =>
      this.onThread(
        random,
        ({ _id }) => this.call("block", { threadID: _id, isBlocked: false }),
        ({ blocked }) => blocked,
      ),
    makeOffer: (random: RandomNumbers) => this.makeOffer(random),
    acceptOffer: (random: RandomNumbers) => this.onOffer(random, "accept", ({ by, role }) => by !== role),
    declineOffer: (random: RandomNumbers) => this.onOffer(random, "decline", ({ by, role }) => by !== role),
    withdrawOffer: (random: RandomNumbers) =>
      this.onOffer(random, "withdraw", ({ role }) => role === "buyer"),
    counterOffer: (random: RandomNumbers) =>
      this.onOffer(random, "counter", ({ status, role }) => role === "seller" && status === "open"),
  };

  /** The number of the last text of this client. */
  private lastText = 0;

  /** A text that no other message has. */
  private nextText(): string {
    this.lastText += 1;
    return `Line ${this.lastText} of client ${this.page.environment.client}`;
  }

  /** Sends a message under one key, again while it is not known whether it was stored, as the conversation does. */
  private async send(endpoint: string, arg: object): Promise<ActionResult> {
    const text = this.nextText();
    for (let tries = 1; ; tries += 1) {
      const { data, ...result } = await this.call(endpoint, { ...arg, text, key: text });
      const { status } = result;
      if (status === 200) {
        const { insertedId } = data as { insertedId: string };
        const { threadID = insertedId } = arg as { threadID?: string };
        return { status, sent: { threadID, text } };
      }
      if ((status !== 0 && (status ?? 0) < 500) || tries === TRIES) return result;
    }
  }

  /**
   * A phone of a seller who answers; the newest ones of the market are opened if none of them is shown. Without the
   * brands, which a fault may withhold, that list would not be live. The screen says so; here it is not opened.
   */
  private async othersPhone(random: RandomNumbers): Promise<Product | undefined> {
    if (this.othersPhones().length === 0 && this.email) {
      const brands = (await this.allBrands()).map(({ _id }) => _id);
      if (brands.length > 0) await this.openViews(search("", brands));
    }
    return pick(this.othersPhones(), random[0]);
  }

  /** The shown phones that others sell, without those of the seller of the Go test, who answers nobody. */
  private othersPhones(): Product[] {
    const name = this.page.me?.displayName;
    return this.shownPhones().filter(
      ({ sold, sellerName }) => !sold && sellerName !== name && !sellerName.startsWith("protected-seller"),
    );
  }

  private async ask(random: RandomNumbers): Promise<ActionResult> {
    const phone = await this.othersPhone(random);
    return phone && this.email ? this.send("startThread", { productID: phone._id }) : NOT_POSSIBLE;
  }

  /** Acts on a random conversation of the open list. */
  private async onThread(
    random: RandomNumbers,
    act: (thread: Thread) => Promise<ActionResult>,
    isAllowed = (_: Thread) => true,
  ): Promise<ActionResult> {
    if (!this.email) return NOT_POSSIBLE;
    if (!this.hasOpen("threads")) await this.openViews(...conversations(this.email));
    const thread = pick(this.entitiesOf<Thread>("threads").filter(isAllowed), random[0]);
    return thread ? act(thread) : NOT_POSSIBLE;
  }

  private async answer(thread: Thread, random: RandomNumbers): Promise<ActionResult> {
    if ((random[1] ?? 0) < 0.5) await this.openViews(...conversation(thread, this.email));
    return this.send("sendMessage", { threadID: thread._id });
  }

  private async read(thread: Thread): Promise<ActionResult> {
    await this.openViews(...conversation(thread, this.email));
    const [newest] = this.entitiesOf<Message>("messages")
      .map(({ _id }) => _id)
      .sort()
      .reverse();
    return newest ? this.call("readThread", { threadID: thread._id, upTo: newest }) : NOT_POSSIBLE;
  }

  private async makeOffer(random: RandomNumbers): Promise<ActionResult> {
    const phone = await this.othersPhone(random);
    if (!phone || !this.email) return NOT_POSSIBLE;
    const least = Math.ceil(phone.resalePrice / 2);
    const price = least + Math.floor((random[1] ?? 0) * (phone.resalePrice - least));
    const contact = { phone: "01700000", location: "Dhaka" };
    return this.call("makeOffer", { productID: phone._id, price, ...contact, key: this.nextText() });
  }

  /** Answers a random open offer of the open list. */
  private async onOffer(
    random: RandomNumbers,
    action: string,
    isAllowed: (offer: Offer) => boolean,
  ): Promise<ActionResult> {
    if (!this.email) return NOT_POSSIBLE;
    if (!this.hasOpen("offers")) await this.openViews(...conversations(this.email));
    const open = this.entitiesOf<Offer>("offers").filter(
      (offer) => (offer.status === "open" || offer.status === "countered") && isAllowed(offer),
    );
    const offer = pick(open, random[0]);
    if (!offer) return NOT_POSSIBLE;
    const between = offer.price + 1 + Math.floor((random[1] ?? 0) * (offer.listPrice - offer.price - 1));
    return this.call("answerOffer", {
      id: offer._id,
      action,
      ...(action === "counter" && { price: between }),
    });
  }

  private hasOpen(name: string): boolean {
    return this.page.screens.some(({ view }) => view.name === name);
  }
}
