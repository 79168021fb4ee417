import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, newPage, type WatchedPage } from '../harness/browser.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { audit, overflowOf } from './accessibility-audit.ts';
import { setColorScheme } from './color-scheme.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';

const browser = await launchBrowser();
keepOrder('a link is created, opened and revoked');

const password = 'clients only';

describe.skipIf(!browser)('shared reports', () => {
  let testApp: DemoTestApp;
  let owner: WatchedPage;
  let reader: WatchedPage;
  let page: Page;
  const links: string[] = [];

  beforeAll(async () => {
    testApp = await startDemoTestApp();
    owner = await testApp.open(browser!, `/apps/${testApp.apps.ios}`);
    page = owner.page;
  });
  afterAll(async () => {
    await browser?.close();
    await testApp.stop();
  });

  /** Returns the link, which is shown once. */
  const share = async (name: string, more: (dialog: ReturnType<Page['getByRole']>) => unknown) => {
    await page.getByRole('button', { name: 'Share a report' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill(name);
    await more(dialog);
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = (await dialog.getByTestId('report-link').textContent())!;
    expect(await audit(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('listitem').filter({ hasText: name }).waitFor();
    expect(await page.content()).not.toContain(link.split('#')[1]);
    links.push(link);
    return link;
  };
  const positions = (on: Page) =>
    on
      .getByRole('region', { name: 'Keywords' })
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) =>
          [0, 3].map((cell) => row.children[cell]!.textContent?.replace(/\s+/g, ' ').trim()),
        ),
      );

  test('are created on the page that the overview links to', async () => {
    await page.getByRole('link', { name: 'Share report' }).click();
    await page.getByText('No shared reports').waitFor();
    await page.setViewportSize({ width: 375, height: 812 });
    await page.getByRole('button', { name: 'Share a report' }).click();
    const form = page.getByRole('dialog').locator('form');
    await form.waitFor();
    expect(
      await form.evaluate((element) =>
        Math.max(
          ...[...element.querySelectorAll('label, input')].map(
            (inner) => inner.getBoundingClientRect().right,
          ),
        ),
      ),
    ).toBeLessThanOrEqual(375 - 16);
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await audit(page)).toEqual([]);
    const link = await share('Monthly report', async (dialog) => {
      await dialog.getByRole('combobox', { name: 'Country' }).click();
      await page.getByRole('option', { name: 'Germany' }).click();
      await dialog.getByText('7 days', { exact: true }).click();
    });
    expect(link).toMatch(/\/report#[\w-]{43}$/);
    await page.getByText(/Germany · 7 days$/).waitFor();
    await page.getByText('never opened · does not expire').waitFor();
  });

  test('show the positions of the API to people without an account', async () => {
    reader = await newPage(browser!);
    await reader.page.goto(links[0]!);
    await reader.page.getByRole('heading', { name: 'Monthly report' }).waitFor();
    const { comparison } = await reader.page.evaluate(
      async (secret) =>
        (
          await fetch('/api/backend/reports/open', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ token: secret }),
          })
        ).json(),
      links[0]!.split('#')[1],
    );
    const days = `a=${comparison.from}&b=${comparison.to}`;
    const compared: { items: { phrase: string; b: { position: number | null } | null }[] } =
      await page.evaluate(
        async (path) => (await fetch(`/api/backend${path}`)).json(),
        `/apps/${testApp.apps.ios}/rankings/compare?${days}&country=de&limit=500`,
      );
    expect(compared.items.length).toBeGreaterThan(3);
    await expect
      .poll(async () => (await positions(reader.page)).length)
      .toBe(compared.items.length);
    const shown = new Map(
      (await positions(reader.page)).map(([phrase, position]) => [phrase, position]),
    );
    for (const { phrase, b } of compared.items)
      expect(shown.get(phrase), phrase).toContain(
        b === null ? '–' : b.position === null ? '>' : String(b.position),
      );
    await reader.page.getByText(/^Germany · /).waitFor();
    expect(reader.foreignRequests).toEqual([]);
    expect(reader.consoleErrors).toEqual([]);
  });

  test('keep their link under every control of the page', async () => {
    const { page: read, consoleErrors } = reader;
    const { hash } = new URL(links[0]!);
    const isShown = async () => {
      await read.getByRole('heading', { name: 'Monthly report' }).waitFor();
      expect(new URL(read.url()).hash).toBe(hash);
    };
    const choose = async (button: RegExp, item: string) => {
      await read.getByRole('button', { name: button }).click();
      await read.getByRole('menuitemradio', { name: item }).click();
      await read.keyboard.press('Escape');
      await read.getByRole('menu').waitFor({ state: 'detached' });
    };
    const table = read.getByRole('region', { name: 'Keywords' });
    for (const order of ['ascending', 'descending']) {
      await table.getByRole('button', { name: 'Sort by Phrase' }).click();
      await table.locator(`th[aria-sort=${order}]`, { hasText: 'Phrase' }).waitFor();
      await isShown();
    }
    const sorted = await positions(read);
    await read.getByRole('link', { name: 'Skip to content' }).press('Enter');
    await expect.poll(() => read.evaluate(() => document.activeElement?.id)).toBe('main');
    await isShown();
    await choose(/^Language/, 'Deutsch');
    await read.getByRole('button', { name: 'Drucken oder als PDF speichern' }).waitFor();
    await isShown();
    await choose(/^Sprache/, 'English');
    await choose(/^Theme/, 'Dark');
    await choose(/^Theme/, 'System');
    await read.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', '');
    });
    await read.getByRole('button', { name: 'Print or save as PDF' }).click();
    await read.locator('body[data-printed]').waitFor();
    await isShown();
    await read.reload();
    await isShown();
    await expect.poll(() => positions(read)).toEqual(sorted);
    expect(consoleErrors).toEqual([]);
  });

  test.each(['light', 'dark'] as const)('are readable on a phone, %s', async (scheme) => {
    await reader.page.setViewportSize({ width: 375, height: 812 });
    await setColorScheme(reader.page, scheme);
    await reader.loaded();
    await expect.poll(() => overflowOf(reader.page)).toBeLessThanOrEqual(0);
    const heads = await reader.page
      .getByRole('region', { name: 'Keywords' })
      .getByRole('columnheader')
      .evaluateAll((all) =>
        all.map((head) => ({
          text: head.textContent,
          width: head.clientWidth,
          right: head.getBoundingClientRect().right,
        })),
      );
    const inView = heads.filter(({ width, right }) => width > 0 && right < 375);
    expect(inView.filter(({ text }) => /^\w+ \d+$/.test(text))).toHaveLength(2);
    expect(await audit(reader.page)).toEqual([]);
    await reader.page.setViewportSize({ width: 1280, height: 800 });
    expect(await audit(reader.page)).toEqual([]);
  });

  test('ask for their password, and name a wrong one', async () => {
    const link = await share('For clients', (dialog) =>
      dialog.getByLabel('Password (optional)').fill(password),
    );
    await reader.page.goto('about:blank');
    await reader.page.goto(link);
    const field = reader.page.getByLabel(/^Password/);
    await field.fill('not this one');
    expect(await audit(reader.page)).toEqual([]);
    await reader.page.getByRole('button', { name: 'Open report' }).click();
    await reader.page.getByText('This is not the password of the report').waitFor();
    expect(await audit(reader.page)).toEqual([]);
    await field.fill(password);
    await reader.page.getByRole('button', { name: 'Open report' }).click();
    await reader.page.getByRole('heading', { name: 'For clients' }).waitFor();
  });

  test('are printed with all rows and without controls', async () => {
    await reader.page.emulateMedia({ media: 'print' });
    await expect
      .poll(() => reader.page.getByRole('button', { name: 'Print or save as PDF' }).isVisible())
      .toBe(false);
    await expect.poll(async () => (await positions(reader.page)).length).toBe(36);
    await reader.page.emulateMedia({ media: null });
  });

  test('are not available while the workspace is suspended', async () => {
    const setSuspended = (at: string) =>
      testApp.change(`update workspaces set suspended_at = ${at} where id = $1`, [
        testApp.workspaceId,
      ]);
    await setSuspended('now()');
    await reader.page.goto('about:blank');
    await reader.page.goto(links[0]!);
    await reader.page
      .getByRole('heading', { name: 'This report is not available at the moment' })
      .waitFor();
    expect(await audit(reader.page)).toEqual([]);
    await setSuspended('null');
  });

  test('are gone for their readers once they are not shared any more', async () => {
    await page.getByRole('button', { name: 'Stop sharing Monthly report' }).click();
    await page.getByText('Monthly report is no longer shared').waitFor();
    await expect
      .poll(() => page.getByRole('listitem').filter({ hasText: 'Monthly report' }).count())
      .toBe(0);
    await reader.page.goto('about:blank');
    await reader.page.goto(links[0]!);
    await reader.page.getByRole('heading', { name: 'This report is no longer here' }).waitFor();
    expect(await audit(reader.page)).toEqual([]);
  });
});
