// A proxy in front of a running demo. It answers for one brand itself, with a given number of phones, and for the live
// connection, over which it sends changes of these phones at a given rate. It forwards all other requests to the demo.
import { createServer, request as httpRequest } from "node:http";
import { WebSocketServer } from "ws";

/** The time between two frames in milliseconds, which is as long as the real hub waits for more events of a busy topic. */
const FRAME_INTERVAL_MS = 2;

/** Each further page has this many times the requested phones. Otherwise it would take minutes to load all of them. */
const LATER_PAGE_FACTOR = 20;

/** IDs sort by their time of creation. The first phone is the newest. */
const idOf = (index, count) => `0proxy${String(count - index).padStart(8, "0")}`;

/** Returns `count` copies of the brand's phones. */
function copyPhones(originals, count) {
  return Array.from({ length: count }, (_, index) => {
    const original = originals[index % originals.length];
    return { ...original, _id: idOf(index, count), name: `${original.name} ${index + 1}`, booked: false, version: 1 };
  });
}

/** Yields events of the phones: booked, released or another price, each with the next version. */
function* changes(phones, topic) {
  const stride = 797; // has no common divisor with the count, so that every phone changes
  for (let n = 0; ; n++) {
    const index = (n * stride) % phones.length;
    const before = phones[index];
    const type = n % 3 === 2 ? "product.changed" : before.booked ? "product.released" : "product.booked";
    const change =
      type === "product.changed"
        ? { resalePrice: 50 + ((before.resalePrice + 7) % 900) }
        : { booked: !before.booked };
    const data = { ...before, ...change, version: before.version + 1 };
    phones[index] = data;
    yield { topic, position: `proxy-${n + 1}`, type, at: new Date().toISOString(), data };
  }
}

function forward(base, request, response) {
  const { hostname, port } = new URL(base);
  const { method, url: path, headers } = request;
  const upstream = httpRequest({ hostname, port, method, path, headers }, (upstreamResponse) => {
    response.writeHead(upstreamResponse.statusCode, upstreamResponse.headers);
    upstreamResponse.pipe(response);
  });
  upstream.on("error", () => response.destroy());
  request.pipe(upstream);
}

function sendJSON(response, body, headers = {}) {
  response.writeHead(200, { "Content-Type": "application/json", "Cache-Control": "private, no-cache", ...headers });
  response.end(JSON.stringify(body));
}

/** Sends the requested page of the list. A search finds the phones whose names have all of its words. */
function sendPage(response, { path, topic, phones, position }) {
  const { pathname, searchParams } = new URL(path, "http://proxy");
  const words = (searchParams.get("q") ?? "").toLowerCase().split(/\s+/);
  const found = phones.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  const from = Number(searchParams.get("cursor") ?? 0);
  const limit = Number(searchParams.get("limit")) * (from > 0 ? LATER_PAGE_FACTOR : 1);
  searchParams.set("cursor", String(from + limit));
  const nextLink = from + limit < found.length && { Link: `<${pathname}?${searchParams}>; rel="next"` };
  sendJSON(response, found.slice(from, from + limit), {
    "X-Total-Count": String(found.length),
    "Live-Position": `${topic}=${position}`,
    ...nextLink,
  });
}

/**
 * Starts the proxy on the port. `setRate(rate)` sends this number of events a second until it is called with 0. It
 * returns the number of events so far.
 */
export async function startProxy({ base, port, brand, token, count }) {
  const list = await fetch(`${base}/categories/${brand}`, { headers: { Authorization: `Bearer ${token}` } });
  const phones = copyPhones(await list.json(), count);
  const topic = `brand:${brand}`;
  const events = changes(phones, topic);
  /** All events so far, so that a connection can resume after an interruption. */
  const history = [];

  const server = createServer((request, response) => {
    const isCall = !request.headers.accept?.includes("text/html");
    const id = request.url.match(/^\/products\/(0proxy\d+)$/)?.[1];
    const position = `proxy-${history.length}`;
    if (isCall && request.url.startsWith(`/categories/${brand}`))
      sendPage(response, { path: request.url, topic, phones, position });
    else if (id) sendJSON(response, phones.find(({ _id }) => _id === id), { "Live-Position": `${topic}=${position}` });
    else forward(base, request, response);
  });
  const sockets = new WebSocketServer({ server, path: "/live", handleProtocols: () => "secondring.v1" });
  const sendFrame = (socket, frame) => socket.send(JSON.stringify(frame));
  sockets.on("connection", (socket) => {
    sendFrame(socket, { hello: { session: "proxy", heartbeat: 25 } });
    socket.on("message", (text) => {
      const subscriptions = Object.entries(JSON.parse(text).subscribe ?? {});
      if (subscriptions.length === 0) return;
      sendFrame(socket, { subscribed: Object.fromEntries(subscriptions.map(([name, from]) => [name, from || `proxy-${history.length}`])) });
      const from = subscriptions.find(([name, position]) => name === topic && position)?.[1];
      const missed = from ? history.slice(Number(from.replace("proxy-", ""))) : [];
      if (missed.length > 0) sendFrame(socket, { events: missed });
    });
  });
  await new Promise((done) => server.listen(port, "127.0.0.1", done));

  let timer;
  const setRate = (rate) => {
    clearInterval(timer);
    const [start, sentBefore] = [performance.now(), history.length];
    const sendDue = () => {
      const due = sentBefore + Math.floor(((performance.now() - start) * rate) / 1000) - history.length;
      if (due <= 0) return;
      const frame = { events: Array.from({ length: due }, () => events.next().value) };
      history.push(...frame.events);
      for (const socket of sockets.clients) sendFrame(socket, frame);
    };
    if (rate > 0) timer = setInterval(sendDue, FRAME_INTERVAL_MS);
    return history.length;
  };
  const close = () => {
    clearInterval(timer);
    for (const socket of sockets.clients) socket.terminate();
    server.close();
    server.closeAllConnections();
  };
  return { setRate, phones, close };
}
