import { type APIRequestContext, type APIResponse, expect, request } from "@playwright/test";
import type { Market } from "./market";
import type { Node } from "./node";

/** A brand as GET /allCategories answers it. */
export interface Brand {
  _id: string;
  name: string;
  img: string;
}

/** A phone as POST /products takes it, with the _id it got. Prices are whole US dollars. */
export interface Phone {
  _id: string;
  id: string;
  name: string;
  brand: string;
  img: string;
  /** Up to eight, of which img is the first. */
  photos?: { url: string; alt?: string }[];
  originalPrice: number;
  resalePrice: number;
  productCondition: string;
  usedTime: string;
  description: string;
  location: string;
  phone: string;
  selling_post_date: string;
}

type Method = "get" | "post" | "put" | "patch" | "delete";

/**
 * Somebody with an account, who acts over the real HTTP API: the quick way to what a test starts from. Of several
 * nodes each call goes to the next one.
 */
export class Person {
  private token = "";
  private node: Node | undefined;

  private constructor(
    readonly market: Market,
    readonly name: string,
    readonly email: string,
    readonly password: string,
    /** Holds the session cookie. */
    private readonly http: APIRequestContext,
  ) {}

  /** Signs up as a new buyer (User) or seller. */
  static async join(market: Market, name: string, accountType: "User" | "Seller"): Promise<Person> {
    const person = await Person.named(market, name);
    const { email, password } = person;
    await person.identity("sign-up", { email, password, displayName: name });
    const made = await person.http.post(person.to("/users"), { data: { name, email, accountType } });
    expect(made.ok(), await made.text()).toBe(true);
    await person.fetchToken();
    return person;
  }

  /** Makes an admin by the command line and signs them in. */
  static async admin(market: Market, name: string): Promise<Person> {
    const person = await Person.named(market, name);
    const { email, password } = person;
    await market.run(["admin", "create", email], `${password}\n`);
    await person.identity("sign-in", { email, password });
    await person.fetchToken();
    return person;
  }

  /** One of the demo's people, by the role of their login. */
  static async demo(market: Market, role: string): Promise<Person> {
    const http = await request.newContext();
    const { demoLogins } = (await (await http.get(`${market.next("call")}/config`)).json()) as {
      demoLogins: { role: string; email: string; password: string }[];
    };
    const login = demoLogins.find((one) => one.role === role);
    if (!login) throw new Error(`the demo has no ${role}`);
    const { email, password } = login;
    const answer = await http.post(`${market.next("call")}/identity/sign-in`, { data: { email, password } });
    const { displayName } = (await answer.json()) as { displayName: string };
    const person = new Person(market, displayName, email, password, http);
    await person.fetchToken();
    return person;
  }

  private static async named(market: Market, name: string): Promise<Person> {
    const http = await request.newContext();
    const email = `${name.toLowerCase().replace(/\W+/g, ".")}@example.com`;
    return new Person(market, name, email, "a good password", http);
  }

  private to(path: string): string {
    return `${this.node?.url ?? this.market.next("call")}${path}`;
  }

  /** From now on all calls of theirs go to this node. */
  at(node: Node | undefined): this {
    this.node = node;
    return this;
  }

  private async identity(what: string, data: object): Promise<void> {
    const answer = await this.http.post(this.to(`/identity/${what}`), { data });
    expect(answer.ok(), await answer.text()).toBe(true);
  }

  private async fetchToken(): Promise<void> {
    const answer = await this.http.get(this.to("/jwt"), { params: { email: this.email } });
    expect(answer.ok(), await answer.text()).toBe(true);
    this.token = ((await answer.json()) as { accessToken: string }).accessToken;
  }

  /** The session as a browser keeps it. */
  async cookies() {
    return (await this.http.storageState()).cookies;
  }

  /** Ends this person's session at the server, with its tokens and sockets. */
  async endSession(): Promise<void> {
    expect((await this.http.post(this.to("/identity/sign-out"))).status()).toBe(204);
  }

  /** A call with this person's token, whatever it answers. */
  async call(method: Method, path: string, data?: object): Promise<APIResponse> {
    return this.http[method](this.to(path), { data, headers: { Authorization: `Bearer ${this.token}` } });
  }

  /** A call that has to succeed; its JSON. */
  async ask<T>(method: Method, path: string, data?: object): Promise<T> {
    const answer = await this.call(method, path, data);
    expect(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
    return (await answer.json()) as T;
  }

  /** The brands, alphabetical or not, as the server lists them. */
  async brands(): Promise<Brand[]> {
    return this.ask<Brand[]>("get", "/allCategories");
  }

  /** Lists a phone for sale. */
  async list(name: string, brand: Brand, more: Partial<Phone> = {}): Promise<Phone> {
    const phone = {
      id: brand._id,
      name,
      brand: brand.name,
      img: brand.img,
      originalPrice: 700,
      resalePrice: 320,
      productCondition: "Good",
      usedTime: "2 years",
      description: "A scratch on the back, otherwise fine.",
      location: "Mirpur, Dhaka",
      phone: "+880 1234-100200",
      selling_post_date: "2026-11-20",
      ...more,
    };
    const { insertedId } = await this.ask<{ insertedId: string }>("post", "/products", {
      ...phone,
      sellerName: this.name,
      email: this.email,
    });
    return { _id: insertedId, ...phone };
  }

  /** Books a phone; the order's _id. */
  async book(phone: Phone): Promise<string> {
    const { _id, id, name, brand, img, resalePrice } = phone;
    await this.ask("put", "/bookings", {
      userName: this.name,
      email: this.email,
      productName: name,
      productID: _id,
      id,
      brand,
      img,
      price: resalePrice,
      phone: "+880 1234-300400",
      location: "Banani, Dhaka",
    });
    const orders = await this.orders();
    const mine = orders.find((order) => order.productID === _id && order.status === "held");
    if (!mine) throw new Error(`no held order of ${name}`);
    return mine._id;
  }

  /** This buyer's orders. */
  async orders(): Promise<{ _id: string; productID: string; status: string }[]> {
    return this.ask("get", `/bookings?email=${encodeURIComponent(this.email)}`);
  }

  /** Reports a phone to the admins. */
  async report(phone: Phone, reason: string): Promise<void> {
    const { _id, id, name, brand, img } = phone;
    await this.ask("post", "/reportedItems", {
      userName: this.name,
      email: this.email,
      productName: name,
      productID: _id,
      id,
      reason,
      brand,
      img,
    });
  }

  /** As an admin: the _id of a buyer or seller. */
  async idOf(other: Person, among: "buyers" | "sellers"): Promise<string> {
    const people = await this.ask<{ _id: string; email: string }[]>("get", `/users/${among}?limit=200`);
    const found = people.find(({ email }) => email === other.email);
    if (!found) throw new Error(`${other.email} is not among the ${among}`);
    return found._id;
  }

  /** As an admin: verifies a seller. */
  async verify(seller: Person): Promise<void> {
    await this.ask("put", `/users/seller/${await this.idOf(seller, "sellers")}`);
  }
}
