/*
 * A replacement for Stripe.js, for a server without Stripe keys. It has the same calls and
 * results, and sends its requests to the sandbox. So the code of the page is the same with
 * both. The inputs of the card are in the page itself. No real money is paid.
 */
(() => {
  // The page may be of another origin, so the calls go to the server from which this script came.
  const BASE = new URL(".", document.currentScript?.src || new URL("/sandbox/stripe/", location.href)).href;

  /**
   * The parts of Stripe's objects that are used here. Amounts are in cents.
   * @typedef {{ id: string, amount: number, currency: string, status: string, last_payment_error?: object }} Intent
   * @typedef {{ paymentIntent?: Intent, error?: { type: string, code?: string, message: string } }} Result
   */

  // ---- Validation of a card

  /** The messages of Stripe's error codes. */
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

  /** @param {string} number */
  const isAmex = (number) => /^3[47]/.test(number);
  /** The numbers of digits of a card's number and of its security code. @param {string} number */
  const lengthsOf = (number) => (isAmex(number) ? [15, 4] : [16, 3]);

  /** Whether the number has a valid check digit (Luhn's algorithm). @param {string} number */
  function hasValidCheckDigit(number) {
    const sum = [...number].reverse().reduce((total, digit, index) => {
      const n = Number(digit) * (index % 2 ? 2 : 1);
      return total + (n > 9 ? n - 9 : n);
    }, 0);
    return sum % 10 === 0;
  }

  /**
   * Format the text of an input, by its name.
   * @type {Record<string, (text: string, number: string) => string>}
   */
  const FORMATS = {
    cardnumber: (_, number) => {
      const digits = number.slice(0, lengthsOf(number)[0]);
      const groups = isAmex(number) ? /^\d{1,4}|(?<=^.{4})\d{1,6}|(?<=^.{10})\d+/g : /\d{1,4}/g;
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
   * Return the error code of an input's text, or false.
   * @type {Record<string, (text: string, number: string) => string | false>}
   */
  const VALIDATORS = {
    cardnumber: (_, number) =>
      number.length < lengthsOf(number)[0] ? "incomplete_number" : !hasValidCheckDigit(number) && "invalid_number",
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
    // It may be empty, because some countries have no postal codes.
    postal: (text) => /^.{1,2}$/.test(text.trim()) && "incomplete_zip",
  };

  // ---- The card in the page

  const TEST_CARDS = {
    "4242 4242 4242 4242": "succeeds",
    "4000 0027 6000 3184": "requires 3-D Secure",
    "4000 0000 0000 0002": "is declined",
    "4000 0000 0000 9995": "has insufficient funds",
    "4000 0000 0000 0069": "has expired",
    "4000 0000 0000 0127": "has an incorrect security code",
    "4000 0000 0000 0119": "cannot be processed",
    "4000 0084 0000 1629": "is declined after 3-D Secure",
  };

  const CARDS = Object.entries(TEST_CARDS).map(
    ([number, outcome]) => `<li><button type="button">${number}</button> ${outcome}</li>`,
  );
  const MARKUP = `<div class="sbx-row">
    <input name="cardnumber" aria-label="Card number" placeholder="Card number" autocomplete="cc-number" inputmode="numeric">
    <input name="exp-date" aria-label="Expiry date" placeholder="MM / YY" autocomplete="cc-exp" inputmode="numeric">
    <input name="cvc" aria-label="Security code" placeholder="CVC" autocomplete="cc-csc" inputmode="numeric">
    <input name="postal" aria-label="Postal code" placeholder="ZIP" autocomplete="postal-code"></div>
    <p class="sbx-note"><strong>Sandbox</strong> Nothing is charged. Use a test card, never a real one.</p>
    <details class="sbx-cards"><summary>Test cards</summary><ul>${CARDS.join("")}</ul></details>`;

  /** Formats the text of an input, and keeps the caret after the same digit. */
  function formatField(field, number, isDeleting) {
    const digitsAfter = digitsOf(field.value.slice(field.selectionStart)).length;
    let text = FORMATS[field.name](field.value, number);
    // Otherwise the separator could not be deleted.
    if (isDeleting) text = text.replace(/ \/ $/, "");
    if (text === field.value) return;
    field.value = text;
    let caret = text.length;
    for (let remaining = digitsAfter; remaining > 0 && caret > 0; caret--) if (/\d/.test(text[caret - 1])) remaining--;
    if (document.activeElement === field) field.setSelectionRange(caret, caret);
  }

  /** The part of Stripe's card element that the page uses. */
  class CardElement {
    constructor(options = {}, onDestroy) {
      this.handlers = [];
      this.onDestroy = onDestroy;
      /** The names of inputs that lost the focus after the last input. Their texts count as complete. */
      this.leftFields = new Set();
      this.box = document.createElement("div");
      this.box.className = "sbx";
      this.box.innerHTML = MARKUP;
      this.fields = [...this.box.querySelectorAll("input")];
      this.box.addEventListener("input", (event) => this.handleInput(event));
      this.box.addEventListener("click", ({ target }) => {
        // A translated page has further elements inside the button.
        const card = target.closest("button");
        if (!card) return;
        const texts = [card.textContent, "12 / 34", "123", "12345"];
        for (const [index, field] of this.fields.entries()) field.value = texts[index];
        this.leftFields.clear();
        this.emitChange();
      });
      this.row = this.box.querySelector(".sbx-row");
      this.row.addEventListener("focusin", () => this.toggleClass("focus", true));
      this.row.addEventListener("focusout", ({ target }) => {
        this.leftFields.add(target.name);
        this.toggleClass("focus", false);
        this.emitChange();
      });
      this.update(options);
    }

    handleInput({ target, inputType }) {
      const isDeleting = /^delete/.test(inputType);
      this.leftFields.delete(target.name);
      formatField(target, this.number, isDeleting);
      // The page may show an error of Pay, so it gets this change even if it equals the last one.
      this.lastChange = undefined;
      this.emitChange();
      const next = this.fields[this.fields.indexOf(target) + 1];
      const isComplete = next && !this.errorOf(target) && target.selectionStart === target.value.length;
      if (isComplete && !isDeleting && document.activeElement === target) next.focus();
    }

    get number() {
      return digitsOf(this.fields[0].value);
    }

    errorOf({ name, value }) {
      return VALIDATORS[name](value, this.number);
    }

    /** Returns the first error. While the user types, an incomplete input with the focus is no error. */
    firstError(isTyping = false) {
      const codes = this.fields.map((field) => {
        const code = this.errorOf(field);
        const isUnfinished = isTyping && /^inc/.test(code) && !(this.leftFields.has(field.name) && field.value);
        field.ariaInvalid = String(Boolean(code) && !isUnfinished);
        return !isUnfinished && code;
      });
      const code = codes.find(Boolean);
      return code ? { type: "validation_error", code, message: MESSAGES[code] } : undefined;
    }

    /** Emits the state of the card if it has changed. */
    emitChange() {
      const change = {
        empty: this.fields.every(({ value }) => !value),
        complete: !this.fields.some((field) => this.errorOf(field)),
        error: this.firstError(true),
      };
      this.toggleClass("invalid", Boolean(change.error));
      const encoded = JSON.stringify(change);
      if (encoded !== this.lastChange) this.emit("change", change);
      this.lastChange = encoded;
    }

    /** Sets Stripe's class for a state of the card on the page's element. */
    toggleClass(state, isOn) {
      this.box.parentElement?.classList.toggle(`StripeElement--${state}`, isOn);
    }

    emit(event, detail) {
      for (const [name, handler] of this.handlers) if (name === event) handler({ elementType: "card", ...detail });
    }

    on(event, handler) {
      this.handlers.push([event, handler]);
      return this;
    }

    off(event, handler) {
      this.handlers = this.handlers.filter(([name, other]) => name !== event || other !== handler);
      return this;
    }

    mount(parent) {
      parent.classList.add("StripeElement");
      this.box.hidden = true;
      parent.append(this.box);
      stylesLoaded.then(() => {
        this.box.hidden = false;
        // The page may add its handler after the call of mount.
        setTimeout(() => this.emit("ready"));
      });
    }

    update({ disabled }) {
      if (disabled === undefined) return;
      for (const control of this.box.querySelectorAll("input, button")) control.disabled = disabled;
    }

    destroy() {
      // Closes the dialog of the bank.
      document.querySelector(".sbx-dialog")?.dispatchEvent(new Event("cancel"));
      this.box.remove();
      this.handlers = [];
      this.onDestroy();
    }

    /** Returns the card as parameters of Stripe's API. */
    data(billing) {
      const [number, date, cvc, postal] = this.fields.map(({ value }) => value.trim());
      const [exp_month, year] = date.split(" / ");
      const card = { number: digitsOf(number), exp_month, exp_year: `20${year}`, cvc };
      const address = { postal_code: postal || undefined, ...billing?.address };
      return { type: "card", card, billing_details: { ...billing, address } };
    }
  }

  // ---- Calls

  /** Encodes nested parameters as `a[b]=c`. */
  function encode(params, name = "", form = new URLSearchParams()) {
    for (const [key, value] of Object.entries(params)) {
      const path = name ? `${name}[${key}]` : key;
      if (typeof value === "object") encode(value, path, form);
      else if (value !== undefined) form.append(path, value);
    }
    return form;
  }

  /** Calls the sandbox. It returns errors and does not throw, like Stripe.js. */
  async function call(key, method, path, params) {
    const [query, body] = method === "GET" ? [`?${encode(params)}`] : ["", encode(params)];
    const headers = { Authorization: `Bearer ${key}` };
    try {
      const response = await fetch(`${BASE}v1/${path}${query}`, { method, headers, body });
      const result = await response.json();
      // Errors of the server itself, such as those of a rate limit, have other fields than Stripe's.
      return response.ok || result.error ? result : { error: { type: "api_error", message: result.message } };
    } catch {
      return { error: { type: "api_connection_error", message: "The payment provider can't be reached." } };
    }
  }

  /** Calls the sandbox for the intent of a client secret. @returns {Promise<Result>} */
  async function callIntent(key, secret, step = "", params = {}) {
    const path = `payment_intents/${secret.split("_secret_")[0]}${step}`;
    const body = await call(key, step ? "POST" : "GET", path, { client_secret: secret, ...params });
    return body.error ? { error: body.error } : { paymentIntent: body };
  }

  const AUTHENTICATION_DIALOG = `<h2 id="sbx-title">3-D Secure authentication</h2>
    <p>Here the bank would ask you to confirm the payment of <b></b>. In the sandbox you choose the result.</p>
    <div><button type="button" value="complete">Complete authentication</button>
    <button type="button" value="fail">Fail authentication</button></div>`;

  /** Shows the dialog of the bank. Escape, or leaving the page, fails the authentication. @returns {Promise<string>} */
  function authenticate({ amount, currency }) {
    const opener = document.activeElement;
    const dialog = document.createElement("dialog");
    dialog.className = "sbx-dialog";
    dialog.setAttribute("aria-labelledby", "sbx-title");
    dialog.innerHTML = AUTHENTICATION_DIALOG;
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
      dialog.addEventListener("click", ({ target }) => {
        const button = target.closest("button");
        if (button) end(button.value);
      });
    });
  }

  /** Authenticates the payment if the intent requires it. @returns {Promise<Result>} */
  async function handleAction(key, secret, result) {
    if (result.paymentIntent?.status !== "requires_action") return result;
    const outcome = await authenticate(result.paymentIntent);
    const after = await callIntent(key, secret, "/authenticate", { outcome });
    const intent = after.paymentIntent;
    if (intent?.status !== "requires_payment_method") return after;
    return { error: { ...intent.last_payment_error, payment_intent: intent } };
  }

  /** Pays the intent of a client secret. @returns {Promise<Result>} */
  async function confirm(key, secret, { payment_method: method } = {}) {
    const error = method?.card?.firstError();
    if (error) return { error };
    const data = method?.card?.data(method.billing_details);
    const params = data ? { payment_method_data: data } : { payment_method: method };
    return handleAction(key, secret, await callIntent(key, secret, "/confirm", params));
  }

  async function createMethod(key, { card, billing_details }) {
    const error = card.firstError();
    const body = error ? { error } : await call(key, "POST", "payment_methods", card.data(billing_details));
    return body.error ? { error: body.error } : { paymentMethod: body };
  }

  // ---- window.Stripe

  /** Resolves when the styles are loaded. Until then the inputs are hidden, so that they do not move. */
  let stylesLoaded;

  const addStyles = () =>
    new Promise((resolve) => {
      const link = { rel: "stylesheet", href: `${BASE}v3.css`, onload: resolve, onerror: resolve };
      document.head.append(Object.assign(document.createElement("link"), link));
    });

  function elements() {
    let card = null;
    return {
      create(type, options) {
        if (type !== "card" || card) throw new Error("The sandbox has only one card element.");
        card = new CardElement(options, () => {
          card = null;
        });
        return card;
      },
      // @stripe/react-stripe-js passes its component.
      getElement: (type) => ((type.__elementType ?? type) === "card" ? card : null),
      update() {},
    };
  }

  function Stripe(key) {
    if (key.startsWith("pk_live")) throw new Error("The sandbox does not accept live keys.");
    stylesLoaded ??= addStyles();
    return {
      elements,
      createToken: async () => ({ error: { type: "invalid_request_error", message: "The sandbox has no tokens." } }),
      createPaymentMethod: (data) => createMethod(key, data),
      confirmCardPayment: (secret, data) => confirm(key, secret, data),
      retrievePaymentIntent: (secret) => callIntent(key, secret),
    };
  }
  // The release that @stripe/stripe-js expects.
  Stripe.version = "endive";
  window.Stripe = Stripe;
})();
