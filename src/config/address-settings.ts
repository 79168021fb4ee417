import { address, integer, publicAddress, text } from './parsers.ts';

/** Where the product listens, and where it is reached. */
export const addressSettings = {
  WEB_PORT: {
    parse: integer(0, 65_535),
    fallback: '3000',
    meaning: 'Port of the web origin: the dashboard and /api/backend. 0 picks a free one.',
  },
  API_PORT: {
    parse: integer(0, 65_535),
    fallback: '4000',
    meaning: 'Port of the API itself, on loopback only. 0 picks a free one.',
  },
  WEB_HOST: {
    parse: text,
    fallback: '127.0.0.1',
    meaning: 'Address the web origin listens on; 0.0.0.0 opens it to the network.',
  },
  WEB_SOCKET: {
    parse: text,
    fallback: null,
    meaning:
      'A Unix socket for the web origin instead of a port, such as /run/toprung/web.sock, in a ' +
      'directory that exists. The X-Forwarded-* headers of whoever may open it are trusted.',
  },
  HEALTH_SOCKET: {
    parse: text,
    fallback: null,
    meaning:
      'A Unix socket on which this process reports its state to `toprung health`, such as ' +
      '/run/toprung/health.sock; one for each process. Unset: it reports nothing.',
  },
  API_HOST: {
    parse: text,
    fallback: '127.0.0.1',
    meaning: 'Address the API listens on; change it only when web and API run on different hosts.',
  },
  API_URL: {
    parse: address('http:', 'https:'),
    fallback: null,
    meaning: 'The API’s address for a web role that runs alone, such as http://api:4000.',
  },
  PUBLIC_URL: {
    parse: publicAddress,
    fallback: null,
    meaning:
      'The public address, such as https://aso.example.org or https://example.org/aso. With ' +
      'https, cookies are Secure. Needed with SMTP_URL, because links in mail begin with it.',
  },
};
