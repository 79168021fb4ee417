import { jobKinds } from '#contract/choices.ts';
import { plannedKinds } from '#domain/scheduling/runs/store-work.ts';
import { isDelivery, isJob, isPlanned, type Registry } from './registry-entry.ts';

/**
 * Throws unless every kind of background work is in the registry exactly once and something
 * enqueues it. The boot calls it, so that no process starts without a handler for accepted work.
 */
export function checkRegistry({ entries, storeJobs }: Registry): void {
  const planned = entries.filter(isPlanned).map(({ name }) => name);
  const jobs = [...entries.filter(isJob).map(({ name }) => name), ...Object.keys(storeJobs)];
  checkKinds('planned work', plannedKinds, planned);
  checkKinds('accepted job', jobKinds, jobs);
  checkKinds(
    'delivery',
    ['webhook-delivery'],
    entries.filter(isDelivery).map(({ name }) => name),
  );
  checkNames(entries.map(({ name }) => name));
  for (const [job, kinds] of Object.entries(storeJobs))
    for (const kind of kinds)
      if (!planned.includes(kind))
        throw new Error(
          `job ${job} waits for ${kind}, which no entry of src/jobs/registry.ts runs`,
        );
}

function checkKinds(what: string, expected: readonly string[], found: readonly string[]): void {
  for (const kind of expected) {
    const count = found.filter((name) => name === kind).length;
    if (count !== 1)
      throw new Error(`${what} ${kind} has ${count} entries in src/jobs/registry.ts; it needs one`);
  }
  const unknown = found.find((name) => !expected.includes(name));
  if (unknown !== undefined)
    throw new Error(`${what} ${unknown} is in src/jobs/registry.ts and nothing enqueues it`);
}

function checkNames(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${twice} has two entries in src/jobs/registry.ts`);
}
