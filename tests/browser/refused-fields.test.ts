import { setTimeout as delay } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { demoEmail } from '#cli/demo-plan.ts';
import { launchBrowser } from '../harness/browser.ts';
import { draw } from '../harness/short-form.ts';
import { audit } from './accessibility-audit.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';

const browser = await launchBrowser();
/** The window of a small laptop, lower than the form of a webhook. */
const laptop = { width: 1366, height: 660 };

interface RefusedField {
  path: () => string;
  open: string;
  field: string;
  value: string;
  /** What the API refuses, in the language of the page. */
  text: string;
}

describe.skipIf(!browser)('a value that the API refuses', () => {
  let testApp: DemoTestApp;
  beforeAll(async () => {
    testApp = await startDemoTestApp();
  });
  afterEach(() => testApp.pool.query('delete from webhooks'));
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  const openIn = async (language: string, path: string) => {
    const watched = await testApp.open(browser!, '/methodology', laptop);
    await watched.page.evaluate(
      (code) => localStorage.setItem('toprung.language', JSON.stringify(code)),
      language,
    );
    await watched.page.goto(`${testApp.webUrl}${path}`);
    return watched;
  };
  /** Whether all of it is in the window, and nothing is above it. */
  const isShown = (found: Locator) =>
    found.evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return top >= 0 && bottom <= innerHeight && element.contains(above);
    });
  const focused = (page: Page) =>
    page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value);

  const refused: Record<string, RefusedField> = {
    'the URL of a webhook': {
      path: () => '/alerts?tab=webhooks',
      open: 'Webhook hinzufügen',
      field: 'URL',
      value: 'http://10.0.0.1/hook',
      text: 'Geben Sie eine URL im öffentlichen Internet ein',
    },
    'the URL of a chat': {
      path: () => '/alerts?tab=webhooks',
      open: 'Webhook hinzufügen',
      field: 'URL',
      value: 'https://api.telegram.org/bot1:x/sendMessage',
      text: 'Ergänzen Sie die URL um ?chat_id=',
    },
    'the address of a member': {
      path: () => '/members',
      open: 'Mitglied einladen',
      field: 'E-Mail',
      value: demoEmail,
      text: 'Diese Adresse gehört bereits einem Mitglied.',
    },
    'the URL of a competitor': {
      path: () => `/apps/${testApp.apps.ios}/competitors`,
      open: 'Wettbewerber hinzufügen',
      field: 'Store-URL oder ID',
      value: 'https://play.google.com/store/apps/details?id=com.example.app',
      text: 'Geben Sie die URL oder ID einer anderen App aus demselben Store ein.',
    },
  };

  test.each(draw('refused fields', 2, Object.entries(refused)))(
    'is explained at its field, in the language of the page: %s',
    async (_, { path, open, field, value, text }) => {
      const { page, close } = await openIn('de', path());
      await page.getByRole('button', { name: open }).first().click();
      const dialog = page.getByRole('dialog');
      const input = dialog.getByRole('textbox', { name: field });
      await input.fill(value);
      // The button is at the end of the form.
      await dialog.locator('form').getByRole('button').last().click();
      const error = dialog.getByRole('alert');
      await error.waitFor();
      expect(await error.textContent()).toContain(text);
      await expect.poll(() => isShown(error)).toBe(true);
      expect([await isShown(input), await focused(page)]).toEqual([true, value]);
      const described = await input.getAttribute('aria-describedby');
      expect(await input.getAttribute('aria-invalid')).toBe('true');
      expect(described!.split(' ')).toContain(
        await error.evaluate(({ parentElement }) => parentElement!.id),
      );
      expect(await audit(page)).toEqual([]);
      await close();
    },
  );

  test('without a field of its own is explained in front of the button', async () => {
    const { page, close } = await openIn('en', '/alerts?tab=webhooks');
    await page.route('**/api/backend/webhooks', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog');
    const url = dialog.getByRole('textbox', { name: 'URL' });
    await url.fill('https://example.com/hook');
    await url.press('Enter');
    const notice = dialog.getByRole('alert');
    await notice.waitFor();
    expect(await notice.textContent()).toContain('No connection to Toprung');
    await expect.poll(() => isShown(notice)).toBe(true);
    await close();
  });

  test.each([
    ['https://example.com/hook', 'Done', 0],
    ['https://example.com/hook', 'Done', 1_500],
    ['https://hooks.slack.com/services/T0/B0/x', null, 0],
  ])(
    'once accepted, the focus is at the button of the list: %s %s %i',
    async (address, last, ms) => {
      const { page, close } = await openIn('en', '/alerts?tab=webhooks');
      await page.getByText('No webhooks yet').waitFor();
      // The list arrives after the dialog has closed.
      await page.route('**/api/backend/webhooks?*', async (route) => {
        await delay(ms);
        await route.continue();
      });
      await page.getByRole('button', { name: 'Add webhook' }).click();
      const dialog = page.getByRole('dialog');
      const url = dialog.getByRole('textbox', { name: 'URL' });
      await url.fill('example.com');
      await dialog.getByRole('button', { name: 'Add webhook' }).click();
      await dialog.getByText('Enter a URL that starts with').waitFor();
      expect([await isShown(url), await focused(page)]).toEqual([true, 'example.com']);
      await url.fill(address);
      await url.press('Enter');
      if (last !== null) await dialog.getByRole('button', { name: last }).click();
      await dialog.waitFor({ state: 'hidden' });
      await page.getByText('1 webhook', { exact: true }).waitFor();
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.textContent))
        .toBe('Add webhook');
      await close();
    },
  );
});
