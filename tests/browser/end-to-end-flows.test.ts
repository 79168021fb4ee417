import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoEmail } from '#cli/demo-plan.ts';
import { createLinkSecret } from '#domain/accounts/auth/link-secrets.ts';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { launchBrowser, newPage, type WatchedPage } from '../harness/browser.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { demoPassword } from '../harness/demo-database.ts';
import { createDataDir, removeDataDir } from '../harness/product.ts';
import { startReceiver, type Receiver } from '../harness/receiver.ts';
import { connectAiClients } from './ai-clients.ts';
import { audit, overflowOf } from './accessibility-audit.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

keepOrder('each flow goes on with what the flows before it made, on one page');

const browser = await launchBrowser();
const today = utcDayOf(new Date());
/** For the work of the worker, which may still be starting. */
const slow = 120_000;

/** The file that a button saves. */
async function save(
  page: Page,
  press: () => Promise<void>,
): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

/** The request of a copied call, as a shell would send it. */
function sendCurl(command: string, token: string): Promise<Response> {
  const quoted = [...command.matchAll(/'((?:[^']|'\\'')*)'/g)].map((match) =>
    match[1]!.replaceAll(`'\\''`, "'"),
  );
  const url = quoted.find((text) => text.startsWith('http'))!;
  const body = quoted.find((text) => text.startsWith('{'));
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': 'application/json' }),
  };
  return fetch(url, {
    method: /-X (\w+)/.exec(command)?.[1] ?? 'GET',
    headers,
    ...(body && { body }),
  });
}

describe.skipIf(!browser)('with a worker running', () => {
  let testApp: DemoTestApp;
  let folder: string;
  let receiver: Receiver;
  let watched: WatchedPage;
  let page: Page;
  /** Requests and responses, which the console's line about them lacks. */
  const refusals: string[] = [];
  beforeAll(async () => {
    [testApp, folder, receiver] = await Promise.all([
      startDemoTestApp({ worker: true, environment: { WEBHOOK_ALLOWED_SUBNETS: '127.0.0.0/8' } }),
      createDataDir(),
      startReceiver(),
    ]);
    watched = await testApp.open(browser!, '/methodology');
    page = watched.page;
    page.on('response', async (response) => {
      if (response.status() < 400) return;
      const [sent, received] = [response.request().postData(), await response.text().catch(String)];
      refusals.push(`${response.url()}: ${sent?.slice(0, 1_000)}: ${received}`);
    });
  });
  afterAll(async () => {
    await browser!.close();
    await Promise.all([testApp.stop(), receiver.close()]);
    await removeDataDir(folder);
  });
  const complaints = () => ({
    errors: watched.consoleErrors.splice(0),
    refusals: refusals.splice(0),
    foreign: watched.foreignRequests.splice(0),
  });
  const none = { errors: [], refusals: [], foreign: [] };
  const write = (name: string, text: string | Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  test('a test of a webhook shows both deliveries with their responses in the log', async () => {
    await goTo(page, '/alerts?tab=webhooks');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    // The day continues meanwhile: only the test notifies about this.
    await page.getByRole('dialog').getByRole('button', { name: 'Clear all' }).click();
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Weekly digest' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    receiver.respond = (response) => response.writeHead(500).end('not today');
    const tryIt = async () => {
      await page.getByRole('button', { name: 'Send test event' }).click();
      await page.getByRole('menuitem', { name: 'Weekly digest' }).click();
    };
    await tryIt();
    await page.getByText('Test event not delivered.').waitFor({ timeout: slow });
    receiver.respond = (response) => response.writeHead(200).end('ok');
    await tryIt();
    await page.getByText('Test event delivered.', { exact: true }).waitFor({ timeout: slow });
    // On a Monday, the weekly digest itself is in the log too.
    const log = page
      .getByRole('region', { name: 'Deliveries', exact: true })
      .locator('tbody tr')
      .filter({ hasText: 'Weekly digest · test' });
    await expect.poll(() => log.count()).toBe(2);

    await goTo(page, '/alerts?tab=webhooks&status=succeeded');
    await expect.poll(() => log.count()).toBe(1);
    await log.getByRole('link').click();
    const drawer = page.getByRole('dialog', { name: 'Weekly digest' });
    await drawer.getByText('"digest.weekly"').waitFor();
    await drawer.getByRole('region', { name: 'Attempts' }).getByText('response 200').waitFor();
    const sentIds = receiver.requests.map(({ headers }) => String(headers['webhook-id']));
    const shownId = drawer.getByText(new RegExp(`^(${sentIds.join('|')})$`));
    await expect.poll(() => shownId.count()).toBeGreaterThan(0);
    expect(await audit(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => !url.searchParams.has('delivery'));
    expect(complaints()).toEqual(none);
  });

  test('an app is exported with kind, days and format from the address', async () => {
    const from = addDays(today, -4);
    await goTo(page, `/imports-exports?app=${testApp.apps.android}&kind=keywords&from=${from}`);
    const download = page.getByRole('button', { name: 'Download' });
    const keywords = await save(page, () => download.click());
    expect(keywords.name).toMatch(/\.csv$/);
    await expect.poll(() => page.getByLabel('Start date (UTC)').isDisabled()).toBe(true);
    expect(keywords.text.trim().split('\n').length).toBeGreaterThan(20);
    await page.getByRole('radio', { name: 'Positions' }).check();
    await page.getByText('JSON', { exact: true }).click();
    await page.waitForURL('**format=json*');
    const positions = JSON.parse((await save(page, () => download.click())).text) as {
      items: { date: string }[];
      count: number;
    };
    expect(positions.items.length).toBe(positions.count);
    expect(positions.items.every(({ date }) => date >= from)).toBe(true);
    await page.getByLabel('End date (UTC)').fill(addDays(from, -1));
    await page.getByText('The end date is before the start date.').waitFor();
    await expect.poll(() => download.isDisabled()).toBe(true);
    expect(complaints()).toEqual(none);
  });

  test('an app is exported to a day that was typed just before', async () => {
    await goTo(page, `/imports-exports?app=${testApp.apps.ios}&format=json`);
    const [from, to] = [addDays(today, -4), addDays(today, -2)];
    const type = async (label: string, day: string) => {
      await page.getByLabel(label).focus();
      await page.keyboard.type(`${day.slice(5, 7)}${day.slice(8)}${day.slice(0, 4)}`);
    };
    await type('Start date (UTC)', from);
    await type('End date (UTC)', to);
    const download = page.getByRole('button', { name: 'Download' });
    const { items } = JSON.parse((await save(page, () => download.click())).text) as {
      items: { date: string }[];
    };
    const days = items.map(({ date }) => date).toSorted();
    expect([days[0], days.at(-1)]).toEqual([from, to]);
    await page.waitForURL(`**from=${from}&to=${to}`);
    // An empty field removes its day.
    await page.getByLabel('Start date (UTC)').fill('');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.searchParams.has('from'));
    expect(complaints()).toEqual(none);
  });

  test('another tool’s history is imported with columns, checked rows and keywords', async () => {
    const day = (ago: number) => addDays(today, -ago).split('-').toReversed().join('/');
    const lines = [
      'Search Term;Store Country;Date;Rank',
      `mandala journal;US;${day(40)};7`,
      `mandala journal;US;${day(39)};>100`,
      `mandala journal;us;${day(38)};-`,
      `mandala journal;Atlantis;${day(38)};4`,
      `mandala journal;us;soon;4`,
    ];
    // As a spreadsheet saves it: UTF-16 with a byte order mark.
    const path = write('history.csv', Buffer.from(`\ufeff${lines.join('\r\n')}\r\n`, 'utf16le'));
    await goTo(page, `/imports-exports?tab=import&app=${testApp.apps.ios}`);
    await page.locator('input[type=file]').first().setInputFiles(path);
    await page.getByText('The columns are not those of a known tool.', { exact: false }).waitFor();
    const shown = (name: string) => page.getByRole('combobox', { name, exact: true });
    const columns = { Phrase: 'Search Term', Country: 'Store Country', Position: 'Rank' };
    for (const [field, column] of Object.entries(columns))
      await expect.poll(() => shown(field).inputValue()).toBe(column);
    await shown('Date format').click();
    await page.getByRole('option', { name: 'day.month.year' }).click();
    await page.getByRole('textbox', { name: 'Depth of rows without a depth' }).fill('100');
    await shown('Values that mean “not found”').fill('-');
    await page.keyboard.press('Enter');
    const check = page.getByRole('button', { name: 'Check the whole file' });
    await check.click();
    await page.getByRole('button', { name: 'Track the 1 keyword' }).click({ timeout: slow });
    await page.getByText('Now check the file again.').waitFor({ timeout: slow });
    await check.click();
    await page.getByText('3 rows to be imported').waitFor({ timeout: slow });
    await page.getByText('2 rows refused').waitFor();
    for (const reason of ['unknown country', 'no date in this format'])
      await page.getByRole('listitem').filter({ hasText: reason }).waitFor();
    expect(await audit(page)).toEqual([]);
    const previews: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/preview')) previews.push(request.url());
    });
    await page.getByRole('button', { name: 'Import 3 rows' }).click();
    await page.getByText('3 rows imported', { exact: true }).waitFor({ timeout: slow });
    const { rows } = await testApp.pool.query(
      'select k.id from keywords k join markets m on m.id = k.market_id where k.app_id = $1 ' +
        "and m.phrase = 'mandala journal'",
      [testApp.apps.ios],
    );
    const history = await page.evaluate(
      async ([id, from, to]) =>
        (await (await fetch(`/api/backend/keywords/${id}/rankings?from=${from}&to=${to}`)).json())
          .items,
      [rows[0].id, addDays(today, -40), addDays(today, -38)] as const,
    );
    const cells = history.map(
      ({ date, position, depth }: { date: string; position: number | null; depth: number }) => [
        date,
        position,
        depth,
      ],
    );
    expect(cells.toSorted()).toEqual([
      [addDays(today, -40), 7, 100],
      [addDays(today, -39), null, 100],
      [addDays(today, -38), null, 100],
    ]);
    expect(previews, 'the file is gone when it was imported').toEqual([]);
    expect(complaints()).toEqual(none);
  });

  test('the workspace is exported and checked; half a file and a foreign one differ', async () => {
    await goTo(page, '/imports-exports');
    await page.getByRole('button', { name: 'Export everything' }).click();
    const link = page.getByRole('link', { name: 'Download' });
    await link.waitFor({ timeout: slow });
    const { text } = await save(page, () => link.click());
    await goTo(page, '/imports-exports?tab=import');
    const pick = page.locator('input[type=file]').nth(1);
    await pick.setInputFiles(write('cut.ndjson', text.slice(0, -200)));
    await page.getByText('The file is incomplete.').waitFor();
    await pick.setInputFiles(write('other.ndjson', '{"a":1}\n'));
    await page.getByText('This file is not an export of a Toprung workspace.').waitFor();
    await pick.setInputFiles(write('workspace.ndjson', text));
    await page.getByRole('heading', { name: 'File content' }).waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Import everything' }).isDisabled())
      .toBe(true);
    expect(await audit(page)).toEqual([]);
    expect(complaints()).toEqual(none);
  });

  test('copied calls and connections work with a new token', async () => {
    await goTo(page, '/settings?tab=tokens');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Script');
    await page.getByRole('dialog').getByRole('switch', { name: 'Read-only' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    const token = (await page.getByTestId('token').textContent())!;
    await page.getByRole('button', { name: 'Done' }).click();
    const statuses: Record<string, number> = {};
    for (const name of ['apps', 'add', 'latest', 'csv']) {
      const response = await sendCurl(
        (await page.getByTestId(`snippet-${name}`).textContent())!,
        token,
      );
      statuses[name] = response.status;
      await response.arrayBuffer();
    }
    // The keyword of the example is tracked already.
    expect(statuses).toEqual({ apps: 200, add: 200, latest: 200, csv: 200 });
    const connected = await connectAiClients(
      (id) => page.getByTestId(`snippet-${id}`).textContent(),
      token,
    );
    const { rows } = await testApp.pool.query(
      'select count(*) || $2 as apps from apps where workspace_id = $1 and archived_at is null',
      [testApp.workspaceId, ' apps'],
    );
    expect(connected).toEqual(
      Object.fromEntries(
        ['claudeCode', 'claudeDesktop', 'cursor', 'vscode', 'codex'].map((id) => [
          id,
          rows[0].apps,
        ]),
      ),
    );
    expect(await audit(page)).toEqual([]);
    expect(complaints()).toEqual(none);
  });

  test('timeline kinds are kept in the address, and days start with the newest', async () => {
    await goTo(page, `/apps/${testApp.apps.ios}/timeline`);
    await page.locator('section[aria-labelledby^="day-"]').first().waitFor();
    const days = await page
      .locator('section[aria-labelledby^="day-"]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-labelledby')!));
    expect(days.length).toBeGreaterThan(4);
    expect(days).toEqual([...new Set(days)].toSorted().toReversed());
    await goTo(page, `/apps/${testApp.apps.ios}/timeline?kinds=annotation`);
    await page.getByRole('button', { name: 'Annotations', exact: true, pressed: true }).waitFor();
    const { rows } = await testApp.pool.query('select text from annotations where app_id = $1', [
      testApp.apps.ios,
    ]);
    await expect.poll(() => page.locator('#main li').count()).toBe(rows.length);
    await page.getByRole('button', { name: 'Annotations', exact: true }).click();
    await page.waitForURL((url) => !url.searchParams.has('kinds'));
    expect(complaints()).toEqual(none);
  });

  test('actions are filtered by the address, completed two at once, and reopened', async () => {
    const statusOf = async (id: number) =>
      (await testApp.pool.query('select status from actions where id = $1', [id])).rows[0]
        .status as string;
    // The day continues meanwhile, and opens and closes other actions.
    const { rows } = await testApp.pool.query(
      "select id from actions where app_id = $1 and status = 'open' order by id limit 2",
      [testApp.apps.ios],
    );
    const [one, other] = rows.map(({ id }) => Number(id)) as [number, number];
    await goTo(page, `/actions?app=${testApp.apps.ios}`);
    for (const id of [one, other])
      await page
        .locator('li')
        .filter({ has: page.locator(`[data-action="${id}"]`) })
        .getByRole('checkbox')
        .check();
    const bar = page
      .getByRole('region')
      .filter({ hasText: '2 selected' })
      .or(page.getByRole('toolbar').filter({ hasText: '2 selected' }));
    await bar.getByRole('button', { name: 'Mark as done' }).click();
    await expect
      .poll(async () => [await statusOf(one), await statusOf(other)])
      .toEqual(['resolved', 'resolved']);
    await goTo(page, `/actions?status=resolved&app=${testApp.apps.ios}&action=${one}`);
    await page.getByRole('toolbar').getByRole('button', { name: 'Reopen' }).click();
    await expect
      .poll(async () => [await statusOf(one), await statusOf(other)])
      .toEqual(['open', 'resolved']);
    expect(complaints()).toEqual(none);
  });

  test('an invited person becomes member and owner and leaves; the last owner stays', async () => {
    await goTo(page, '/members');
    await page.getByText('A workspace needs an owner. Make someone else an owner first.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Leave' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Invite member' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('ines@example.org');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = new URL((await page.getByTestId('invite-link').textContent())!);
    await dialog.getByRole('button', { name: 'Done' }).click();

    const guest = await newPage(browser!, { width: 375 });
    await guest.page.goto(`${testApp.webUrl}/invite${link.hash}`);
    await guest.page.getByRole('heading', { name: 'Join the workspace' }).waitFor();
    expect(await overflowOf(guest.page)).toBeLessThanOrEqual(0);
    await guest.page.getByLabel('Name').fill('Ines Costa');
    await guest.page.locator('input[type="password"]').fill('lantern-quilt-harbour-7');
    await guest.page.getByRole('button', { name: 'Join' }).click();
    await guest.page.getByRole('heading', { name: 'Briefing', level: 1 }).waitFor();
    await goTo(guest.page, '/members');
    await guest.page.locator('#main').getByText('Ines Costa').first().waitFor();
    expect(await guest.page.getByRole('button', { name: 'Invite member' }).count()).toBe(0);

    await page.reload();
    await page.getByRole('combobox', { name: 'Role of Ines Costa' }).click();
    await page.getByRole('option', { name: 'Owner' }).click();
    await page.getByText('Ines Costa is now an owner.').waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Leave' }).first().isDisabled())
      .toBe(false);
    // An owner's invitations end with the membership.
    const status = await guest.page.evaluate(async () => {
      const request = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'vera@example.org', role: 'member' }),
      };
      return (await fetch('/api/backend/workspace/invites', request)).status;
    });
    expect(status).toBe(201);
    await page.reload();
    await page.getByRole('button', { name: 'Revoke vera@example.org' }).waitFor();
    await page.getByRole('button', { name: 'Remove Ines Costa' }).focus();
    // Held down: the dialog opens and closes, and the focus is where it was.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect
      .poll(() =>
        page
          .getByRole('button', { name: 'Remove Ines Costa' })
          .evaluate((button) => button === document.activeElement),
      )
      .toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove now' }).click();
    await page.getByText('Ines Costa was removed from the workspace.').waitFor();
    await page.getByText('No pending invitations.').waitFor();
    await guest.page.reload();
    await guest.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await guest.close();

    await page.getByRole('button', { name: 'Invite member' }).click();
    await dialog.getByLabel('Email').fill('omar@example.org');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke omar@example.org' }).click();
    await page.getByText('No pending invitations.').waitFor();
    expect(complaints()).toEqual(none);
  });

  test('the keyword field is edited as text or tags; its words are tracked at a cost', async () => {
    await goTo(page, `/apps/${testApp.apps.ios}/keyword-field`);
    const main = page.locator('#main');
    const text = main.getByRole('textbox', { name: 'Keyword field' });
    await text.fill('Calm , slow mornings,calm,one two three four five six');
    await main
      .getByText('“one two three four five six” has 6 words; at most 5 are allowed.')
      .waitFor();
    for (const lost of [
      'Duplicates removed: calm',
      'Removed 2 unnecessary spaces or commas',
      'Converted to lowercase',
    ])
      await main.getByText(lost).waitFor();
    expect(
      await main.getByRole('button', { name: 'Save version' }).getAttribute('aria-disabled'),
    ).toBe('true');

    await main.getByText('Tags', { exact: true }).click();
    const tags = main.getByRole('combobox', { name: 'Keyword field' });
    const counted = main.locator('code');
    await tags.press('Backspace');
    await expect.poll(() => counted.textContent()).toBe('calm,slow mornings');
    await main.getByRole('button', { name: 'Remove calm', exact: true }).click();
    await page.keyboard.type('zen,');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Alt+ArrowLeft');
    await expect.poll(() => counted.textContent()).toBe('calm,zen,slow mornings');
    await page.keyboard.press('Delete');
    await page.keyboard.type('hush');
    await page.keyboard.press('Enter');
    await expect.poll(() => counted.textContent()).toBe('calm,slow mornings,hush');
    await main.getByText('Text', { exact: true }).click();
    await expect.poll(() => text.inputValue()).toBe('Calm,slow mornings,hush');

    const followed = async () =>
      (
        await testApp.pool.query(
          "select id, depth from keywords where app_id = $1 and phrase = 'hush' and " +
            'archived_at is null',
          [testApp.apps.ios],
        )
      ).rows;
    const hush = main.getByRole('switch', { name: 'Track hush' });
    await hush.press('Space');
    const question = page.getByRole('dialog', { name: 'Track “hush” (United States)?' });
    await question.getByText('+1 search per day').waitFor();
    await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]'));
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    expect([await followed(), await hush.isChecked()]).toEqual([[], false]);
    await hush.press('Space');
    await question.getByRole('button', { name: 'Track', exact: true }).click();
    await expect.poll(followed).toHaveLength(1);
    await page
      .locator('[role="switch"]:checked:not([aria-busy])[aria-label="Track hush"]')
      .waitFor({ state: 'attached' });
    const before = await followed();
    await testApp.pool.query("update keywords set depth = 50 where phrase = 'hush'");
    await hush.press('Space');
    await expect.poll(followed).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(followed).toEqual([{ id: before[0].id, depth: 50 }]);
    await expect.poll(() => hush.isChecked()).toBe(true);
    expect(complaints()).toEqual(none);
  });

  test('unsaved text survives leaving the page, until saved, discarded or signed out', async () => {
    const path = `/apps/${testApp.apps.ios}/keyword-field`;
    const cookie = await testApp.signIn();
    const tab = await newPage(browser!);
    await tab.context.addCookies([{ ...cookie, url: testApp.webUrl }]);
    const field = tab.page.getByRole('textbox', { name: 'Keyword field' });
    const unsaved = tab.page.getByText('Not saved yet.');
    const expectAfterLeaving = async (text: string) => {
      await goTo(tab.page, '/methodology');
      await goTo(tab.page, path);
      await expect.poll(() => field.inputValue()).toBe(text);
    };
    await tab.page.goto(testApp.webUrl + path);
    const saved = await field.inputValue();
    await field.fill('calm,first draft');
    await expectAfterLeaving('calm,first draft');
    await tab.page.reload();
    await unsaved.waitFor();
    await expect.poll(() => field.inputValue()).toBe('calm,first draft');
    await goTo(tab.page, `${path}?locale=de-DE`);
    await expect.poll(() => field.inputValue()).toBe('');
    await goTo(tab.page, path);
    await tab.page.getByRole('button', { name: 'Save version' }).click();
    await unsaved.waitFor({ state: 'detached' });
    // Another user's concurrent change is not hidden by this one.
    await testApp.pool.query(
      `insert into keyword_fields (workspace_id, app_id, locale, text, normalized, saved_at,
         saved_by)
       select workspace_id, app_id, locale, $1, $1, now(), saved_by from keyword_fields
         order by id desc limit 1`,
      [saved],
    );
    await tab.page.reload();
    await expect.poll(() => field.inputValue()).toBe(saved);
    await field.fill('calm,second draft');
    await tab.page.getByRole('button', { name: 'Discard draft' }).click();
    await expect.poll(() => field.inputValue()).toBe(saved);
    const save = tab.page.getByRole('button', { name: 'Save version' });
    expect(await save.evaluate((button) => button === document.activeElement)).toBe(true);
    await tab.page.getByRole('button', { name: 'Undo' }).click();
    await expectAfterLeaving('calm,second draft');

    const note = tab.page.getByLabel('Note', { exact: true });
    await goTo(tab.page, `/keywords/${testApp.keywordId}`);
    await note.fill('Ask the team.\nThen again.');
    await goTo(tab.page, '/methodology');
    await goTo(tab.page, `/keywords/${testApp.keywordId}`);
    await expect.poll(() => note.inputValue()).toBe('Ask the team.\nThen again.');

    const kept = () =>
      tab.page.evaluate(
        () => Object.keys(sessionStorage).filter((key) => key.includes('draft')).length,
      );
    // Each has the state that it was begun with.
    await expect.poll(kept).toBe(4);
    const other = await tab.context.newPage();
    await other.goto(testApp.webUrl + path);
    await other.getByRole('button', { name: /^Account menu/ }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect.poll(kept).toBe(0);
    await tab.close();
  });

  test('a tab follows the person who signs in or out in another one', async () => {
    const path = `/apps/${testApp.apps.ios}/keyword-field`;
    const bea = 'bea@example.org';
    const tab = await newPage(browser!);
    await tab.context.addCookies([{ ...(await testApp.signIn()), url: testApp.webUrl }]);
    await tab.page.goto(`${testApp.webUrl}/members`);
    await tab.page.getByRole('listitem').filter({ hasText: demoEmail }).waitFor();
    await testApp.pool.query(
      `with bea as (insert into users (email, name, password_hash)
         select $1, 'Bea', password_hash from users where email = $2 returning id)
       insert into memberships (workspace_id, user_id, role) select $3, id, 'member' from bea`,
      [bea, demoEmail, testApp.workspaceId],
    );
    const field = tab.page.getByRole('textbox', { name: 'Keyword field' });
    await goTo(tab.page, path);
    await field.fill('calm,a draft of the owner');
    // A member who joined meanwhile is there when the page is opened again.
    await goTo(tab.page, '/members');
    await tab.page.getByRole('listitem').filter({ hasText: bea }).waitFor();
    await goTo(tab.page, path);
    await expect.poll(() => field.inputValue()).toBe('calm,a draft of the owner');

    const other = await tab.context.newPage();
    await other.goto(`${testApp.webUrl}/sign-in`);
    await other.getByLabel('Email').fill(bea);
    await other.locator('input[type="password"]').fill(demoPassword);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.waitForURL('**/briefing');
    await tab.page.waitForURL('**/briefing');
    await goTo(tab.page, path);
    await field.waitFor();
    expect(await field.inputValue()).not.toContain('a draft of the owner');

    await other.getByRole('button', { name: /^Account menu/ }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await tab.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await tab.close();
    await testApp.pool.query('delete from users where email = $1', [bea]);
  });

  test('the page about scores shows the server’s weights, each part with an address', async () => {
    await page.goto(`${testApp.webUrl}/methodology#visibility`);
    await page.getByText('Formula: visibility@1').waitFor();
    await expect
      .poll(() =>
        page.evaluate(
          () => document.getElementById('visibility')!.getBoundingClientRect().top < innerHeight,
        ),
      )
      .toBe(true);
    const hints = page
      .getByRole('figure', { name: 'iOS: weights (traffic.ios@2)' })
      .getByRole('listitem')
      .first();
    await expect.poll(() => hints.textContent()).toContain('Suggestion rank30%');
    await page.getByText('All limits of opportunity@1').click();
    await page.getByRole('cell', { name: 'clickDecay' }).waitFor();
    expect(complaints()).toEqual(none);
  });

  test('defaults are saved, invalid numbers are marked, and times follow the zone', async () => {
    await goTo(page, '/settings');
    const depth = page.getByRole('textbox', { name: 'Default depth of new keywords' });
    await depth.fill('');
    // Another user changed this meanwhile: it is not part of what is saved here.
    await testApp.pool.query(
      `insert into settings (workspace_id, settings) values ($1, '{"reviewNegativeMaxRating": 1}')
       on conflict (workspace_id) do update set settings = settings.settings || excluded.settings`,
      [testApp.workspaceId],
    );
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Enter a whole number from 1 to 200').waitFor();
    await depth.fill('120');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('kiritimati');
    await page.getByRole('option', { name: 'Pacific/Kiritimati' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Settings saved.').waitFor();
    await page.reload();
    await expect.poll(() => depth.inputValue()).toBe('120');
    await page.getByRole('link', { name: /GMT\+14/ }).waitFor();
    await depth.fill('50');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await expect.poll(() => depth.inputValue()).toBe('120');
    const { rows } = await testApp.pool.query(
      'select settings from settings where workspace_id = $1',
      [testApp.workspaceId],
    );
    expect(rows[0].settings).toMatchObject({
      defaultDepth: 120,
      timezoneForDisplay: 'Pacific/Kiritimati',
      reviewNegativeMaxRating: 1,
    });
    // The browser reports the refused attempt, after which both changes were merged.
    expect(complaints().errors).toEqual([expect.stringContaining('412 (Precondition Failed)')]);
  });

  test('a forgotten password is reset once; workspace and account deletion is undone', async () => {
    const { page: door, close } = await newPage(browser!);
    await door.goto(`${testApp.webUrl}/sign-in`);
    await door.getByRole('link', { name: 'Forgot your password?' }).click();
    await door.getByRole('heading', { name: 'Reset your password' }).waitFor();
    await door.getByLabel('Email').fill('somebody@example.org');
    await door.getByRole('button', { name: 'Send link' }).click();
    await door.getByText('This instance does not send email.').waitFor();
    const { secret, hash } = createLinkSecret();
    await testApp.pool.query(
      `insert into account_links (secret_hash, user_id, purpose, mailed, created_at, expires_at)
       select $1, id, 'password', true, now(), now() + interval '1 hour' from users
         where email = $2`,
      [hash, demoEmail],
    );
    await door.goto(`${testApp.webUrl}/reset-password#${secret}`);
    const fields = door.locator('input[type="password"]');
    await fields.nth(0).fill('lantern-quilt-harbour-7');
    await fields.nth(1).fill('lantern-quilt-harbour-8');
    await door.getByRole('button', { name: 'Set password' }).click();
    await door.getByText('The passwords do not match.').waitFor();
    await fields.nth(1).fill('lantern-quilt-harbour-7');
    await door.getByRole('button', { name: 'Set password' }).click();
    await door.getByRole('heading', { name: 'Sign in' }).waitFor();
    await door.getByLabel('Email').fill(demoEmail);
    await door.locator('input[type="password"]').fill('lantern-quilt-harbour-7');
    await door.getByRole('button', { name: 'Sign in' }).click();
    await door.getByRole('heading', { name: 'Briefing', level: 1 }).waitFor();

    await goTo(door, '/settings?tab=workspace');
    await door.getByRole('button', { name: 'Delete workspace' }).click();
    const dialog = door.getByRole('dialog');
    const { rows } = await testApp.pool.query('select name from workspaces where id = $1', [
      testApp.workspaceId,
    ]);
    await dialog.getByRole('textbox').fill(`${rows[0].name}?`);
    await expect
      .poll(() => dialog.getByRole('button', { name: 'Delete workspace' }).isDisabled())
      .toBe(true);
    await dialog.getByRole('textbox').fill(rows[0].name);
    await dialog.getByRole('button', { name: 'Delete workspace' }).click();
    const banner = door
      .getByRole('status')
      .filter({ hasText: 'This workspace will be deleted permanently on' });
    await banner.waitFor();
    const state = async () =>
      (
        await testApp.pool.query('select state from workspaces where id = $1', [
          testApp.workspaceId,
        ])
      ).rows[0].state;
    await expect
      .poll(async () => [
        await state(),
        await door.getByRole('button', { name: 'Rename' }).isDisabled(),
      ])
      .toEqual(['suspended', true]);
    await banner.getByRole('button', { name: 'Restore workspace' }).click();
    await banner.waitFor({ state: 'detached' });
    await expect.poll(state).toBe('live');

    await goTo(door, '/settings?tab=account');
    await door.getByRole('button', { name: 'Delete my account' }).click();
    const password = dialog.locator('input[type="password"]');
    await password.fill('not-the-password');
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await dialog.getByText('The current password is wrong').waitFor();
    await password.fill('lantern-quilt-harbour-7');
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await door.getByRole('heading', { name: 'Sign in' }).waitFor();
    await door.getByText('Your account will be deleted permanently on').waitFor();
    expect(await state()).toBe('suspended');
    await door.getByLabel('Email').fill(demoEmail);
    await door.locator('input[type="password"]').fill('lantern-quilt-harbour-7');
    await door.getByRole('button', { name: 'Sign in' }).click();
    await door.getByText('Your account was restored.').waitFor();
    expect(await state()).toBe('live');
    await close();
  });
});
