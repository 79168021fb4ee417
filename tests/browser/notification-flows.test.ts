import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoEmail } from '#cli/demo-plan.ts';
import { launchBrowser, type WatchedPage } from '../harness/browser.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startReceiver, type Receiver } from '../harness/receiver.ts';
import { startMailServer, type MailServer } from '../harness/smtp.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

keepOrder('each flow reads what the flow before it sent');

const browser = await launchBrowser();

describe.skipIf(!browser)('notifications', () => {
  let testApp: DemoTestApp;
  let receiver: Receiver;
  let mail: MailServer;
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    [receiver, mail] = await Promise.all([startReceiver(), startMailServer()]);
    const environment = {
      WEBHOOK_ALLOWED_SUBNETS: '127.0.0.0/8',
      SMTP_URL: mail.url,
      MAIL_FROM: 'Toprung <aso@example.org>',
      PUBLIC_URL: 'http://aso.example.org',
    };
    testApp = await startDemoTestApp({ environment });
    watched = await testApp.open(browser!, '/digest');
    page = watched.page;
  });
  afterAll(async () => {
    await browser!.close();
    await Promise.all([testApp.stop(), receiver.close(), mail.close()]);
  });

  test('the digest shows another week, the email as sent, and its settings', async () => {
    const span = page
      .locator('h1 ~ *, header')
      .getByText(/ to .*, UTC$/)
      .first();
    const newest = await span.textContent();
    await page.getByRole('link', { name: 'Previous week' }).click();
    await page.waitForURL(/week=/);
    await expect.poll(() => span.textContent()).not.toBe(newest);
    await page.getByRole('link', { name: 'Next week' }).click();
    await expect.poll(() => span.textContent()).toBe(newest);

    await page.getByRole('button', { name: 'Show email' }).click();
    const app = await page.locator('#main h2 a').first().textContent();
    await page.frameLocator('iframe[title="Email preview"]').getByText(app!).first().waitFor();

    const made = page.getByRole('switch', { name: 'Send a weekly digest' });
    const readers = page.getByRole('combobox', { name: 'Email recipients' });
    await made.click({ force: true });
    await page.getByText('Saved', { exact: true }).waitFor();
    await expect.poll(() => readers.isDisabled()).toBe(true);
    // It is disabled, too, until the change is saved.
    await expect.poll(() => made.isEnabled()).toBe(true);
    await made.click({ force: true });
    await expect.poll(() => readers.isDisabled()).toBe(false);
    await readers.click();
    const isSaved = page.waitForResponse(
      (response) => response.request().method() === 'PUT' && response.ok(),
    );
    await page.getByRole('option', { name: 'Everyone' }).click();
    await isSaved;
    await page.reload();
    await expect.poll(() => readers.inputValue()).toBe('Everyone');
    await expect.poll(() => made.isChecked()).toBe(true);
    const { rows } = await testApp.pool.query(
      'select rules from alert_rules where workspace_id = $1',
      [testApp.workspaceId],
    );
    expect(rows[0].rules).toContainEqual(
      expect.objectContaining({ event: 'digest.weekly', enabled: true, mailTo: 'everyone' }),
    );
    expect(watched.consoleErrors).toEqual([]);
  });

  test('the digest is emailed and sent to the webhook; failed deliveries are resent', async () => {
    await goTo(page, '/alerts?tab=webhooks');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await dialog.getByRole('button', { name: 'Clear all' }).click();
    await dialog.getByRole('checkbox', { name: 'Weekly digest' }).check();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByRole('button', { name: 'Done' }).click();

    await goTo(page, '/digest');
    await page.getByRole('link', { name: 'Change day and hour' }).click();
    await page.getByRole('combobox', { name: 'Digest hour' }).click();
    await page.getByRole('option', { name: '00:00 UTC' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Settings saved.').waitFor();
    // Before the first digest of this week.
    receiver.respond = (response) => response.writeHead(410).end('nobody lives here');
    await testApp.pool.query("delete from events where type = 'digest.weekly'");
    await testApp.pool.query('delete from sent_digests');
    testApp.startWorker();
    await Promise.all([mail.waitFor(1), receiver.waitFor(1)]);
    expect(mail.mails[0]!.to).toEqual([demoEmail]);

    const turnedOff = () =>
      testApp.pool
        .query('select disabled_by from webhooks')
        .then(({ rows }) => rows[0].disabled_by);
    await expect.poll(turnedOff).toBe('gone');
    receiver.respond = (response) => response.writeHead(200).end('ok');
    await goTo(page, '/alerts?tab=webhooks');
    // A receiver that responds 410 gets nothing more until the webhook is enabled again.
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Resend failed deliveries' }).click();
    await page.getByRole('menuitem', { name: 'From the last day' }).click();
    await receiver.waitFor(2);
    await page.getByText('Completed: 1 of 1').waitFor({ timeout: 60_000 });

    await page
      .getByRole('region', { name: 'Deliveries', exact: true })
      .getByRole('link', { name: 'Weekly digest' })
      .click();
    const drawer = page.getByRole('dialog', { name: 'Weekly digest' });
    const tries = drawer.getByRole('region', { name: 'Attempts' }).getByRole('listitem');
    await expect
      .poll(() => tries.allTextContents())
      .toEqual([expect.stringContaining('response 200'), expect.stringContaining('response 410')]);
    await drawer.getByRole('button', { name: 'Resend' }).click();
    await receiver.waitFor(3);
    await expect.poll(() => tries.count()).toBe(3);
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(ids[0]).toBeTruthy();
    expect(new Set(ids).size).toBe(1);
    expect(watched.consoleErrors).toEqual([]);
  });

  test('an unconfirmed address shows a banner on every page until it is confirmed', async () => {
    await testApp.change('update users set email_confirmed_at = null where email = $1', [
      demoEmail,
    ]);
    await page.goto(`${testApp.webUrl}/methodology`);
    const banner = page
      .getByRole('status')
      .filter({ hasText: `Confirm your email address. We sent a link to ${demoEmail}.` });
    await banner.waitFor();
    await banner.getByRole('button', { name: 'Resend' }).click();
    await page.getByText(`We sent a new link to ${demoEmail}.`).waitFor();
    // The worker may send other emails at the same time.
    const findPath = () =>
      mail.mails.flatMap(({ text }) => /\/confirm-email#\S+/.exec(text)?.[0] ?? []).at(-1);
    await expect.poll(findPath).toBeTruthy();
    const path = findPath()!;
    // A signed-out visitor needs the password, and sees what to do about a foreign account.
    const elsewhere = await page.context().browser()!.newContext();
    const stranger = await elsewhere.newPage();
    await stranger.goto(`${testApp.webUrl}${path}`);
    await stranger.getByLabel(/^Password/).waitFor();
    await stranger.getByRole('link', { name: 'Set a new password' }).waitFor();
    await stranger.getByLabel(/^Password/).fill('not-the-password-9');
    await stranger.getByRole('button', { name: 'Confirm', exact: true }).click();
    await stranger.getByText('Wrong password for this account').waitFor();
    await elsewhere.close();
    await page.goto(`${testApp.webUrl}${path}`);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText('Your email address is confirmed.').waitFor();
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await page.locator('[data-frame="page"] h1').first().waitFor();
    await expect.poll(() => banner.count()).toBe(0);
    expect(watched.consoleErrors).toEqual([]);
    // The link worked once.
    await page.goto(`${testApp.webUrl}${path}`);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText('This link is no longer valid').waitFor();
  });
});
