import { growthDay } from '#bench/growth-database.ts';

const ofColumns: Record<string, string> = {
  store: 'ios',
  country: 'us',
  primary_country: 'us',
  device: 'iphone',
  kind: 'hints',
  state: 'queued',
  provider: 'web',
  type: 'rank.dropped',
};
const ofTypes: Record<string, string> = {
  integer: '1',
  smallint: '1',
  bigint: '1',
  real: '1',
  'double precision': '1',
  text: 'x',
  boolean: 'true',
  date: growthDay,
  'timestamp with time zone': `${growthDay}T02:00:00Z`,
  'timestamp without time zone': growthDay,
  bytea: String.raw`\x00`,
  json: '{}',
  jsonb: '{}',
  uuid: '00000000-0000-0000-0000-000000000000',
};
const limit = '100';
const ids = Array.from({ length: 20 }, (_, index) => index + 1);

/**
 * A value for each parameter of a statement, by its column or its type: the largest workspace, its
 * first app, market and keyword all have the id 1.
 */
export function sampleParameters(text: string, types: readonly string[]): string[] {
  return types.map((type, index) => {
    const position = String.raw`\$${index + 1}(?!\d)`;
    if (new RegExp(String.raw`limit\s+${position}`).test(text)) return limit;
    const column = new RegExp(String.raw`(\w+)\s*=\s*(?:any\s*\(\s*)?${position}`).exec(text)?.[1];
    const single = (column && ofColumns[column]) || ofTypes[type.replace('[]', '')] || '1';
    if (!type.endsWith('[]')) return single;
    return /int/.test(type) ? `{${ids.join()}}` : `{"${single}"}`;
  });
}
