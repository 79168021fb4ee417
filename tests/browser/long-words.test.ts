import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { overflowOf } from './accessibility-audit.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';

const browser = await launchBrowser();
const word = 'Supercalifragilisticexpialidocious'.repeat(3);

describe.skipIf(!browser)('long words of stores and reviews', () => {
  let testApp: DemoTestApp;
  beforeAll(async () => {
    testApp = await startDemoTestApp();
    const { pool } = testApp;
    const shown = '(select listing_id from apps union select listing_id from competitors)';
    await pool.query(`update listings set name = $1 where id in ${shown}`, [word]);
    await pool.query(`update listing_names set name = $1 where listing_id in ${shown}`, [word]);
    await pool.query(
      `update snapshots set fields = fields || jsonb_build_object('name', $1::text)
       where listing_id in ${shown}`,
      [word],
    );
    await pool.query('update reviews set title = $1, body = $1, author = $1, reply = $1', [word]);
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  test('make no page wider', async () => {
    const { rows } = await testApp.pool.query(
      'select id from competitors where app_id = $1 order by id limit 1',
      [testApp.apps.ios],
    );
    const chosen = `?competitors=${rows[0].id}`;
    const ios = `/apps/${testApp.apps.ios}`;
    const { page, loaded, close } = await testApp.open(browser!, '/methodology');
    const wide: string[] = [];
    for (const width of [375, 1_024]) {
      await page.setViewportSize({ width, height: 800 });
      for (const path of [
        `${ios}${chosen}`,
        `/keywords/${testApp.keywordId}${chosen}`,
        `${ios}/reviews`,
        `${ios}/charts`,
        '/briefing',
        '/digest',
        '/actions',
      ]) {
        await page.goto(`${testApp.webUrl}${path}`);
        await loaded();
        const most = await overflowOf(page);
        if (most > 0) wide.push(`${path} at ${width} px: ${most}`);
      }
    }
    expect(wide).toEqual([]);
    await close();
  });
});
