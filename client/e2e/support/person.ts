import { type APIRequestContext, type APIResponse, expect } from "@playwright/test";
import { newCalls } from "./calls";
import type { Market } from "./market";
import type { Node } from "./node";

/** A brand as GET /allCategories returns it. */
export interface Brand {
  _id: string;
  name: string;
  img: string;
  /** How many of its phones can be booked. */
  available?: number;
}

/** A phone as POST /products accepts it, with its _id. Prices are whole US dollars. */
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
  /** GB. */
  storage?: number;
  productCondition: string;
  usedTime: string;
  description: string;
  location: string;
  phone: string;
  selling_post_date: string;
}

type Method = "get" | "post" | "put" | "patch" | "delete";

/** The address that a person of this name signs up with. */
export function emailOf(name: string): string {
  return `${name.toLowerCase().replace(/\W+/g, ".")}@example.com`;
}

/**
 * A user who calls the real HTTP API, to create the data of a test quickly. With several nodes, each call goes to the
 * next one.
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

  /** Signs up a new buyer (User) or seller. */
  static async signUp(market: Market, name: string, accountType: "User" | "Seller"): Promise<Person> {
    const person = await Person.withoutAccount(market, name);
    const { email, password } = person;
    await person.callIdentity("sign-up", { email, password, displayName: name });
    const response = await person.http.post(person.urlOf("/users"), { data: { name, email, accountType } });
    expect(response.ok(), await response.text()).toBe(true);
    await person.fetchToken();
    return person;
  }

  /** Creates an admin by the command line and signs in. */
  static async admin(market: Market, name: string): Promise<Person> {
    const person = await Person.withoutAccount(market, name);
    const { email, password } = person;
    await market.runCommand(["admin", "create", email], `${password}\n`);
    await person.callIdentity("sign-in", { email, password });
    await person.fetchToken();
    return person;
  }

  /** Signs in as the demo's user with this role. */
  static async demo(market: Market, role: string): Promise<Person> {
    const http = await newCalls();
    const { demoLogins } = (await (await http.get(`${market.nextUrl("call")}/config`)).json()) as {
      demoLogins: { role: string; email: string; password: string }[];
    };
    const login = demoLogins.find((demoLogin) => demoLogin.role === role);
    if (!login) throw new Error(`the demo has no ${role}`);
    const { email, password } = login;
    const response = await http.post(`${market.nextUrl("call")}/identity/sign-in`, {
      data: { email, password },
    });
    const { displayName } = (await response.json()) as { displayName: string };
    const person = new Person(market, displayName, email, password, http);
    await person.fetchToken();
    return person;
  }

  private static async withoutAccount(market: Market, name: string): Promise<Person> {
    const http = await newCalls();
    return new Person(market, name, emailOf(name), "a good password", http);
  }

  private urlOf(path: string): string {
    return `${this.node?.url ?? this.market.nextUrl("call")}${path}`;
  }

  /** Sends all further calls to this node. */
  viaNode(node: Node | undefined): this {
    this.node = node;
    return this;
  }

  private async callIdentity(action: string, data: object): Promise<void> {
    const response = await this.http.post(this.urlOf(`/identity/${action}`), { data });
    expect(response.ok(), await response.text()).toBe(true);
  }

  private async fetchToken(): Promise<void> {
    const response = await this.http.get(this.urlOf("/jwt"), { params: { email: this.email } });
    expect(response.ok(), await response.text()).toBe(true);
    this.token = ((await response.json()) as { accessToken: string }).accessToken;
  }

  /** The session cookies. */
  async cookies() {
    return (await this.http.storageState()).cookies;
  }

  /** Ends this person's session at the server, with its tokens and sockets. */
  async endSession(): Promise<void> {
    expect((await this.http.post(this.urlOf("/identity/sign-out"))).status()).toBe(204);
  }

  /** Sends a call with this user's token; any status is allowed. */
  async call(method: Method, path: string, data?: object): Promise<APIResponse> {
    return this.http[method](this.urlOf(path), { data, headers: { Authorization: `Bearer ${this.token}` } });
  }

  /** Sends a call that must succeed. Resolves to its JSON. */
  async request<T>(method: Method, path: string, data?: object): Promise<T> {
    const response = await this.call(method, path, data);
    expect(response.ok(), `${method} ${path}: ${response.status()} ${await response.text()}`).toBe(true);
    return (await response.json()) as T;
  }

  /** The brands in the server's order. */
  async brands(): Promise<Brand[]> {
    return this.request<Brand[]>("get", "/allCategories");
  }

  /** Lists a phone for sale. */
  async list(name: string, brand: Brand, overrides: Partial<Phone> = {}): Promise<Phone> {
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
      ...overrides,
    };
    const { insertedId } = await this.request<{ insertedId: string }>("post", "/products", {
      ...phone,
      sellerName: this.name,
      email: this.email,
    });
    return { _id: insertedId, ...phone };
  }

  /** Books a phone. Resolves to the order's _id. */
  async book(phone: Phone): Promise<string> {
    const { _id, id, name, brand, img, resalePrice } = phone;
    await this.request("put", "/bookings", {
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
    const held = orders.find((order) => order.productID === _id && order.status === "held");
    if (!held) throw new Error(`no held order of ${name}`);
    return held._id;
  }

  /** This buyer's orders. */
  async orders(): Promise<{ _id: string; productID: string; status: string }[]> {
    return this.request("get", `/bookings?email=${encodeURIComponent(this.email)}`);
  }

  /** Reports a phone to the admins. */
  async report(phone: Phone, reason: string): Promise<void> {
    const { _id, id, name, brand, img } = phone;
    await this.request("post", "/reportedItems", {
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
  async idOf(other: Person, list: "buyers" | "sellers"): Promise<string> {
    const people = await this.request<{ _id: string; email: string }[]>("get", `/users/${list}?limit=200`);
    const found = people.find(({ email }) => email === other.email);
    if (!found) throw new Error(`${other.email} is not among the ${list}`);
    return found._id;
  }

  /** As an admin: verifies a seller. */
  async verify(seller: Person): Promise<void> {
    await this.request("put", `/users/seller/${await this.idOf(seller, "sellers")}`);
  }
}
