import { createServer, type Socket } from 'node:net';
import { listenOn } from './listen-on.ts';

export interface ReceivedMail {
  from: string;
  to: string[];
  subject: string;
  /** The body as a person reads it. */
  text: string;
  raw: string;
}

export interface MailServer {
  url: string;
  mails: ReceivedMail[];
  /** The response to a recipient from now on; `250 ok` at first, null for none. */
  recipientReply: string | null;
  /** How long it examines a mail that it has, in ms. */
  examinesMs: number;
  /** Resolves once it has received this many mails. */
  waitFor(count: number): Promise<void>;
  close(): Promise<void>;
}

/** The part of RFC 5321 that receiving mail needs, on a real socket. */
export async function startMailServer(): Promise<MailServer> {
  const waiting = new Set<() => void>();
  const { port, close } = await listenOn(createServer((socket) => converse(socket)));
  const server: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    mails: [],
    recipientReply: '250 ok',
    examinesMs: 0,
    waitFor: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (server.mails.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close,
  };
  return server;

  function converse(socket: Socket): void {
    let rest = '';
    let isBody = false;
    let mail = { from: '', to: [] as string[] };
    const say = (line: string | null) => line !== null && socket.write(`${line}\r\n`);
    const take = (body: string) => {
      server.mails.push(readMail(mail, body));
      mail = { from: '', to: [] };
      setTimeout(() => socket.destroyed || say('250 taken'), server.examinesMs);
      for (const look of waiting) look();
    };
    const obey = (line: string) => {
      const command = line.slice(0, 4).toUpperCase();
      if (command === 'EHLO' || command === 'HELO') say('250 mail.test');
      else if (command === 'MAIL') say(((mail.from = addressOf(line)), '250 ok'));
      else if (command === 'RCPT') say((mail.to.push(addressOf(line)), server.recipientReply));
      else if (command === 'DATA') say(((isBody = true), '354 go on'));
      else if (command === 'QUIT') socket.end('221 bye\r\n');
      else say('502 not here');
    };
    say('220 mail.test');
    socket.setEncoding('latin1').on('data', (chunk) => {
      rest += chunk as unknown as string;
      for (;;) {
        const end = isBody ? '\r\n.\r\n' : '\r\n';
        const at = rest.indexOf(end);
        if (at < 0) return;
        const text = rest.slice(0, at);
        rest = rest.slice(at + end.length);
        if (isBody) take(((isBody = false), text));
        else obey(text);
      }
    });
  }
}

const addressOf = (line: string): string => /<([^>]*)>/.exec(line)?.[1] ?? '';

function readMail(envelope: { from: string; to: string[] }, raw: string): ReceivedMail {
  const at = raw.indexOf('\r\n\r\n');
  const head = raw.slice(0, at).replaceAll(/\r\n[ \t]/g, ' ');
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
  const encoding = header('content-transfer-encoding').toLowerCase();
  return {
    ...envelope,
    subject: readWords(header('subject')),
    text: readBody(raw.slice(at + 4), encoding),
    raw,
  };
}

function readBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  return encoding === 'quoted-printable' ? readQuoted(body.replaceAll('=\r\n', '')) : body;
}

/** RFC 2047: `=?UTF-8?Q?…?=`. */
function readWords(text: string): string {
  return text
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString()
        : readQuoted(word.replaceAll('_', ' ')),
    );
}

function readQuoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}
