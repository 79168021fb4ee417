import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type ConsoleMessage,
  type Frame,
  type Page,
  type Request,
  type WebSocket,
} from 'playwright-core';

export interface WatchedPage {
  page: Page;
  context: BrowserContext;
  /** Errors of the console and uncaught exceptions of the page, in order. */
  consoleErrors: string[];
  /** Addresses outside this machine that the page requested; all were blocked. */
  foreignRequests: string[];
  /**
   * Resolves when the page has loaded and rendered: no request for a while, no placeholder left.
   */
  loaded(): Promise<void>;
  close(): Promise<void>;
}

interface Installation {
  executablePath: string;
  environment: Record<string, string>;
}

const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const macPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const packageDir = fileURLToPath(
  new URL('../../node_modules/@sparticuz/chromium/', import.meta.url),
);
const cacheDir = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

/**
 * Not the package's own list: --single-process dies with several contexts, --disable-web-security
 * hides CORS faults.
 */
const args = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages live for seconds: collecting and the slower of two optimizing compilers cost more than
  // they save.
  '--js-flags=--min-semi-space-size=64 --no-turbofan',
  // Intercepting every request instead would disable the browser's cache.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

let shared: Promise<Browser | null> | null = null;

/**
 * A real Chromium: the one of CHROMIUM_PATH, else that of the npm package, which is the same
 * everywhere and twice as fast as a desktop's, else an installed one. Null, with one line that says
 * so, if there is none. Files of a worker share it: `close` closes what was opened in it, and the
 * browser ends with the worker.
 */
export function launchBrowser(): Promise<Browser | null> {
  return (shared ??= launch());
}

async function launch(): Promise<Browser | null> {
  const installation = await findInstallation();
  if (installation === null) {
    console.warn('No Chromium: browser tests are skipped. Install chromium or set CHROMIUM_PATH.');
    return null;
  }
  // Its temporary directory is removed with it, and two checkouts share nothing.
  const scratch = mkdtempSync(join(tmpdir(), 'toprung-browser-'));
  const environment = {
    PATH: process.env.PATH ?? '',
    LANG: 'C.UTF-8',
    HOME: scratch,
    TMPDIR: scratch,
    ...installation.environment,
  };
  const browser = await chromium.launch({
    executablePath: installation.executablePath,
    env: environment,
    args,
  });
  const remove = () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  browser.on('disconnected', () => {
    shared = null;
    idle.clear();
    inUse.clear();
    remove();
  });
  await checkTextIsDrawn(browser);
  browser.close = async () => {
    for (const close of inUse.values()) await close().catch(() => undefined);
    const kept = new Set([...idle.values()].flat().map(({ context }) => context));
    const open = browser.contexts().filter((context) => !kept.has(context));
    await Promise.all(open.map((context) => context.close()));
  };
  return browser;
}

/** The time zone of all pages by default. */
const readerZone = process.env.BROWSER_TIME_ZONE ?? 'UTC';

type PageOptions = {
  colorScheme?: 'light' | 'dark';
  width?: number;
  height?: number;
  timezoneId?: string;
};

interface IdlePage {
  context: BrowserContext;
  page: Page;
}

/**
 * Unused pages by their time zone: they have the process, the cache and the compiled code of
 * earlier uses, also of other files, without which a page costs twice as much. A page whose clock
 * was replaced cannot be among them: its context is closed instead.
 */
const idle = new Map<string, IdlePage[]>();
/** Each takes as much memory as a small server. */
const idlePages = 3;
/** Returns a page to the unused ones. */
const inUse = new Map<BrowserContext, () => Promise<void>>();

/** A page without state of earlier uses, limited to requests to this machine. */
export async function newPage(browser: Browser, options: PageOptions = {}): Promise<WatchedPage> {
  const { colorScheme = 'light', width = 1280, height = 800, timezoneId = readerZone } = options;
  const { context, page } = idle.get(timezoneId)?.pop() ?? (await openPage(browser, timezoneId));
  await page.setViewportSize({ width, height });
  await page.emulateMedia({
    colorScheme,
    reducedMotion: 'reduce',
    media: null,
    forcedColors: null,
  });
  const consoleErrors: string[] = [];
  const foreignRequests: string[] = [];
  const origins = new Set<string>();
  const note = (url: string) => {
    if (isForeign(new URL(url))) foreignRequests.push(url);
  };
  const { loaded, stop } = watchRequests(page);
  const ignore = [
    stop,
    listen(context, 'request', (request: Request) => note(request.url())),
    listen(page, 'websocket', (socket: WebSocket) => note(socket.url())),
    listen(page, 'framenavigated', (frame: Frame) => origins.add(new URL(frame.url()).origin)),
    listen(page, 'console', (message: ConsoleMessage) => {
      if (message.type() !== 'error') return;
      // A failed request has its address only here.
      const { url } = message.location();
      consoleErrors.push(url ? `${message.text()}: ${url}` : message.text());
    }),
    listen(page, 'pageerror', (error: Error) => consoleErrors.push(String(error))),
  ];
  const close = async () => {
    inUse.delete(context);
    for (const stopListening of ignore) stopListening();
    // A request that is still under way goes to the server by itself; its handler then fails.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    if (!(await leaveDashboard(page))) return context.close();
    const others = context.pages().filter((one) => one !== page);
    await Promise.all(others.map((one) => one.close()));
    const hasOwnClock = await page.evaluate(() => {
      sessionStorage.clear();
      // At once: the process of the page learns a moment later what is cleared below.
      localStorage.clear();
      return '__pwClock' in window;
    });
    if (hasOwnClock) return context.close();
    await page.mouse.move(-1, -1);
    const session = await context.newCDPSession(page);
    for (const origin of origins)
      if (origin !== 'null')
        await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' });
    await session.send('Page.resetNavigationHistory');
    await session.detach();
    await context.clearCookies();
    await context.clearPermissions();
    const unused = idle.get(timezoneId) ?? [];
    if (unused.length === idlePages) return context.close();
    idle.set(timezoneId, [...unused, { context, page }]);
    return undefined;
  };
  inUse.set(context, close);
  return { page, context, consoleErrors, foreignRequests, loaded, close };
}

async function openPage(browser: Browser, timezoneId: string): Promise<IdlePage> {
  const viewport = { width: 1280, height: 800 };
  const context = await browser.newContext({
    viewport,
    timezoneId,
    locale: 'en-US',
    reducedMotion: 'reduce',
    // Requests of a page with a service worker could not be replaced by a test.
    serviceWorkers: 'block',
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  waitForRoutes(page);
  return { context, page };
}

/**
 * Chromium confirms a route before the open document uses it: without a look, requests of the next
 * moment would pass by it.
 */
function waitForRoutes(page: Page): void {
  const route = page.route.bind(page);
  const isLook = (url: URL) => url.search === '?routed';
  page.route = async (...given) => {
    const routed = await route(...given);
    if (!page.url().startsWith('http')) return routed;
    await route(isLook, (look) => look.fulfill({ status: 204 }));
    const look = async () => {
      while ((await fetch('?routed').catch(() => null))?.status !== 204);
    };
    // A page that is being left needs no look.
    await page.evaluate(look).catch(() => undefined);
    await page.unroute(isLook);
    return routed;
  };
}

/**
 * To a file of the same origin: about:blank would end the process. False if the page was elsewhere,
 * or the dashboard has stopped.
 */
async function leaveDashboard(page: Page): Promise<boolean> {
  try {
    const response = await page.goto(new URL('/favicon.svg', page.url()).href);
    return response?.ok() ?? false;
  } catch {
    return false;
  }
}

/** Returns a function that removes the listener. */
function listen<T>(
  emitter: Pick<BrowserContext | Page, 'on' | 'off'>,
  event: string,
  listener: (argument: T) => void,
): () => void {
  emitter.on(event as never, listener as never);
  return () => emitter.off(event as never, listener as never);
}

/** Placeholders of pending content; the library's own class names are switched off. */
export const placeholder = '[data-visible=true][data-animate]';
/** What the document shows until the dashboard is drawn. */
const starting = '#root > .starting';

/**
 * Like playwright's `networkidle`, which waits for half a second of silence however quick the page
 * is.
 */
function watchRequests(page: Page): { loaded: () => Promise<void>; stop: () => void } {
  const underWay = new Set<object>();
  const end = (request: Request) => void underWay.delete(request);
  const ignore = [
    listen(page, 'request', (request: Request) => {
      // The stream of changes never ends.
      if (request.resourceType() !== 'eventsource') underWay.add(request);
    }),
    listen(page, 'requestfinished', end),
    listen(page, 'requestfailed', end),
  ];
  const loaded = async () => {
    const deadline = performance.now() + 60_000;
    // Placeholders are looked for only then: each look takes three processes a few milliseconds.
    for (let idleChecks = 0; ;) {
      if (performance.now() > deadline)
        throw new Error(`the page does not become idle: ${underWay.size} requests under way`);
      await sleep(25);
      idleChecks = underWay.size > 0 ? 0 : idleChecks + 1;
      if (idleChecks < 5) continue;
      await untilIdle(page);
      const unfinished = page.locator(`${placeholder}, ${starting}`);
      if ((await unfinished.count()) === 0 && underWay.size === 0) return;
      idleChecks = 0;
    }
  };
  return { loaded, stop: () => ignore.forEach((stopListening) => stopListening()) };
}

/**
 * Until the page has drawn what it received. One that is left, or whose clock is replaced, may
 * never say so; on a busy machine a page has needed more than a second.
 */
async function untilIdle(page: Page): Promise<void> {
  const isIdle = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestIdleCallback(() => resolve());
      }),
  );
  await Promise.race([isIdle.catch(() => undefined), sleep(10_000)]);
}

function isForeign(url: URL): boolean {
  return (
    /^(https?|wss?|ftp):$/.test(url.protocol) &&
    !['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  );
}

async function findInstallation(): Promise<Installation | null> {
  const wished = process.env.CHROMIUM_PATH;
  if (wished) return { executablePath: wished, environment: {} };
  if (process.platform === 'linux' && process.arch === 'x64' && existsSync(packageDir))
    return unpackBundled();
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths =
    process.platform === 'darwin'
      ? macPaths
      : names.flatMap((name) => folders.map((folder) => join(folder, name)));
  const installed = paths.find(existsSync);
  return installed === undefined ? null : { executablePath: installed, environment: {} };
}

/**
 * Unpacks once, into a directory that is renamed at the end: half an unpacked browser would be
 * mistaken for a whole one.
 */
async function unpackBundled(): Promise<Installation> {
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  const home = join(cacheDir, `chromium-${version}`);
  if (!existsSync(home)) {
    mkdirSync(cacheDir, { recursive: true });
    const draft = mkdtempSync(`${home}.tmp-`);
    await unpackInto(draft);
    try {
      renameSync(draft, home);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(home)) throw error;
    }
  }
  writeFontsConfig(home);
  const environment = { LD_LIBRARY_PATH: join(home, 'al2023', 'lib'), FONTCONFIG_PATH: home };
  return { executablePath: join(home, 'chromium'), environment };
}

/** The package unpacks to os.tmpdir() only. */
async function unpackInto(directory: string): Promise<void> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = directory;
  try {
    const { inflate } = await import('@sparticuz/chromium');
    await Promise.all(
      ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'].map((name) =>
        inflate(join(packageDir, 'bin', name)),
      ),
    );
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/** Without a font configuration pages have no text at all, and most tests would still pass. */
function writeFontsConfig(home: string): void {
  const text = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(home, 'fonts')}</dir>
  <cachedir>${join(home, 'fonts-cache')}</cachedir>
</fontconfig>
`;
  const file = join(home, 'fonts.conf');
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}

async function checkTextIsDrawn(browser: Browser): Promise<void> {
  const page = await browser.newPage();
  const drawn = await page.evaluate(`(() => {
    const canvas = document.createElement('canvas');
    const pen = canvas.getContext('2d');
    pen.font = '40px sans-serif';
    pen.fillText('Toprung', 10, 60);
    return pen.getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0);
  })()`);
  await page.close();
  if (drawn === true) return;
  await browser.close();
  throw new Error(
    'Chromium draws no text: it finds no fonts. Install some (fonts-dejavu) or use ' +
      'CHROMIUM_PATH=bundled.',
  );
}
