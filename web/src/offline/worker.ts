/**
 * The service worker: it shows the last state while the server is away. Everything comes from the
 * network first, except files whose name has the hash of their content. What it keeps belongs to
 * one person and workspace, and is deleted at sign-out. The build makes one script of this file.
 */
interface Waiting extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends Waiting {
  request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Client {
  postMessage(message: unknown): void;
}
interface WorkerScope {
  location: Location;
  registration: ServiceWorkerRegistration;
  clients: { claim(): Promise<void>; matchAll(): Promise<Client[]> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listen: (event: Waiting) => void): void;
  addEventListener(type: 'fetch', listen: (event: FetchEvent) => void): void;
  addEventListener(
    type: 'message',
    listen: (event: Waiting & { data: unknown; source: Client | null }) => void,
  ): void;
}

const scope = self as unknown as WorkerScope;
const prefix = 'toprung-';
/** Files and the document, without anybody's data. */
const shellCache = `${prefix}shell-__BUILD__`;
/** The last responses of one person in one workspace. */
const stateCache = `${shellCache}-state`;
const keptAtHeader = 'x-toprung-kept-at';
const responsesMax = 400;
const responseBytesMax = 2_000_000;
/** A page requests its first data with the session, and the session may respond last. */
const sessionMs = 30_000;
/** How long the server may take to show that it is there. */
const respondsMs = 10_000;

/** The path of PUBLIC_URL, with a slash at its end. */
const base = new URL('.', scope.location.href).pathname;
const apiBase = `${base}api/backend/`;
const ownerKey = `${base}state-owner`;
const sessionPath = 'auth/session';
/** Streams, polled progress and everything that is not the state of a workspace. */
const isNoState =
  /^(?:(?:live|health|metrics|diagnostics|openapi|docs|admin)(?:[/.]|$)|jobs\/\d|auth\/(?!session$))/;

/** Rises when what is kept is deleted: a response from before is not kept any more. */
let generation = 0;
/** Rises when files are deleted, too. */
let signOuts = 0;
/** Resolves once it is known whose state is kept. */
let owned = Promise.withResolvers<void>();
/** When the shown state was read; null while the server responds. */
let staleSince: string | null = null;

/** A proxy responds for the server, or the web origin for the API. A store may be away, too. */
async function isAway(response: Response): Promise<boolean> {
  if (response.status < 502 || response.status > 504) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const { code } = Object(body) as { code?: unknown };
  return code === undefined || code === 'unavailable';
}

let asking: Promise<boolean> | undefined;
/** One read may be slow or fail alone, while the server responds to all others. */
const responds = (): Promise<boolean> =>
  (asking ??= askSession().finally(() => (asking = undefined)));

async function askSession(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(respondsMs);
    return !(await isAway(await fetch(`${apiBase}${sessionPath}`, { signal })));
  } catch {
    return false;
  }
}

let locked: Promise<unknown> = Promise.resolve();
/** One at a time: to open a cache that is just deleted would create it again. */
function withLock<T>(work: () => Promise<T>): Promise<T> {
  const result = locked.then(work);
  locked = result.catch(() => undefined);
  return result;
}

/** Work that waits when a cache is deleted is skipped, so that the deletion does not wait. */
const openKept = (name: string, isCurrent: () => boolean): Promise<Cache | undefined> =>
  withLock(async () => (isCurrent() && (await caches.has(name)) ? caches.open(name) : undefined));

/** For work that begins now; false once somebody has signed out. */
function untilSignOut(): () => boolean {
  const begun = signOuts;
  return () => begun === signOuts;
}

async function keepShell(): Promise<void> {
  const isCurrent = untilSignOut();
  const document = await fetch(base, { cache: 'no-cache' });
  if (!document.ok) throw new Error(`the document has status ${document.status}`);
  const html = await document.clone().text();
  const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1]!);
  const cache = await withLock(async () => (isCurrent() ? caches.open(shellCache) : undefined));
  await cache?.addAll(files);
  await cache?.put(base, document);
}

async function deleteCaches(isOld: (name: string) => boolean): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix) && isOld(name));
  await Promise.all(names.map((name) => caches.delete(name)));
}

const deleteState = () => deleteCaches((name) => name.endsWith('-state'));

/** Deletes what is kept of a person. */
async function forgetState(): Promise<void> {
  generation += 1;
  owned = Promise.withResolvers();
  await withLock(deleteState);
}

async function signOut(): Promise<void> {
  generation += 1;
  signOuts += 1;
  await withLock(() => deleteCaches(() => true));
  await scope.registration.unregister();
}

/** The name of a file has the hash of its content. */
async function readAsset(request: Request): Promise<Response> {
  const isCurrent = untilSignOut();
  const kept = await caches.match(request, { cacheName: shellCache });
  if (kept) return kept;
  const response = await fetch(request);
  // A full disk does not fail the page.
  if (response.ok) await keepAsset(request, response.clone(), isCurrent).catch(() => undefined);
  return response;
}

async function keepAsset(
  request: Request,
  response: Response,
  isCurrent: () => boolean,
): Promise<void> {
  const cache = await openKept(shellCache, isCurrent);
  await cache?.put(request, response);
}

/** The document, and the few files with a fixed name. */
async function readShell(request: Request, key: Request | string): Promise<Response> {
  const findKept = () => caches.match(key, { cacheName: shellCache });
  try {
    const response = await fetch(request);
    return ((await isAway(response)) && (await findKept())) || response;
  } catch (error) {
    const kept = await findKept();
    if (kept) return kept;
    throw error;
  }
}

async function readApi(request: Request, path: string, event: FetchEvent): Promise<Response> {
  const begun = generation;
  try {
    const response = await fetch(request);
    if (await isAway(response)) return (await findStale(request, path)) ?? response;
    staleSince = null;
    if (response.status === 401) await forgetState();
    else if (response.ok) event.waitUntil(keepResponse(request, response.clone(), path, begun));
    return response;
  } catch (error) {
    // The page no longer waits for it.
    if (request.signal.aborted) throw error;
    const stale = await findStale(request, path);
    if (stale) return stale;
    throw error;
  }
}

/** Finds the kept response of a failed request; none while the server responds to others. */
async function findStale(request: Request, path: string): Promise<Response | undefined> {
  if (staleSince === null && path !== sessionPath && (await responds())) return undefined;
  const kept = await caches.match(request, { cacheName: stateCache, ignoreVary: true });
  const at = kept?.headers.get(keptAtHeader);
  if (!kept || !at) return undefined;
  if (staleSince === null || at < staleSince) staleSince = at;
  for (const client of await scope.clients.matchAll()) client.postMessage({ staleSince });
  return kept;
}

async function keepResponse(
  request: Request,
  response: Response,
  path: string,
  begun: number,
): Promise<void> {
  if (!response.headers.get('content-type')?.startsWith('application/json')) return;
  const body = await response.blob();
  if (body.size > responseBytesMax) return;
  if (path === sessionPath) await startState(await body.text(), begun);
  else if (!(await caches.has(stateCache))) await Promise.race([owned.promise, sleep(sessionMs)]);
  if (begun !== generation) return;
  const headers = new Headers(response.headers);
  headers.set(keptAtHeader, new Date().toISOString());
  const cache = await openKept(stateCache, () => begun === generation);
  if (!cache || begun !== generation) return;
  await cache.put(request, new Response(body, { headers }));
  const keys = await cache.keys();
  const oldest = keys.filter(({ url }) => new URL(url).pathname !== ownerKey);
  await Promise.all(
    oldest.slice(0, Math.max(0, oldest.length - responsesMax)).map((key) => cache.delete(key)),
  );
}

/** What is kept of somebody else, or of another workspace, is deleted. */
async function startState(session: string, begun: number): Promise<void> {
  const { user, workspace } = JSON.parse(session) as Record<'user' | 'workspace', { id: number }>;
  const owner = `${user.id}.${workspace.id}`;
  const known = await caches.match(ownerKey, { cacheName: stateCache });
  if ((await known?.text()) === owner || begun !== generation) return;
  const cache = await withLock(async () => {
    await deleteState();
    return begun === generation ? caches.open(stateCache) : undefined;
  });
  if (!cache) return;
  await cache.put(ownerKey, new Response(owner));
  owned.resolve();
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Signing in and out, another workspace and another password change whose state it is. */
async function writeAuth(request: Request, path: string): Promise<Response> {
  const response = await fetch(request);
  if (response.ok) await (path === 'auth/sign-out' ? signOut() : forgetState());
  return response;
}

scope.addEventListener('install', (event) => {
  event.waitUntil(keepShell().then(() => scope.skipWaiting()));
});

scope.addEventListener('activate', (event) => {
  const isOld = (name: string) => !name.startsWith(shellCache);
  event.waitUntil(withLock(() => deleteCaches(isOld)).then(() => scope.clients.claim()));
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== scope.location.origin || !pathname.startsWith(base)) return;
  if (pathname.startsWith(apiBase)) {
    const path = pathname.slice(apiBase.length);
    if (request.method !== 'GET') {
      if (path.startsWith('auth/')) event.respondWith(writeAuth(request, path));
    } else if (request.mode !== 'navigate' && !isNoState.test(path))
      event.respondWith(readApi(request, path, event));
    return;
  }
  if (request.method !== 'GET') return;
  if (pathname.startsWith(`${base}assets/`)) event.respondWith(readAsset(request));
  else if (request.mode === 'navigate') event.respondWith(readShell(request, base));
  else if (/\.(?:js|svg)$/.test(pathname)) event.respondWith(readShell(request, request));
});

/** A page of a signed-in person has started: it has loaded `files` before this worker was there. */
async function start(files: string[], client: Client | null): Promise<void> {
  const isCurrent = untilSignOut();
  client?.postMessage({ staleSince });
  if (!(await caches.has(shellCache))) await keepShell();
  const cache = await openKept(shellCache, isCurrent);
  for (const file of files) if (cache && !(await cache.match(file))) await cache.add(file);
}

scope.addEventListener('message', (event) => {
  const { files } = event.data as { files: string[] };
  event.waitUntil(start(files, event.source).catch(() => undefined));
});
