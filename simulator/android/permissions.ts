import type { ResponseContext } from '../http/response-context.ts';
import { mix } from '../world/hash.ts';
import { readStorefront } from './storefront.ts';

const common = [
  ['Camera', ['take pictures and videos']],
  [
    'Photos/Media/Files',
    ['read the contents of your USB storage', 'modify or delete the contents of your USB storage'],
  ],
  ['Microphone', ['record audio']],
  [
    'Location',
    ['approximate location (network-based)', 'precise location (GPS and network-based)'],
  ],
] as const;
const other = [
  'have full network access',
  'view network connections',
  'prevent device from sleeping',
  'run at startup',
];

/**
 * `xdSrCf`: the permissions of an app, the common kinds first; null for an app that is not offered.
 */
export function listPermissions(argument: unknown, context: ResponseContext): string | null {
  const id = (argument as unknown[][][] | null)?.[0]?.[1]?.[0];
  const app =
    typeof id !== 'string' || context.isGone(id)
      ? null
      : context.world.findApp('android', id, readStorefront(context).country, context.day);
  if (app === null) return null;
  const group = (name: string, texts: readonly string[]) => [
    name,
    [null, 2],
    texts.map((text) => [null, text]),
  ];
  const requested = common.filter((_, index) => mix(app.seed, 95 + index) % 2 === 0);
  return JSON.stringify([
    requested.map(([name, texts]) => group(name, texts)),
    [group('Other', other.slice(0, 1 + (app.seed % 4)))],
  ]);
}
