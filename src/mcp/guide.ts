import type { McpServer } from '@modelcontextprotocol/server';
import { storeTextNotice } from './text-format.ts';

/** The names of the tools that this client is offered; no other tool is named. */
export type Listed = ReadonlySet<string>;

/** Clients show this to their model at the start, so it is short. */
export const formatInstructions = (listed: Listed): string =>
  [
    'Toprung tracks the positions of apps in the search of the iOS and Android app stores: ' +
      'one check a day for each keyword, country and device, UTC days. The device of an iOS ' +
      'keyword is iphone unless it is ipad or mac; their positions are not comparable.',
    `${listed.has('list_apps') ? 'Begin with list_apps. ' : ''}Position 1 is the top, there ` +
      'is no 0. ' +
      '`>200 (checked, not found)` means not within the first 200 results; `not checked` means ' +
      'that nothing is known: never read it as a bad position, never fill it in.',
    'Scores (0–100) of ios and android cannot be compared with each other.',
    'Without from and to, tools return the last 30 days. Lists have total and nextCursor: ' +
      'give it as cursor to continue.',
    'Tools that query a store say so; stores are queried slowly, so prefer stored data.',
    storeTextNotice,
  ].join('\n');

const guideUri = 'toprung://guide';

const steps: readonly (readonly [tool: string, text: string])[] = [
  ['list_apps', 'list_apps'],
  ['get_app_overview', 'get_app_overview'],
  ['compare_periods', 'compare_periods or get_rankings'],
  ['get_search_results', 'get_search_results for one keyword'],
  ['get_metadata_timeline', 'get_metadata_timeline for what changed'],
  ['get_change_impact', 'list_changes and get_change_impact for the effect'],
];

const guide = `# How to read Toprung

- **position**: 1 is the top result. \`null\` never goes without its \`depth\`.
- **depth**: the number of results that were examined. position null with depth 200: it was not
  among
  200, written \`>200 (checked, not found)\`. With depth 30 (a store cut its list short) nothing is
  known beyond 30.
- **not checked** (\`-\` among cells): the check failed or was not due
  on that day. It is not a position; do not draw a line through it, do not count it as lost.
- A comparison counts *entered* and *left* only as far as both days looked.
- **change**: positions gained are positive. 12 → 7 is +5.
- **traffic**, **difficulty**, **opportunity**: 0–100,
  from stored evidence. Those of the two stores come
  from different evidence: never compare ios with android. null: no evidence yet.
- **visibility**: 0–100 over the keywords checked that day; its coverage (0–1,
  by traffic) says how much of what was followed that was. Compare days of full coverage only.
- **days** are UTC days, YYYY-MM-DD.
- **installs** may exceed what a double holds, so it is a decimal text.
- **device**: an iOS keyword is on iphone, ipad or mac, each with an order of its own. The same
  phrase on two devices is two keywords.
- **capacity**: each keyword in each country on each device costs one store search a day,
  whatever its number of readers. utilization above 100 % cannot be finished in a day.
- Impact and outcome are correlations: releases, ads and competitors move positions as well.
- ${storeTextNotice}
`;

function formatGuide(listed: Listed): string {
  const path = steps.filter(([tool]) => listed.has(tool)).map(([, step]) => step);
  return path.length === 0 ? guide : `${guide}\n## Where to begin\n\n${path.join(' → ')}.\n`;
}

/**
 * Offers the guide to clients that read resources. Instructions and responses already contain
 * everything that is needed.
 */
export function addGuide(server: McpServer, listed: Listed): void {
  const about = {
    title: 'How to read Toprung',
    description: 'What null, depth, not checked and the scores mean.',
    mimeType: 'text/markdown',
  };
  server.registerResource('guide', guideUri, about, async ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/markdown', text: formatGuide(listed) }],
  }));
}
