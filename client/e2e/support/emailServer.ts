import { text } from "node:stream/consumers";
import { expect } from "@playwright/test";
import { SMTPServer } from "smtp-server";
import { freePort } from "./node";

/**
 * The maximum time until an email arrives on a busy machine, milliseconds: it is sent a minute after its notification, or
 * after the lease of a killed node and the delay before a retry.
 */
const EMAIL_TIMEOUT_MS = 300_000;

/** An email that the server has received. */
interface Email {
  to: string;
  subject: string;
  /** The plain text. */
  text: string;
}

/** An SMTP server that a test can stop, and start again on the same port. */
export class EmailServer {
  private server: SMTPServer | null = null;
  private readonly emails: Email[] = [];

  private constructor(private readonly port: number) {}

  static async open(): Promise<EmailServer> {
    const emailServer = new EmailServer(await freePort());
    await emailServer.start();
    return emailServer;
  }

  /** The settings of a market that sends email here. */
  settings(): Record<string, string> {
    return { SMTP_URL: `smtp://127.0.0.1:${this.port}`, MAIL_FROM: "SecondRing <shop@example.com>" };
  }

  async start(): Promise<void> {
    const server = new SMTPServer({
      disabledCommands: ["AUTH", "STARTTLS"],
      closeTimeout: 1,
      onData: (stream, { envelope }, done) => {
        void text(stream).then((message) => {
          for (const { address } of envelope.rcptTo) this.emails.push({ to: address, ...parse(message) });
          done();
        }, done);
      },
    });
    // A killed node breaks its connections, which is not an error of the test.
    server.on("error", () => undefined);
    await new Promise<void>((done) => server.listen(this.port, "127.0.0.1", done));
    this.server = server;
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = null;
    if (server) await new Promise<void>((done) => server.close(done));
  }

  /** The subjects of all emails to an address, in alphabetical order. */
  subjects(to: string): string[] {
    return this.to(to)
      .map(({ subject }) => subject)
      .sort();
  }

  /** The path of the link in the newest email to an address with this subject, once `count` of them have arrived. */
  async link(to: string, subject: string, count = 1): Promise<string> {
    const [newest] = await this.arrived(to, subject, count);
    const url = newest?.text.match(/https?:\S+#token=\S+/)?.[0];
    if (!url) throw new Error(`${subject} to ${to} has no link`);
    const { pathname, search, hash } = new URL(url);
    return pathname + search + hash;
  }

  /** The plain text of the only email to an address with this subject, once it has arrived. */
  async text(to: string, subject: string): Promise<string> {
    const [only] = await this.arrived(to, subject, 1);
    return only?.text ?? "";
  }

  /** The emails to an address with this subject, newest first, once `count` of them have arrived. */
  private async arrived(to: string, subject: string, count: number): Promise<Email[]> {
    const matching = () => this.to(to).filter((email) => email.subject === subject);
    await expect
      .poll(() => matching().length, { message: `${subject} to ${to}`, timeout: EMAIL_TIMEOUT_MS })
      .toBe(count);
    return matching().reverse();
  }

  private to(address: string): Email[] {
    return this.emails.filter(({ to }) => to === address);
  }
}

/** The subject, and the first part of the message, which is its plain text. */
function parse(message: string): Pick<Email, "subject" | "text"> {
  const subject = message.match(/^Subject: (.*(?:\r\n[ \t].*)*)/m)?.[1] ?? "";
  const [, plain = ""] = message.split(/\r\n--\S+\r\n/);
  const quoted = plain.slice(plain.indexOf("\r\n\r\n"));
  const bytes = quoted
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return {
    subject: subject.replace(/\r\n[ \t]/g, " "),
    text: Buffer.from(bytes, "latin1").toString(),
  };
}
