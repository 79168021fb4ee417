import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, newPage } from '../harness/browser.ts';

const browser: Browser | null = await launchBrowser();
afterAll(() => browser?.close());

describe.skipIf(browser === null)('a page that requests another machine', () => {
  let watched: Awaited<ReturnType<typeof newPage>>;
  beforeAll(async () => {
    watched = await newPage(browser!);
    // Another file may have left the page where its own policy forbids such requests.
    await watched.page.goto('about:blank');
  });

  test.each([
    'https://fonts.example.org/a.woff2',
    'http://192.0.2.7/pixel',
    'ws://push.example.org/feed',
  ])('%s is reported and not reached', async (url) => {
    const isReached = await watched.page.evaluate(async (address) => {
      if (!address.startsWith('ws'))
        return fetch(address, { mode: 'no-cors' }).then(
          () => true,
          () => false,
        );
      const socket = new WebSocket(address);
      return new Promise((resolve) => {
        socket.onopen = () => resolve(true);
        socket.onerror = () => resolve(false);
      });
    }, url);
    expect({ isReached, requested: watched.foreignRequests.splice(0) }).toEqual({
      isReached: false,
      requested: [url],
    });
  });
});
