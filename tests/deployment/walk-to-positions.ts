import { expect } from 'vitest';
import type { Client } from '#client/http.ts';
import { until } from '../harness/load-recorder.ts';

const app = { store: 'ios', storeAppId: '1500000001' } as const;

/**
 * Tracks keywords of an app and compares the positions with those of the simulated store. Returns
 * them.
 */
export async function walkToPositions(client: Client, simulatorUrl: string): Promise<unknown[]> {
  const created = await client('POST /apps', { body: app });
  const { job } = await client('POST /apps/{id}/keywords', {
    params: { id: created.app.id },
    body: {
      phrases: ['habit tracker', 'journal', 'mood', 'word of nobody'],
      countries: ['us', 'de'],
    },
  });
  const jobId = Number(job!.id);
  const isDone = async () =>
    (await client('GET /jobs/{jobId}', { params: { jobId } })).state === 'succeeded';
  await until(isDone, 120_000, 'the first checks');
  const positions = await listPositions(client);
  expect(positions).toHaveLength(8);
  for (const { phrase, country, position } of positions) {
    const query = new URLSearchParams({ ...app, phrase, country });
    const response = await fetch(`${simulatorUrl}/_sim/ground-truth?${query}`);
    const truth = (await response.json()) as { position: number | null };
    expect({ phrase, country, position }).toEqual({ phrase, country, position: truth.position });
  }
  expect(positions.filter(({ position }) => position !== null).length).toBeGreaterThan(3);
  return positions;
}

export async function listPositions(client: Client) {
  const { items } = await client('GET /rankings/latest', { query: {} });
  return items
    .map(({ phrase, country, latest }) => ({ phrase, country, position: latest?.position }))
    .toSorted((a, b) => `${a.phrase} ${a.country}`.localeCompare(`${b.phrase} ${b.country}`));
}
