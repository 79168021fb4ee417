import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Seconds on two quiet cores, of files that take more than a few. */
const measured: Record<string, number> = {
  'flows/postgres-kills': 68,
  'queue/conformance': 66,
  'browser/pages': 130,
  'browser/frame': 60,
  'browser/keywords': 46,
  'browser/overview': 30,
  'browser/errands': 60,
  'browser/states': 55,
  'browser/journeys': 50,
  'browser/days': 35,
  'browser/keyword': 30,
  'browser/errands-told': 25,
  'browser/plan': 25,
  'browser/operator': 20,
  'browser/timeline': 15,
  'flows/limits-kills': 35,
  'flows/shutdown': 40,
  'flows/worker-kills': 37,
  'boot/postgres': 34,
  'flows/api-kills': 32,
  'api/coverage': 29,
  'flows/alerts-30-days': 28,
  'flows/budget-truth': 28,
  'flows/thirty-days': 25,
  'browser/first-run': 20,
  'boot/demo': 20,
  'api/fuzz': 20,
  'flows/deliveries-kills': 15,
  'flows/daily-truth': 15,
  'flows/run-rules': 15,
  'api/contract': 15,
  'api/plan-limits': 10,
  'api/refusal-order': 15,
  'api/billing-events': 10,
  'counters/conformance': 15,
  'counters/guarded': 12,
  'api/tenants-matrix': 15,
  'api/accounts-deleted': 5,
};

/**
 * Processes that are killed and come back are mostly waited for: one such file at a time, beside files that compute.
 * Those follow one another by project, since the files of one share a process; in each the slowest first, so that
 * the workers end together.
 */
export class FileOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = this.ctx.config.projects?.map((project) => (project as { test: { name: string } }).test.name) ?? [];
    const placeOf = ({ project }: TestSpecification) => projects.indexOf(project.name);
    const bySlowness = files.toSorted((a, b) => placeOf(a) - placeOf(b) || secondsOf(b) - secondsOf(a) || (a.moduleId < b.moduleId ? -1 : 1));
    const [waiting, computing] = [bySlowness.filter(isWaiting), bySlowness.filter((file) => !isWaiting(file))];
    const begun = [...beginnings(waiting, 1), ...beginnings(computing, Math.max(1, this.ctx.config.maxWorkers - 1))];
    return Promise.resolve(begun.toSorted((a, b) => a.atSeconds - b.atSeconds).map(({ file }) => file));
  }
}

const isWaiting = ({ project }: TestSpecification): boolean => project.name === 'processes';

/** When each would begin if so many workers took them in this order. */
function beginnings(files: TestSpecification[], workers: number): { file: TestSpecification; atSeconds: number }[] {
  const freeAt = Array.from({ length: workers }, () => 0);
  return files.map((file) => {
    const atSeconds = Math.min(...freeAt);
    freeAt[freeAt.indexOf(atSeconds)] = atSeconds + secondsOf(file);
    return { file, atSeconds };
  });
}

function secondsOf({ moduleId }: TestSpecification): number {
  return measured[/tests\/(.*)\.test\.ts$/.exec(moduleId)?.[1] ?? ''] ?? 4;
}
