import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, newPage } from '../harness/browser.ts';
import { audit, overflowOf } from './audit.ts';
import { startDemoStage, type DemoStage } from './demo-stage.ts';

const browser = await launchBrowser();
const modes = (['light', 'dark'] as const).flatMap((colorScheme) => [1280, 375].map((width) => ({ colorScheme, width })));

describe.skipIf(!browser)('members', () => {
  let stage: DemoStage;
  beforeAll(async () => {
    stage = await startDemoStage();
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await stage.stop();
  });

  test('from an invitation to a member, to an owner, and out again; the last owner stays', async () => {
    const owner = await stage.open(browser!, '/members');
    const { page } = owner;
    await page.getByText('The last owner stays: make somebody else an owner first.').waitFor();
    expect(await page.getByRole('button', { name: 'Leave' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill('ines@example.org');
    expect(await audit(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Make the link' }).click();
    const link = (await page.getByTestId('invite-link').textContent())!;
    await dialog.getByText('This instance sends no mail.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke ines@example.org' }).waitFor();

    const guest = await newPage(browser!, { width: 375 });
    const path = new URL(link);
    await guest.page.goto(`${stage.webUrl}/invite${path.hash}`);
    await guest.page.getByRole('heading', { name: 'Join the workspace' }).waitFor();
    expect(await audit(guest.page)).toEqual([]);
    expect(await overflowOf(guest.page)).toBeLessThanOrEqual(0);
    await guest.page.getByLabel('Name').fill('Ines Costa');
    await guest.page.locator('input[type="password"]').fill('lantern-quilt-harbour-7');
    await guest.page.getByRole('button', { name: 'Join' }).click();
    await guest.page.getByRole('heading', { name: 'Keywords', level: 1 }).waitFor();
    await guest.page.goto(`${stage.webUrl}/members`);
    await guest.page.getByText('Ines Costa').first().waitFor();
    expect(await guest.page.getByRole('button', { name: 'Invite somebody' }).count()).toBe(0);
    expect(await guest.page.getByRole('heading', { name: 'Invitations' }).count()).toBe(0);

    await page.reload();
    await page.getByText('No invitation is open.').waitFor();
    const role = page.getByRole('combobox', { name: 'Role of Ines Costa' });
    await role.click();
    await page.getByRole('option', { name: 'Owner' }).click();
    await page.getByText('Ines Costa is an owner now.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Leave' }).isDisabled()).toBe(false);
    await page.getByRole('button', { name: 'Remove Ines Costa' }).click();
    await page
      .getByRole('group', { name: 'Remove Ines Costa? Sessions and tokens end at once.' })
      .getByRole('button', { name: 'Remove now' })
      .click();
    await page.getByText('Ines Costa is no longer in the workspace.').waitFor();
    await guest.page.reload();
    await guest.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(owner.consoleErrors).toEqual([]);
    await owner.close();

    await guest.page.goto(`${stage.webUrl}/invite${path.hash}`);
    await guest.page.locator('input[type="password"]').fill('lantern-quilt-harbour-7');
    await guest.page.getByRole('button', { name: 'Join' }).click();
    await guest.page.getByText('This invitation is not valid any more').waitFor();
    await guest.close();
  }, 90_000);

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

  test.each(modes)('$colorScheme at $width', async ({ colorScheme, width }) => {
    const { page, consoleErrors, foreignRequests, close } = await stage.open(browser!, '/members', { colorScheme, width });
    await page.waitForLoadState('networkidle');
    expect(await audit(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await page.goto(`${stage.webUrl}/methodology`);
    await page.getByRole('heading', { name: 'Traffic', level: 2 }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await audit(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect({ consoleErrors, foreignRequests }).toEqual({ consoleErrors: [], foreignRequests: [] });
    await close();
  });

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
