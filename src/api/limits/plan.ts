import type { Operation } from '../../contract/operation.ts';
import type { Identity } from '../../domain/accounts/identify.ts';
import { onDemandWindows, planOf, type Plan } from '../../domain/billing/plans.ts';
import { AppError } from '../../domain/errors.ts';
import type {
  RequestCounters,
  RequestLease,
  RequestWindow,
  WindowUse,
} from '../../domain/billing/request-counters.ts';

type Budgeted = Pick<Operation, 'rateClass' | 'onDemand'>;

const renewEveryMs = 20_000;

/** The windows a request spends from: its minute, the day, and its own allowance where it asks a store on demand. */
export function windowsOf(plan: Plan, { rateClass, onDemand }: Budgeted): RequestWindow[] {
  return [
    rateClass === 'read'
      ? { name: 'read', seconds: 60, limit: plan.readsPerMinute }
      : // Writes and store lookups share a budget.
        { name: 'write', seconds: 60, limit: plan.writesPerMinute },
    { name: 'day', seconds: 86_400, limit: plan.requestsPerDay },
    ...(onDemand
      ? [
          {
            name: onDemand,
            seconds: onDemandWindows[onDemand] === 'day' ? 86_400 : 3_600,
            limit: plan.onDemand[onDemand],
          } as const,
        ]
      : []),
  ];
}

const windowNames = { 60: 'minute', 3_600: 'hour', 86_400: 'day' } as const;

/** What a request was let in with, until it is answered. */
export interface Admission {
  uses: WindowUse[];
  lease: RequestLease;
  /** Given back when nothing was done: a refresh that failed was none. */
  onDemand: RequestWindow[];
}

/** The request limits of plans, by workspace: a second token buys nothing. */
export class PlanLimits {
  private readonly counters: RequestCounters;
  private readonly open = new Set<RequestLease>();
  private readonly timer: NodeJS.Timeout;

  constructor(counters: RequestCounters) {
    this.counters = counters;
    this.timer = setInterval(() => void this.renew(), renewEveryMs).unref();
  }

  /** Throws rate_limited or on_demand_cap, with the windows as they stand; then nothing was spent. */
  async admit({ workspaceId, plan: planName }: Identity, operation: Budgeted): Promise<Admission> {
    const plan = planOf(planName);
    const windows = windowsOf(plan, operation);
    const { lease, windows: uses } = await this.counters.take({
      workspaceId,
      windows,
      parallel: plan.parallel,
    });
    if (lease === null) throw refusal(plan, operation, uses);
    this.open.add(lease);
    return { uses, lease, onDemand: windows.slice(2) };
  }

  /** The windows of a request that was refused for another reason: it spends nothing. */
  look({ workspaceId, plan }: Identity, operation: Budgeted): Promise<WindowUse[]> {
    return this.counters.look({ workspaceId, windows: windowsOf(planOf(plan), operation) });
  }

  async end({ lease, onDemand }: Admission, isDone: boolean): Promise<void> {
    this.open.delete(lease);
    await this.counters.end(lease, isDone ? [] : onDemand);
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** A long export holds its place. */
  private async renew(): Promise<void> {
    if (this.open.size > 0) await this.counters.renew([...this.open]).catch(() => undefined);
  }
}

/** The refusal that carries the windows it comes from, for its headers. */
export class LimitReached extends AppError {
  readonly uses: WindowUse[];

  constructor(
    ...[code, message, detail, uses]: [...ConstructorParameters<typeof AppError>, WindowUse[]]
  ) {
    super(code, message, detail);
    this.uses = uses;
  }
}

/** Of full windows the one that opens last: who waits for that one is let in. */
function refusal(plan: Plan, { rateClass, onDemand }: Budgeted, uses: WindowUse[]): LimitReached {
  const full = uses
    .filter((use) => use.used >= use.limit)
    .toSorted((a, b) => b.resetSeconds - a.resetSeconds)[0];
  const common = { rateClass, plan: plan.name, upgradeTo: plan.upgradeTo };
  if (!full) {
    const rateLimit = {
      ...common,
      window: 'concurrent' as const,
      limit: plan.parallel,
      resetSeconds: 1,
    };
    const open = {
      name: 'concurrent',
      seconds: 60 as const,
      limit: plan.parallel,
      used: plan.parallel,
      resetSeconds: 1,
    };
    const message = `The plan answers ${plan.parallel} requests at a time. Wait for one of yours to end.`;
    return new LimitReached('rate_limited', message, { rateLimit, retryAfterSeconds: 1 }, [open]);
  }
  const window = windowNames[full.seconds];
  const rateLimit = { ...common, window, limit: full.limit, resetSeconds: full.resetSeconds };
  const isOnDemand = full.name === onDemand;
  const message = isOnDemand
    ? `The plan’s ${full.limit} uses of ${full.name} in this ${window} are used up.`
    : undefined;
  return new LimitReached(
    isOnDemand ? 'on_demand_cap' : 'rate_limited',
    message,
    { rateLimit, retryAfterSeconds: full.resetSeconds },
    [full],
  );
}

/** Of the windows the one nearest to refusing, of equals the one that opens last. */
export function limitHeaders(uses: readonly WindowUse[]): Record<string, string> {
  const left = (use: WindowUse) => Math.max(0, use.limit - use.used);
  const [nearest] = uses.toSorted(
    (a, b) => left(a) / a.limit - left(b) / b.limit || b.resetSeconds - a.resetSeconds,
  );
  if (!nearest) return {};
  return {
    'ratelimit-limit': String(nearest.limit),
    'ratelimit-remaining': String(left(nearest)),
    'ratelimit-reset': String(nearest.resetSeconds),
  };
}
