import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import type { Client as Api } from '#client/http.ts';
import { silentLogger } from '#lib/logger.ts';
import { createMcpServer, listTools } from '#mcp/server.ts';
import { toolsets, type Toolset } from '#mcp/tool.ts';

const every = listTools({ readOnly: false }).map((tool) => tool.name);
const noRequests: Api = async () => expect.unreachable('what is listed asks nobody');

interface Offer {
  readOnly: boolean;
  toolsets?: readonly Toolset[];
}

/** All that a client reads before it calls anything. */
async function listTo(offer: Offer) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await createMcpServer({ api: noRequests, log: silentLogger, ...offer }).connect(ours);
  await client.connect(theirs);
  const tools = (await client.listTools()).tools.map((tool) => tool.name);
  const { prompts } = await client.listPrompts();
  const promptTexts = new Map<string, string>();
  for (const { name } of prompts)
    promptTexts.set(name, await readPrompt(client, name, { appId: '1', country: 'de' }));
  const guide = JSON.stringify((await client.readResource({ uri: 'toprung://guide' })).contents);
  return { client, tools, promptTexts, guide, instructions: client.getInstructions() ?? '' };
}

async function readPrompt(
  client: Client,
  name: string,
  args: Record<string, string>,
): Promise<string> {
  const { content } = (await client.getPrompt({ name, arguments: args })).messages[0]!;
  return content.type === 'text' ? content.text : '';
}

const offers: Offer[] = [true, false].flatMap((readOnly) => [
  { readOnly },
  ...toolsets.map((only) => ({ readOnly, toolsets: [only] })),
  ...toolsets.map((without) => ({
    readOnly,
    toolsets: toolsets.filter((toolset) => toolset !== without),
  })),
]);

test('prompts, instructions and guide name listed tools only, for any list', async () => {
  for (const offer of offers) {
    const { tools, promptTexts, guide, instructions } = await listTo(offer);
    const text = [instructions, guide, ...promptTexts.values()].join('\n');
    expect([offer, every.filter((tool) => text.includes(tool) && !tools.includes(tool))]).toEqual([
      offer,
      [],
    ]);
  }
});

test('prompts are offered with their tools, and without writes for a read-only token', async () => {
  const all = ['weekly_review', 'why_did_we_drop', 'rewrite_keyword_field', 'launch_new_country'];
  const full = await listTo({ readOnly: false });
  expect([...full.promptTexts.keys()]).toEqual(all);
  expect(full.promptTexts.get('rewrite_keyword_field')).toContain(
    'ask before you call set_keyword_field with its locale.',
  );
  expect(full.promptTexts.get('launch_new_country')).toContain(
    'Call add_keywords with preview true',
  );
  expect([full.instructions, full.guide]).toEqual([
    expect.stringContaining('Begin with list_apps'),
    expect.stringContaining('list_apps → get_app_overview'),
  ]);
  const reading = await listTo({ readOnly: true });
  expect([...reading.promptTexts.keys()]).toEqual(all);
  expect(reading.promptTexts.get('rewrite_keyword_field')).toMatch(/what each change is for\.$/);
  expect((await listTo({ readOnly: true, toolsets: ['rankings'] })).promptTexts.size).toBe(0);
});

test('prompts use one day of two, and take the country from the app', async () => {
  const { client } = await listTo({ readOnly: false });
  const drop = (days: Record<string, string>) =>
    readPrompt(client, 'why_did_we_drop', { appId: '1', ...days });
  expect(await drop({ from: '2026-11-10', to: '2026-11-12' })).toContain(
    'lost positions between 2026-11-10 and 2026-11-12.',
  );
  expect(await drop({ from: '2026-11-10' })).toContain(
    'lost positions since 2026-11-10 (find the day',
  );
  expect(await drop({ to: '2026-11-12' })).toContain(
    'lost positions in the 14 days until 2026-11-12 (find the day',
  );
  expect(await drop({})).toContain('lost positions in the last 14 days (find the day');
  expect(await readPrompt(client, 'rewrite_keyword_field', { appId: '1' })).toContain(
    'app 1 in its primary country.',
  );
  expect(await readPrompt(client, 'rewrite_keyword_field', { appId: '1', country: 'de' })).toMatch(
    /app 1 in de\..* check_keyword_field with the locale that de shows first/,
  );
});
