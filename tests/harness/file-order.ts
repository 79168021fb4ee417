import { hash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Seconds on two quiet cores, of files that take more than a few. */
const measured: Record<string, number> = {
  'browser/pages': 80,
  'browser/end-to-end-flows': 76,
  'flows/limits-kills': 56,
  'browser/billing': 52,
  'queue/conformance': 48,
  'browser/keywords': 48,
  'browser/states': 47,
  'browser/frame': 47,
  'browser/keyboard-navigation': 45,
  'flows/postgres-kills': 44,
  'flows/shutdown': 41,
  'browser/days': 29,
  'flows/thirty-days': 28,
  'api/coverage': 27,
  'browser/notification-flows': 25,
  'flows/api-kills': 24,
  'browser/first-run': 22,
  'api/fuzz': 21,
  'flows/worker-kills': 20,
  'browser/overview': 20,
  'api/tenants-matrix': 20,
  'counters/circuit-breaker': 18,
  'browser/admin': 18,
  'api/workspace-restore': 17,
  'flows/budget-accuracy': 17,
  'browser/keyword': 17,
  'browser/day-range': 17,
  'domain/webhooks-receivers': 17,
  'boot/postgres': 15,
  'flows/daily-ranks-accuracy': 15,
  'boot/demo': 15,
  'api/rejected-credentials': 9,
  'api/credentials': 8,
  'api/tenants': 14,
  'flows/roles': 14,
  'flows/store-tasks': 13,
  'api/keywords': 13,
  'api/imports-hostile': 12,
  'flows/deliveries': 12,
  'api/generated-client': 12,
  'flows/api-only': 12,
  'api/billing-payments': 12,
  'flows/deliveries-kills': 11,
  'api/billing-events': 11,
  'api/contract': 11,
  'stores/pacing': 11,
  'domain/billing-states': 11,
  'flows/deliveries-schedule': 11,
  'stores/simulator': 10,
  'rules/regexes': 10,
  'domain/budget': 10,
  'flows/over-limit': 8,
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
