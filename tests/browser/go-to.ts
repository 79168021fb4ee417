import type { Page } from 'playwright-core';

interface Router {
  subscribe(
    event: 'onRendered',
    listener: (event: { toLocation: { href: string } }) => void,
  ): () => void;
}

/**
 * Like a click on a link: the open page stays and renders another, which is done when this
 * resolves.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.waitForFunction(
    () => '__TSR_ROUTER__' in window && document.querySelector('.starting') === null,
  );
  await page.evaluate(
    (to) =>
      new Promise<void>((resolve) => {
        if (location.pathname + location.search === to) return resolve();
        const { __TSR_ROUTER__: router } = window as unknown as { __TSR_ROUTER__: Router };
        const stop = router.subscribe('onRendered', ({ toLocation }) => {
          // A page may change its address before it is rendered for the first time.
          const isReplaced = location.pathname + location.search !== to;
          if (toLocation.href !== to && !isReplaced) return;
          stop();
          resolve();
        });
        history.pushState(null, '', to);
      }),
    path,
  );
}
