import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLinkSecret } from '../../src/domain/accounts/links.ts';
import { demoEmail } from '../../src/cli/demo-plan.ts';
import { launchBrowser, newPage } from '../harness/browser.ts';
import { audit, overflowOf } from './audit.ts';
import { startDemoStage, type DemoStage } from './demo-stage.ts';

const browser = await launchBrowser();
const tabs = ['general', 'display', 'account', 'tokens', 'usage', 'audit', 'workspace'] as const;
const modes = (['light', 'dark'] as const).flatMap((colorScheme) => [1280, 375].map((width) => ({ colorScheme, width })));

/** What a copied call asks for, as a shell would send it. */
function readCurl(command: string, token: string) {
  const quoted = [...command.matchAll(/'((?:[^']|'\\'')*)'/g)].map((match) => match[1]!.replaceAll(`'\\''`, "'"));
  const url = quoted.find((text) => text.startsWith('http'))!;
  const body = quoted.find((text) => text.startsWith('{'));
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  return fetch(url, { method: /-X (\w+)/.exec(command)?.[1] ?? 'GET', headers, ...(body && { body }) });
}

describe.skipIf(!browser)('settings', () => {
  let stage: DemoStage;
  beforeAll(async () => {
    stage = await startDemoStage();
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await stage.stop();
  });
  const open = (tab: string, options?: Parameters<typeof newPage>[1]) => stage.open(browser!, `/settings?tab=${tab}`, options);

  describe.each(modes)('$colorScheme at $width', ({ colorScheme, width }) => {
    test('every part', async () => {
      const { page, consoleErrors, foreignRequests, close } = await open('general', { colorScheme, width });
      for (const tab of tabs) {
        await page.goto(`${stage.webUrl}/settings?tab=${tab}`);
        await page.locator('#main section').first().waitFor();
        await page.waitForLoadState('networkidle');
        expect({ tab, violations: await audit(page) }).toEqual({ tab, violations: [] });
        expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      }
      expect({ consoleErrors, foreignRequests }).toEqual({ consoleErrors: [], foreignRequests: [] });
      await close();
    }, 60_000);
  });

  test('defaults are saved and stay; what is no whole number is refused in place; times follow the zone, days do not', async () => {
    const { page, consoleErrors, close } = await open('general');
    const depth = page.getByRole('textbox', { name: 'Depth of new keywords' });
    await depth.fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('A whole number from 1 to 200').waitFor();
    await depth.fill('120');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('kiritimati');
    await page.getByRole('option', { name: 'Pacific/Kiritimati' }).click();
    await page.getByRole('combobox', { name: 'Day of the digest' }).click();
    await page.getByRole('option', { name: 'Thursday' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved.').waitFor();
    await page.reload();
    await expect.poll(() => depth.inputValue()).toBe('120');
    expect(await page.getByRole('combobox', { name: 'Day of the digest' }).inputValue()).toBe('Thursday');
    await page.getByRole('link', { name: /^Capacity.*GMT\+14/ }).waitFor();
    await depth.fill('50');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    expect(await depth.inputValue()).toBe('120');
    const { rows } = await stage.pool.query('select settings from settings where workspace_id = $1', [stage.workspaceId]);
    expect(rows[0].settings).toMatchObject({ defaultDepth: 120, timezoneForDisplay: 'Pacific/Kiritimati', digestDay: 'thursday' });
    expect(consoleErrors).toEqual([]);
    await close();
  }, 60_000);

  test('the calls to copy work as they stand, with a token just made', async () => {
    const { page, close } = await open('tokens');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Script');
    await page.getByRole('dialog').getByText('Read only', { exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    const token = (await page.getByTestId('token').textContent())!;
    await page.getByRole('button', { name: 'I have kept it' }).click();
    const statuses: Record<string, number> = {};
    for (const name of ['apps', 'add', 'latest', 'csv']) {
      const answer = await readCurl((await page.getByTestId(`snippet-${name}`).textContent())!, token);
      statuses[name] = answer.status;
      if (name === 'csv') expect(await answer.text()).toMatch(/^date,/);
      else await answer.arrayBuffer();
    }
    expect(statuses).toEqual({ apps: 200, add: 201, latest: 200, csv: 200 });
    await close();
  }, 60_000);

  test('usage is drawn, and is a table too; allowances say when they begin anew', async () => {
    const { page, close } = await open('usage');
    await page.getByRole('img', { name: /API requests from/ }).waitFor();
    await page.getByRole('radio', { name: 'Table' }).check({ force: true });
    const today = new Date().toISOString().slice(0, 10);
    await page.getByRole('row', { name: new RegExp(`^${today}`) }).waitFor();
    await page.getByRole('radio', { name: '90 days' }).check({ force: true });
    await page.waitForURL('**period=90*');
    await page.getByRole('cell', { name: 'Run the daily checks of an app now' }).waitFor();
    await page.getByRole('cell', { name: 'Browsers (sessions)' }).waitFor();
    await close();
  }, 60_000);

  test('the audit log is filtered by the address and goes on further', async () => {
    const at = new Date(Date.now() - 3_600_000);
    await stage.pool.query(
      `insert into audit (workspace_id, at, actor, credential, action, subject, detail)
        select $1, $2, 'robot@example.org', 'session', 'app.changed', 'app ' || n, '{"fields": 2}' from generate_series(1, 60) n`,
      [stage.workspaceId, at],
    );
    const { page, close } = await open('audit&action=app.changed&actor=robot@example.org');
    const rows = page.locator('#main tbody tr');
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBe(60);
    await page.getByRole('textbox', { name: 'Who' }).fill('nobody@example.org');
    await page.getByText('Nothing was changed').waitFor();
    await page.waitForURL('**actor=nobody*');
    await page.goto(`${stage.webUrl}/settings?tab=audit&action=token.created`);
    await page
      .getByRole('cell', { name: /in a browser/ })
      .first()
      .waitFor();
    expect(await page.getByRole('cell', { name: 'App changed' }).count()).toBe(0);
    await close();
  }, 60_000);

  test('an answer that fails is told and can be asked for again; a suspended workspace is read, not changed', async () => {
    const { page, close } = await open('display');
    let broken = true;
    await page.route('**/api/backend/workspace/usage*', (route) => (broken ? route.abort() : route.continue()));
    await page.getByRole('link', { name: 'API usage' }).click();
    await page.getByRole('alert').getByText('No connection to Toprung').waitFor({ timeout: 20_000 });
    broken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('img', { name: /API requests from/ }).waitFor();
    await stage.pool.query("update workspaces set state = 'suspended' where id = $1", [stage.workspaceId]);
    await page.goto(`${stage.webUrl}/settings`);
    await page.getByText('This workspace is suspended: it can be read').waitFor();
    expect(await page.getByRole('textbox', { name: 'Depth of new keywords' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await stage.pool.query("update workspaces set state = 'live' where id = $1", [stage.workspaceId]);
    await close();
  }, 60_000);

  test('a forgotten password: the page says what to do; a link sets a new one, once', async () => {
    const { page, close } = await newPage(browser!);
    await page.goto(`${stage.webUrl}/sign-in`);
    await page.getByRole('link', { name: 'Forgotten your password?' }).click();
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
    expect(await audit(page)).toEqual([]);
    await page.getByLabel('E-mail').fill('somebody@example.org');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('This instance sends no mail.').waitFor();
    const { secret, hash } = createLinkSecret();
    await stage.pool.query(
      "insert into password_resets (secret_hash, user_id, created_at, expires_at) select $1, id, now(), now() + interval '1 hour' from users where email = $2",
      [hash, demoEmail],
    );
    await page.goto(`${stage.webUrl}/reset-password#${secret}`);
    const fields = page.locator('input[type="password"]');
    await fields.nth(0).fill('lantern-quilt-harbour-7');
    await fields.nth(1).fill('lantern-quilt-harbour-8');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('The two differ.').waitFor();
    await fields.nth(1).fill('lantern-quilt-harbour-7');
    expect(await audit(page)).toEqual([]);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(`${stage.webUrl}/reset-password`);
    await page.getByText('This link is not valid any more').waitFor();
    await page.goto(`${stage.webUrl}/sign-in`);
    await page.getByLabel('E-mail').fill(demoEmail);
    await page.locator('input[type="password"]').fill('lantern-quilt-harbour-7');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Keywords', level: 1 }).waitFor();

    // Signed in anew: the workspace is deleted only by writing out its name, and nothing of it is left.
    await page.goto(`${stage.webUrl}/settings?tab=workspace`);
    await page.getByRole('button', { name: 'Delete the workspace' }).click();
    const dialog = page.getByRole('dialog');
    const { rows } = await stage.pool.query('select name from workspaces where id = $1', [stage.workspaceId]);
    await dialog.getByRole('textbox').fill(`${rows[0].name}?`);
    expect(await dialog.getByRole('button', { name: 'Delete the workspace' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill(rows[0].name);
    expect(await audit(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete the workspace' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect((await stage.pool.query('select from workspaces where id = $1', [stage.workspaceId])).rowCount).toBe(0);
    await close();
  }, 60_000);
});
