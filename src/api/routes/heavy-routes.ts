import type { Route } from '../route.ts';

/** The files of the operations that are `heavy`; a thread loads only the one that it needs. */
export const heavyRoutes: Readonly<Record<string, () => Promise<readonly Route[]>>> = {
  'POST /alerts/rules/backtest': async () => (await import('./alerts.ts')).alertsRoutes,
  'GET /digests/weekly': async () => (await import('./digests.ts')).digestsRoutes,
  'GET /apps/{id}/rankings/matrix': async () => (await import('./rankings.ts')).rankingsRoutes,
  'GET /apps/{id}/competitors/{cid}/visibility': async () =>
    (await import('./competitors.ts')).competitorsRoutes,
  'GET /scores/evaluation': async () => (await import('./scores.ts')).scoresRoutes,
};
