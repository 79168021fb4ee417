import { hash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import times from './file-times.json' with { type: 'json' };

/** Files that take long: seconds, and how many of them their own processes compute. */
const measured = new Map(
  Object.entries(times).map(([name, [wall = 0, computed = 0]]) => [name, { wall, computed }]),
);
/** Of a file that was not long enough, or is new. */
const short = { wall: 3, computed: 1 };

/**
 * Files that mostly wait compute less than this share of their time: they wait for processes that
 * are killed and stopped, for limits to pass, for a receiver that is not there.
 */
const waitingShare = 0.3;

/** Files of the browser that need no demo: they run while the first of the others fills it. */
const withoutDemo = /^(browser\/(bundle|external-requests|first-run|keyword)|api\/docs-page)$/;

/**
 * Orders files by project: a worker, with all that it has loaded, continues only with a file of the
 * same project. In each project the slowest files come first, so that the workers end together, and
 * files of equal time in an order that the seed of the run decides. Files that mostly wait take two
 * thirds of the workers, beside files that compute. `npm test -- --write-times` measures the times.
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
    const computing = bySlowness.filter((file) => !isWaiting(file));
    const computingWorkers = Math.max(1, Math.floor(this.ctx.config.maxWorkers / 3));
    const waitingWorkers = Math.max(1, this.ctx.config.maxWorkers - computingWorkers);
    return [
      ...beginnings(bySlowness.filter(isWaiting), waitingWorkers),
      ...beginnings(computing, computingWorkers),
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

const timesOf = (file: TestSpecification) => measured.get(nameOf(file)) ?? short;
const secondsOf = (file: TestSpecification): number => timesOf(file).wall;
const isWaiting = (file: TestSpecification): boolean =>
  timesOf(file).computed < timesOf(file).wall * waitingShare;
