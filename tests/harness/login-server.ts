import { createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { listenOn } from './listen-on.ts';

export interface LoginServer {
  port: number;
  /** Every command that it received, with what follows it. */
  commands: string[];
  close(): Promise<void>;
}

export interface LoginServerOptions {
  /** Offers STARTTLS. */
  tls?: { key: string; cert: string };
  /** Offers AUTH PLAIN, once the connection is encrypted if it can be. */
  login?: { user: string; password: string };
  /** Instead of `220 mail.test`; null for a server that says nothing. */
  greeting?: string | null;
}

/** A mail server up to the login, on a real socket. */
export async function startLoginServer(options: LoginServerOptions): Promise<LoginServer> {
  const commands: string[] = [];
  const { greeting = '220 mail.test' } = options;
  const { port, close } = await listenOn(
    createServer((socket) => {
      if (greeting !== null) socket.write(`${greeting}\r\n`);
      converse(socket, options, commands, false);
    }),
  );
  return { port, commands, close };
}

function converse(
  socket: Socket,
  { tls, login }: LoginServerOptions,
  commands: string[],
  isEncrypted: boolean,
): void {
  const say = (...lines: string[]) => socket.write(lines.map((line) => `${line}\r\n`).join(''));
  const reply = (command: string, argument: string) => {
    if (command === 'EHLO') {
      const offersLogin = login && (isEncrypted || !tls);
      const offers = [tls && !isEncrypted ? 'STARTTLS' : '', offersLogin ? 'AUTH PLAIN' : ''];
      const lines = ['mail.test', ...offers.filter(Boolean)];
      return say(...lines.map((line, at) => `250${at === lines.length - 1 ? ' ' : '-'}${line}`));
    }
    if (command === 'STARTTLS' && tls) {
      socket.removeAllListeners('data');
      say('220 go on');
      const secure = new TLSSocket(socket, { isServer: true, ...tls });
      secure.on('error', () => {});
      return converse(secure, { tls, ...(login && { login }) }, commands, true);
    }
    if (command === 'AUTH') {
      const [, user, password] = Buffer.from(argument.split(' ')[1] ?? '', 'base64')
        .toString()
        .split('\0');
      const isRight = user === login?.user && password === login?.password;
      return say(isRight ? '235 welcome' : `535 ${user} may not enter with ${password}`);
    }
    return command === 'QUIT' ? socket.end('221 bye\r\n') : say('502 not here');
  };
  let rest = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [command = '', ...words] = line.split(' ');
      commands.push(line);
      reply(command.toUpperCase(), words.join(' '));
    }
  });
}
