import { hash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Seconds on two cores beside other files, of files that take more than seven. */
const measured: Record<string, number> = {
  'queue/conformance': 84,
  'browser/end-to-end-flows': 69,
  'browser/states': 65,
  'flows/postgres-kills': 62,
  'browser/billing': 59,
  'browser/keyboard-navigation': 59,
  'browser/pages': 58,
  'browser/keywords': 54,
  'browser/frame': 48,
  'flows/limits-kills': 45,
  'flows/shutdown': 39,
  'browser/notification-flows': 35,
  'stores/third-store': 33,
  'boot/demo': 29,
  'browser/day-range': 28,
  'api/coverage': 26,
  'flows/roles': 26,
  'counters/circuit-breaker': 25,
  'flows/worker-kills': 25,
  'api/auth': 24,
  'api/imports-hostile': 24,
  'stores/pacing': 24,
  'browser/first-run': 23,
  'flows/drift': 23,
  'flows/withheld-results': 22,
  'api/tenants': 21,
  'rules/tree': 21,
  'stores/simulator': 21,
  'domain/webhooks-receivers': 19,
  'rules/statements': 19,
  'api/actions-lifecycle': 18,
  'api/billing-payments': 18,
  'api/credentials': 18,
  'boot/postgres': 18,
  'browser/days': 18,
  'browser/overview': 18,
  'api/billing-events': 17,
  'browser/admin': 17,
  'api/recovery': 16,
  'flows/disk-full': 16,
  'browser/timeline': 15,
  'api/admin': 14,
  'api/generated-client': 14,
  'api/workspace-restore': 14,
  'browser/keyword': 14,
  'flows/api-kills': 14,
  'flows/over-limit': 14,
  'mcp/stdio': 14,
  'mcp/tools': 14,
  'flows/budget-accuracy': 13,
  'flows/changes': 13,
  'flows/export-kills': 13,
  'flows/run-rules': 13,
  'mcp/http': 13,
  'api/rejected-credentials': 12,
  'boot/commands': 12,
  'flows/search-providers': 12,
  'api/competitors': 11,
  'api/heavy-reads': 11,
  'api/keywords': 11,
  'api/plan-limits': 11,
  'counters/conformance': 11,
  'domain/billing-states': 11,
  'flows/deliveries-kills': 11,
  'flows/store-tasks': 11,
  'domain/reviews-sync': 10,
  'flows/deliveries-schedule': 10,
  'api/docs-page': 9,
  'api/errors': 9,
  'api/imports': 9,
  'api/keyword-import': 9,
  'api/members': 9,
  'api/tenants-matrix': 9,
  'domain/budget': 9,
  'flows/clocks': 9,
  'flows/daily-ranks-accuracy': 9,
  'flows/deliveries': 9,
  'flows/redis-failures': 9,
  'flows/rolling-restart': 9,
  'api/apps': 8,
  'api/contract': 8,
  'api/fuzz': 8,
  'api/hostile-strings': 8,
  'api/openapi-lint': 8,
  'domain/scores': 8,
  'flows/added-during-run': 8,
  'flows/background-work': 8,
  'flows/network-faults': 8,
  'simulator/play-oracles': 8,
  'backups/commands': 12,
  'backups/hostile-files': 10,
  'backups/schedule': 8,
  'backups/round-trip': 8,
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
const waitingWorkers = 3;

/** Files of the browser that need no demo: they run while the first of the others fills it. */
const withoutDemo = /^(browser\/(bundle|external-requests|first-run|keyword)|api\/docs-page)$/;

/**
 * Orders files by project: a worker, with all that it has loaded, continues only with a file of the
 * same project. In each project the slowest files come first, so that the workers end together, and
 * files of equal time in an order that the seed of the run decides. Files that mostly wait run
 * three at a time, beside files that compute.
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
    const bySlowness = startDemo(
      files.toSorted((a, b) => secondsOf(b) - secondsOf(a) || (draw(a) < draw(b) ? -1 : 1)),
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

/** The slowest file that needs the demo, then those that need none. */
function startDemo([slowest, ...files]: TestSpecification[]): TestSpecification[] {
  const [early = [], late = []] = [true, false].map((isEarly) =>
    files.filter((file) => withoutDemo.test(nameOf(file)) === isEarly),
  );
  return [...(slowest ? [slowest] : []), ...early, ...late];
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
