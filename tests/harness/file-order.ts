import { hash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Seconds on two quiet cores, of files that take more than five. */
const measured: Record<string, number> = {
  'browser/end-to-end-flows': 65,
  'browser/keyboard-navigation': 59,
  'browser/pages': 58,
  'browser/billing': 58,
  'queue/conformance': 56,
  'browser/states': 42,
  'browser/keywords': 37,
  'flows/limits-kills': 36,
  'boot/demo': 32,
  'browser/frame': 31,
  'flows/shutdown': 26,
  'flows/postgres-kills': 26,
  'browser/notification-flows': 24,
  'flows/withheld-results': 22,
  'stores/third-store': 21,
  'browser/first-run': 21,
  'flows/thirty-days': 20,
  'api/workspace-restore': 19,
  'browser/day-range': 18,
  'api/coverage': 18,
  'flows/drift': 16,
  'flows/worker-kills': 15,
  'counters/circuit-breaker': 15,
  'browser/days': 15,
  'stores/pacing': 14,
  'flows/search-providers': 14,
  'flows/background-work': 14,
  'api/tenants-matrix': 14,
  'browser/overview': 13,
  'api/imports-hostile': 13,
  'browser/admin': 12,
  'boot/postgres': 12,
  'backups/commands': 12,
  'api/fuzz': 12,
  'flows/store-tasks': 11,
  'domain/webhooks-receivers': 11,
  'flows/soak': 10,
  'flows/redis-failures': 10,
  'flows/budget-accuracy': 10,
  'browser/timeline': 10,
  'browser/keyword': 10,
  'api/credentials': 10,
  'backups/hostile-files': 10,
  'flows/roles': 9,
  'flows/deliveries': 9,
  'flows/daily-ranks-accuracy': 9,
  'boot/dev': 9,
  'backups/schedule': 8,
  'backups/round-trip': 8,
  'stores/simulator': 8,
  'flows/run-rules': 8,
  'flows/disk-full': 8,
  'flows/api-kills': 8,
  'api/generated-client': 8,
  'rules/tree': 7,
  'flows/over-limit': 7,
  'flows/export-kills': 7,
  'flows/deliveries-kills': 7,
  'api/tenants': 7,
  'api/billing-payments': 7,
  'mcp/tools': 6,
  'flows/network-faults': 6,
  'boot/commands': 6,
  'api/rejected-credentials': 6,
  'api/plan-limits': 6,
  'api/admin': 6,
};

/**
 * Files that mostly wait: for processes that are killed and stopped, for limits to pass, for a
 * receiver that is not there.
 */
const waiting = [
  /^(boot|queue)\//,
  /^backups\/(commands|schedule)$/,
  /^flows\/(.*-kills|roles|shutdown)$/,
  /^(counters\/circuit-breaker|stores\/pacing|domain\/webhooks-receivers)$/,
];
const waitingWorkers = 2;

/**
 * Orders files by project: a worker, with all that it has loaded, continues only with a file of the
 * same project. In each project the slowest files come first, so that the workers end together, and
 * files of equal time in an order that the seed of the run decides. Files that mostly wait run two
 * at a time, beside files that compute.
 */
export class FileOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = this.ctx.config.projects ?? [];
    const order = projects.map((project) => (project as { test: { name: string } }).test.name);
    const byProject = order.map((name) => files.filter(({ project }) => project.name === name));
    const others = files.filter(({ project }) => !order.includes(project.name));
    return Promise.resolve([...byProject, others].flatMap((list) => this.#mix(list)));
  }

  #mix(files: TestSpecification[]): TestSpecification[] {
    const draw = (file: TestSpecification) =>
      hash('md5', `${this.ctx.config.sequence.seed} ${nameOf(file)}`);
    const bySlowness = files.toSorted(
      (a, b) => secondsOf(b) - secondsOf(a) || (draw(a) < draw(b) ? -1 : 1),
    );
    const isWaiting = (file: TestSpecification) =>
      waiting.some((pattern) => pattern.test(nameOf(file)));
    const computing = bySlowness.filter((file) => !isWaiting(file));
    return [
      ...beginnings(bySlowness.filter(isWaiting), waitingWorkers),
      ...beginnings(computing, Math.max(1, this.ctx.config.maxWorkers - waitingWorkers)),
    ]
      .toSorted((a, b) => a.atSeconds - b.atSeconds)
      .map(({ file }) => file);
  }
}

/** The start of each if this many workers take them in this order. */
function beginnings(
  files: TestSpecification[],
  workers: number,
): { file: TestSpecification; atSeconds: number }[] {
  const freeAt = Array.from({ length: workers }, () => 0);
  return files.map((file) => {
    const atSeconds = Math.min(...freeAt);
    freeAt[freeAt.indexOf(atSeconds)] = atSeconds + secondsOf(file);
    return { file, atSeconds };
  });
}

const nameOf = ({ moduleId }: TestSpecification): string =>
  /tests\/(.*)\.test\.ts$/.exec(moduleId)?.[1] ?? '';

const secondsOf = (file: TestSpecification): number => measured[nameOf(file)] ?? 4;
