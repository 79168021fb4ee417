import { liveTopics, type LiveTopic } from '#contract/live.ts';
import { listLiveStates } from '#db/queries/live/live-states.ts';
import type { Services } from '#domain/base/context.ts';
import { utcDayOf } from '#lib/dates.ts';
import { versionOf } from '#lib/version-of.ts';

/** The version of each topic of a workspace. */
export type LiveState = Readonly<Record<LiveTopic, string>>;

/** Workspaces that do not exist have a state too; it never changes. */
export async function readLiveStates(
  { systemDb, clock }: Pick<Services, 'systemDb' | 'clock'>,
  workspaceIds: readonly number[],
): Promise<Map<number, LiveState>> {
  const rows = await listLiveStates(systemDb, workspaceIds, utcDayOf(clock.now()));
  return new Map(
    rows.map(({ workspaceId, ...texts }) => [
      workspaceId,
      Object.fromEntries(
        liveTopics.map((topic) => [topic, versionOf(texts, [topic])]),
      ) as unknown as LiveState,
    ]),
  );
}

/** The id of an event: the state that its reader has after it. */
export const encodeLiveState = (state: LiveState): string =>
  liveTopics.map((topic) => state[topic]).join('.');

/** The topics that changed since an event; all of them when the id is not one of ours. */
export function listChangedTopics(since: string, state: LiveState): LiveTopic[] {
  const before = since.split('.');
  return liveTopics.filter((topic, index) => before[index] !== state[topic]);
}
