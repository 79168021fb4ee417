import { setTimeout as wait } from 'node:timers/promises';
import { ApiError, type Client } from '#client/http.ts';
import type { OperationKey } from '#contract/index.ts';
import { CommandError } from '#lib/command-error.ts';
import { withoutTrailing } from '#lib/text.ts';
import { createApiClient } from '#client/api-client.ts';
import { apiUrlOf, describeRedirect, isRedirect } from '#client/instance-address.ts';
import { addressStep, readConnection, type InstanceConnection } from '../instance-connection.ts';

const attempts = 4;
const maxWaitSeconds = 120;

/** The API of the instance of `--url`, the environment or the login. Waits when it says so. */
export async function openApi(
  flag: string | undefined,
  onWait?: (text: string) => void,
): Promise<Client> {
  return connect(await readConnection(flag), onWait);
}

export function connect(
  { url, token }: InstanceConnection,
  onWait: (text: string) => void = () => {},
): Client {
  const api = createApiClient({ apiUrl: apiUrlOf(url), token });
  return async (key, input, signal) => {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await api(key, input, signal);
      } catch (error) {
        const seconds = error instanceof ApiError ? error.envelope.retryAfterSeconds : undefined;
        if (seconds === undefined || seconds > maxWaitSeconds || attempt === attempts)
          throw explainError(error, key, url);
        onWait(`The instance accepts the next request in ${seconds} s (${codeOf(error)}).`);
        await wait(seconds * 1000, undefined, { signal });
      }
  };
}

const codeOf = (error: unknown): string => (error as ApiError).envelope.code;

/** An error of the API or the network as CommandError with the next step; others unchanged. */
function explainError(error: unknown, key: OperationKey, url: string): unknown {
  if (error instanceof ApiError) return new CommandError(describe(error, key));
  if (isRedirect(error)) return new CommandError(describeRedirect(url));
  const { name, cause } = error as Error;
  if (name === 'TimeoutError')
    return new CommandError('The instance did not respond in time. Check TOPRUNG_URL, or retry.');
  if (!(error instanceof TypeError) || cause === undefined) return error;
  const { code, message } = cause as NodeJS.ErrnoException;
  return new CommandError(
    `The instance does not respond (${code ?? message}). Check that it runs, and its address: ` +
      'TOPRUNG_URL, --url or toprung login.',
  );
}

function describe(
  { status, message, envelope, isOfStranger }: ApiError,
  key: OperationKey,
): string {
  const { code, quota, retryAfterSeconds, issues, entitlement } = envelope;
  const next: Partial<Record<typeof code, string>> = {
    unauthenticated:
      'The token is wrong, expired or revoked. Run toprung login, or set TOPRUNG_TOKEN to ' +
      'another one.',
    read_only_token:
      'This token cannot change anything. Create one with write access in the dashboard under ' +
      'Settings, API tokens.',
    // Lists of the workspace are always there, so another server responded.
    not_found: key.includes('{') ? 'See toprung apps for the apps of this workspace.' : addressStep,
    no_live_plan: `Start a plan at ${entitlement?.upgradePath ?? 'Settings, Billing'}.`,
  };
  const step =
    (isOfStranger ? describeStranger(status) : next[code]) ??
    (quota
      ? `The plan ${quota.plan} allows ${quota.limit}, of which ${quota.used} are used` +
        `${quota.upgradeTo === null ? '' : `; ${quota.upgradeTo} allows more`}.`
      : retryAfterSeconds === undefined
        ? null
        : `Run the command again in ${retryAfterSeconds} s.`);
  const faults = (issues ?? []).slice(0, 3).map((one) => `${one.path}: ${one.message}`);
  return [
    `${withoutTrailing(message.trimEnd(), '.')} (${code}).`,
    ...(faults.length > 0 ? [`${faults.join('; ')}.`] : []),
    ...(step === null ? [] : [step]),
  ].join(' ');
}

/** A proxy responds 502 or 503 for an instance that is starting. */
const describeStranger = (status: number): string =>
  status < 500
    ? addressStep
    : `It may be starting: run the command again. If that fails: ${addressStep}`;
