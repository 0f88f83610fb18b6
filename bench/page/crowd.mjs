// A proxy in front of a running demo. It answers for one brand itself, with a given number of phones, and for the live
// connection, over which it sends changes of these phones at a given rate. It forwards all other requests to the demo.
import { createServer, request } from "node:http";
import { WebSocketServer } from "ws";

/** The time between two frames, milliseconds: as long as the real hub waits for more events of a busy topic. */
const GATHERED_MS = 2;

/** Each further page has this many times the requested phones. Otherwise it would take minutes to load all of them. */
const PAGES_IN_ONE = 20;

/** IDs sort by their time of creation. The first phone is the newest. */
const idOf = (place, count) => `0crowd${String(count - place).padStart(8, "0")}`;

/** Returns `count` phones that are copies of the brand's real ones. */
function phonesLike(real, count) {
  return Array.from({ length: count }, (_, place) => {
    const like = real[place % real.length];
    return { ...like, _id: idOf(place, count), name: `${like.name} ${place + 1}`, booked: false, version: 1 };
  });
}

/** The events of the phones: booked, released or another price, each with the next version. */
function* changes(phones, topic) {
  const stride = 797; // has no common divisor with the count, so that every phone changes
  for (let n = 0; ; n++) {
    const place = (n * stride) % phones.length;
    const before = phones[place];
    const type = n % 3 === 2 ? "product.changed" : before.booked ? "product.released" : "product.booked";
    const change =
      type === "product.changed"
        ? { resalePrice: 50 + ((before.resalePrice + 7) % 900) }
        : { booked: !before.booked };
    const data = { ...before, ...change, version: before.version + 1 };
    phones[place] = data;
    yield { topic, position: `crowd-${n + 1}`, type, at: new Date().toISOString(), data };
  }
}

function passOn(base, asked, answer) {
  const { hostname, port } = new URL(base);
  const { method, url: path, headers } = asked;
  const call = request({ hostname, port, method, path, headers }, (got) => {
    answer.writeHead(got.statusCode, got.headers);
    got.pipe(answer);
  });
  call.on("error", () => answer.destroy());
  asked.pipe(call);
}

function give(answer, body, headers = {}) {
  answer.writeHead(200, { "Content-Type": "application/json", "Cache-Control": "private, no-cache", ...headers });
  answer.end(JSON.stringify(body));
}

/** Sends the requested page of the list. A search finds the phones whose names have all of its words. */
function givePage(answer, { path, topic, phones, position }) {
  const { pathname, searchParams: asked } = new URL(path, "http://crowd");
  const words = (asked.get("q") ?? "").toLowerCase().split(/\s+/);
  const found = phones.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  const from = Number(asked.get("cursor") ?? 0);
  const limit = Number(asked.get("limit")) * (from > 0 ? PAGES_IN_ONE : 1);
  asked.set("cursor", String(from + limit));
  const more = from + limit < found.length && { Link: `<${pathname}?${asked}>; rel="next"` };
  give(answer, found.slice(from, from + limit), {
    "X-Total-Count": String(found.length),
    "Live-Position": `${topic}=${position}`,
    ...more,
  });
}

/**
 * Starts the proxy on the port. `flood(rate)` sends this number of events a second until it is called with 0. It returns
 * the number of events so far.
 */
export async function crowd({ base, port, brand, token, count }) {
  const like = await fetch(`${base}/categories/${brand}`, { headers: { Authorization: `Bearer ${token}` } });
  const phones = phonesLike(await like.json(), count);
  const topic = `brand:${brand}`;
  const events = changes(phones, topic);
  /** All events so far, so that a connection can resume after an interruption. */
  const history = [];

  const server = createServer((asked, answer) => {
    const isCall = !asked.headers.accept?.includes("text/html");
    const id = asked.url.match(/^\/products\/(0crowd\d+)$/)?.[1];
    const position = `crowd-${history.length}`;
    if (isCall && asked.url.startsWith(`/categories/${brand}`))
      givePage(answer, { path: asked.url, topic, phones, position });
    else if (id) give(answer, phones.find(({ _id }) => _id === id), { "Live-Position": `${topic}=${position}` });
    else passOn(base, asked, answer);
  });
  const sockets = new WebSocketServer({ server, path: "/live", handleProtocols: () => "secondring.v1" });
  const say = (socket, frame) => socket.send(JSON.stringify(frame));
  sockets.on("connection", (socket) => {
    say(socket, { hello: { session: "crowd", heartbeat: 25 } });
    socket.on("message", (text) => {
      const asked = Object.entries(JSON.parse(text).subscribe ?? {});
      if (asked.length === 0) return;
      say(socket, { subscribed: Object.fromEntries(asked.map(([name, from]) => [name, from || `crowd-${history.length}`])) });
      const from = asked.find(([name, position]) => name === topic && position)?.[1];
      const missed = from ? history.slice(Number(from.replace("crowd-", ""))) : [];
      if (missed.length > 0) say(socket, { events: missed });
    });
  });
  await new Promise((done) => server.listen(port, "127.0.0.1", done));

  let timer;
  const flood = (rate) => {
    clearInterval(timer);
    const [begun, before] = [performance.now(), history.length];
    const some = () => {
      const due = before + Math.floor(((performance.now() - begun) * rate) / 1000) - history.length;
      if (due <= 0) return;
      const frame = { events: Array.from({ length: due }, () => events.next().value) };
      history.push(...frame.events);
      for (const socket of sockets.clients) say(socket, frame);
    };
    if (rate > 0) timer = setInterval(some, GATHERED_MS);
    return history.length;
  };
  const close = () => {
    clearInterval(timer);
    for (const socket of sockets.clients) socket.terminate();
    server.close();
    server.closeAllConnections();
  };
  return { flood, phones, close };
}
