import { respond, type SimulatedResponse } from '../http/response.ts';
import type { ResponseContext } from '../http/response-context.ts';
import type { SimApp } from '../world/apps.ts';
import { mix } from '../world/hash.ts';
import { renderIslandPage, scriptJson } from './island-page.ts';
import { readStorefront } from './storefront.ts';
import { sparse } from './sparse.ts';

/**
 * `GET /store/apps/datasafety?id=`. For an unknown app the page has no data, and still status 200
 * (recorded 2026-07).
 */
export function handleDataSafety(context: ResponseContext): SimulatedResponse {
  const id = context.url.searchParams.get('id') ?? '';
  const app = context.isGone(id)
    ? null
    : context.world.findApp('android', id, readStorefront(context).country, context.day);
  if (app === null) {
    return respond(
      200,
      'html',
      "<!doctype html><html><head><title>Not Found</title></head><body>We're sorry, the " +
        'requested URL was not found.</body></html>',
    );
  }
  const record = sparse({
    0: [app.brand],
    100: [sparse({ 5: [null, null, `https://${app.bundleId}.example/privacy`] })],
    138: sparse({ 4: dataOf(app), 9: [null, null, practices] }),
  });
  const html = renderIslandPage({
    title: `${app.brand} - Data safety`,
    seed: app.seed,
    shift: context.mutation === 'ds-shifted' ? 3 : 0,
    renameRpc: context.mutation === 'rpc-renamed',
    islands: [
      { key: 0, rpc: 'T6C6Se', request: [], json: '[]' },
      {
        key: 3,
        rpc: 'Ws7gDc',
        request: [[id, 7]],
        json: scriptJson([[[[]]], [null, null, [null, record]]]),
      },
    ],
  });
  return respond(200, 'html', html);
}

const practices = [
  [
    null,
    'Data is encrypted in transit',
    [null, 'Your data is transferred over a secure connection'],
  ],
  [
    null,
    'You can request that data be deleted',
    [null, 'The developer provides a way for you to request that your data be deleted'],
  ],
];

/** Shared data, then collected data: `[type, …, [[name, optional, purpose]…]]`. */
function dataOf(app: SimApp): unknown[] {
  const entry = (type: string, details: readonly unknown[][]) => [
    [null, type],
    null,
    null,
    null,
    details,
  ];
  const collected = entry('App activity', [
    ['App interactions', mix(app.seed, 91) % 2, 'Analytics'],
  ]);
  const shared = entry('Device or other IDs', [
    ['Device or other IDs', 0, 'Advertising or marketing'],
  ]);
  return [mix(app.seed, 92) % 2 === 0 ? [[shared]] : null, [[collected]]];
}
