import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { startDemoStage, type DemoStage } from './demo-stage.ts';

const browser = await launchBrowser();

describe.skipIf(!browser)('members', () => {
  let stage: DemoStage;
  beforeAll(async () => {
    stage = await startDemoStage();
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await stage.stop();
  });

  test('an invitation is revoked; a suspended workspace invites nobody', async () => {
    const { page, close } = await stage.open(browser!, '/members');
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await page.getByRole('dialog').getByLabel('E-mail').fill('omar@example.org');
    await page.getByRole('dialog').getByRole('button', { name: 'Make the link' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke omar@example.org' }).click();
    await page.getByText('No invitation is open.').waitFor();
    await stage.pool.query("update workspaces set state = 'suspended' where id = $1", [stage.workspaceId]);
    await page.reload();
    await page.getByRole('heading', { name: 'Invitations' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Invite somebody' }).isDisabled()).toBe(true);
    await stage.pool.query("update workspaces set state = 'live' where id = $1", [stage.workspaceId]);
    await close();
  }, 60_000);

  test('how it is measured: the weights are those of the server, and each part has an address', async () => {
    const { page, close } = await stage.open(browser!, '/methodology#visibility');
    await page.getByText('Formula: visibility@1').waitFor();
    await expect.poll(() => page.evaluate(() => document.getElementById('visibility')!.getBoundingClientRect().top < innerHeight)).toBe(true);
    const hints = page.getByRole('figure', { name: 'iOS: what weighs how much (traffic.ios@1)' }).getByRole('listitem').first();
    expect(await hints.textContent()).toContain('Search hints70%');
    await page.getByText('All limits of opportunity@1').click();
    await page.getByRole('cell', { name: 'clickDecay' }).waitFor();
    await close();
  }, 60_000);
});
