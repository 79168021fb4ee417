import { hash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Seconds on two quiet cores, of files that take more than five. */
const measured: Record<string, number> = {
  'browser/end-to-end-flows': 57,
  'browser/billing': 56,
  'browser/pages': 54,
  'queue/conformance': 53,
  'browser/keyboard-navigation': 49,
  'browser/states': 38,
  'browser/frame': 36,
  'flows/limits-kills': 32,
  'flows/postgres-kills': 32,
  'browser/keywords': 31,
  'flows/shutdown': 29,
  'browser/notification-flows': 29,
  'browser/first-run': 21,
  'browser/days': 20,
  'flows/worker-kills': 19,
  'counters/circuit-breaker': 18,
  'browser/day-range': 17,
  'browser/overview': 15,
  'flows/thirty-days': 15,
  'domain/webhooks-receivers': 15,
  'browser/admin': 14,
  'api/fuzz': 14,
  'flows/budget-accuracy': 13,
  'browser/keyword': 12,
  'api/coverage': 12,
  'api/workspace-restore': 12,
  'stores/third-store': 11,
  'boot/postgres': 11,
  'browser/timeline': 11,
  'api/credentials': 10,
  'api/tenants-matrix': 9,
  'boot/demo': 9,
  'stores/pacing': 9,
  'flows/roles': 9,
  'flows/over-limit': 9,
  'api/tenants': 9,
  'stores/simulator': 8,
  'api/billing-payments': 8,
  'boot/dev': 8,
  'api/recovery': 7,
  'api/contract': 7,
  'flows/run-rules': 7,
  'flows/deliveries-kills': 6,
  'api/hostile-strings': 6,
};

/**
 * Files that mostly wait: for processes that are killed and stopped, for limits to pass, for a
 * receiver that is not there.
 */
const waiting = [
  /^(boot|queue)\//,
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
