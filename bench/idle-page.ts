import type { Page, Request } from 'playwright-core';
import { placeholder } from '#tests/harness/browser.ts';

const quietMs = 250;
const lookEveryMs = 10;
const longestMs = 60_000;
/** The stream of changes; and pictures, which are requested again until a store has sent them. */
const uncounted = new Set(['eventsource', 'image']);

interface IdlePage {
  /** From the address until no request was pending and no placeholder was left. */
  ms: number;
  /** The responses of the API. */
  responses: { path: string; ms: number }[];
}

/**
 * Opens an address and waits until the page has been quiet for a while, which does not count. Each
 * look waits for the page's thread, so rendering counts.
 */
export async function openUntilIdle(page: Page, url: string): Promise<IdlePage> {
  const pending = new Set<Request>();
  const responses: IdlePage['responses'] = [];
  const begin = (request: Request) => {
    if (!uncounted.has(request.resourceType())) pending.add(request);
  };
  const end = (request: Request) => {
    pending.delete(request);
    const { pathname, search } = new URL(request.url());
    if (request.resourceType() === 'fetch')
      responses.push({ path: pathname + search, ms: request.timing().responseEnd });
  };
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
  try {
    const start = performance.now();
    await page.goto(url, { waitUntil: 'commit' });
    let quietSince: number | null = null;
    for (;;) {
      const isQuiet = pending.size === 0 && (await isDrawn(page)) && pending.size === 0;
      const now = performance.now();
      quietSince = isQuiet ? (quietSince ?? now) : null;
      if (quietSince !== null && now - quietSince >= quietMs)
        return { ms: quietSince - start, responses };
      if (now - start > longestMs)
        throw new Error(
          `${url} does not become idle: ${[...pending].map((one) => one.url()).join(' ')}`,
        );
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  } finally {
    page.off('request', begin).off('requestfinished', end).off('requestfailed', end);
  }
}

const isDrawn = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(
    `document.querySelector('main, h1') !== null
      && document.querySelector(${JSON.stringify(placeholder)}) === null`,
  );
