/*
 * Stands in for Stripe.js where the server has no Stripe keys: the same calls and
 * answers, against the sandbox beside it, so that the page's code is the same in
 * both. The card's inputs are in the page itself; nobody's money is at stake.
 */
(() => {
  const BASE = `${location.origin}/sandbox/stripe/`;

  /**
   * Stripe's shapes, as far as they are used here; amounts are cents.
   * @typedef {{ id: string, amount: number, currency: string, status: string, last_payment_error?: object }} Intent
   * @typedef {{ paymentIntent?: Intent, error?: { type: string, code?: string, message: string } }} Answer
   */

  // ---- The rules of a card

  /** What is wrong with a card, by Stripe's codes. */
  const MESSAGES = {
    incomplete_number: "Your card number is incomplete.",
    invalid_number: "Your card number is invalid.",
    incomplete_expiry: "Your card's expiration date is incomplete.",
    invalid_expiry_month: "Your card's expiration month is invalid.",
    invalid_expiry_month_past: "Your card's expiration date is in the past.",
    invalid_expiry_year_past: "Your card's expiration year is in the past.",
    incomplete_cvc: "Your card's security code is incomplete.",
    incomplete_zip: "Your postal code is incomplete.",
  };

  /** @param {string} text */
  const digitsOf = (text) => text.replace(/\D/g, "");

  /** Brands by their first digits. @type {[string, RegExp][]} */
  const BRANDS = [
    ["visa", /^4/],
    ["mastercard", /^(5[1-5]|2[2-7])/],
    ["amex", /^3[47]/],
    ["discover", /^6(011|4[4-9]|5)/],
  ];
  /** @param {string} number */
  const brandOf = (number) => BRANDS.find(([, start]) => start.test(number))?.[0] ?? "unknown";
  /** How many digits a card's number and its security code have. @param {string} number */
  const lengthsOf = (number) => (brandOf(number) === "amex" ? [15, 4] : [16, 3]);

  /** Luhn's sum: every second digit from the right counts double. @param {string} number */
  function isGenuine(number) {
    const sum = [...number].reverse().reduce((total, digit, place) => {
      const n = Number(digit) * (place % 2 ? 2 : 1);
      return total + (n > 9 ? n - 9 : n);
    }, 0);
    return sum % 10 === 0;
  }

  /**
   * How the text of an input is shown.
   * @type {Record<string, (text: string, number: string) => string>}
   */
  const SHOWN = {
    cardnumber: (_, number) => {
      const digits = number.slice(0, lengthsOf(number)[0]);
      const groups = brandOf(number) === "amex" ? /^\d{1,4}|(?<=^.{4})\d{1,6}|(?<=^.{10})\d+/g : /\d{1,4}/g;
      return (digits.match(groups) ?? []).join(" ");
    },
    "exp-date": (text) => {
      let date = digitsOf(text);
      if (Number(date[0]) > 1 || Number(date.slice(0, 2)) > 12) date = `0${date}`;
      // A browser that fills in the date may give the year four digits.
      if (date.length === 6) date = date.slice(0, 2) + date.slice(4);
      return date.length < 2 ? date : `${date.slice(0, 2)} / ${date.slice(2, 4)}`;
    },
    cvc: (text, number) => digitsOf(text).slice(0, lengthsOf(number)[1]),
    postal: (text) => text.slice(0, 10),
  };

  /**
   * The code of what is wrong with it, if anything is.
   * @type {Record<string, (text: string, number: string) => string | false>}
   */
  const WRONG = {
    cardnumber: (_, number) =>
      number.length < lengthsOf(number)[0] ? "incomplete_number" : !isGenuine(number) && "invalid_number",
    "exp-date": (text) => {
      const [month, year] = text.split(" / ").map(Number);
      if (text.length < 7) return "incomplete_expiry";
      if (month < 1) return "invalid_expiry_month";
      const today = new Date();
      const years = 2000 + year - today.getFullYear();
      if (years < 0) return "invalid_expiry_year_past";
      return years === 0 && month <= today.getMonth() && "invalid_expiry_month_past";
    },
    cvc: (text, number) => text.length < lengthsOf(number)[1] && "incomplete_cvc",
    // Asked for and not needed: not every country has one.
    postal: (text) => /^.{1,2}$/.test(text.trim()) && "incomplete_zip",
  };

  // ---- The card in the page

  const TEST_CARDS = {
    "4242 4242 4242 4242": "succeeds",
    "4000 0027 6000 3184": "asks for 3-D Secure",
    "4000 0000 0000 0002": "is declined",
    "4000 0000 0000 9995": "lacks the funds",
    "4000 0000 0000 0069": "has expired",
    "4000 0000 0000 0127": "has another code",
    "4000 0000 0000 0119": "fails to be processed",
    "4000 0084 0000 1629": "is declined after 3-D Secure",
  };

  const CARDS = Object.entries(TEST_CARDS).map(
    ([number, does]) => `<li><button type="button">${number}</button> ${does}</li>`,
  );
  const MARKUP = `<div class="sbx-row"><span class="sbx-brand" aria-hidden="true"></span>
    <input name="cardnumber" aria-label="Card number" placeholder="Card number" autocomplete="cc-number" inputmode="numeric">
    <input name="exp-date" aria-label="Expiry date" placeholder="MM / YY" autocomplete="cc-exp" inputmode="numeric">
    <input name="cvc" aria-label="Security code" placeholder="CVC" autocomplete="cc-csc" inputmode="numeric">
    <input name="postal" aria-label="Postal code" placeholder="ZIP" autocomplete="postal-code"></div>
    <p class="sbx-note"><strong>Sandbox</strong> No money moves: use a test card, never a real one.</p>
    <details class="sbx-cards"><summary>Test cards</summary><ul>${CARDS.join("")}</ul></details>`;

  /** Shows an input's text in its format; the caret stays behind the digit that it was behind. */
  function retype(field, number, isDeleting) {
    const rest = digitsOf(field.value.slice(field.selectionStart)).length;
    let text = SHOWN[field.name](field.value, number);
    // Else the separator would come back as often as it is deleted.
    if (isDeleting) text = text.replace(/ \/ $/, "");
    if (text === field.value) return;
    field.value = text;
    let at = text.length;
    for (let left = rest; left > 0 && at > 0; at--) if (/\d/.test(text[at - 1])) left--;
    if (document.activeElement === field) field.setSelectionRange(at, at);
  }

  /** Stripe's card element, as far as a page uses it. */
  class CardElement {
    constructor(options = {}, onDestroy) {
      this.handlers = [];
      this.onDestroy = onDestroy;
      /** The inputs that were left since they were last typed in: their end is not to come any more. */
      this.left = new Set();
      this.box = document.createElement("div");
      this.box.className = "sbx";
      this.box.innerHTML = MARKUP;
      this.fields = [...this.box.querySelectorAll("input")];
      this.box.addEventListener("input", (event) => this.typed(event));
      this.box.addEventListener("click", ({ target }) => {
        if (target.type === "button") this.fill([target.textContent, "12 / 34", "123", "12345"]);
      });
      this.row = this.box.querySelector(".sbx-row");
      this.row.addEventListener("focusin", (event) => this.crossed("focus", event));
      this.row.addEventListener("focusout", (event) => this.crossed("blur", event));
      this.update(options);
    }

    crossed(name, { target, relatedTarget }) {
      if (name === "blur") this.left.add(target.name);
      this.tell();
      if (this.row.contains(relatedTarget)) return;
      this.mark("focus", name === "focus");
      this.emit(name);
    }

    typed({ target, inputType }) {
      const isDeleting = /^delete/.test(inputType);
      this.left.delete(target.name);
      retype(target, this.number, isDeleting);
      // Told in any case: what the page shows may be what Pay has found wrong.
      this.told = undefined;
      this.tell();
      const next = this.fields[this.fields.indexOf(target) + 1];
      const isDone = next && !this.wrong(target) && target.selectionStart === target.value.length;
      if (isDone && !isDeleting && document.activeElement === target) next.focus();
    }

    fill(texts) {
      for (const field of this.fields) field.value = texts[this.fields.indexOf(field)];
      this.left.clear();
      this.tell();
    }

    get number() {
      return digitsOf(this.fields[0].value);
    }

    wrong({ name, value }) {
      return WRONG[name](value, this.number);
    }

    /** The first thing that is wrong; while the card is being typed, not what only lacks its end. */
    problem(isTyping = false) {
      const codes = this.fields.map((field) => {
        const code = this.wrong(field);
        const isToCome = isTyping && /^inc/.test(code) && !(this.left.has(field.name) && field.value);
        field.ariaInvalid = String(Boolean(code) && !isToCome);
        return !isToCome && code;
      });
      const code = codes.find(Boolean);
      return code ? { type: "validation_error", code, message: MESSAGES[code] } : undefined;
    }

    /** Tells the page what has changed, if anything has. */
    tell() {
      const change = {
        empty: this.fields.every(({ value }) => !value),
        complete: !this.fields.some((field) => this.wrong(field)),
        brand: brandOf(this.number),
        value: { postalCode: this.fields[3].value },
        error: this.problem(true),
      };
      this.row.firstChild.dataset.brand = change.brand;
      this.mark("invalid", Boolean(change.error));
      const told = JSON.stringify(change);
      if (told !== this.told) this.emit("change", change);
      this.told = told;
    }

    /** Stripe's class for a state of the card, on the page's own element. */
    mark(state, is) {
      this.box.parentElement?.classList.toggle(`StripeElement--${state}`, is);
    }

    emit(event, detail) {
      for (const [name, tell] of this.handlers) if (name === event) tell({ elementType: "card", ...detail });
    }

    on(event, handler) {
      this.handlers.push([event, handler]);
      return this;
    }

    off(event, handler) {
      this.handlers = this.handlers.filter(([name, known]) => name !== event || known !== handler);
      return this;
    }

    mount(place) {
      place.classList.add("StripeElement");
      this.box.hidden = true;
      place.append(this.box);
      styled.then(() => {
        this.box.hidden = false;
        // Whoever mounts may only listen after that.
        setTimeout(() => this.emit("ready"));
      });
    }

    update({ disabled, hidePostalCode = this.fields[3].hidden }) {
      this.fields[3].hidden = hidePostalCode;
      if (disabled === undefined) return;
      for (const control of this.box.querySelectorAll("input, button")) control.disabled = disabled;
    }

    focus() {
      this.fields[0].focus();
    }

    clear() {
      this.fill(["", "", "", ""]);
    }

    unmount() {
      this.box.remove();
    }

    destroy() {
      // The bank's question goes with the card that it is about.
      document.querySelector(".sbx-dialog")?.dispatchEvent(new Event("cancel"));
      this.unmount();
      this.handlers = [];
      this.onDestroy();
    }

    /** The card as Stripe's API takes it. */
    data(billing) {
      const [number, date, cvc, postal] = this.fields.map(({ value }) => value.trim());
      const [exp_month, year] = date.split(" / ");
      const card = { number: digitsOf(number), exp_month, exp_year: `20${year}`, cvc };
      const address = { postal_code: postal || undefined, ...billing?.address };
      return { type: "card", card, billing_details: { ...billing, address } };
    }
  }

  // ---- Calls

  /** Writes nested parameters as `a[b]=c`. */
  function encode(params, name = "", form = new URLSearchParams()) {
    for (const [key, value] of Object.entries(params)) {
      const path = name ? `${name}[${key}]` : key;
      if (typeof value === "object") encode(value, path, form);
      else if (value !== undefined) form.append(path, value);
    }
    return form;
  }

  /** Calls the sandbox. A failure is in the answer, never thrown, as Stripe.js does it. */
  async function call(key, method, path, params) {
    const [query, body] = method === "GET" ? [`?${encode(params)}`] : ["", encode(params)];
    const headers = { Authorization: `Bearer ${key}` };
    try {
      const response = await fetch(`${BASE}v1/${path}${query}`, { method, headers, body });
      const answer = await response.json();
      // What stands before the sandbox, such as a limit, has an error of another shape.
      return response.ok || answer.error ? answer : { error: { type: "api_error", message: answer.message } };
    } catch {
      return { error: { type: "api_connection_error", message: "The payment provider can't be reached." } };
    }
  }

  /** A call about the intent of a client secret. @returns {Promise<Answer>} */
  async function callIntent(key, secret, step = "", params = {}) {
    const path = `payment_intents/${secret.split("_secret_")[0]}${step}`;
    const body = await call(key, step ? "POST" : "GET", path, { client_secret: secret, ...params });
    return body.error ? { error: body.error } : { paymentIntent: body };
  }

  const QUESTION = `<h2 id="sbx-title">3-D Secure authentication</h2>
    <p>The bank would ask here whether it is you who pays <b></b>. In the sandbox you choose its answer.</p>
    <div><button type="button" value="complete">Complete authentication</button>
    <button type="button" value="fail">Fail authentication</button></div>`;

  /** Plays the bank's question; Escape, or leaving the page, fails it. @returns {Promise<string>} */
  function ask({ amount, currency }) {
    const opener = document.activeElement;
    const dialog = document.createElement("dialog");
    dialog.className = "sbx-dialog";
    dialog.setAttribute("aria-labelledby", "sbx-title");
    dialog.innerHTML = QUESTION;
    dialog.querySelector("b").textContent = `${(amount / 100).toFixed(2)} ${currency.toUpperCase()}`;
    document.body.append(dialog);
    dialog.showModal();
    return new Promise((resolve) => {
      const end = (outcome) => {
        removeEventListener("popstate", fail);
        dialog.close();
        dialog.remove();
        opener?.focus();
        resolve(outcome);
      };
      const fail = () => end("fail");
      addEventListener("popstate", fail);
      dialog.addEventListener("cancel", fail);
      dialog.addEventListener("click", ({ target }) => target.value && end(target.value));
    });
  }

  /** Takes an intent through the 3-D Secure step, if it asks for one. @returns {Promise<Answer>} */
  async function act(key, secret, answer) {
    if (answer.paymentIntent?.status !== "requires_action") return answer;
    const outcome = await ask(answer.paymentIntent);
    const after = await callIntent(key, secret, "/authenticate", { outcome });
    const intent = after.paymentIntent;
    if (intent?.status !== "requires_payment_method") return after;
    return { error: { ...intent.last_payment_error, payment_intent: intent } };
  }

  /** Pays the intent of this secret. @returns {Promise<Answer>} */
  async function confirm(key, secret, { payment_method: method } = {}, { handleActions = true } = {}) {
    const error = method?.card?.problem();
    if (error) return { error };
    const data = method?.card?.data(method.billing_details);
    const params = data ? { payment_method_data: data } : { payment_method: method };
    const answer = await callIntent(key, secret, "/confirm", params);
    return handleActions ? act(key, secret, answer) : answer;
  }

  async function createMethod(key, { card, billing_details }) {
    const error = card.problem();
    const body = error ? { error } : await call(key, "POST", "payment_methods", card.data(billing_details));
    return body.error ? { error: body.error } : { paymentMethod: body };
  }

  // ---- window.Stripe

  /** Settles once the inputs have their look: shown before, they would jump. */
  let styled;

  const addStyles = () =>
    new Promise((resolve) => {
      const link = { rel: "stylesheet", href: `${BASE}v3.css`, onload: resolve, onerror: resolve };
      document.head.append(Object.assign(document.createElement("link"), link));
    });

  function elements() {
    let card = null;
    return {
      create(type, options) {
        if (type !== "card" || card) throw new Error("The sandbox has one card element and no other.");
        card = new CardElement(options, () => {
          card = null;
        });
        return card;
      },
      // The React wrapper asks by its component.
      getElement: (type) => ((type.__elementType ?? type) === "card" ? card : null),
      update() {},
    };
  }

  function Stripe(key) {
    if (key.startsWith("pk_live")) throw new Error("The sandbox takes no live keys.");
    styled ??= addStyles();
    const next = async (secret) => act(key, secret, await callIntent(key, secret));
    return {
      elements,
      createToken: async () => ({ error: { type: "invalid_request_error", message: "No tokens here." } }),
      createPaymentMethod: (data) => createMethod(key, data),
      confirmCardPayment: (secret, data, options) => confirm(key, secret, data, options),
      retrievePaymentIntent: (secret) => callIntent(key, secret),
      handleCardAction: next,
      handleNextAction: ({ clientSecret }) => next(clientSecret),
      registerAppInfo() {},
      _registerWrapper() {},
    };
  }
  // The release that @stripe/stripe-js asks for.
  Stripe.version = "endive";
  window.Stripe = Stripe;
})();
